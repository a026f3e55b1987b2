import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { createProblem } from '../../../engine/problem.ts';
import { buildModel, isModelName, modelInfo, MODELS } from '../../../engine/zoo/zoo.ts';

describe('random networks', () => {
  it('have 9 to 12 tensors between their ends, train, and are the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (seed) => {
        const graph = buildModel(`random-${seed}`, { batch: 32 });
        const inner = createProblem(graph, 'pytorch').view.tensors.size - 2;
        expect(inner).toBeGreaterThanOrEqual(9);
        expect(inner).toBeLessThanOrEqual(12);
        expect(buildModel(`random-${seed}`, { batch: 32 }).bytes).toEqual(graph.bytes);
      }),
    );
  });

  it('stay what links call them', () => {
    // A change here breaks every challenge that was sent: new kinds of networks need a new name.
    const { ids, bytes } = buildModel('random-7', { batch: 32 });
    expect(ids.map((id, v) => `${id} ${(bytes[v] ?? 0) / 2 ** 20}`)).toMatchInlineSnapshot(`
      [
        "input 1",
        "f1 1",
        "f2 6",
        "f3 3",
        "f4 4",
        "f5 3",
        "f6 7",
        "f7 5",
        "f8 4",
        "f9 5",
        "f10 1",
        "out 1",
      ]
    `);
  });

  it('are refused in one sentence where the seed is none', () => {
    for (const name of [
      'random-',
      'random--1',
      'random-4294967296',
      'random-1e3',
      'random-x',
      'random-99999999999',
    ]) {
      expect(() => buildModel(name, { batch: 1 })).toThrow(BadInputError);
      expect(() => modelInfo(name)).toThrow(/^a random network has a seed from 0 to 4294967295, got "/);
    }
  });

  it('and the game’s own are networks by name, in no menu', () => {
    for (const name of ['random-7', 'game-chain', 'game-inception']) {
      expect(isModelName(name)).toBe(true);
      expect(MODELS.some((info) => info.name === name)).toBe(false);
    }
  });
});
