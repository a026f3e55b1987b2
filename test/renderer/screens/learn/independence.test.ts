import { describe, expect, it } from 'vitest';
import { divisionTreeByDefinition } from '../../../../engine/paper/reference/division-tree-by-definition.ts';
import {
  faultSentence,
  FIGURE_SKETCHES,
  readChosen,
  SKETCHES,
  verdictOf,
  verticesUnder,
} from '../../../../renderer/screens/learn/model/independence.ts';

const sketchOf = (name: string) => SKETCHES.find((sketch) => sketch.name === name)!;
const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0) - 97);

describe('independent segments', () => {
  it.each([...SKETCHES, ...FIGURE_SKETCHES])(
    '[D7] $title has the division tree of the definitions',
    ({ tensors, tree }) => {
      expect(tree).toEqual(divisionTreeByDefinition(tensors));
    },
  );

  it('has one example of each kind', () => {
    const kinds = (name: string): string => JSON.stringify(sketchOf(name).tree);
    expect(sketchOf('linear').tree.kind).toBe('linear');
    expect(kinds('linear')).not.toContain('branch');
    expect(kinds('branch')).toContain('"kind":"branch"');
    expect(kinds('branch')).not.toContain('complicate');
    expect(kinds('complicate')).toContain('"kind":"complicate"');
  });

  it.each([...SKETCHES, ...FIGURE_SKETCHES])(
    '[A6] the optimum of $title is the best of all sets that cut it',
    (sketch) => {
      const inner = sketch.tensors.size - 2;
      let least = Number.POSITIVE_INFINITY;
      for (let set = 0; set < 2 ** inner; set++) {
        const chosen = Array.from({ length: inner }, (_, i) => i + 1).filter((v) => (set >> (v - 1)) & 1);
        const verdict = verdictOf(sketch, chosen);
        if (verdict.ok) least = Math.min(least, verdict.cost);
      }
      expect(sketch.optimum.cost).toBe(least);
    },
  );

  it("has the divisions that the papers' captions name", () => {
    const figure = (name: string) => FIGURE_SKETCHES.find((sketch) => sketch.name === name)!;
    const divided = (name: string): string[] => {
      const { tree, names } = figure(name);
      return (tree.children ?? []).map(({ source, target }) => names[source]! + names[target]!).sort();
    };
    expect(divided('figure-4-linear')).toEqual(['ik', 'kj']);
    expect(divided('figure-4-branch')).toEqual(['ij', 'ij', 'ij']);
    expect(divided('figure-4-complicate')).toEqual(['ik', 'it', 'kj', 'kt', 'tj']);
    const kinds = ['linear', 'branch', 'complicate'].map((kind) => figure(`figure-4-${kind}`).tree.kind);
    expect(kinds).toEqual(['linear', 'branch', 'complicate']);
    // Figure 3: {k, j} cannot form a segment, {i, t} can.
    const [k, t] = [1, 2];
    const fault = verdictOf(figure('figure-3'), [k]);
    expect(fault.ok ? '' : faultSentence(fault, figure('figure-3').names)).toContain('it reads i and k');
    expect(verdictOf(figure('figure-3'), [t]).ok).toBe(true);
    // Figure 6 under C = 25: the member of 30 is divided, and the linear solver keeps one of the others.
    const { names, given, tree } = figure('figure-6');
    expect((tree.children ?? []).map(({ cost }) => cost)).toEqual([10, 5, 10, 10, 30, 10]);
    expect(given?.maxTerm).toBe(25);
    expect(given?.choice.checkpoints.map((v) => names[v])).toEqual(['v2', 'v4', 'm5b', 'v5']);
  });

  it('says why a checkpoint on one branch does not cut', () => {
    const verdict = verdictOf(sketchOf('complicate'), letters('c'));
    expect(verdict.ok).toBe(false);
    if (!verdict.ok)
      expect(faultSentence(verdict)).toMatch(/is not an independent segment because \w needs \w/);
    expect(verdictOf(sketchOf('branch'), letters('d')).ok).toBe(false);
    expect(verdictOf(sketchOf('branch'), letters('bdg')).ok).toBe(true);
  });

  it('reads inner vertices from a link', () => {
    const sketch = sketchOf('linear');
    expect(readChosen('ceg', sketch)).toEqual([2, 4]);
    expect(readChosen('ccab?z', sketch)).toEqual([1, 2]);
    expect(readChosen(undefined, sketch)).toEqual([]);
  });

  it('lists the vertices of a node with its ends', () => {
    const { tree, tensors } = sketchOf('branch');
    expect(verticesUnder(tree).size).toBe(tensors.size);
  });
});
