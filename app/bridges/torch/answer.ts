import { recomputeBound } from '../../../engine/bounds/recompute-bound.ts';
import { formatBytes } from '../../../engine/bytes.ts';
import { type ComparisonHead, comparisonHead } from '../../../engine/comparison/head.ts';
import { BadInputError, InfeasibleError, notApplicableText } from '../../../engine/errors.ts';
import { readGraphDocument, samplesOf } from '../../../engine/exchange/graph-file.ts';
import { planFile, planOptions } from '../../../engine/exchange/plan-file.ts';
import { type Graph, idOf } from '../../../engine/graph/graph.ts';
import type { Profile } from '../../../engine/ops/definition.ts';
import { bytesOfBudget, parseBudget } from '../../../engine/options/budget.ts';
import { expectedOf, isTaken, optionOf } from '../../../engine/options/options.ts';
import { createProblem } from '../../../engine/problem.ts';
import { BACKWARD, type Schedule } from '../../../engine/schedule/schedule.ts';
import type { Timeline } from '../../../engine/simulate/simulate.ts';
import { kneeOf } from '../../../engine/strategies/budget/knee.ts';
import { paretoFront } from '../../../engine/strategies/budget/pareto-front.ts';
import { defaultStrategy } from '../../../engine/strategies/default-strategy.ts';
import { requireRead } from '../../../engine/strategies/unread-options.ts';
import { provedFraction } from '../../../engine/strategies/strategy/proved-fraction.ts';
import { type SolvedStrategy, solveRow } from '../../../engine/strategies/solve.ts';
import { NO_CONTROL, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { claimText } from '../../report/claims.ts';
import {
  type Amount,
  type FitPicture,
  fitPicture,
  fitRows,
  fitSentence,
  sum,
} from '../../report/fit-report.ts';
import { atOnce, peakOfAll, solveWithin } from './held-forwards.ts';

/** Request from Python: a graph as `capture` draws it, and the options of `zigzag solve` and `zigzag export`. */
export interface EngineRequest {
  readonly graph: unknown;
  /** The default for the options given, as on the command line (`defaultStrategy`). */
  readonly strategy?: string | null;
  /** Bytes; `4GiB`; `60%` of the regular peak; or `knee`, the bend of the front of peak and recompute. */
  readonly budget?: number | string | null;
  /** Forward passes that a step holds at once, in sizes of this one; 1 where not given. Figures are of all together. */
  readonly forwards?: number;
  /** Memory beside the step, in bytes by name. It counts against a budget in bytes. */
  readonly stationary?: readonly Amount[];
  /** Samples a step; as many as the graph holds where not given. */
  readonly batch?: number | null;
  readonly seed?: number;
  readonly checkpoints?: readonly string[];
  readonly slots?: number;
  readonly segments?: number;
  readonly profile?: Profile;
}

export interface EngineResult {
  readonly head: ComparisonHead;
  /** As `zigzag solve --json` prints it, but for the time and what a device holds in all. */
  readonly row: Omit<SolvedStrategy, 'schedule' | 'timeline' | 'claim'> & {
    readonly claim: string | null;
    readonly recomputeBoundFraction: number | null;
  };
  /** For one step; null without a budget. */
  readonly budgetBytes: number | null;
  /** The front on which the knee lies; null for other budgets. */
  readonly front: readonly (readonly [peakBytes: number, recomputeFraction: number])[] | null;
  /** The very text that `zigzag export --to plan` prints. */
  readonly plan: string;
  /** One line. */
  readonly sentence: string;
  /** Name and figure, for a table. */
  readonly rows: readonly (readonly [string, string])[];
  readonly picture: FitPicture;
  readonly live: LiveBytes;
}

/** Live bytes of the step as gradients of parameters come in beside them. */
export interface LiveBytes {
  readonly forwardPeakBytes: number;
  /** The most from one backward step to the next, that of the vertex included, in the order of the steps. */
  readonly backward: readonly (readonly [id: string, bytes: number])[];
}

interface Budget {
  readonly bytes: number;
  readonly front: EngineResult['front'];
  /** How the same question asks for so many bytes of a step. */
  readonly asking: (bytes: number) => string;
}

/** The options of the table that Python names as arguments; a budget is read by itself. */
const ARGUMENTS = ['batch', 'profile', 'seed', 'checkpoints', 'slots', 'segments'] as const;

/** @throws BadInputError naming the first argument that has a value that its option does not take */
function requireTaken(request: EngineRequest): void {
  for (const name of ARGUMENTS) {
    const [option, value] = [optionOf(name), request[name]];
    if (value == null || isTaken(option, value)) continue;
    throw new BadInputError(`${name} must be ${expectedOf(option)}, got ${JSON.stringify(value)}`);
  }
}

/**
 * Solves one graph with one strategy: the plan that the command line makes of the same file.
 *
 * @throws BadInputError, InfeasibleError with one sentence
 */
export function answer(request: EngineRequest): EngineResult {
  requireTaken(request);
  const { seed = 0, checkpoints, slots, segments, profile = 'pytorch' } = request;
  const batch = request.batch ?? samplesOf(request.graph);
  const graph = readGraphDocument(request.graph, { batch });
  const problem = createProblem(graph, profile);
  const { forwards = 1 } = request;
  if (!(forwards >= 1)) throw new BadInputError(`forwards must be a number of at least 1, got ${forwards}`);
  const alone = comparisonHead(problem, { model: graph.name, batch });
  const head = { ...alone, regularPeakBytes: peakOfAll(alone.regularPeakBytes, alone.savedBytes, forwards) };
  const budget = request.budget == null ? null : budgetOf(request.budget, request, problem, head);
  const asked = {
    budgetBytes: budget?.bytes,
    checkpoints,
    slots,
    segments,
    seed: seed === 0 ? undefined : seed,
  };
  const strategy = request.strategy ?? defaultStrategy(asked);
  const given = (Object.keys(asked) as (keyof typeof asked)[]).filter((name) => asked[name] !== undefined);
  requireRead(given, [strategy], (name) => (name === 'budgetBytes' ? 'budget' : name));
  const solveOne = (budgetBytes: number | undefined): SolvedStrategy =>
    solveRow(problem, strategy, { ...asked, seed, budgetBytes });
  const found = withLeastBudget(budget, request, () =>
    forwards > 1 && budget !== null && budget.bytes < head.regularPeakBytes
      ? solveWithin(solveOne, budget.bytes, forwards)
      : { solved: solveOne(budget?.bytes), budgetBytes: budget?.bytes },
  );
  const options = { ...asked, seed, budgetBytes: found.budgetBytes };
  const { schedule, timeline, ...row } = found.solved;
  if (schedule === null || timeline === null) {
    throw new BadInputError(notApplicableText(strategy, row.reason));
  }
  const regular = strategy === 'regular' ? found.solved : solveRow(problem, 'regular', { seed });
  const said = planOptions(problem, { ...options, batch });
  const regularPeakBytes = regular.peakBytes ?? timeline.peakBytes;
  const made = {
    strategy,
    options: said,
    checkpoints: row.checkpoints,
    schedule,
    timeline,
    regularPeakBytes,
  };
  const plan = planFile(graph, made);
  // A plan of one forward pass proves nothing of several.
  const isOne = forwards === 1;
  const peakBytes = peakOfAll(timeline.peakBytes, timeline.savedBytes, forwards);
  const solved = { ...found.solved, peakBytes };
  return {
    head,
    row: {
      ...row,
      peakBytes,
      claim: isOne ? claimText(row) : null,
      recomputeBoundFraction: isOne ? provedFraction(row, budget?.bytes, recomputeBound(problem)) : null,
    },
    budgetBytes: budget?.bytes ?? null,
    front: budget?.front ?? null,
    plan: `${JSON.stringify(plan, null, 2)}\n`,
    sentence: `${fitSentence(head, solved)}${isOne ? '' : ` It counts ${atOnce(forwards)}.`}`,
    rows: fitRows(head, solved, budget?.bytes ?? null, request.stationary ?? []),
    picture: fitPicture(head.model, strategy === 'regular' ? [regular] : [regular, found.solved]),
    live: liveBytes(graph, schedule, timeline),
  };
}

function liveBytes(
  graph: Graph,
  { kinds, vertices }: Schedule,
  { live, source, backwardStart }: Timeline,
): LiveBytes {
  const backward: [string, number][] = [];
  let most = source;
  let forwardPeakBytes = source;
  live.forEach((bytes, step) => {
    most = Math.max(most, bytes);
    if (step < backwardStart) forwardPeakBytes = most;
    if (kinds[step] !== BACKWARD) return;
    backward.push([idOf(graph, vertices[step] ?? 0), most]);
    most = source;
  });
  return { forwardPeakBytes, backward };
}

/** @throws BadInputError for what is no budget, InfeasibleError where what is stationary leaves nothing of it */
function budgetOf(
  asked: number | string,
  { stationary = [], forwards = 1 }: EngineRequest,
  problem: Problem,
  { regularPeakBytes, model }: ComparisonHead,
): Budget {
  if (asked === 'knee') {
    const front = paretoFront(problem, NO_CONTROL);
    const knee = kneeOf(front);
    if (knee === null) {
      throw new BadInputError(`the front of ${model} has no knee; give a budget such as '60%'`);
    }
    return {
      bytes: Math.ceil(knee.peakBytes * forwards),
      front: front.map(({ peakBytes, recomputeFraction }) => [peakBytes, recomputeFraction]),
      asking: String,
    };
  }
  const budget = parseBudget(String(asked));
  if (budget === null) {
    throw new BadInputError(
      `a budget is a share of the regular peak such as '60%', an amount of memory such as '24GB', bytes or 'knee', got ${JSON.stringify(asked)}`,
    );
  }
  if ('share' in budget) {
    // In tenths of a percent, rounded up, so that it is enough.
    const asking = (bytes: number): string => `${Math.ceil((bytes / regularPeakBytes) * 1000) / 10}%`;
    return { bytes: bytesOfBudget(budget, () => regularPeakBytes), front: null, asking };
  }
  const { bytes } = budget;
  const beside = sum(stationary);
  // When nothing is left, the search still reports the smallest budget that works.
  return { bytes: Math.max(1, bytes - beside), front: null, asking: (needed) => `${needed + beside}` };
}

/** A refusal that knows the least bytes says them as they would be asked for. */
function withLeastBudget<T>(
  budget: Budget | null,
  { budget: asked, stationary = [] }: EngineRequest,
  solve: () => T,
): T {
  try {
    return solve();
  } catch (error) {
    if (budget === null || !(error instanceof InfeasibleError) || error.leastBytes === undefined) throw error;
    const least = budget.asking(error.leastBytes);
    const beside = sum(stationary);
    const counts = beside > 0 && !least.endsWith('%');
    const message = counts
      ? `a budget of ${asked} is too small: ${formatBytes(beside)} are needed besides a step (parameters, gradients, the ` +
        `optimizer's state), and the smallest known need of a step is ${formatBytes(error.leastBytes)}`
      : error.message;
    throw new NoFit(
      `${message}; the smallest budget known to work is ${least}${counts ? ' bytes' : ''}`,
      least,
    );
  }
}

class NoFit extends InfeasibleError {
  readonly leastBudget: string;

  constructor(message: string, leastBudget: string) {
    super(message);
    this.leastBudget = leastBudget;
  }
}

/** Reply to Python: a result, or the reason for its absence in one sentence. */
export type EngineReply =
  | { readonly result: EngineResult }
  | {
      readonly error: {
        readonly code: 'BAD_INPUT' | 'INFEASIBLE' | 'INTERNAL';
        readonly message: string;
        /** The least budget that is known to work, to be asked for in place of the one that was. */
        readonly leastBudget?: string;
      };
    };

/** JSON in, JSON out, and never an exception: what runs the engine need know nothing of it. */
export function reply(request: string): string {
  return JSON.stringify(replyOf(request));
}

function replyOf(request: string): EngineReply {
  try {
    return { result: answer(JSON.parse(request) as EngineRequest) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof NoFit)
      return { error: { code: 'INFEASIBLE', message, leastBudget: error.leastBudget } };
    if (error instanceof InfeasibleError) return { error: { code: 'INFEASIBLE', message } };
    return { error: { code: error instanceof BadInputError ? 'BAD_INPUT' : 'INTERNAL', message } };
  }
}
