import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { skippedFor } from '../../support/skipped.ts';
import { BRIEFLY, plansForTorch } from '../../support/torch-plans.ts';
import { answerOf, runReference, torchPythons } from './python.ts';
import './bridge-file.ts';

/** By strategy, where training under its plan differed from training without, or null; else what failed. */
type Trained = Readonly<Record<string, string | null>>;

/** Largest difference of a gradient, in parts of the largest; peak of a step, in parts of plain training's. */
type Told = readonly [number, number];

interface Results {
  readonly traps: Readonly<Record<string, Trained>>;
  readonly another: string | null;
  readonly verified: Readonly<Record<string, string | null>>;
  readonly same: boolean;
  /** Steps, and those of them that are not freed when they are over. */
  readonly held: readonly [number, number];
  /** Peak bytes of a step that keeps the masks of its layers, and of one that keeps what they are made from. */
  readonly masks: readonly [number, number];
  /** Peak bytes of a step that keeps the random state before each mask, and of one that keeps the first of a run. */
  readonly states: readonly [number, number];
  /** Plans as policies of selective checkpointing; null where PyTorch has none yet. */
  readonly selected: {
    readonly plans: Readonly<Record<string, { readonly eager: Told; readonly compiled: Told }>>;
    readonly 'compiled alone': Told;
  } | null;
}

/** The names are the script's; test/reference/torch_traps.py says what each of them does. */
const TRAPS = [
  'unseen-kernel',
  'gradient-over-scores',
  'straight-through',
  'no-grad-inside',
  'detached-target',
  'autocast-inside',
  'hooks',
  'hooks-heard',
  'tensor-hooks',
  'counter',
  'counted-once',
  'coin-of-python',
  'coin-of-torch',
  'branch-on-values',
  'batch-norm',
  'frozen-beside',
  'functional-batch-norm',
  'moving-average',
  'spectral-norm',
  'tied',
  'used-twice',
  'in-place',
  'attention-block',
  'masks-of-numbers',
  'masks-overwritten',
  'made-then-filled',
  'in-place-on-view',
  'dropout',
  'noise-between-masks',
  'coin-between-masks',
  'own-generator',
  'nested-inputs',
  'input-with-gradient',
  'gradient-of-input',
  'checkpointed',
  'unused-parameters',
  'nothing-trained',
  'returns-its-input',
  'called-by-methods',
  'recurrent',
  'stateful',
  'renormed-embedding',
  'sparse-embedding',
  'fourier',
  'cached-table',
  'gradient-inside',
  'saved-on-processor',
  'channels-last',
  'head-replaced',
  'layer-replaced',
  'accumulated',
  'autocast-outside',
  'evaluated',
  'other-shapes',
  'other-lengths',
  'other-precision',
  'copied',
  'pickled',
  'saved-and-loaded',
  'same-face',
  'backward-twice',
  'gradients-by-hand',
  'gradient-penalty',
  'called-twice',
  'interleaved',
  'after-an-error',
  'frozen-later',
  'output-written',
  'hooked-later',
  'weights-moved-between',
  'input-overwritten',
  'bias-changed-between',
  'buffers-changed-between',
  'eval-with-gradients',
  'other-thread',
  'called-with-other-weights',
  'stepped-in-backward',
  'forward-by-name',
  'part-of-another',
  'part',
];
const IN_TWO_PROCESSES = ['tied-in-two', 'unused-in-two', 'planned-inside-in-two'];
const SHARDED = ['sharded-in-two', 'sharded-by-layer-in-two'];
/** Steps that plain training can run and no recompute can: they fail with this sentence, and are never wrong. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'bias-changed-between': /modified by an inplace operation/,
};
const STRATEGIES = ['budget', 'live', 'optimal'];
const LIMIT_MS = 1_200_000;

describe.each(torchPythons())('$title', ({ python, reason, hasShards }) => {
  describe.skipIf(reason !== '')(`avoids common mistakes${skippedFor(reason)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-traps-'));
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const run = (...args: readonly string[]): string =>
      runReference('torch_traps.py', args, LIMIT_MS, python);
    let captured: Readonly<Record<string, string | null>>;
    let results: Results;
    // An older PyTorch has no FSDP2 to try.
    const inTwo = hasShards ? [...IN_TWO_PROCESSES, ...SHARDED] : IN_TWO_PROCESSES;
    let told: Readonly<Record<string, unknown>>;

    beforeAll(() => {
      run('capture', folder);
      captured = read('captured.results') as typeof captured;
      for (const name of TRAPS) if (captured[name] === null) writePlans(name);
      run('train', folder);
      results = read('train.results') as Results;
      // Gloo of some versions writes to standard output too.
      told = answerOf(run('processes', folder, ...inTwo));
    }, 3 * LIMIT_MS);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    function writePlans(name: string): void {
      const graph = parseGraphFile(readFileSync(join(folder, `${name}.json`), 'utf8'));
      for (const [strategy, solved] of plansForTorch(graph, BRIEFLY).plans) {
        if (typeof solved === 'string') throw new Error(`${name}, ${strategy}: ${solved}`);
        writeFileSync(join(folder, `${name}.${strategy}.plan.json`), JSON.stringify(solved.plan));
      }
    }

    it('has the traps named here', () => {
      expect(JSON.parse(run('names'))).toEqual({
        traps: TRAPS,
        processes: [...IN_TWO_PROCESSES, ...SHARDED],
      });
    });

    it.each(TRAPS)('%s is unchanged by its capture', (name) => {
      expect(captured[name]).toBeNull();
    });

    it.each(TRAPS)('%s trains bit-identically', (name) => {
      const trained = Object.entries(results.traps[name] ?? {});
      const refused = REFUSED[name];
      expect(trained.map(([strategy]) => strategy)).toEqual(STRATEGIES);
      expect(trained.filter(([, said]) => said !== null && !(refused?.test(said) ?? false))).toEqual([]);
    });

    it('gives the same object back', () => {
      expect(results.same).toBe(true);
    });

    it('holds no memory of a finished step', () => {
      expect(results.held).toEqual([3, 0]);
    });

    it('keeps the source of a numeric mask instead of the mask', () => {
      const [kept, made] = results.masks;
      expect(made).toBeLessThan(0.8 * kept);
    });

    it('keeps one random state for the masks of several small layers', () => {
      const [each, first] = results.states;
      expect(each - first).toBeGreaterThan(5000);
    });

    it('is a policy of selective checkpointing, compiled too', () => {
      const { selected } = results;
      // PyTorch 1.13 has none.
      expect(selected !== null).toBe(hasShards);
      if (selected === null) return;
      expect(Object.keys(selected.plans)).toEqual(STRATEGIES);
      for (const { eager, compiled } of Object.values(selected.plans)) {
        expect(eager[0]).toBe(0);
        expect(eager[1]).toBeLessThan(0.9);
        expect(compiled[0]).toBeLessThan(1e-5);
        expect(compiled[1]).toBeLessThan(selected['compiled alone'][1]);
      }
    });

    it("refuses another model's plan", () => {
      expect(results.another).toEqual(expect.any(String));
    });

    it('verifies a deterministic model and reports one that is not', () => {
      const { steady, unsteady } = results.verified;
      expect({ steady, unsteady }).toEqual({ steady: null, unsteady: expect.any(String) });
      expect(results.verified).toMatchObject({ 'steady left': null, noisy: [0, 40] });
    });

    it.each(inTwo)('%s trains as without', (name) => {
      const equal = { budget: null, live: null, optimal: null };
      expect(told[name]).toEqual({ 'process 0': equal, 'process 1': equal });
    });
  });
});
