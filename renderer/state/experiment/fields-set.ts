import type { Experiment } from '../../../app/contract/experiment.ts';
import { formatCount } from '../../shared/format/numbers.ts';
import { FIRST_EXPERIMENT } from './experiment.ts';

type Rare = Pick<Experiment, 'checkpointing' | 'profile' | 'segments' | 'dropout' | 'strategies'>;

/** The rarer settings that are not as on a first visit, in words, so that a closed list of them hides nothing. */
export function fieldsSet(experiment: Rare): string[] {
  const { checkpointing, profile, segments, dropout, strategies } = experiment;
  return [
    ...(checkpointing === 'reentrant' ? ['segments run reentrant'] : []),
    ...(profile === FIRST_EXPERIMENT.profile ? [] : [`profile ${profile}`]),
    ...(segments === undefined || !strategies.includes('sequential')
      ? []
      : [`${formatCount(segments)} segments of sequential`]),
    ...(dropout === undefined ? [] : [`dropout ${dropout}`]),
  ];
}
