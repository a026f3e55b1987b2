import { asSentence } from '../../shared/format/sentence.ts';

export const refusal = (reason: string | null): string => asSentence(reason ?? 'Does not apply');
