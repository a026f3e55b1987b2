import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, hasModules, runReference, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

/** One row of test/reference/torch_loops.py. */
interface Row {
  readonly shares: readonly number[];
  readonly same: boolean;
  readonly left: string | null;
  readonly warned?: readonly string[];
  readonly said?: string;
  readonly promised?: number;
  readonly refused?: string;
  /** Number at once for which the first plan is solved. */
  readonly forwards?: number;
  readonly without?: boolean;
  readonly recompute?: readonly [planned: number, own: number];
}

/** The script's budget, and what a step may need beyond it, in parts of plain training's peak. */
const BUDGET = 0.55;
const MOST = BUDGET + 0.05;

const ROWS = [
  'padded after unpadded',
  'unpadded after padded',
  'padded and unpadded in turn',
  'longer, shorter, smaller last batch',
  'autocast after a fit outside',
  'casts of weights a quarter of the peak',
];
const AT_ONCE = ['three forwards, then one backward', 'short and long forwards, then one backward'];
/** Both forwards share the casts of parameters, which the plan counts for one: they take no margin of their own. */
const SHARED_CASTS = 'two forwards in one autocast';
const OF_TRANSFORMERS = ['GPT-2', 'Llama'].flatMap((model) => [
  `${model}, padded after unpadded`,
  `${model}, unpadded after padded`,
]);
/** Rows of a library that a Python may lack. */
const OF_OTHERS = [
  ['accelerate', 'Trainer'],
  ['accelerate', 'Trainer in bfloat16'],
  ['accelerate', 'Trainer, by the guide'],
  ['accelerate', 'accelerate in bfloat16'],
  ['accelerate', 'accelerate, after prepare'],
  ['lightning', 'Lightning in bfloat16'],
  ['lightning', 'Lightning in bfloat16, after a fit outside'],
  ['lightning', 'Lightning in bfloat16, its network in a list'],
  ['lightning', 'Lightning in bfloat16, a step that calls two networks'],
] as const;

describe.each(torchPythons())('$title', ({ python, reason }) => {
  describe.skipIf(reason !== '')(`a training loop under a budget${skippedFor(reason)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-loops-'));
    const hasTransformers = hasModules(python, ['transformers']);
    let told: Readonly<Record<string, Row>>;

    beforeAll(async () => {
      await unpackWheel(folder);
      const printed = runReference('torch_loops.py', [folder], 600_000, python);
      told = answerOf(printed);
    }, 700_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    function expectKept(name: string, most = MOST, first = 2): void {
      const { shares, same, left } = told[name]!;
      expect(shares.length).toBeGreaterThanOrEqual(3);
      expect({ same, left, above: shares.slice(first).filter((share) => share > most) }).toEqual({
        same: true,
        left: null,
        above: [],
      });
    }

    it.each(ROWS)('keeps to it from the third step on: %s', (name) => {
      expectKept(name);
      expect(told[name]!.forwards).toBe(1);
    });

    it.each(AT_ONCE)('keeps to it from the second step on, as the report promises: %s', (name) => {
      expectKept(name, MOST, 1);
      expect(Math.abs(told[name]!.promised! - 1)).toBeLessThan(0.05);
    });

    it.each([
      'a formula of several tensors',
      'views that are overwritten',
      'a program that lists its results',
      'a part that runs as a whole',
      'sums in zeros',
    ])('promises the peak of its steps: %s', (name) => {
      expectKept(name, BUDGET + 0.01, 0);
      expect(Math.abs(told[name]!.promised! - 1)).toBeLessThan(0.02);
    });

    it('promises the peak of its steps within five points: results that are read step by step', () => {
      expectKept('results that are read step by step', BUDGET + 0.02, 0);
      expect(Math.abs(told['results that are read step by step']!.promised! - 1)).toBeLessThan(0.05);
    });

    it('refuses what frozen layers need before any plan begins', () => {
      const { refused } = told['frozen layers that need the most']!;
      // Both results of the frozen layers, and the input.
      expect(refused).toContain(` (${2 * 8 * 64 * 32 * 32 * 4 + 8 * 64 * 4} bytes), with live; `);
      expect(refused).toMatch(/; no plan frees what the program itself holds, up to 3\.88 MiB at once; /);
    });

    it.each([
      'a forward that calls itself',
      'backwards of several losses, one by one',
      'gates that are written part by part',
      'packed sequences',
      'places of scores without a gradient',
      'a wide head that runs as a whole',
    ])('keeps to it in every step: %s', (name) => expectKept(name, MOST, 0));

    it(`keeps to it within two points: ${SHARED_CASTS}`, () => expectKept(SHARED_CASTS, BUDGET + 0.02));

    it.each(['own checkpointing', 'own checkpointing, reentrant'])(
      'recomputes less in the memory of the %s, of which it tells',
      (name) => {
        expectKept(name, 1);
        const { said, promised, recompute, without } = told[name]!;
        expect(without).toBe(true);
        expect(said).toMatch(
          / Its own checkpointing, which the plan turns off, needs .* for 24 % more time \(predicted\): budget='checkpointing' asks for a plan in that memory\.$/,
        );
        expect(Math.abs(promised! - 1)).toBeLessThan(0.05);
        expect(recompute![0]).toBeLessThan(recompute![1]);
      },
    );

    if (hasTransformers) {
      it.each(OF_TRANSFORMERS)('keeps to it from the third step on: %s', (name) => expectKept(name));

      it('keeps to it if the loop holds the result, once keys and values are out of it, as a warning asks', () => {
        const name = 'GPT-2, its result held';
        expectKept(name);
        expect(told[name]!.warned).toEqual([
          expect.stringMatching(
            /^zigzag: the GPT2LMHeadModel returns its keys and values \(0\.38 MiB\), .*: train with use_cache=False$/,
          ),
        ]);
      });
      for (const [library, name] of OF_OTHERS) {
        const missing = hasModules(python, [library]) ? '' : `there is no ${library}: .ci/run installs it`;
        it.skipIf(missing !== '')(`keeps to it from the third step on: ${name}${skippedFor(missing)}`, () =>
          expectKept(name),
        );
      }
    }
  });
});
