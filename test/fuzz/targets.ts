import { isDeepStrictEqual } from 'node:util';
import { importFile } from '../../app/bridges/import-file.ts';
import { readMeasured } from '../../app/bridges/snapshot/read-measured.ts';
import { measuredSchema } from '../../app/contract/measured.ts';
import { BadInputError, InfeasibleError } from '../../engine/errors.ts';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import { planFile } from '../../engine/exchange/plan-file.ts';
import { parsePlanFile, scheduleOf } from '../../engine/exchange/read-plan.ts';
import { CHECKPOINTINGS } from '../../engine/schedule/checkpointing.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import { isTwiceAtMost } from '../../engine/strategies/search/candidate.ts';
import { STRATEGIES } from '../../engine/strategies/registry.ts';
import { type SolvedStrategy, solveRow } from '../../engine/strategies/solve.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { BOMBS } from '../support/bombs.ts';
import { exhaustiveLeast } from '../support/exhaustive-live.ts';
import { importMutant } from '../support/import-files.ts';
import { type MeasuredGraph, measuredGraph, measuredProblem } from '../support/measured-graphs.ts';
import { mutatedBytes, mutatedJson } from '../support/mutate.ts';
import { referenceSimulate } from '../support/reference-simulator.ts';
import { between, chance, createRng, pick } from '../support/rng.ts';
import { isSentence } from '../support/sentence.ts';
import { snapshotFile } from '../support/snapshots.ts';
import { LONG_FILES, readingMs } from './sizes.ts';

/**
 * One kind of input and what must hold of it. A case is a document, so that it can be kept, made smaller and tried
 * again without what drew it.
 */
export interface Target {
  /** Draw of a seed: JSON, or a file's bytes. */
  readonly draw: (seed: number) => unknown;
  /** @throws FuzzFault where something does not hold; what else it throws is a fault too */
  readonly check: (input: unknown) => void | Promise<void>;
}

/** Something that must hold and does not. */
export class FuzzFault extends Error {}

/** Vertices of graphs on which all schedules are tried. */
const EXHAUSTIVE_SIZE = 5;

const bytesOf = (document: unknown): Uint8Array =>
  document instanceof Uint8Array ? document : new TextEncoder().encode(JSON.stringify(document));

function requireSentence(error: unknown): void {
  if (!(error instanceof BadInputError || error instanceof InfeasibleError)) throw error;
  if (!isSentence(error.message)) throw new FuzzFault(`no sentence: ${JSON.stringify(error.message)}`);
}

/** The result, or null where it was refused in a sentence. */
function unlessRefused<T>(action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    requireSentence(error);
    return null;
  }
}

function same(what: string, found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) throw new FuzzFault(`${what} is not the same`);
}

/** Files of other programs: refused in a sentence, or exported and read again as they were. */
const files: Target = {
  draw: (seed) => importMutant(seed).file,
  check(input) {
    const imported = unlessRefused(() => importFile(bytesOf(input)));
    if (imported === null) return;
    // A graph file does not say which library builds the model.
    const { transformers: _builder, ...graph } = imported.graph;
    same('its export', importFile(bytesOf(graphFile(graph))).graph, graph);
  },
};

/** Plans that somebody brings along, for a graph: refused in a sentence, or legal schedules. */
const plans: Target = {
  draw(seed) {
    const rng = createRng(seed);
    const graph = measuredGraph(rng, { vertices: between(rng, 3, 7) });
    const problem = measuredProblem(graph);
    const strategy = pick(rng, ['regular', 'optimal', 'chen-sqrt', 'live']);
    const row = solveRow(problem, strategy, { seed, checkpointing: pick(rng, CHECKPOINTINGS) });
    return { graph, plan: mutatedJson(rng, row.schedule === null ? {} : planOf(problem, row)) };
  },
  check(input) {
    const { graph, plan } = input as { graph: MeasuredGraph; plan: unknown };
    const problem = measuredProblem(graph);
    unlessRefused(() => {
      const given = parsePlanFile(JSON.stringify(plan));
      return solveRow(problem, 'plan', { seed: 0, plan: given });
    });
  },
};

