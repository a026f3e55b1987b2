import { describe, expect, it } from 'vitest';
import type { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { KEEP_AUX, KEEP_VALUE, keepUntil } from '../../../../engine/strategies/search/keep-encoding.ts';
import { NeighbourMoves } from '../../../../engine/strategies/search/neighbour-moves.ts';
import { curveOf, workChain } from '../../../support/live-models.ts';
import { measuredProblem } from '../../../support/measured-graphs.ts';
import type { Rng } from '../../../support/rng.ts';

const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
// All but v5 and v6 recomputed: v2 is worth most a byte, then v4, v3, v1.
const chain = workChain([1, 8, 8, 8, 8, 8, 1], [0, 2, 9, 4, 7, 3, 1]);
const nothing = [3, 0, 0, 0, 0, 3, 3];
const everything = [3, 3, 3, 3, 3, 3, 3];

/** Numbers in [0, 1) given in this order. */
function given(...numbers: number[]): Rng {
  const next = (): number => {
    const number = numbers.shift();
    if (number === undefined) throw new Error('no number is left');
    return number;
  };
  return { next, below: (bound) => Math.floor(next() * bound) };
}

describe('NeighbourMoves', () => {
  const full = (): ByteCurve => curveOf(chain, everything);

  function moved(curve: ByteCurve, ...numbers: number[]): number[] {
    const before = [...curve.keep];
    const mover = new NeighbourMoves(curve, given(...numbers));
    mover.propose();
    const after = [...curve.keep];
    mover.undo();
    expect([...curve.keep]).toEqual(before);
    return after;
  }

  it('drops an item, or keeps it again', () => {
    // v3 has two uses in backward; the second number says that it is not kept for some of them.
    expect(moved(full(), 0.4, 0.5, 0.9)).toEqual([3, 3, 3, 0, 3, 3, 3]);
    expect(moved(curveOf(chain, nothing), 0.4, 0.5, 0.9)).toEqual([3, 0, 0, 3, 0, 3, 3]);
    expect(moved(full(), 0, 0.5, 0.9)).toEqual([3, 0, 3, 3, 3, 3, 3]);
    // The last has one use.
    expect(moved(full(), 0.99, 0.9)).toEqual([3, 3, 3, 3, 3, 3, 0]);
  });

  it('keeps a value for the first of its uses in backward', () => {
    // Backward v4 and v3 use v3.
    expect(moved(full(), 0.4, 0.1, 0)).toEqual([3, 3, 3, keepUntil(3), 3, 3, 3]);
    expect(moved(full(), 0.4, 0.1, 0.99)).toEqual([3, 3, 3, keepUntil(3), 3, 3, 3]);
    expect(moved(full(), 0.4, 0.15, 0.9)).toEqual([3, 3, 3, 0, 3, 3, 3]);
  });

  it('shifts to one close by: keeps one for dropping the other', () => {
    const some = [3, 3, 0, 3, 0, 3, 3];
    // 0.5 is v3 itself of 21 steps, from ten before to ten after.
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 11.5 / 21)).toEqual([3, 3, 0, 0, 3, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 9.5 / 21)).toEqual([3, 3, 3, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 10.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    // Never both dropped, and nothing beyond the ends.
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 12.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 7.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 14.5 / 21)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.1, 0)).toEqual([3, 3, 0, 0, 0, 3, 3]);
    expect(moved(curveOf(chain, some), 0.4, 0.5, 0.8, 0.9)).toEqual([3, 3, 0, 0, 0, 3, 3]);
  });

  it('changes value and auxiliary apart', () => {
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 10, flops: 9, inputs: [0], keeps: { ...none, auxBytes: 4 } },
      { bytes: 1, flops: 9, inputs: [1], keeps: none },
    ]);
    const curve = curveOf(problem, [3, 3, 3]);
    expect(moved(curve, 0, 0, 0.9)).toEqual([3, 3 ^ KEEP_VALUE, 3]);
    expect(moved(curve, 0, 0.5, 0.9)).toEqual([3, 3 ^ KEEP_AUX, 3]);
    expect(moved(curve, 0, 0.99, 0.9)).toEqual([3, 0, 3]);
  });

  describe('copies of a stretch', () => {
    // v1 to v9 are alike, apart from v5.
    const alike = workChain([1, 8, 8, 8, 8, 4, 8, 8, 8, 8, 1], [0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1]);
    const some = [3, 3, 0, 3, 3, 3, 0, 0, 0, 0, 3];
    /** One move that copies: to an item, from the n-th of its eight, with at most so many items on each side. */
    const copying = (curve: ByteCurve, to: number, from: number, bits: number): NeighbourMoves => {
      return new NeighbourMoves(curve, given(0.1, (to - 0.5) / 10, from / 8, bits / 7, 0.4, 0.5, 0.9), 0.2);
    };

    it('keeps in one stretch what is kept in another, and takes it back', () => {
      const curve = curveOf(alike, some);
      const mover = copying(curve, 7, 1, 0);
      mover.propose();
      // Two on each side of v7 as on each side of v2, up to where the two differ.
      expect([...curve.keep]).toEqual([3, 3, 0, 3, 3, 3, 3, 0, 3, 3, 3]);
      mover.undo();
      expect([...curve.keep]).toEqual(some);
      mover.undo();
      mover.take();
      mover.returnToMark();
      expect([...curve.keep]).toEqual(some);
    });

    it('moves what is kept for the first of its uses along', () => {
      const curve = curveOf(alike, some.with(2, keepUntil(2)));
      copying(curve, 7, 1, 0).propose();
      expect([...curve.keep]).toEqual([3, 3, keepUntil(2), 3, 3, 3, 3, keepUntil(7), 3, 3, 3]);
    });

    it('makes another move where there is nothing to copy', () => {
      const curve = curveOf(alike, some);
      // From itself: then v5 is dropped.
      copying(curve, 7, 5, 0).propose();
      expect([...curve.keep]).toEqual(some.with(5, 0));
    });
  });
});
