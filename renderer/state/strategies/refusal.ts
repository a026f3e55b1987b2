import { asSentence } from '../../shared/format/sentence.ts';

/** Why a strategy has no plan. */
export const refusal = (reason: string | null): string => asSentence(reason ?? 'Does not apply');
