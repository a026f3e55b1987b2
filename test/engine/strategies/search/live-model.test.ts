import { describe, expect, it } from 'vitest';
import { predecessorsOf, successorsOf } from '../../../../engine/graph/graph.ts';
import { needsOf } from '../../../../engine/ops/memory-model.ts';
import { type LiveModel, liveModel, membersOf } from '../../../../engine/strategies/search/live-model.ts';
import { candidateOrders } from '../../../../engine/strategies/search/orders.ts';
import { modelOf } from '../../../support/live-models.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { between, createRng, pick } from '../../../support/rng.ts';

const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };

/** A list of an item, of lists laid end to end. */
function listOf(offsets: Int32Array, targets: Int32Array, item: number): number[] {
  return [...targets.subarray(offsets[item], offsets[item + 1])];
}

const membersIn = (model: LiveModel): number[][] =>
  Array.from({ length: model.items }, (_, item) => [...membersOf(model, item)]);

describe('liveModel', () => {
  it('contracts views and operations in place to the tensor that they lie in', () => {
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 8, flops: 1, inputs: [0], keeps: { ...none, auxBytes: 3 } },
      {
        bytes: 8,
        flops: 2,
        inputs: [1],
        keeps: { ...none, output: true, fixedAuxBytes: 5 },
        alias: 'inplace',
      },
      { bytes: 4, flops: 4, inputs: [2], keeps: none, alias: 'view' },
      { bytes: 6, flops: 8, inputs: [2], keeps: { ...none, inputs: [0] } },
      { bytes: 2, flops: 16, inputs: [3, 4], keeps: { ...none, inputs: [1], auxBytes: 7 } },
    ]);
    const model = modelOf(problem);
    expect(model.items).toBe(4);
    expect(membersIn(model)).toEqual([[0], [1, 2, 3], [4], [5]]);
    expect([...model.itemOf]).toEqual([0, 1, 1, 1, 2, 3]);
    expect([...model.created]).toEqual([0, 1, 4, 5]);
    expect([...model.final]).toEqual([0, 2, 4, 5]);
    expect([...model.lastForward]).toEqual([1, 5, 5, 5]);
    expect([...model.bytes]).toEqual([1, 8, 6, 2]);
    expect([...model.work]).toEqual([0, 7, 8, 16]);
    // Backward v2 needs its own output, backward v4 reads it again; v5 needs v4.
    expect([...model.maxNeed]).toEqual([-1, 4, 5, -1]);
    expect([...model.minNeed]).toEqual([6, 2, 5, 6]);
    expect([0, 1, 2, 3].map((item) => listOf(model.needOffsets, model.needPositions, item))).toEqual([
      [],
      [2, 4],
      [5],
      [],
    ]);
    expect([0, 1, 2, 3].map((item) => listOf(model.outOffsets, model.outs, item))).toEqual([
      [1],
      [2, 3],
      [3],
      [],
    ]);
    expect([0, 1, 2, 3].map((item) => listOf(model.inOffsets, model.ins, item))).toEqual([
      [],
      [0],
      [1],
      [1, 2],
    ]);
    expect([...model.auxBytes]).toEqual([0, 3, 0, 7]);
    expect([...model.auxPosition]).toEqual([-1, 1, -1, 5]);
    expect([...model.fixedBytes]).toEqual([0, 5, 0, 0]);
    expect([...model.fixedPosition]).toEqual([-1, 2, -1, -1]);
  });

  it('adds up auxiliaries of one storage, and has them live as long as the longest', () => {
    const model = modelOf(
      measuredProblem([
        { bytes: 1, flops: 0, inputs: [] },
        { bytes: 8, flops: 1, inputs: [0], keeps: { ...none, auxBytes: 3 } },
        { bytes: 8, flops: 2, inputs: [1], keeps: { ...none, auxBytes: 4 }, alias: 'inplace' },
        { bytes: 1, flops: 2, inputs: [2], keeps: none },
      ]),
    );
    expect([model.auxBytes[1], model.auxPosition[1]]).toEqual([7, 1]);
  });

  it('reckons work in bytes where the graph gives no FLOPs', () => {
    expect([...modelOf(bytesProblem([3, 5, 7], '0>1 1>2')).work]).toEqual([3, 5, 7]);
  });

  it('hands the gradient of a view of the whole over', () => {
    const of = (bytes: number): LiveModel =>
      modelOf(
        measuredProblem([
          { bytes: 1, flops: 0, inputs: [] },
          { bytes: 10, flops: 1, inputs: [0], keeps: none },
          { bytes, flops: 2, inputs: [1], keeps: none, alias: 'view' },
          { bytes: 3, flops: 2, inputs: [2], keeps: none },
        ]),
      );
    expect([...of(10).gradientsAfter]).toEqual([0, 10, 10, 13]);
    expect([...of(6).gradientsAfter]).toEqual([0, 10, 16, 9]);
  });

  it('is what it says under any order of any graph', () => {
    const rng = createRng(151);
    for (let i = 0; i < 120; i++) {
      const { graph, memory } = measuredProblem(measuredGraph(rng, { vertices: between(rng, 2, 10) }));
      const order = pick(rng, [...candidateOrders(graph)]);
      const model = liveModel(graph, memory, order);
      const place = Array.from({ length: graph.size }, (_, v) => order.indexOf(v));
      const home = place.map((_, v) => membersIn(model).findIndex((members) => members.includes(v)));
      expect([...model.itemOf]).toEqual(home);
      expect(membersIn(model).flat().length).toBe(graph.size);
      for (let item = 0; item < model.items; item++) {
        const members = membersIn(model)[item]!;
        const places = members.map((v) => place[v]!);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(model.created[item]).toBe(places[0]);
        const finals = members.filter((v) => memory.viewOf[v]! < 0).map((v) => place[v]!);
        expect(model.final[item]).toBe(Math.max(...finals));
        if (item > 0) expect(model.final[item]!).toBeGreaterThan(model.final[item - 1]!);
        expect(model.bytes[item]).toBe(memory.outputBytes[members[0]!]);
        const readers = members.flatMap((v) => [...successorsOf(graph, v)]);
        expect(model.lastForward[item]).toBe(Math.max(...places, ...readers.map((w) => place[w]!)));
        const needers = place
          .map((_, v) => v)
          .filter((w) => [...needsOf(memory, w)].some((u) => home[u] === item));
        const needed = needers.map((w) => place[w]!).sort((a, b) => a - b);
        expect(listOf(model.needOffsets, model.needPositions, item)).toEqual(needed);
        expect([model.minNeed[item], model.maxNeed[item]]).toEqual([
          needed[0] ?? graph.size,
          needed.at(-1) ?? -1,
        ]);
        const inputs = new Set(members.flatMap((v) => [...predecessorsOf(graph, v)].map((u) => home[u]!)));
        expect(new Set(listOf(model.inOffsets, model.ins, item))).toEqual(
          new Set([...inputs].filter((u) => u < item)),
        );
      }
      for (let item = 0; item < model.items; item++)
        for (const out of listOf(model.outOffsets, model.outs, item))
          expect(listOf(model.inOffsets, model.ins, out)).toContain(item);
      expect(model.outs.length).toBe(model.ins.length);
      if (memory.viewOf.some((u) => u >= 0)) continue;
      const live = (p: number, begun: (consumer: number) => boolean): number =>
        place.reduce(
          (sum, at, u) =>
            u > 0 && at <= p && [...successorsOf(graph, u)].some((w) => begun(place[w]!))
              ? sum + memory.gradientBytes[u]!
              : sum,
          0,
        );
      for (let p = 1; p < graph.size; p++) {
        expect(model.gradientsBefore[p]).toBe(live(p, (at) => at > p));
        const target = p === graph.size - 1 ? memory.gradientBytes[graph.size - 1]! : 0;
        expect(model.gradientsAfter[p]).toBe(live(p, (at) => at >= p) + target);
      }
    }
  });
});
