import { treeDecomposition } from '../../../../../engine/decomposition/tree-decomposition.ts';
import { treewidthBound } from '../../../../../engine/decomposition/width-bound.ts';
import type { DivisionNode } from '../../../../../engine/paper/division-tree.ts';
import { edgesOf, partsWithout } from '../decompositions.ts';
import { faultSentence, nameOf, type Sketch, SKETCHES, verdictOf, withCosts } from '../independence.ts';
import type { Chance } from './chance.ts';
import { exercise, type Drawing, listed, right, wrong } from './question.ts';

function drawn(chance: Chance, names: readonly string[]): Sketch {
  const sketch = chance.oneOf(SKETCHES.filter(({ name }) => names.includes(name)));
  return withCosts(
    sketch,
    Array.from(sketch.tensors.cost, () => chance.between(1, 6)),
  );
}

function drawingOf({ tensors, places, title, note }: Sketch, kept: readonly number[] = []): Drawing {
  const all = Array.from({ length: tensors.size }, (_, v) => v);
  const last = tensors.size - 1;
  const edges = edgesOf(tensors);
  const said = edges.map(([from, to]) => `${nameOf(from)} to ${nameOf(to)}`).join(', ');
  return {
    summary: `${title}. ${note} Edges: ${said}. Sizes: ${all
      .slice(1, -1)
      .map((v) => `${nameOf(v)} ${tensors.cost[v]}`)
      .join(', ')}.`,
    names: all.map(nameOf),
    notes: all.map((v) => (v === 0 ? 'source' : v === last ? 'target' : String(tensors.cost[v]))),
    places,
    edges,
    pebbles: kept,
  };
}

const inner = ({ tensors }: Sketch): number[] => Array.from({ length: tensors.size - 2 }, (_, i) => i + 1);

/**
 * `yes` where the kept tensors cut a sketch into independent segments; else the ends at which parts have more than
 * one.
 */
function answerOf({ tensors }: Sketch, kept: readonly number[]): 'yes' | 'reads' | 'feeds' | 'both' {
  const held = new Set([0, ...kept, tensors.size - 1]);
  const edges = edgesOf(tensors);
  const parts = partsWithout(tensors, [...held]);
  const sourcesOf = (part: readonly number[]): number[] =>
    edges.filter(([from, to]) => held.has(from) && part.includes(to)).map(([from]) => from);
  const targetsOf = (part: readonly number[]): number[] =>
    edges.filter(([from, to]) => part.includes(from) && held.has(to)).map(([, to]) => to);
  const reads = parts.some((part) => new Set(sourcesOf(part)).size > 1);
  const feeds = parts.some((part) => new Set(targetsOf(part)).size > 1);
  return reads ? (feeds ? 'both' : 'reads') : feeds ? 'feeds' : 'yes';
}

const cut = exercise('branches.cut', 'Independent or not', (chance) => {
  const sketch = drawn(chance, ['branch', 'complicate']);
  const kept = chance.some(inner(sketch), chance.between(1, 3));
  const verdict = verdictOf(sketch, kept);
  const told = verdict.ok
    ? `Every part reads one kept tensor and feeds one. Eq. 2 is ${verdict.checkpointCost} + ${verdict.maxTerm} = ${verdict.cost}.`
    : faultSentence(verdict);
  const is = answerOf(sketch, kept);
  const option = (name: ReturnType<typeof answerOf>, text: string) => ({
    text,
    isRight: name === is,
    why:
      name === is
        ? told
        : is === 'yes'
          ? 'Check each part again: it reads one kept tensor and feeds one.'
          : name === 'yes'
            ? 'One part is not independent. Follow every edge that enters or leaves it.'
            : 'That is incomplete or wrong. For each part, count the kept tensors that it reads and those that it feeds.',
  });
  return {
    text: `${listed(kept.map(nameOf))} ${kept.length === 1 ? 'is' : 'are'} kept, with the source and the target. Is each part in between an independent segment?`,
    hint: 'Look at each connected part that is not kept. How many kept tensors does it read, and how many does it feed?',
    drawing: drawingOf(sketch, kept),
    options: [
      option('yes', 'Yes, all of them'),
      option('reads', 'No, only because a part reads more than one kept tensor'),
      option('feeds', 'No, only because a part feeds more than one kept tensor'),
      option('both', 'No, because parts read more than one and feed more than one'),
    ],
  };
});

