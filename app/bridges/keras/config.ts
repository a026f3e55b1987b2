import { BadInputError } from '../../../engine/errors.ts';
import { shown } from '../../../engine/exchange/operation-fields.ts';
import { clipped } from '../../../engine/sentence.ts';

export type Config = Readonly<Record<string, unknown>>;

/** One tensor: of a layer's outputs, at one of its calls. */
export interface TensorRef {
  readonly layer: string;
  /** As in the file; a model that is a layer counts its calls from 1, because 0 is its own making. */
  readonly call: number;
  readonly output: number;
}

export interface LayerConfig {
  readonly type: string;
  readonly name: string;
  readonly config: Config;
  /** Inputs of each call of the layer. */
  readonly calls: readonly (readonly TensorRef[])[];
}

export interface ModelConfig {
  readonly name: string;
  readonly layers: readonly LayerConfig[];
  /** Names of the input layers, in the order in which the model is called. */
  readonly inputs: readonly string[];
  readonly outputs: readonly TensorRef[];
}

const MAX_LAYERS = 100_000;
const MODELS: ReadonlySet<string> = new Set(['Functional', 'Model', 'Sequential']);

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** True for a layer that is itself a model of layers. */
export function isModel(layer: LayerConfig): boolean {
  return MODELS.has(layer.type);
}

export function isObject(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The model's own description inside `model.json` (TensorFlow.js), `to_json()` (Keras 2 and 3), or neither. */
export function topologyOf(document: unknown): Config | undefined {
  for (let at = document; isObject(at); ) {
    if (typeof at['class_name'] === 'string' && isObject(at['config'])) return at;
    at = at['modelTopology'] ?? at['model_config'];
  }
  return undefined;
}

/**
 * Reads a Sequential or a functional model.
 * @throws BadInputError naming what is missing
 */
export function readModelConfig(topology: Config): ModelConfig {
  const type = textOf(topology['class_name']);
  const config = topology['config'];
  if (!isObject(config) || !Array.isArray(config['layers'])) {
    throw new BadInputError(
      `the Keras model (${clipped(type)}) lists no layers; only Sequential and functional models are supported`,
    );
  }
  const entries: readonly unknown[] = config['layers'];
  if (entries.length > MAX_LAYERS)
    throw new BadInputError(`the Keras model has more than ${MAX_LAYERS} layers`);
  const layers = entries.map((entry, i) => readLayer(entry, `layers[${i}]`));
  const name = typeof config['name'] === 'string' ? config['name'] : 'keras';
  if (type === 'Sequential') return sequential(name, layers);
  const asked = refsOf(config['input_layers']).map(({ layer }) => layer);
  return {
    name,
    layers,
    inputs:
      asked.length > 0
        ? asked
        : layers.filter((layer) => layer.type === 'InputLayer').map((layer) => layer.name),
    outputs: refsOf(config['output_layers']),
  };
}

function readLayer(entry: unknown, path: string): LayerConfig {
  if (!isObject(entry) || typeof entry['class_name'] !== 'string' || !isObject(entry['config'])) {
    throw new BadInputError('expected a layer with class_name and config', path);
  }
  const config = entry['config'];
  const name = entry['name'] ?? config['name'] ?? path;
  if (typeof name !== 'string') {
    const place = entry['name'] == null ? `${path}.config.name` : `${path}.name`;
    throw new BadInputError(`expected a text, got ${shown(name)}`, place);
  }
  const nodes = entry['inbound_nodes'];
  const calls = Array.isArray(nodes)
    ? nodes.map((node: unknown) => refsOf(isObject(node) ? node['args'] : node))
    : [];
  return { type: entry['class_name'], name, config, calls };
}

/** Layers in a row; the shape of the input is its own layer's, or the first layer's. */
function sequential(name: string, layers: readonly LayerConfig[]): ModelConfig {
  const [first] = layers;
  if (first === undefined) throw new BadInputError('the Keras model has no layers');
  const row = first.type === 'InputLayer' ? layers : [inputOf(first), ...layers];
  const before = (i: number): TensorRef => ({ layer: row[i]?.name ?? '', call: 0, output: 0 });
  const chained = row.map((layer, i) => ({ ...layer, calls: i === 0 ? [] : [[before(i - 1)]] }));
  return { name, layers: chained, inputs: [row[0]?.name ?? ''], outputs: [before(row.length - 1)] };
}

function inputOf(layer: LayerConfig): LayerConfig {
  return { type: 'InputLayer', name: `${layer.name}_input`, config: shapeGiver(layer), calls: [] };
}

/** The configuration that says the shape of a layer's input: a model's is that of its first layer. */
function shapeGiver(layer: LayerConfig): Config {
  let { type, config } = layer;
  while (MODELS.has(type) && Array.isArray(config['layers'])) {
    const [first]: readonly unknown[] = config['layers'];
    if (!isObject(first) || !isObject(first['config'])) break;
    type = textOf(first['class_name']);
    config = first['config'];
  }
  return config;
}

/** References in `["name", 0, 0]`, in lists of them, and in Keras 3's `keras_history`. */
function refsOf(value: unknown): readonly TensorRef[] {
  if (Array.isArray(value)) {
    const [layer, call, output] = value;
    if (typeof layer === 'string' && typeof call === 'number' && typeof output === 'number') {
      return [{ layer, call, output }];
    }
    return value.flatMap((inner: unknown) => refsOf(inner));
  }
  if (!isObject(value)) return [];
  if (Array.isArray(value['keras_history'])) return refsOf(value['keras_history'].slice(0, 3));
  return isObject(value['config']) ? refsOf(value['config']) : [];
}
