import { describe, expect, it } from 'vitest';
import { gameRequestSchema, judgeRequestSchema } from '../../../app/contract/checkpoint-game.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { gameTargets, judgeCheckpoints } from '../../../main/solver/checkpoint-game.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';

const memory = new SolverMemory();
const MIB = 2 ** 20;
const targets = (model: string) =>
  gameTargets(gameRequestSchema.parse({ model, batch: 32 }), { memory, control: NO_CONTROL });
const judge = (model: string, checkpoints: string[]) =>
  judgeCheckpoints(judgeRequestSchema.parse({ model, batch: 32, checkpoints }), { memory });

describe('the solver’s part of the checkpoint game', () => {
  it('returns a level’s reference figures, and a set that reaches them', () => {
    const found = targets('game-chain');
    expect(found).toMatchObject({ regularPeakBytes: 8 * MIB, leastPeakBytes: 5 * MIB, isExact: true });
    expect(found.boundBytes).toBeLessThanOrEqual(found.leastPeakBytes);
    expect(judge('game-chain', found.checkpoints)).toMatchObject({ peakBytes: 5 * MIB });
    expect(targets('game-chain')).toBe(found);
  });

  it('judges a set with the place of its peak; the empty set is regular training', () => {
    const none = judge('game-unequal', []);
    expect(none).toMatchObject({ peakBytes: 45 * MIB, recomputeFraction: 0, peak: { pass: 'backward' } });
    const set = judge('game-unequal', ['f3', 'f6']);
    if ('reason' in set) throw new Error(set.reason);
    expect(set.peakBytes).toBeLessThan(45 * MIB);
    expect(set.recomputeFraction).toBeGreaterThan(0);
  });

  it('plays in the precision of the request, like the drawing', () => {
    const half = { model: 'game-chain', batch: 32, precision: 'bf16' };
    const request = gameRequestSchema.parse(half);
    expect(gameTargets(request, { memory, control: NO_CONTROL })).toMatchObject({
      regularPeakBytes: 4 * MIB,
      leastPeakBytes: 2.5 * MIB,
    });
    const none = judgeRequestSchema.parse({ ...half, checkpoints: [] });
    expect(judgeCheckpoints(none, { memory })).toMatchObject({ peakBytes: 4 * MIB });
  });

  it('refuses unknown tensors and networks with a reason', () => {
    expect(judge('game-chain', ['f99'])).toEqual({ reason: 'this network has no tensor "f99"' });
    expect(() => targets('game-99')).toThrow(BadInputError);
    expect(() => judge('random-99999999999', [])).toThrow('a random network has a seed from 0 to 4294967295');
  });
});