const KINDS = ['linear', 'branch', 'complicate'] as const;
const WHY = {
  linear: 'a vertex inside splits it into two that meet only there',
  branch: 'parts of it run side by side and share only both ends',
  complicate: 'no vertex splits it, and no parts of it run side by side',
} as const;

function segmentsOf(root: DivisionNode): DivisionNode[] {
  return [root, ...(root.children ?? []).flatMap(segmentsOf)].filter(({ kind }) => kind !== 'leaf');
}

const kind = exercise('branches.kind', 'The kind of a segment', (chance) => {
  const wanted = chance.oneOf(KINDS);
  const sketches = SKETCHES.slice(1)
    .map((sketch) => ({ sketch, segments: segmentsOf(sketch.tree).filter((node) => node.kind === wanted) }))
    .filter(({ segments }) => segments.length > 0);
  const { sketch, segments } = chance.oneOf(sketches);
  const node = chance.oneOf(segments);
  const from = nameOf(node.source);
  const to = nameOf(node.target);
  return {
    text: `Which kind is the independent segment from ${from} to ${to}?`,
    hint: 'Does every path pass one vertex strictly inside? If not, does the inside fall into pieces without edges between them?',
    drawing: drawingOf(sketch),
    options: KINDS.map((name) => ({
      text: name,
      isRight: name === node.kind,
      why:
        name === node.kind
          ? `From ${from} to ${to} ${WHY[name]}.`
          : `It would be ${name} if ${WHY[name]}; that is not so from ${from} to ${to}.`,
    })),
  };
});

const place = exercise('branches.place', 'The minimum of Eq. 2', (chance) => {
  const sketch = drawn(chance, ['branch', 'complicate']);
  const { optimum } = sketch;
  return {
    kind: 'placing',
    text: 'Keep tensors of this graph so that Eq. 2 is as small as it can be.',
    hint: 'Begin with vertices that every path passes. Each branch can then be cut by itself.',
    drawing: drawingOf(sketch),
    isOrdered: false,
    open: inner(sketch),
    solution: () =>
      `Keep ${listed(optimum.checkpoints.map(nameOf)) || 'nothing'}: checkpoints ${optimum.checkpointCost} + largest segment ${optimum.maxTerm} = ${optimum.cost}.`,
    judge: (marked) => {
      const verdict = verdictOf(sketch, marked);
      if (!verdict.ok) return wrong(faultSentence(verdict));
      const { checkpointCost, maxTerm, cost } = verdict;
      const sum = `${checkpointCost} + largest segment ${maxTerm} = ${cost}`;
      if (cost === optimum.cost) return right(`Checkpoints ${sum}, the minimum.`);
      return wrong(`Yours: checkpoints ${sum}, ${cost - optimum.cost} above the minimum.`);
    },
  };
});

const width = exercise('branches.width', 'The largest bag', (chance) => {
  const sketch = drawn(chance, KINDS);
  const edges = edgesOf(sketch.tensors);
  const { size } = sketch.tensors;
  const { bags, largestBag, width: found } = treeDecomposition(size, edges);
  const isExact = treewidthBound(size, edges) === found;
  const bag = bags.find(({ length }) => length === largestBag)!;
  return {
    text: 'The vertices of this graph are merged into bags that form a tree: every edge lies in a bag, and the bags of each vertex are connected. How small can the largest bag be?',
    hint: 'A chain needs bags of two, one for each edge. How many tensors must be held at once if paths run side by side?',
    unit: 'plain',
    drawing: drawingOf(sketch),
    value: largestBag,
    because: `Min-fill finds bags of at most ${largestBag}, such as {${bag.map(nameOf).join(', ')}}${isExact ? ', and no tree of smaller bags exists' : ''}: treewidth ${isExact ? '' : 'at most '}${found}.`,
    slips: [
      [found, 'that is the treewidth by the usual definition, one less than the largest bag.'],
      [size, 'one bag with everything works, but smaller bags work too.'],
      [1, 'an edge has two ends, and both must lie in one bag.'],
    ],
  };
});

export const BRANCHES_EXERCISES = [cut, kind, place, width];
