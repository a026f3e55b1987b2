import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, hasPartitioners, runReference, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

/** Figures of one model from test/reference/torch_partitioner.py. */
interface Figures {
  readonly same: boolean;
  readonly own: number;
  readonly peak: number;
  readonly promised: number;
  readonly share: number;
  readonly random: readonly string[];
  /** Peak and FLOPs of what is recomputed; null where PyTorch's own solver breaks the model (statistics, dropout). */
  readonly theirs: readonly [peak: number, flops: number] | null;
  readonly ours?: readonly [peak: number, flops: number];
}

interface Told {
  readonly models: Readonly<Record<string, Figures>>;
  readonly traps: {
    readonly marked: { same: boolean; warned: boolean; left: readonly string[]; again: number };
    readonly gathered: { same: boolean; warned: boolean; again: number; collectives: readonly string[] };
    readonly handed: { peak: number; promised: number; graphs: number };
    readonly changing: { worst: number; warned: boolean; graphs: number };
    readonly hopeless: {
      same: boolean;
      told: readonly string[];
      least: number;
      enough: readonly { peakBytes: number }[];
      refused: string;
    };
    readonly planned: { same: boolean; graphs: number; told: readonly string[]; left: null };
    readonly compiled: {
      worst: number;
      own: number;
      peak: number;
      warned: boolean;
      figures: { budgetBytes: number; peakBytes: number };
    };
  };
}

const MODELS = ['convolutions', 'attention with dropout', 'dense', 'decomposed attention', 'GPT-2'];
/** Largest difference of a measured peak from the promised one, in parts of the own one. */
const NEAR = 0.05;
/** Rounding of kernels that fuse other operations, in parts of the largest gradient. */
const ROUNDING = 1e-5;

const { python, reason } = torchPythons()[1]!;
const missing =
  reason === '' && !hasPartitioners(python)
    ? 'torch.compile takes no partitioner before PyTorch 2.10'
    : reason;

describe.skipIf(missing !== '')(`a plan inside torch.compile${skippedFor(missing)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-partitioner-'));
  let told: Told;

  beforeAll(async () => {
    await unpackWheel(folder);
    const printed = runReference('torch_partitioner.py', [folder], 880_000, python);
    told = answerOf(printed);
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(MODELS)('keeps its promised peak and the gradients of PyTorch’s own partition: %s', (name) => {
    const { same, own, peak, promised, share, random } = told.models[name]!;
    expect({ same, random }).toEqual({ same: true, random: [] });
    expect(share).toBeLessThanOrEqual(0.75);
    expect(promised).toBeGreaterThan(0);
    expect(Math.abs(own - promised - peak)).toBeLessThanOrEqual(NEAR * own);
  });

  it('recomputes no more than PyTorch’s own memory budget in the same measured memory, and less on half', () => {
    const rows = Object.values(told.models).flatMap(({ theirs, ours }) =>
      theirs === null || ours === undefined ? [] : [{ theirs, ours }],
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { theirs, ours } of rows) {
      expect(ours[0]).toBeLessThanOrEqual(theirs[0] * (1 + NEAR));
      expect(ours[1]).toBeLessThanOrEqual(theirs[1]);
    }
    expect(rows.filter(({ theirs, ours }) => ours[1] < theirs[1]).length * 2).toBeGreaterThanOrEqual(
      rows.length,
    );
  });

  it('recomputes the region of a user’s checkpoint, dropout included', () => {
    const { same, warned, left, again } = told.traps.marked;
    expect({ same, warned, left }).toEqual({ same: true, warned: false, left: [] });
    expect(again).toBeGreaterThan(0);
  });

  it('never runs a collective operation again', () => {
    const { again, ...rest } = told.traps.gathered;
    expect(rest).toEqual({ same: true, warned: false, collectives: [] });
    expect(again).toBeGreaterThan(0);
  });

  it('counts the gradient of a result for as long as PyTorch holds it', () => {
    const { peak, promised, graphs } = told.traps.handed;
    expect(graphs).toBe(2);
    // The loss.
    expect(peak - promised).toBe(4);
  });

  it('accepts changing sizes', () => {
    const { worst, warned, graphs } = told.traps.changing;
    expect(warned).toBe(false);
    expect(graphs).toBeGreaterThan(0);
    expect(worst).toBeLessThan(ROUNDING);
  });

  it('leaves graphs without a plan to PyTorch, and says so once', () => {
    const { same, told: sentences, least, enough, refused } = told.traps.hopeless;
    expect(same).toBe(true);
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(
      /^zigzag: a graph gets PyTorch's own partition: no plan found fits \d+ bytes; the smallest takes \d+ bytes, \d+ % of the compiler's own: give a budget of at least that$/,
    );
    expect(enough.map(({ peakBytes }) => peakBytes)).toEqual([expect.any(Number)]);
    expect(enough[0]!.peakBytes).toBeLessThanOrEqual(least);
    expect(refused).toMatch(/^a budget of a compiled graph is a share .*, got 'much'$/);
  });

  it('goes through Inductor by custom_partitioner_fn', () => {
    const { worst, own, peak, warned, figures } = told.traps.compiled;
    expect(warned).toBe(false);
    expect(worst).toBeLessThan(ROUNDING);
    expect(figures.peakBytes).toBeLessThanOrEqual(figures.budgetBytes);
    expect(peak).toBeLessThanOrEqual(0.7 * own);
    expect(Math.abs(peak - figures.peakBytes)).toBeLessThanOrEqual(NEAR * own);
  });

  it('leaves a model under a plan uncompiled, and names the partitioner once', () => {
    const { told: sentences, ...rest } = told.traps.planned;
    expect(rest).toEqual({ same: true, graphs: 0, left: null });
    expect(sentences).toEqual([
      expect.stringMatching(/^zigzag: torch\.compile runs a Network .*zigzag_lab\.Partitioner\(/),
    ]);
  });
});
