import type { Experiment } from '../../../app/contract/experiment.ts';
import { type TrainingFields, trainingFacts } from '../../../app/report/setup-facts.ts';
import { formatCount } from '../../shared/format/numbers.ts';
import { FIRST_EXPERIMENT } from './experiment.ts';

type Rare = Pick<
  Experiment,
  | 'checkpointing'
  | 'profile'
  | 'segments'
  | 'timeLimitSeconds'
  | 'dropout'
  | 'linkGBps'
  | 'linkCopies'
  | 'strategies'
  | keyof TrainingFields
>;

/** The rarer settings that are not as on a first visit, in words, so that a closed list of them hides nothing. */
export function fieldsSet(experiment: Rare): string[] {
  const { checkpointing, profile, segments, timeLimitSeconds, dropout, strategies } = experiment;
  const { linkGBps, linkCopies } = experiment;
  const { precision: _precision, ...training } = experiment;
  return [
    ...trainingFacts(training).map(([name, value]) => `${name.toLowerCase()} ${value}`),
    ...(checkpointing === 'reentrant' ? ['segments run reentrant'] : []),
    ...(profile === FIRST_EXPERIMENT.profile ? [] : [`profile ${profile}`]),
    ...(segments === undefined || !strategies.includes('sequential')
      ? []
      : [`${formatCount(segments)} segments of sequential`]),
    ...(timeLimitSeconds === undefined ? [] : [`searches end after ${timeLimitSeconds} s`]),
    ...(dropout === undefined ? [] : [`dropout ${dropout}`]),
    ...(linkGBps === undefined
      ? []
      : [`link ${linkGBps} GB/s${linkCopies === 'wait' ? ', waiting for copies' : ''}`]),
  ];
}
