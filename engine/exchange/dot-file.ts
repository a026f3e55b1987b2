import { elementBytesOf, type Graph, idOf, predecessorsOf } from '../graph/graph.ts';
import type { TensorView } from '../graph/tensor-view.ts';
import { operationTitle } from '../ops/operation.ts';

/** A solution to colour: a title for the legend, a colour, and ids of checkpoints or why none exists. */
interface DotSolution {
  readonly title: string;
  readonly color: string;
  readonly checkpoints: readonly string[] | string;
}

interface DotEdge {
  readonly from: number;
  /** Names of the operations on the way. */
  text: string;
  colors: readonly string[];
}

/**
 * A Graphviz drawing of the papers' computation graph in the style of 001, appendix D: a vertex is a tensor and says its
 * elements, an edge says its operations, and each solution has a colour. A checkpoint that lies on an edge colours it.
 * Time and space O(V + E), times the operations on an edge.
 */
export function dotFile(graph: Graph, view: TensorView, solutions: readonly DotSolution[]): string {
  const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  const colors = new Map<string, string[]>();
  for (const { color, checkpoints } of solutions) {
    if (typeof checkpoints === 'string') continue;
    for (const id of checkpoints) colors.set(id, [...(colors.get(id) ?? []), color]);
  }
  const ofTensor = Array.from(view.representative, (): string[] => []);
  // Edges into a tensor, by its number; paths that have reached an operation on an edge, by the operation.
  const into = ofTensor.map((): DotEdge[] => []);
  const open = new Map<number, DotEdge[]>();
  for (let v = 0; v < graph.size; v++) {
    const tensor = view.tensorOf[v] ?? -1;
    const own = colors.get(idOf(graph, v)) ?? [];
    ofTensor[tensor]?.push(...own);
    const name = operationTitle(graph.operations[v]);
    const inputs = [...predecessorsOf(graph, v)];
    const arriving = inputs.flatMap((u): DotEdge[] => {
      const from = view.tensorOf[u] ?? -1;
      if (from === tensor) return [];
      return from < 0 ? (open.get(u) ?? []) : [{ from, text: '', colors: [] }];
    });
    const joined = inputs.some((u) => tensor >= 0 && view.tensorOf[u] === tensor) ? (into[tensor] ?? []) : [];
    for (const edge of [...joined, ...arriving]) {
      edge.text += `${edge.text === '' ? '' : ', '}${name}`;
      if (tensor < 0) edge.colors = [...edge.colors, ...own];
    }
    if (tensor < 0) open.set(v, arriving);
    else into[tensor]?.push(...arriving);
  }
  const legend = solutions.map(({ title, color, checkpoints }) =>
    typeof checkpoints === 'string' ? `${title} not applicable` : `${title} ${color}`,
  );
  const lines = [
    `digraph ${quote(graph.name)} {`,
    `  rankdir=TB; labelloc=t; fontname="sans-serif"; label=${quote(legend.join(', '))};`,
    '  node [shape=box, fontname="sans-serif"]; edge [fontname="sans-serif", fontsize=10];',
  ];
  ofTensor.forEach((own, tensor) => {
    const v = view.representative[tensor] ?? 0;
    const elements = Math.round((graph.bytes[v] ?? 0) / elementBytesOf(graph, v));
    const fill = [...new Set(own)];
    const style = `style=${fill.length > 1 ? 'striped' : 'filled'}, fillcolor="${fill.join(':')}"`;
    lines.push(
      `  v${tensor} [label=${quote(`${idOf(graph, v)}\n${elements}`)}${fill.length === 0 ? '' : `, ${style}`}];`,
    );
  });
  into.forEach((edges, to) => {
    for (const { from, text, colors: own } of edges) {
      const color = own.length === 0 ? '' : `, color="${[...new Set(own)].join(':')}", penwidth=3`;
      lines.push(`  v${from} -> v${to} [label=${quote(text)}${color}];`);
    }
  });
  lines.push('}');
  return lines.join('\n');
}
