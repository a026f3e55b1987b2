import { expect, it } from 'vitest';
import { ByteCurve } from '../../../../engine/strategies/search/byte-curve.ts';
import { KEEP_ALL, KEEP_AUX, keepUntil } from '../../../../engine/strategies/search/keep-encoding.ts';
import type { LiveModel } from '../../../../engine/strategies/search/live-model.ts';
import { keepMoreInBlocks } from '../../../../engine/strategies/search/keep-more-in-blocks.ts';
import { modelOf } from '../../../support/live-models.ts';
import { unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { between, createRng, pick } from '../../../support/rng.ts';

/** True when a value fits from its last forward to the step that recomputes it, checked position by position. */
function hasRoom({ again, until, keep, model, forward, backward }: ByteCurve, item: number, limit: number) {
  if (until[item]! < model.order.length) return true;
  const event = again[item]!;
  const inputs = [...model.ins.subarray(model.inOffsets[item], model.inOffsets[item + 1])];
  // A value kept for this recompute alone is freed instead.
  const goes = inputs.filter((input) => input > 0 && keep[input] !== 0 && until[input] === event);
  const most = goes.reduce((sum, input) => sum + model.bytes[input]!, limit - model.bytes[item]!);
  const held = [...forward.subarray(model.lastForward[item]! + 1), ...backward.subarray(event + 1)];
  return most >= 0 && held.every((bytes) => bytes <= most);
}

/** `keepMoreInBlocks` by the letter, every block from scratch. */
function spentInBlocks(model: LiveModel, start: Int32Array, limit: number): number[] {
  const { items } = model;
  const from = (choices: readonly number[]): ByteCurve => {
    const curve = new ByteCurve(model, Int32Array.from(choices));
    curve.measure(0);
    return curve;
  };
  let keep = [...start];
  let now = from(keep);
  const density = (item: number): number =>
    model.work[item]! / (model.bytes[item]! + model.auxBytes[item]! + 1);
  const dropped = keep
    .flatMap((_, item) => (item > 0 && now.again[item]! >= 0 ? [item] : []))
    .toSorted((a, b) => density(b) - density(a) || b - a);
  let [at, length] = [0, 1];
  while (at < dropped.length) {
    const block = dropped
      .slice(at, at + length)
      .filter((item) => now.again[item]! >= 0 && keep[item] !== KEEP_ALL && hasRoom(now, item, limit));
    if (block.length === 0) {
      at += length;
      continue;
    }
    const more = keep.map((choice, item) => (block.includes(item) ? KEEP_ALL : choice));
    const then = from(more);
    if (then.peak <= limit && then.work < now.work - 1e-9) {
      [keep, now] = [more, then];
      at += length;
      length = Math.min(2 * length, Math.max(1, items >> 5));
    } else {
      if (length === 1) at++;
      length = Math.max(1, length >> 2);
    }
  }
  return keep;
}

it('spending in blocks tries blocks that double and quarter, of what has room, densest and last made first', () => {
  const rng = createRng(125);
  let [spent, refused] = [0, 0];
  for (let i = 0; i < 150; i++) {
    const vertices = i < 110 ? between(rng, 4, 16) : between(rng, 70, 260);
    const problem = measuredProblem(measuredGraph(rng, { vertices }));
    const model = modelOf(problem);
    const choices = i % 2 === 0 ? [0, 0, 0, 1, 2, 3] : [0, 0, 1, 3, keepUntil(1), keepUntil(3) ^ KEEP_AUX];
    const start = Int32Array.from({ length: model.items }, () => pick(rng, choices));
    const tight = new ByteCurve(model, start);
    tight.measure(0);
    for (const room of vertices > 16 ? [0, 40, 150] : [-2, 0, 3, 9, 25]) {
      const curve = new ByteCurve(model, start);
      keepMoreInBlocks(curve, tight.peak + room, unlimited());
      expect([...curve.keep]).toEqual(spentInBlocks(model, start, tight.peak + room));
      if (curve.keep.join() === start.join()) refused++;
      else spent++;
    }
  }
  expect(Math.min(spent, refused)).toBeGreaterThan(50);
});
