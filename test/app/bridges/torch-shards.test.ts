import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, runReference, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

/** One process of a row of test/reference/torch_shards.py. */
interface Row {
  readonly shares: readonly number[];
  readonly same: boolean;
  readonly left: string | null;
  readonly recomputes: boolean;
  readonly solved: number;
  readonly collectives: boolean;
  readonly sentence: string;
}

/** The script's budget, and what a step may need beyond it, in parts of plain training's peak. */
const MOST = 0.4 + 0.05;
/** Calls of the engine: a layer and the model without plans, then with them. */
const SOLVED_ONCE = 4;

const IN_EACH_WORLD = ['fit on a batch', 'collectives inside of layers'];
const ALONE = [
  'fit in the first step',
  'longer than the batch of the fit',
  'padded after unpadded',
  'one group',
];

const { python, reason, hasShards } = torchPythons()[1]!;
const missing = reason !== '' || hasShards ? reason : 'its PyTorch has no fully_shard';

describe.skipIf(missing !== '')(`a model whose layers FSDP2 shards${skippedFor(missing)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-shards-'));
  const told: Record<number, Readonly<Record<string, readonly Row[]>>> = {};

  beforeAll(async () => {
    await unpackWheel(folder);
    for (const world of [1, 2])
      told[world] = answerOf(runReference('torch_shards.py', [folder, `${world}`], 600_000, python));
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const cases = [...IN_EACH_WORLD, ...ALONE].map((name) => [name, 1] as const);
  it.each([...cases, ...IN_EACH_WORLD.map((name) => [name, 2] as const)])(
    'keeps to one budget: %s, processes: %i',
    (name, world) => {
      const rows = told[world]![name]!;
      expect(rows).toHaveLength(world);
      for (const { shares, same, left, recomputes, collectives } of rows) {
        expect(shares).toHaveLength(3);
        expect(shares.filter((share) => share > MOST)).toEqual([]);
        expect({ same, left, recomputes, collectives }).toEqual({
          same: true,
          left: null,
          recomputes: true,
          collectives: true,
        });
      }
    },
  );

  it('solves equal layers once', () => {
    const [{ solved, sentence }] = told[1]!['fit on a batch'] as readonly [Row];
    expect(solved).toBe(SOLVED_ONCE);
    expect(sentence).toMatch(/^Language: plans of 6 layers peak at .* instead of .* \(60\.0 % less\), /);
  });

  it('says in one sentence which budget cannot be kept, and leaves the model as it was', () => {
    const [refused] = told[1]!['refusals'] as unknown as readonly [Readonly<Record<string, string>>];
    expect(refused).toEqual({
      '1%': expect.stringMatching(
        /^CannotFit: a budget of 1% is too small for plans of 2 layers: what is between them needs /,
      ),
      '1000': expect.stringMatching(/^CannotFit: a budget of 1000 is too small .* lie beside a step$/),
      knee: expect.stringMatching(/^BadInput: a budget of a model that FSDP2 shards is a share of its peak /),
      ample: 'Language fits as it is: nothing was changed.',
      removed: 'the model has not run under a plan',
    });
  });
});
