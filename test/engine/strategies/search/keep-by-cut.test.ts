import { describe, expect, it } from 'vitest';
import { KeepByCut } from '../../../../engine/strategies/search/keep-by-cut.ts';
import { type KeepEncoding, KEEP_ALL } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { between, createRng } from '../../../support/rng.ts';

const ABSENT = 0;
const KEPT = 1;
const RECOMPUTED = 2;

/** Cost of a state of every item: bytes kept and price times work; infinite when something needed is missing. */
function costOf(model: LiveModel, states: readonly number[], price: number, tilt: number): number {
  let cost = 0;
  for (let item = 1; item < model.items; item++) {
    const state = states[item]!;
    const share = 1 - (tilt * model.created[item]!) / model.order.length;
    if (model.maxNeed[item]! >= 0 && state === ABSENT) return Number.POSITIVE_INFINITY;
    if (state === RECOMPUTED) {
      const inputs = model.ins.subarray(model.inOffsets[item], model.inOffsets[item + 1]);
      if (inputs.some((u) => u > 0 && states[u] === ABSENT)) return Number.POSITIVE_INFINITY;
      cost += price * model.work[item]! + 0.5;
    } else cost += share * (model.auxBytes[item]! + (state === KEPT ? model.bytes[item]! : 0));
  }
  return cost;
}

function* allStates(items: number): Generator<number[]> {
  for (let code = 0; code < 3 ** (items - 1); code++) {
    const states = [KEPT];
    for (let item = 1, rest = code; item < items; item++, rest = Math.floor(rest / 3)) states.push(rest % 3);
    yield states;
  }
}

/** An item that is not recomputed is present at its uses. */
function statesOf(model: LiveModel, keep: KeepEncoding): number[] {
  const states: number[] = Array.from(keep, (choice) => (choice === 0 ? RECOMPUTED : ABSENT));
  for (let item = 1; item < model.items; item++) {
    if (states[item] === RECOMPUTED)
      for (const u of model.ins.subarray(model.inOffsets[item], model.inOffsets[item + 1]))
        if (states[u] === ABSENT) states[u] = KEPT;
    if (states[item] === ABSENT && model.maxNeed[item]! >= 0) states[item] = KEPT;
  }
  return states;
}

describe('KeepByCut', () => {
  it('keeps what costs the least of all choices, bytes and priced work together', () => {
    const rng = createRng(101);
    for (let i = 0; i < 60; i++) {
      const model = modelOf(measuredProblem(measuredGraph(rng, { vertices: between(rng, 2, 6) })));
      const cutter = new KeepByCut(model);
      for (const [price, tilt] of [
        [0.01, 0],
        [between(rng, 1, 9) / 3, 0],
        [between(rng, 1, 9), 1],
        [between(rng, 1, 9) / 5, 0.5],
        [1000, 0],
      ] as const) {
        const keep = cutter.keepAt(price, tilt);
        expect(keep).toHaveLength(model.items);
        expect(keep.every((choice) => choice === 0 || choice === KEEP_ALL)).toBe(true);
        let least = Number.POSITIVE_INFINITY;
        for (const states of allStates(model.items))
          least = Math.min(least, costOf(model, states, price, tilt));
        expect(costOf(model, statesOf(model, keep), price, tilt)).toBeCloseTo(least, 6);
      }
    }
  });

  it('weighs bytes against work, and early bytes against late ones', () => {
    // v1 and v2 are worth 4 bytes a FLOP and 1.
    const model = modelOf(workChain([1, 8, 8, 8, 1], [0, 2, 8, 4, 1]));
    const cutter = new KeepByCut(model);
    expect([...cutter.keepAt(0.1)]).toEqual([3, 0, 0, 0, 0]);
    expect([...cutter.keepAt(1.5)]).toEqual([3, 0, 3, 0, 3]);
    expect([...cutter.keepAt(100)]).toEqual([3, 3, 3, 3, 3]);
    // The later of two equal ones is kept for less.
    const alike = new KeepByCut(modelOf(workChain([1, 8, 8, 8, 1], [0, 5, 5, 5, 1])));
    expect([...alike.keepAt(1)]).toEqual([3, 0, 0, 0, 3]);
    expect([...alike.keepAt(1, 1)]).toEqual([3, 0, 3, 3, 3]);
  });

  it('recomputes nothing for nothing where work is free', () => {
    // Without bytes nothing is gained by recomputing v1.
    const model = modelOf(workChain([1, 0, 8, 1], [0, 0, 0, 1]));
    expect([...new KeepByCut(model).keepAt(3)]).toEqual([3, 3, 0, 3]);
  });
});
