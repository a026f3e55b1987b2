import type { LabClient } from '../../../../app/contract/client.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import type { Way, WaysRequestInput } from '../../../../app/contract/ways.ts';
import type { OptionName } from '../../../../engine/options/options.ts';
import { needsBudget } from '../../../../engine/strategies/default-strategy.ts';
import { roomOf } from '../../../state/experiment/device.ts';
import { withOption, withPrecision, withStrategy } from '../../../state/experiment/experiment.ts';
import { once } from '../../../state/requests/follow.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../../../state/requests/follower.ts';

export interface WaysState extends Standing {
  /** Request of the ways (`waysKey`); empty before the first. */
  readonly key: string;
  /** The best first. */
  readonly ways: readonly Way[];
}

/** First steps that make an experiment fit; asked after a quiet moment. */
export type WaysStore = Follower<WaysRequestInput, WaysState>;

const QUIET_MS = 300;
const MAX_KEPT = 12;

export const waysKey = (request: WaysRequestInput): string => JSON.stringify(request);

export function createWaysStore(client: LabClient): WaysStore {
  return createFollower<WaysRequestInput, readonly Way[], WaysState>({
    first: { ...AT_REST, key: '', ways: [] },
    keyOf: waysKey,
    ask: (request, signal) => once(client.ways(request, { signal })),
    begin: (state) => ({ ...state, running: true }),
    after: (state, ways, request) => ({ ...state, key: waysKey(request), ways }),
    quietMs: QUIET_MS,
    keeps: MAX_KEPT,
  });
}

export function waysRequest(experiment: Experiment): WaysRequestInput {
  const { strategies: _strategies, also: _also, budgetBytes: _budget, ...network } = experiment;
  return { ...network, room: roomOf(experiment) };
}

/** The experiment after a way: a plan made within what the device leaves has no other budget. */
export function withWay(
  experiment: Experiment,
  { change, strategy }: Way,
  order: readonly string[],
): Experiment {
  const { precision, ...others } = change;
  let next = experiment;
  for (const [name, value] of Object.entries(others)) next = withOption(next, name as OptionName, value);
  if (precision !== undefined) next = withPrecision(next, precision);
  if (strategy === 'regular') return next;
  if (needsBudget([strategy])) next = withOption(next, 'budgetBytes', undefined);
  return withStrategy(next, strategy, true, order);
}
