import { describe, expect, it } from 'vitest';
import { FlowNetwork } from '../../../engine/flow/flow-network.ts';
import { between, createRng } from '../../support/rng.ts';

interface Arc {
  readonly from: number;
  readonly to: number;
  readonly capacity: number;
}

const across = (arcs: readonly Arc[], isInside: (node: number) => boolean): number =>
  arcs.reduce((sum, { from, to, capacity }) => sum + (isInside(from) && !isInside(to) ? capacity : 0), 0);

/** The smallest capacity across any set of nodes with the first and without the last, set by set. */
function smallestCut(nodes: number, arcs: readonly Arc[]): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let set = 1; set < 1 << (nodes - 1); set += 2) {
    smallest = Math.min(
      smallest,
      across(arcs, (node) => ((set >> node) & 1) === 1),
    );
  }
  return smallest;
}

describe('FlowNetwork', () => {
  it('finds the smallest cut of random networks, and its source side, also with new capacities', () => {
    const rng = createRng(8);
    for (let run = 0; run < 300; run++) {
      const nodes = between(rng, 2, 7);
      const network = new FlowNetwork(nodes);
      let arcs: Arc[] = [];
      for (let i = between(rng, 1, 14); i > 0; i--) {
        arcs.push({ from: rng.below(nodes), to: rng.below(nodes), capacity: between(rng, 0, 9) });
      }
      for (const { from, to, capacity } of arcs) network.add(from, to, capacity);
      expect(network.maximumFlow(0, nodes - 1)).toBe(smallestCut(nodes, arcs));

      arcs = arcs.map((arc) => ({ ...arc, capacity: between(rng, 0, 9) }));
      for (const [arc, { capacity }] of arcs.entries()) network.set(arc, capacity);
      const side = network.minimumCut(0, nodes - 1);
      expect(side[0]).toBe(1);
      expect(side[nodes - 1]).toBe(0);
      expect(across(arcs, (node) => side[node] === 1)).toBe(smallestCut(nodes, arcs));
    }
  });

  it('handles a chain of a hundred thousand nodes', () => {
    const nodes = 100_000;
    const network = new FlowNetwork(nodes);
    for (let v = 0; v + 1 < nodes; v++) network.add(v, v + 1, v === 70_000 ? 3 : 8);
    expect(network.maximumFlow(0, nodes - 1)).toBe(3);
  });
});
