import { buildDivisionTree } from '../../../../engine/paper/build-division-tree.ts';
import { type DivisionNode, divisionTreeToJson } from '../../../../engine/paper/division-tree.ts';
import { type PaperCost, paperCost } from '../../../../engine/paper/paper-cost.ts';
import type { NotIndependent } from '../../../../engine/paper/segments.ts';
import {
  type CheckpointChoice,
  evaluateUnderMaxTerm,
  solveOptimal,
} from '../../../../engine/paper/solve-optimal.ts';
import { createTensorGraph, type TensorGraph } from '../../../../engine/paper/tensor-graph.ts';
import { FIGURES } from '../../../../engine/zoo/figures.ts';
import { edgesOf } from './decompositions.ts';
import { drawnEdges, type DrawnVertex, drawnVertices, type Place } from './drawn.ts';

/** A small computation graph with a drawing; where no figure names its vertices they are a, b, c, … in topological order. */
export interface Sketch {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly names: readonly string[];
  readonly tensors: TensorGraph;
  readonly places: readonly Place[];
  readonly tree: DivisionNode;
  readonly optimum: CheckpointChoice;
  /** The max term that a figure's text gives, and what Algorithm 5 keeps under it. */
  readonly given?: { readonly maxTerm: number; readonly choice: CheckpointChoice };
}

export const nameOf = (vertex: number): string => String.fromCharCode(97 + vertex);

function sketch(
  name: string,
  title: string,
  note: string,
  vertices: readonly DrawnVertex[],
  maxTerm?: number,
): Sketch {
  const tensors = createTensorGraph(
    vertices.map(({ size }) => size),
    drawnEdges(vertices),
  );
  const tree = buildDivisionTree(tensors);
  return {
    ...{ name, title, note, tensors, places: vertices },
    names: vertices.map(({ id }) => id),
    tree: divisionTreeToJson(tree),
    optimum: solveOptimal(tensors),
    ...(maxTerm !== undefined && { given: { maxTerm, choice: evaluateUnderMaxTerm(tree, maxTerm) } }),
  };
}

export const SKETCHES: readonly Sketch[] = [
  sketch(
    'linear',
    'A chain',
    'Every vertex in between splits the chain, so the whole chain is a linear segment.',
    drawnVertices('a 0 1 4, b 1 1 4 a, c 2 1 2 b, d 3 1 4 c, e 4 1 1 d, f 5 1 4 e, g 6 1 1 f'),
  ),
  sketch(
    'branch',
    'Residual block',
    'Between b and g two branches run side by side, one of them the skip. Each is independent of the other.',
    drawnVertices('a 0 1 4, b 1 1 3 a, c 2 0 4 b, d 3 0 4 c, e 4 0 2 d, f 3 2 3 b, g 5 1 3 e f, h 6 1 1 g'),
  ),
  sketch(
    'complicate',
    'Crossed branches',
    'The edge from c to f connects the two branches. No vertex splits the middle, and no parts run side by side.',
    drawnVertices('a 0 1 4, b 1 1 3 a, c 2 0 2 b, d 3 0 4 c, e 2 2 4 b, f 4 2 2 c e, g 5 1 3 d f, h 6 1 1 g'),
  ),
];

/** Figures of papers 000 and 001, as engine/zoo/figures.ts has them. */
export const FIGURE_SKETCHES: readonly Sketch[] = FIGURES.map(({ name, title, note, vertices, maxTerm }) =>
  sketch(
    name,
    title,
    note,
    vertices.map(([id, inputs, size, column, lane]) => {
      return { id, size, column, lane, inputs: inputs === '' ? [] : inputs.split(' ') };
    }),
    maxTerm,
  ),
);

export function withCosts(sketch: Sketch, costs: readonly number[]): Sketch {
  const tensors = createTensorGraph(costs, edgesOf(sketch.tensors));
  return {
    ...sketch,
    tensors,
    tree: divisionTreeToJson(buildDivisionTree(tensors)),
    optimum: solveOptimal(tensors),
  };
}

export function verdictOf({ tensors }: Sketch, chosen: readonly number[]): PaperCost | NotIndependent {
  return paperCost(tensors, chosen);
}

/** `{d, e} is not an independent segment because d needs c and e needs b`, with the names of the sketch. */
export function faultSentence(fault: NotIndependent, names?: readonly string[]): string {
  const nameIn = (v: number): string => names?.[v] ?? nameOf(v);
  const part = fault.vertices.map(nameIn).join(', ');
  const ends = fault.reason === 'several-sources' ? fault.sources : fault.targets;
  const verb = fault.reason === 'several-sources' ? 'reads' : 'feeds';
  const all = new Intl.ListFormat('en-GB').format(ends.map(nameIn));
  return (
    `The part {${part}} is not an independent segment because ${nameIn(fault.from)} needs ` +
    `${nameIn(fault.needs)}: it ${verb} ${all}, but a segment may have only one kept tensor at each end.`
  );
}

/** Inner vertices named by a link, `ceg`; others are left out. */
export function readChosen(text: string | undefined, { tensors }: Sketch): number[] {
  const vertices = [...(text ?? '')].map((letter) => letter.charCodeAt(0) - 97);
  return [...new Set(vertices)].filter((v) => v > 0 && v < tensors.size - 1).sort((a, b) => a - b);
}

/** All vertices inside a node of the division tree, its ends too. */
export function verticesUnder(node: DivisionNode): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    found.add(at.source).add(at.target);
    open.push(...(at.children ?? []));
  }
  return found;
}