/** Random graphs of all that a file can state, through every strategy. */
const graphs: Target = {
  draw(seed) {
    const rng = createRng(seed);
    const vertices = between(rng, 3, 11);
    return measuredGraph(rng, { vertices, denser: chance(rng, 0.3) ? between(rng, 1, vertices) : 0 });
  },
  check(input) {
    const problem = measuredProblem(input as MeasuredGraph);
    const regular = solveRow(problem, 'regular', { seed: 1 });
    if (regular.peakBytes === null) throw new FuzzFault('regular does not apply');
    const least = problem.graph.size <= EXHAUSTIVE_SIZE ? exhaustiveLeast(problem).peak : 0;
    if (regular.lowerBoundBytes > least && least > 0)
      throw new FuzzFault(`the bound ${regular.lowerBoundBytes} B lies above ${least} B, which can be had`);
    for (const checkpointing of CHECKPOINTINGS) {
      for (const { name, reads } of STRATEGIES) {
        if (checkpointing === 'reentrant' && reads.checkpointing === undefined) continue;
        const options = {
          seed: 7,
          budgetBytes: Math.ceil(regular.peakBytes * 0.8),
          checkpoints: [problem.graph.ids[1] ?? ''],
          slots: 2,
          checkpointing,
          plan: planOf(problem, regular),
        };
        const row = unlessRefused(() => solveRow(problem, name, options));
        if (row?.schedule == null) continue;
        requireJudged(problem, row);
        const isTwice = isTwiceAtMost(row.schedule, problem.graph.size);
        if (isTwice && (row.peakBytes ?? 0) < least)
          throw new FuzzFault(`${name}: ${row.peakBytes} B is below the least of all schedules, ${least} B`);
      }
    }
  },
};

function planOf({ graph }: Problem, { strategy, checkpoints, schedule, timeline }: SolvedStrategy) {
  if (schedule === null || timeline === null) throw new FuzzFault(`${strategy} has no schedule`);
  return planFile(graph, { strategy, options: {}, checkpoints, schedule, timeline });
}

/** Both simulators agree, no bound lies above the peak, and the plan is read again as it was. */
function requireJudged({ graph, memory, view }: Problem, row: SolvedStrategy): void {
  const { strategy, schedule, peakBytes, lowerBoundBytes } = row;
  if (schedule === null || peakBytes === null) return;
  const reference = referenceSimulate(graph, memory, schedule);
  if (reference.fault >= 0) throw new FuzzFault(`${strategy}: step ${reference.fault} is not legal`);
  same(`${strategy}: the live bytes`, [...simulate(graph, memory, schedule).live], reference.live);
  if (lowerBoundBytes > peakBytes) throw new FuzzFault(`${strategy}: ${peakBytes} B is below the bound`);
  const text = JSON.stringify(planOf({ graph, memory, view }, row));
  same(`${strategy}: the plan`, scheduleOf(parsePlanFile(text), graph), schedule);
}

/** A file four times as long takes no more than five times as long to read. Short times say nothing. */
const sizes: Target = {
  draw(seed) {
    const rng = createRng(seed);
    return { name: pick(rng, LONG_FILES), n: between(rng, 8000, 20_000) };
  },
  check(input) {
    const { name, n } = input as { name: string; n: number };
    // A machine that does other work is asked once more.
    for (let attempt = 0; ; attempt++) {
      const [once, fourTimes] = [readingMs(name, n), readingMs(name, 4 * n)];
      if (fourTimes < 500 || fourTimes <= 5 * once) return;
      if (attempt < 2) continue;
      throw new FuzzFault(
        `${name}: ${n} take ${once.toFixed()} ms and ${4 * n} take ${fourTimes.toFixed()} ms`,
      );
    }
  },
};

/** A memory snapshot with changed bytes is read, or refused in a sentence; what is read adds up and can be sent. */
const snapshots: Target = {
  draw(seed) {
    const rng = createRng(seed);
    return mutatedBytes(rng, snapshotFile(pick(rng, SNAPSHOTS)), 3);
  },
  check(input) {
    const measured = unlessRefused(() => readMeasured(bytesOf(input)));
    if (measured === null) return;
    const sent = measuredSchema.safeParse(measured);
    if (!sent.success) throw new FuzzFault(`cannot be sent: ${JSON.stringify(sent.error.issues[0])}`);
  },
};
const SNAPSHOTS = ['tiny-gpt-annotations', 'tiny-gpt-ring', 'resnet18-threads'] as const;

/** Small files that ask their reader for more than there is: read, or refused in a sentence. */
const bombsOf = (formats: readonly string[]): Target => ({
  draw: (seed) => ({ format: pick(createRng(seed), formats), seed }),
  async check(input) {
    const { format, seed } = input as { format: string; seed: number };
    const bomb = BOMBS[format];
    if (bomb === undefined) throw new FuzzFault(`there is no format ${format}`);
    try {
      await bomb.read(bomb.draw(createRng(seed)));
    } catch (error) {
      requireSentence(error);
    }
  },
});

export const TARGETS: Readonly<Record<string, Target>> = {
  files,
  plans,
  graphs,
  snapshots,
  sizes,
  bombs: bombsOf(Object.keys(BOMBS)),
  ...Object.fromEntries(Object.keys(BOMBS).map((format) => [`bombs-${format}`, bombsOf([format])])),
};
