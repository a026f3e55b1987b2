import { InternalError } from '../../engine/errors.ts';
import { NO_CONTROL } from '../../engine/strategies/strategy.ts';
import type { Network } from '../../main/solver/memory.ts';
import type { ComparisonHead, Row, ScaledTimeline } from '../contract/results.ts';
import { bytesAt } from '../contract/run-content.ts';
import { claimText, savesNothing, stopText } from '../report/claims.ts';
import type { Asked, CostsOrigin } from './network.ts';

/** One row of `solve`/`compare --json` (DESIGN section 8). */
export type JsonRow = Omit<Row, 'claim' | 'infeasible' | 'stopped'> & {
  /** A limit ended the search; `notSearched` says how far it had come. */
  readonly stoppedEarly?: true;
  readonly notSearched?: string;
  readonly claim: string | null;
  /** With measured costs, in place of the FLOPs, which are null. */
  readonly forwardMs?: number | null;
  readonly recomputeMs?: number | null;
};

export type JsonHead = ComparisonHead & { readonly costs?: CostsOrigin };

export interface SolvedRow {
  readonly json: JsonRow;
  /** Whether a plan was wanted that no schedule can be, as within a budget. */
  readonly isInfeasible: boolean;
  /** Whether it recomputes for a peak that regular training has without. */
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
  { solver, network, title, costs }: Asked,
  strategies: readonly string[],
  onSolving: (strategy: string) => void = () => undefined,
): Promise<Compared> {
  let head: JsonHead | null = null;
  const rows: SolvedRow[] = [];
  await solver.answer('compare', { ...network, strategies: [...strategies] }, NO_CONTROL, (event) => {
    if (event.type === 'progress') return;
    if (event.type === 'head')
      head = { ...event.head, model: title, ...(costs === undefined ? {} : { costs }) };
    else rows.push(solvedRow(event.row, event.timeline, network.batch, costs !== undefined));
    const next = strategies[rows.length];
    if (next !== undefined) onSolving(next);
  });
  if (head === null) throw new InternalError('a comparison has no head');
  return { network, head, rows };
}

function solvedRow(row: Row, timeline: ScaledTimeline | null, batch: number, isTimed: boolean): SolvedRow {
  const { infeasible = false, stopped, ...figures } = row;
  const json = {
    ...figures,
    claim: claimText(row),
    ...(stopped === undefined ? {} : { stoppedEarly: true as const, notSearched: stopText(stopped) }),
  };
  return {
    json: isTimed ? withTimes(json) : json,
    isInfeasible: infeasible,
    savesNothing: savesNothing(row.claim),
    timeline,
    live: timeline === null ? [] : timeline.kinds.map((_, step) => bytesAt(timeline.live, step, batch)),
  };
}

/** What a timed graph calls FLOPs are nanoseconds. */
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

/** What overheads are predicted by, for people. */
export function costsText({ backend, device, batch, input }: CostsOrigin): string {
  return `times of ${backend} on ${device}, measured at batch ${batch}, input ${input}`;
}
