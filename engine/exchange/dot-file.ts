import { type Graph, idOf, predecessorsOf } from '../graph/graph.ts';

/** A Graphviz drawing of a graph of operations, checkpoints ringed in green as in the papers' figures. */
export function dotFile(graph: Graph, checkpoints: readonly string[]): string {
  const ringed = new Set(checkpoints);
  const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const lines = [`digraph ${quote(graph.name)} {`, '  rankdir=TB; node [shape=box, fontname="sans-serif"];'];
  for (let v = 0; v < graph.size; v++) {
    const kind = graph.operations[v]?.kind ?? 'opaque';
    const label = `${idOf(graph, v)}\\n${kind} ${graph.bytes[v]} B`;
    const ring = ringed.has(idOf(graph, v)) ? ', color="#009E73", penwidth=3' : '';
    lines.push(`  v${v} [label=${quote(label).replaceAll('\\\\n', '\\n')}${ring}];`);
  }
  for (let v = 0; v < graph.size; v++) {
    for (const u of predecessorsOf(graph, v)) lines.push(`  v${u} -> v${v};`);
  }
  lines.push('}');
  return lines.join('\n');
}
