import { exactBytes } from '../../bytes.ts';
import { InfeasibleError } from '../../errors.ts';
import { KeepByCut } from '../search/keep-by-cut.ts';
import { type Candidate, checkpointsOf, isBetter, judgeKeep } from '../search/candidate.ts';
import { type KeepEncoding, KEEP_ALL } from '../search/keep-encoding.ts';
import { type LiveModel, liveModel } from '../search/live-model.ts';
import { givenOrder } from '../search/orders.ts';
import { budgetOf } from '../options.ts';
import { peakOfOptimal } from '../optimal/peak-of-optimal.ts';
import type { Control, Plan, Problem, Strategy } from '../strategy/strategy.ts';
import { bannedItems } from './banned.ts';
import { ZeroOneKnapsack } from './zero-one.ts';

/** Parts of the bytes that 1 stands for, by which weights are rounded; fewer where there are many things. */
const UNITS = 10_000;
const MAX_CELLS = 40_000_000;
/** Fractions between everything and nothing that are tried; fewer on large graphs. */
const STEPS = 200;
const LARGE = 5000;
const LARGE_STEPS = 20;
/** As many cuts of more storages would take minutes. */
const MAX_STORAGES = 50_000;

/**
 * The activation memory budget of PyTorch's compiler: a 0/1 knapsack says which dear operations keep their outputs, a
 * minimum cut what is saved then, and everything else is recomputed once.
 *
 * - Source: PyTorch 2.15, `torch/_functorch/partitioners.py` (`choose_saved_values_set`) and
 *   `_activation_checkpointing/knapsack.py` (`dp_knapsack`), the option `activation_memory_budget`.
 * - Guarantee: fits the budget, as the simulator judges, or is refused; at most two forwards of a vertex; nothing is
 *   said of its recompute.
 * - Time O(storages x 10,000) and a minimum cut for each of some 200 fractions; space the same.
 * - Assumptions: none; where nobody knows what an operation is, it counts as dear.
 * - Departures: its budget is a share of what a cut saves that recomputes cheap operations only; here all shares are
 *   tried from 1 down in steps of 1/200, after regular training, and the first whose simulated peak fits is taken.
 *   Without a budget that is the peak of `optimal`, or the least it reaches. Weight is the storage, value
 *   the operation's FLOPs (bytes where a graph has none). What it bans because of how kernels are fused has no
 *   counterpart; what is recomputed is recomputed as late as possible.
 */
export const knapsack: Strategy = {
  name: 'knapsack',
  title: 'Knapsack',
  source: 'PyTorch’s activation memory budget (torch._functorch.partitioners)',
  cites: ['paszke2019pytorch'],
  guarantee:
    'fits the budget; keeps the tensors that a knapsack of recompute per byte selects, each recomputed at most once',
  takeFor: 'a comparison with the memory budget of torch.compile',
  reads: { budgetBytes: 'takes' },
  asSource: {
    maxVertices: 2000,
    // As many cuts as it may try would take three times as long.
    looks: (vertices) => 20_000 * vertices,
    open: (problem) => {
      const plans = new KnapsackPlans(problem);
      return {
        within: (budgetBytes, control) => plans.within(budgetBytes, control).found?.schedule ?? null,
        all: (control) => plans.all(control).map(({ schedule }) => schedule),
      };
    },
  },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const asked = budgetOf(options);
    const plans = new KnapsackPlans(problem);
    if (plans.storages > MAX_STORAGES) {
      const reason = `${plans.storages} storages are too many for a cut at every fraction; try chen-greedy or budget`;
      return { applicable: false, reason };
    }
    const budget = asked ?? peakOfOptimal(problem, options, control);
    const { found, least } = plans.within(budget, control);
    if (found === null && asked !== undefined)
      throw new InfeasibleError(
        `knapsack has no plan within ${exactBytes(asked)}; the smallest peak it found is ${exactBytes(least.peakBytes)}`,
        least.peakBytes,
      );
    return planOf(problem, found ?? least);
  },
};

