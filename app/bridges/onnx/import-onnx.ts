import { BadInputError } from '../../../engine/errors.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import { shown } from '../../../engine/exchange/operation-fields.ts';
import { elementsOf, formatShape } from '../../../engine/ops/shape.ts';
import { clipped } from '../../../engine/sentence.ts';
import { fileNotices } from '../../report/file-notices.ts';
import type { ByteSource } from '../../../engine/exchange/byte-source.ts';
import type { Imported, ImportOptions } from '../imported.ts';
import { ImportGraphBuilder } from '../import-graph-builder.ts';
import { type Batches, Call, CallError, type Trained, type Value } from './call.ts';
import { COMPUTED, MAX_COMPUTED } from './constants.ts';
import { exportMode } from './export-mode.ts';
import { fuse } from './fuse.ts';
import { LAYERS } from './layers.ts';
import {
  bytesOfType,
  FLOAT,
  isFloat,
  type OnnxModel,
  type OnnxNode,
  type OnnxValue,
  readOnnxModel,
} from './model.ts';
import { GENERAL, type Operator } from './operators.ts';
import { RESAMPLING } from './resampling.ts';

/** Numbers that the constants of one file are computed to together (128 MiB). */
const MAX_COMPUTED_IN_ALL = 1 << 24;
const MAX_FOREIGN_OUTPUTS = 100;
/** Names that PyTorch's newer exporter gives to what it computes: weights that it transposed, and constants. */
const COMPUTED_NAME = /^val_\d+$/;

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({ ...GENERAL, ...LAYERS, ...RESAMPLING }),
);

/**
 * Reads an ONNX file as the network that is trained: batch norm in training mode, dropout at its rate,
 * activations and sums in place where that is legal (a file does not say what was), and what autograd
 * keeps for each operation. The batch is whatever is asked for, one where nothing is; weights are never
 * loaded. Time and space O(nodes + edges + what shapes are computed from).
 *
 * @throws BadInputError in one sentence that names the node at fault
 */
export function importOnnx(source: ByteSource, options: ImportOptions = {}): Imported {
  const model = readOnnxModel(source);
  const nodes = fuse(model);
  return new Translator(model, options).run(nodes);
}

/** Notices for a reader of the network's figures: what its export left out, and what is counted by size only. */
export function onnxNotices(model: OnnxModel): string[] {
  const unknown = unknownTypes(model);
  return [
    ...fileNotices({ format: 'onnx', samples: 1, isCaptured: false, onnx: exportMode(model) }),
    ...(unknown.length === 0
      ? []
      : [`unsupported operations, counted by their size only: ${unknown.join(', ')}`]),
  ];
}

const unknownTypes = ({ nodes }: OnnxModel): readonly string[] =>
  [...new Set(nodes.map(({ type }) => type))]
    .filter((type) => !OPERATORS.has(type) && type !== 'Constant' && type !== 'Shape')
    .toSorted();

class Translator {
  readonly #model: OnnxModel;
  readonly #options: ImportOptions;
  readonly #values = new Map<string, Value>();
  readonly #counted = new Set<Trained>();
  /** Numbers of constants that may still be computed. */
  #affordable = MAX_COMPUTED_IN_ALL;
  readonly #builder: ImportGraphBuilder;
  readonly #batches: Batches;

  constructor(model: OnnxModel, options: ImportOptions) {
    this.#model = model;
    this.#options = options;
    const written = model.inputs.map(({ shape }) => shape?.[0]).find((extent) => typeof extent === 'number');
    const file = typeof written === 'number' ? written : 0;
    this.#batches = { file, asked: options.batch ?? (file || 1) };
    const float = model.inputs.find((input) => isFloat(input.type))?.type ?? FLOAT;
    this.#builder = new ImportGraphBuilder(bytesOfType(float));
  }

