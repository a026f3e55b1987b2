import { importFile } from '../../app/bridges/import-file.ts';
import { onnxBytes, type TestNode } from '../app/bridges/onnx-files.ts';

/** Files that are long in one thing: readers whose work grows with its square show it between n and 4 n. */

const text = (document: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(document));
const named = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, i) => `${name}${i}`);

const layer = (type: string, name: string, config: object, inputs: readonly string[]): object => ({
  class_name: type,
  name,
  config: { name, ...config },
  inbound_nodes: inputs.length === 0 ? [] : [inputs.map((input) => [input, 0, 0, {}])],
});
const keras = (layers: readonly object[], last: string): Uint8Array =>
  text({
    class_name: 'Functional',
    config: { name: 'net', layers, input_layers: [['x', 0, 0]], output_layers: [[last, 0, 0]] },
  });
const graph = (ids: readonly string[], edges: readonly (readonly string[])[]): Uint8Array =>
  text({
    format: 'zigzag-graph',
    version: 1,
    name: 'long',
    vertices: ids.map((id) => ({ id, bytes: 8 })),
    edges,
  });

const SOURCE = layer('InputLayer', 'x', { batch_input_shape: [null, 4] }, []);

const FILES: Readonly<Record<string, (n: number) => Uint8Array>> = {
  'a graph that is a chain': (n) => {
    const ids = named(n, 'v');
    return graph(
      ids,
      ids.slice(1).map((id, i) => [ids[i] ?? '', id]),
    );
  },
  'a graph with a vertex that reads all': (n) => {
    const ids = named(n, 'v');
    return graph(['s', ...ids, 't'], [...ids.map((id) => ['s', id]), ...ids.map((id) => [id, 't'])]);
  },
  'Keras layers in a chain': (n) => {
    const ids = named(n, 'd');
    const layers = ids.map((id, i) => layer('Dense', id, { units: 4 }, [ids[i - 1] ?? 'x']));
    return keras([SOURCE, ...layers], ids.at(-1) ?? 'x');
  },
  'a Keras Concatenate of many': (n) => {
    const ids = named(n, 'd');
    const layers = ids.map((id) => layer('Dense', id, { units: 4 }, ['x']));
    return keras([SOURCE, ...layers, layer('Concatenate', 'cat', { axis: -1 }, ids)], 'cat');
  },
  'ONNX convolutions in a chain': (n) => {
    const ids = named(n, 'c');
    const nodes = ids.map((name, i): TestNode => ({ op: 'Conv', name, inputs: [ids[i - 1] ?? 'x', 'w'] }));
    return onnxBytes({ nodes, inputs: { x: [1, 1, 2, 2] }, weights: { w: { shape: [1, 1, 1, 1] } } });
  },
  'an ONNX Concat of many': (n) => {
    const ids = named(n, 'r');
    const nodes = ids.map((name): TestNode => ({ op: 'Relu', name, inputs: ['x'] }));
    const join: TestNode = { op: 'Concat', name: 'cat', inputs: ids, attributes: { axis: 1 } };
    return onnxBytes({ nodes: [...nodes, join], inputs: { x: [1, 4] } });
  },
};

export const LONG_FILES = Object.keys(FILES);

/** Processor milliseconds to read such a file, the best of three. */
export function readingMs(name: string, n: number): number {
  const file = FILES[name]?.(n) ?? new Uint8Array();
  const times = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    importFile(file);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