/** Its plans of one problem, made as budgets ask for them and shared between budgets. */
export class KnapsackPlans {
  readonly #problem: Problem;
  readonly #model: LiveModel;
  readonly #known: Candidate[] = [];
  #left: Generator<KeepEncoding> | null = null;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#model = liveModel(problem.graph, problem.memory, givenOrder(problem.graph));
  }

  get storages(): number {
    return this.#model.items;
  }

  /** Every plan that it has for some budget, from regular training down, judged. */
  all(control: Control): readonly Candidate[] {
    while (this.#next(control) !== null);
    return this.#known;
  }

  /** The first by falling fraction that fits, and the one of least peak of those before it. */
  within(bytes: number, control: Control): { readonly found: Candidate | null; readonly least: Candidate } {
    // There is one at least, that of regular training.
    let least = this.#known[0] ?? this.#next(control)!;
    for (let i = 0; ; i++) {
      const one = this.#known[i] ?? this.#next(control);
      if (one === null) return { found: null, least };
      if (one.peakBytes <= bytes) return { found: one, least: one };
      if (isBetter(one, least)) least = one;
    }
  }

  /** One more; null if none exists. */
  #next(control: Control): Candidate | null {
    this.#left ??= choices(this.#model, control);
    const next = this.#left.next();
    if (next.done === true) return null;
    const one = judgeKeep(this.#problem, this.#model, next.value);
    this.#known.push(one);
    return one;
  }
}

/** Encodings with ever less kept, each once: everything first, then the partitioner's choice. */
function* choices(model: LiveModel, control: Control): Generator<KeepEncoding> {
  const { items } = model;
  const all = new Int32Array(items).fill(KEEP_ALL);
  yield all;
  const seen = new Set([all.join('')]);
  const isNew = (keep: KeepEncoding): boolean => {
    const key = keep.join('');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  const { cautious, dear } = bannedItems(model);
  const cutter = new KeepByCut(model);
  const full = cutter.keepBanned(cautious);
  if (isNew(full.keep)) yield full.keep;
  const most = full.savedBytes;
  const aggressive = cutter.keepBanned(dear);
  if (isNew(aggressive.keep)) yield aggressive.keep;
  const wanted = neededForBackward(model);
  const things = Array.from({ length: items }, (_, item) => item).filter(
    (item) => dear[item] === 1 && wanted[item] === 1,
  );
  // As the partitioner has them: the largest first, else as they come.
  things.sort((a, b) => model.bytes[b]! - model.bytes[a]! || a - b);
  const units = Math.max(1, Math.min(UNITS, Math.floor(MAX_CELLS / (things.length + 1))));
  const unit = most > 0 ? most / units : 1;
  const sack = new ZeroOneKnapsack(
    things.map((item) => Math.round(model.bytes[item]! / unit)),
    things.map((item) => Math.max(1, model.work[item]!)),
    units,
  );
  const steps = items > LARGE ? LARGE_STEPS : STEPS;
  let before = '';
  for (let step = steps - 1; step > 0; step--) {
    control.tick(1 - step / steps);
    // The cut before saves less than this share already.
    if (aggressive.savedBytes * steps < step * most) continue;
    const kept = sack.within(Math.round((units * step) / steps));
    const key = kept.join();
    if (key === before) continue;
    before = key;
    const banned = new Uint8Array(items);
    for (const thing of kept) banned[things[thing]!] = 1;
    // Items banned from the start stay banned.
    for (let item = 1; item < items; item++) if (dear[item] === 1 && wanted[item] === 0) banned[item] = 1;
    const { keep } = cutter.keepBanned(banned);
    if (isNew(keep)) yield keep;
  }
  const nothing = new Int32Array(items);
  nothing[0] = KEEP_ALL;
  if (isNew(nothing)) yield nothing;
}

/** Items that backward needs, or that something it needs is made of: 1. */
function neededForBackward({ items, maxNeed, auxBytes, fixedBytes, ins, inOffsets }: LiveModel): Uint8Array {
  const needed = new Uint8Array(items);
  for (let item = items - 1; item > 0; item--) {
    if (maxNeed[item]! >= 0 || auxBytes[item]! > 0 || fixedBytes[item]! > 0) needed[item] = 1;
    if (needed[item] === 0) continue;
    for (let k = inOffsets[item]!; k < inOffsets[item + 1]!; k++) needed[ins[k]!] = 1;
  }
  needed[0] = 0;
  return needed;
}

const planOf = ({ graph }: Problem, { schedule }: Candidate): Plan => ({
  applicable: true,
  checkpoints: checkpointsOf(schedule, graph.size),
  schedule,
  paperCostBytes: null,
});
