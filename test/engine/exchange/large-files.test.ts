import { describe, expect, it } from 'vitest';
import { dotFile } from '../../../engine/exchange/dot-file.ts';
import { graphFile, readGraphDocument } from '../../../engine/exchange/graph-file.ts';
import { planFile } from '../../../engine/exchange/plan-file.ts';
import { readPlanDocument, scheduleOf } from '../../../engine/exchange/read-plan.ts';
import { treeFileText } from '../../../engine/exchange/tree-file.ts';
import { graphFromVerticesAndEdges } from '../../../engine/graph/from-vertices.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';

const SIZE = 100_000;

/** A chain whose i-th vertex from the start also feeds the i-th from the end, up to the middle: as deep as long. */
function chain(size: number, skips: boolean): Problem {
  const vertices = Array.from({ length: size }, (_, v) => ({ id: `v${v}`, bytes: 4 }));
  const edges: [string, string][] = [];
  for (let v = 1; v < size; v++) edges.push([`v${v - 1}`, `v${v}`]);
  for (let v = 0; skips && v < size / 2 - 2; v++) edges.push([`v${v}`, `v${size - 1 - v}`]);
  return createProblem(graphFromVerticesAndEdges({ name: 'deep', vertices, edges }), 'pytorch');
}

/** Depth of nested braces, found without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const letter of text) {
    if (letter === '{') most = Math.max(most, ++depth);
    if (letter === '}') depth--;
  }
  expect(depth).toBe(0);
  return most;
}

describe(`files of ${SIZE} vertices`, () => {
  const flat = chain(SIZE, false);

  it('a division tree as deep as the graph is long', () => {
    const text = treeFileText(chain(SIZE, true));
    expect(depthOf(text)).toBeGreaterThan(SIZE / 4);
    const small = JSON.parse(treeFileText(chain(12, true))) as {
      root: { kind: string; children: unknown[] };
    };
    expect(small.root).toMatchObject({ kind: 'branch', source: 'v0', target: 'v11' });
    expect(small.root.children).toHaveLength(2);
  });

  it('a division tree as wide', () => {
    const { root } = JSON.parse(treeFileText(flat)) as { root: { children: unknown[] } };
    expect(root.children).toHaveLength(SIZE - 1);
  });

  it('a drawing', () => {
    expect(dotFile(flat.graph, flat.view, []).split('\n')).toHaveLength(2 * SIZE - 1 + 4);
  });

  it('a graph and a plan, which read back', () => {
    const again = readGraphDocument(JSON.parse(JSON.stringify(graphFile(flat.graph))));
    expect(again.ids).toEqual(flat.graph.ids);
    const { checkpoints, schedule, timeline } = solveRow(flat, 'chen-sqrt', { seed: 0 });
    const made = {
      strategy: 'chen-sqrt',
      options: {},
      checkpoints,
      schedule: schedule!,
      timeline: timeline!,
    };
    const plan = readPlanDocument(JSON.parse(JSON.stringify(planFile(flat.graph, made))));
    expect(scheduleOf(plan, again)).toEqual(schedule);
  });
});
