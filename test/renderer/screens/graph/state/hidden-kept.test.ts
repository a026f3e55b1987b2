import { describe, expect, it } from 'vitest';
import { drawingOf } from '../../../../../renderer/screens/graph/state/drawing.ts';
import { edgeMarks } from '../../../../../renderer/screens/graph/canvas/edge-marks.ts';
import { hiddenKept, sayHiddenKept } from '../../../../../renderer/screens/graph/state/hidden-kept.ts';
import { paintOf } from '../../../../../renderer/screens/graph/state/paint.ts';
import { verticesOf } from '../../../../../renderer/screens/graph/state/paper-graph.ts';
import { identityOf } from '../../../../../renderer/state/strategies/identity.ts';
import { networkOf } from '../network.ts';

const NETWORKS = ['tiny-residual', 'resnet18', 'densenet121', 'tiny-unet'].map(networkOf);
const identity = identityOf('live', 'Live');

describe('checkpoints within tensors and on edges', () => {
  it('shows every operation as a ring, a count within it, or a mark on an edge', () => {
    for (const { view, paper } of NETWORKS) {
      const everything = [...view.vertices, ...view.edges].flatMap(({ operations }) =>
        operations.map(({ id }) => id),
      );
      const kept = [...new Set(everything)].filter((_, i) => i % 3 !== 0);
      const { ofVertex, ofEdge } = hiddenKept(paper, kept);
      const rings = verticesOf(paper, kept).map((v) => view.vertices[v]!.operations);
      const hidden = [...ofVertex.values(), ...ofEdge.values()].flat();
      expect(new Set(hidden).size).toBe(kept.length - rings.length);
    }
  });

  it('are counted on a closed block, and shown in place in open ones', () => {
    for (const { view, paper, blocks } of NETWORKS) {
      const kept = [...view.vertices, ...view.edges].flatMap(({ operations }) =>
        operations.map(({ id }) => id),
      );
      const hidden = hiddenKept(paper, kept);
      const vertices = verticesOf(paper, kept);
      const seen = [{ row: { identity }, hidden }];
      const input = {
        paper,
        blocks,
        coloring: 'bytes' as const,
        sets: [{ identity, vertices, hidden }],
        tones: null,
        bright: null,
      };
      const found = [new Set<string>(), new Set(blocks.byPath.keys())].map((open) => {
        const drawing = drawingOf(view, blocks, open);
        const rings = [...paintOf(drawing.items, input).values()].flatMap(({ rings: own }) => own);
        const marks = edgeMarks(drawing, view.edges, blocks, seen).flatMap(({ own }) => own);
        const ids = [...rings.flatMap((ring) => ring.hidden), ...marks.flatMap((mark) => mark.ids)];
        return { count: rings.reduce((sum, { count }) => sum + count, 0), ids: new Set(ids) };
      });
      expect(found[0]).toEqual(found[1]);
      expect(found[0]?.count).toBe(vertices.length);
    }
  });

  it('is said by name', () => {
    expect(sayHiddenKept([{ identity, ids: ['bn1', 'relu'] }])).toBe('Live also keeps bn1, relu here.');
  });
});
