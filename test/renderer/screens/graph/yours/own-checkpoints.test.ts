import { describe, expect, it } from 'vitest';
import { faultTones, heatOf, paintOf, tonesOf } from '../../../../../renderer/screens/graph/state/paint.ts';
import {
  ownVertices,
  verdictOn,
  withToggled,
} from '../../../../../renderer/screens/graph/yours/own-checkpoints.ts';
import { search } from '../../../../../renderer/screens/graph/state/search.ts';
import { drawingOf } from '../../../../../renderer/screens/graph/state/drawing.ts';
import { identityOf } from '../../../../../renderer/state/strategies/identity.ts';
import { networkOf } from '../network.ts';

const { paper, view, blocks } = networkOf('resnet50');
const at = (id: string): number => view.vertices.findIndex((vertex) => vertex.id === id);

describe('own checkpoints', () => {
  it('say with ids why Eq. 2 does not apply if a segment is not independent', () => {
    const verdict = verdictOn(paper, [at('layer1.1.relu')]);
    expect(verdict.state).toBe('unpriced');
    expect(verdict.state === 'unpriced' && verdict.message).toMatch(
      /is not an independent segment because layer1\.\S+ needs layer1\.\S+/,
    );
  });

  it('cost the value of Eq. 2 if they are valid', () => {
    const verdict = verdictOn(paper, paper.optimum.checkpoints);
    expect(verdict.state === 'valid' && verdict.cost.cost).toBe(paper.optimum.cost);
    expect(verdictOn(paper, [])).toEqual({ state: 'none' });
  });

  it('are placed and removed; source, target and unknown ids cannot be placed', () => {
    const ids = withToggled(paper, undefined, at('maxpool'));
    expect(ids).toEqual(['maxpool']);
    expect(withToggled(paper, ids, at('maxpool'))).toEqual([]);
    expect(withToggled(paper, ids, 0)).toEqual(['maxpool']);
    expect(ownVertices(paper, ['maxpool', 'nowhere', 'input', 'fc'])).toEqual([at('maxpool')]);
  });

  it('name the tensor by any operation that shares it', () => {
    expect(ownVertices(paper, ['bn1'])).toEqual(ownVertices(paper, ['relu']));
  });
});

describe('paint', () => {
  const open = new Set(blocks.byPath.keys());
  const { items } = drawingOf(view, blocks, open);
  const optimal = { identity: identityOf('optimal'), vertices: paper.optimum.checkpoints };

  it('rings the checkpoints of several strategies and counts them in closed blocks', () => {
    const random = { identity: identityOf('random'), vertices: paper.optimum.checkpoints.slice(0, 1) };
    const input = {
      paper,
      blocks,
      coloring: 'bytes' as const,
      sets: [optimal, random],
      tones: null,
      bright: null,
    };
    const paint = paintOf(items, input);
    const first = paper.optimum.checkpoints[0]!;
    expect(paint.get(`v${first}`)!.rings.map(({ identity }) => identity.name)).toEqual(['optimal', 'random']);
    const closed = paintOf(drawingOf(view, blocks, new Set()).items, input);
    const counted = [...closed.values()].flatMap(({ rings }) =>
      rings.filter((r) => r.identity.name === 'optimal'),
    );
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(paper.optimum.checkpoints.length);
  });

  it('has five steps, and none for zero', () => {
    expect([0, 1, 100].map((value) => heatOf(value, 100))).toEqual([0, 1, 5]);
    expect(heatOf(3, 0)).toBe(0);
  });

  it('distinguishes segments and marks the largest', () => {
    const verdict = verdictOn(paper, paper.optimum.checkpoints);
    if (verdict.state !== 'valid') throw new Error('the optimum is valid');
    const tones = tonesOf(paper.tensors.size, verdict.cost.segments);
    const largest = tones.reduce(
      (sum, tone, v) => sum + (tone === 'largest' ? paper.tensors.cost[v]! : 0),
      0,
    );
    expect(largest).toBe(verdict.cost.maxTerm);
    for (const v of paper.optimum.checkpoints) expect(tones[v]).toBe('kept');
    expect(faultTones(3, [1])).toEqual(['plain', 'fault', 'plain']);
  });
});

it('search finds by id and by operation, whole names first', () => {
  expect(search(view, 'conv1')[0]!.id).toBe('conv1');
  expect(search(view, 'layer3 add').every(({ operations }) => operations.includes('add'))).toBe(true);
  expect(search(view, 'no such thing')).toEqual([]);
  expect(search(view, '  ')).toEqual([]);
});