  run(nodes: readonly OnnxNode[]): Imported {
    const model = this.#model;
    for (const [name, { shape: written, type, data }] of model.weights) {
      const isTrained = model.parameters?.has(name) ?? true;
      const shape = isTrained ? written : this.#batched(written);
      const isTransposed = COMPUTED_NAME.test(name) && (shape.length === 2 || shape.length === 3);
      const trained: Trained | undefined =
        isFloat(type) && (isTrained || isTransposed) ? { elements: elementsOf(shape), of: [] } : undefined;
      this.#values.set(name, { shape, type, data, trained });
    }
    for (const input of model.inputs) this.#input(input);
    for (const node of inOrder(nodes, new Set(this.#values.keys()))) this.#visit(node);
    const outputs = model.outputs.flatMap(({ name }) => this.#values.get(name)?.id ?? []);
    if (outputs.length === 0) throw new BadInputError('no output of the ONNX file depends on its inputs');
    const graph = this.#builder.build(model.name, outputs);
    return {
      graph,
      format: 'onnx',
      samples: 1,
      notices: onnxNotices(model),
      coverage: null,
      folded: Math.max(0, model.nodes.length - graph.size),
      unknown: unknownTypes(model),
    };
  }

  /** Shape of a constant that an exporter computed for the file's batch, at the batch that is asked for. */
  #batched(shape: Shape): Shape {
    const { file, asked } = this.#batches;
    return shape.length >= 3 && shape[0] === file && file > 1 ? [asked, ...shape.slice(1)] : shape;
  }

  #input({ name, type, shape }: OnnxValue): void {
    if (shape === undefined)
      throw new BadInputError(`the ONNX file gives no shape of its input ${clipped(name)}`);
    const { batch, input } = this.#options;
    const extents = shape.map((extent, axis) => {
      if (axis === 0) return batch ?? (typeof extent === 'number' ? extent : 1);
      if (shape.length === 4 && axis >= 2 && input !== undefined) return input;
      if (typeof extent === 'number') return extent;
      const what = extent === '' ? `axis ${axis}` : `the axis ${clipped(extent)}`;
      throw new BadInputError(
        `${clipped(name)}: the file leaves ${what} open; ${shape.length === 4 ? 'give the input size (--input)' : 'export it with a fixed size'}`,
      );
    });
    this.#values.set(name, {
      shape: extents,
      type,
      id: this.#builder.input(name, extents, bytesOfType(type)),
    });
  }

  #visit(node: OnnxNode): void {
    const inputs = node.inputs.map((name) => {
      if (name === '') return undefined;
      const value = this.#values.get(name);
      if (value === undefined) {
        throw new BadInputError(
          `${clipped(node.name || node.type)} reads ${shown(name)}, which no node computes`,
        );
      }
      return value;
    });
    const call = new Call(node, inputs, this.#builder, this.#counted, this.#batches);
    try {
      this.#translate(call);
    } catch (error) {
      throw error instanceof BadInputError && !(error instanceof CallError)
        ? call.fail(`cannot be drawn: ${error.message}`)
        : error;
    }
  }

