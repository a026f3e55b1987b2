import { type RecomputeBound, recomputeBound } from '../../engine/bounds/recompute-bound.ts';
import { InternalError } from '../../engine/errors.ts';
import type { DeviceSpeed } from '../../engine/limits/throughput.ts';
import type { Link } from '../../engine/offload/link.ts';
import { provedFraction } from '../../engine/strategies/strategy/proved-fraction.ts';
import { NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';
import { needsAt } from '../../engine/training-memory/held.ts';
import type { Network } from '../../main/solver/memory.ts';
import type { ComparisonEvent, ComparisonHead, Row, ScaledTimeline } from '../contract/results.ts';
import { bytesAt } from '../contract/run-content.ts';
import { claimText, savesNothing, stopText } from '../report/claims.ts';
import type { Asked, CostsOrigin } from './network.ts';

/** One row of `solve`/`compare --json`. */
export type JsonRow = Omit<Row, 'claim' | 'infeasible' | 'stopped'> & {
  /** A limit ended the search; `notSearched` says how far it had come. */
  readonly stoppedEarly?: true;
  readonly notSearched?: string;
  readonly claim: string | null;
  /** All that training holds at its worst under this plan, without a device's context; null without a plan. */
  readonly needsBytes: number | null;
  /**
   * The least recompute of any schedule with this row's peak; of a strategy that was given a budget, of any within it.
   * Null where there is no plan.
   */
  readonly recomputeBoundFraction: number | null;
  /** With measured costs, in place of the FLOPs, which are null. */
  readonly forwardMs?: number | null;
  readonly recomputeMs?: number | null;
};

export type JsonHead = ComparisonHead & {
  readonly costs?: CostsOrigin;
  /** Link and speed that predict step times, if a link was named. */
  readonly link?: Link & DeviceSpeed;
  /** Caveats for the reader of a file's figures. */
  readonly notices?: readonly string[];
};

export interface SolvedRow {
  readonly json: JsonRow;
  /** True when no schedule can meet the request, such as a budget. */
  readonly isInfeasible: boolean;
  /** True when it recomputes and its peak is still that of regular training. */
  readonly savesNothing: boolean;
  readonly timeline: ScaledTimeline | null;
  /** Live bytes of each step; empty where there is no plan. */
  readonly live: readonly number[];
}

export interface Compared {
  readonly network: Network;
  readonly head: JsonHead;
  readonly rows: readonly SolvedRow[];
}

/**
 * The strategies on one network, solved as for the page.
 *
 * @param onSolving called before each strategy
 */
export async function compared(
  { solver, problem, network, title, costs, link, notices }: Asked,
  strategies: readonly string[],
  onSolving: (strategy: string) => void = () => undefined,
): Promise<Compared> {
  let head: JsonHead | null = null;
  const answered: Answered[] = [];
  await solver.answer('compare', { ...network, strategies: [...strategies] }, NO_CONTROL, (event) => {
    if (event.type === 'progress') return;
    if (event.type === 'head')
      head = {
        ...event.head,
        model: title,
        ...(costs === undefined ? {} : { costs }),
        ...(link === undefined ? {} : { link: { ...link.link, ...link.speed } }),
        ...told(notices),
      };
    else answered.push(event);
    const next = strategies[answered.length];
    if (next !== undefined) onSolving(next);
  });
  if (head === null) throw new InternalError('a comparison has no head');
  const bound = answered.some(({ row }) => row.peakBytes !== null) ? recomputeBound(problem()) : null;
  const rows = answered.map((row) => solvedRow(row, network, bound, costs !== undefined));
  return { network, head, rows };
}

/** As a key of a JSON document, absent where there is nothing to say. */
export const told = (notices: readonly string[]): { notices?: readonly string[] } =>
  notices.length === 0 ? {} : { notices };

type Answered = Extract<ComparisonEvent, { type: 'row' }>;

function solvedRow(
  { row, timeline, held }: Answered,
  network: Network,
  bound: RecomputeBound | null,
  isTimed: boolean,
): SolvedRow {
  const { infeasible = false, stopped, ...figures } = row;
  const json = {
    ...figures,
    claim: claimText(row),
    needsBytes: held.length === 0 ? null : needsAt(held, network.batch, 0),
    recomputeBoundFraction: provedFraction(row, network.budgetBytes, bound),
    ...(stopped === undefined ? {} : { stoppedEarly: true as const, notSearched: stopText(stopped) }),
  };
  return {
    json: isTimed ? withTimes(json) : json,
    isInfeasible: infeasible,
    savesNothing: savesNothing(row.claim),
    timeline,
    live:
      timeline === null ? [] : timeline.kinds.map((_, step) => bytesAt(timeline.live, step, network.batch)),
  };
}

/** In a timed graph, the fields named FLOPs hold nanoseconds. */
function withTimes(row: JsonRow): JsonRow {
  const ms = (nanoseconds: number | null): number | null => (nanoseconds === null ? null : nanoseconds / 1e6);
  return {
    ...row,
    forwardFlops: null,
    recomputeFlops: null,
    forwardMs: ms(row.forwardFlops),
    recomputeMs: ms(row.recomputeFlops),
  };
}

/** Source of the predicted overheads, in words. */
export function costsText({ backend, device, batch, input }: CostsOrigin): string {
  return `times of ${backend} on ${device}, measured at batch ${batch}, input ${input}`;
}