  #translate(call: Call): void {
    const { node } = call;
    const operator = OPERATORS.get(node.type);
    if (node.type === 'Constant') this.#constant(call);
    else if (node.type === 'Shape') this.#shape(call);
    else if (operator === undefined) this.#foreign(call);
    else this.#known(call, operator);
  }

  #known(call: Call, operator: Operator): void {
    const { node } = call;
    const shape = checked(call, operator.shape(call));
    const type = operator.type?.(call) ?? call.inputs.find((value) => value !== undefined)?.type ?? FLOAT;
    if (call.flowing.length === 0 || operator.emit === undefined) {
      this.#set(node, [call.constant(shape, type, this.#computed(call, shape))]);
      return;
    }
    const result = operator.emit(call, shape, type);
    this.#set(node, Array.isArray(result) ? (result as readonly Value[]) : [result as Value]);
  }

  /** The numbers of a constant, where they are few and the file has not asked for too many already. */
  #computed(call: Call, shape: Shape): readonly number[] | undefined {
    const count = elementsOf(shape);
    if (count === 0) return [];
    if (count > MAX_COMPUTED || this.#affordable < count) return undefined;
    this.#affordable -= count;
    return COMPUTED[call.node.type]?.(call, shape);
  }

  #set(node: OnnxNode, values: readonly Value[]): void {
    node.outputs.forEach((name, i) => {
      const value = values[i];
      if (name !== '' && value !== undefined) this.#values.set(name, value);
    });
  }

  #constant(call: Call): void {
    const { attributes } = call.node;
    const tensor = attributes.get('value');
    if (typeof tensor === 'object' && 'shape' in tensor) {
      this.#set(call.node, [{ shape: tensor.shape, type: tensor.type, data: tensor.data }]);
      return;
    }
    const entry = ['value_int', 'value_ints', 'value_float', 'value_floats'].find((name) =>
      attributes.has(name),
    );
    const numbers = entry === undefined ? undefined : call.list(entry, -1);
    const shape = entry?.endsWith('s') === true ? [numbers?.length ?? 0] : [];
    const type = entry?.includes('int') === true ? 7 : FLOAT;
    const data = (numbers?.length ?? 0) <= MAX_COMPUTED ? numbers : undefined;
    this.#set(call.node, [{ shape, type, data }]);
  }

  #shape(call: Call): void {
    const shape = call.shape();
    const start = call.number('start', 0);
    const end = call.node.attributes.has('end') ? call.number('end', shape.length) : shape.length;
    const data = shape.slice(start, end);
    this.#set(call.node, [{ shape: [data.length], type: 7, data }]);
  }

  /** An operation that nobody here knows: its outputs' bytes must come from the file. */
  #foreign(call: Call): void {
    const { node } = call;
    if (node.outputs.length > MAX_FOREIGN_OUTPUTS) {
      // Each would read every input.
      throw call.fail(
        `is an unsupported operation with ${node.outputs.length} outputs: at most ${MAX_FOREIGN_OUTPUTS} are drawn`,
      );
    }
    const results = node.outputs.map((name): Value | undefined => {
      const info = this.#model.values.get(name);
      const shape = info?.shape?.map((extent, axis) => {
        const { file, asked: batch } = this.#batches;
        if (typeof extent === 'string') return axis === 0 ? batch : 0;
        return axis === 0 && extent === file ? batch : extent;
      });
      if (name === '' || shape === undefined || shape.some((extent) => extent < 1)) return undefined;
      const type = info?.type ?? FLOAT;
      if (call.flowing.length === 0) return call.constant(shape, type);
      return call.emit({ kind: 'opaque', label: node.type }, type, { shape });
    });
    if (results[0] === undefined) {
      throw call.fail(
        'is an unsupported operation, and the file gives no shape of its output: run ' +
          'onnx.shape_inference.infer_shapes on the model and save it again',
      );
    }
    node.outputs.forEach((name, i) => {
      const value = results[i];
      if (value !== undefined) this.#values.set(name, value);
    });
  }
}

function checked(call: Call, shape: Shape): Shape {
  const least = call.flowing.length > 0 ? 1 : 0;
  if (shape.every((extent) => Number.isSafeInteger(extent) && extent >= least)) return shape;
  throw call.fail(
    shape.every((extent) => Number.isFinite(extent))
      ? `would have an output of ${formatShape(shape)}`
      : 'would have an output that is too large',
  );
}

/**
 * Files list nodes in topological order, and most are left as they are; a file that does not is sorted.
 * @throws BadInputError naming nodes of a cycle
 */
function inOrder(nodes: readonly OnnxNode[], known: Set<string>): readonly OnnxNode[] {
  const producer = new Map<string, number>();
  nodes.forEach((node, i) => {
    for (const output of node.outputs) if (output !== '' && !known.has(output)) producer.set(output, i);
  });
  const order: OnnxNode[] = [];
  const waiting = new Int32Array(nodes.length);
  const readers: number[][] = nodes.map(() => []);
  const ready: number[] = [];
  nodes.forEach((node, i) => {
    for (const input of new Set(node.inputs)) {
      const from = producer.get(input);
      if (from === undefined) continue;
      waiting[i]!++;
      readers[from]!.push(i);
    }
  });
  let isSorted = true;
  readers.forEach((list, i) => {
    if (list.some((reader) => reader <= i)) isSorted = false;
  });
  if (isSorted) return nodes;
  for (let i = nodes.length - 1; i >= 0; i--) if (waiting[i] === 0) ready.push(i);
  for (let i = ready.pop(); i !== undefined; i = ready.pop()) {
    order.push(nodes[i]!);
    for (const reader of readers[i]!) if (--waiting[reader]! === 0) ready.push(reader);
  }
  const stuck = nodes.filter((_, i) => waiting[i]! > 0).slice(0, 3);
  if (stuck.length > 0) {
    throw new BadInputError(
      `the nodes ${stuck.map((node) => clipped(node.name || node.outputs[0] || node.type)).join(', ')} of the ONNX file depend on each other in a cycle`,
    );
  }
  return order;
}
