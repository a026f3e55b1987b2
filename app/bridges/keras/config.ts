import { BadInputError } from '../../../engine/errors.ts';

export type Config = Readonly<Record<string, unknown>>;

export interface LayerConfig {
  readonly type: string;
  readonly name: string;
  readonly config: Config;
  /** One list of producers for each call of the layer. */
  readonly calls: readonly (readonly string[])[];
}

export interface ModelConfig {
  readonly name: string;
  readonly layers: readonly LayerConfig[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

const MAX_LAYERS = 100_000;

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
  const type = String(topology['class_name']);
  const config = topology['config'];
  if (!isObject(config) || !Array.isArray(config['layers'])) {
    throw new BadInputError(
      `the Keras model (${type}) lists no layers: only Sequential and functional models are drawn`,
    );
  }
  const entries: readonly unknown[] = config['layers'];
  if (entries.length > MAX_LAYERS)
    throw new BadInputError(`the Keras model has more than ${MAX_LAYERS} layers`);
  const layers = entries.map((entry, i) => readLayer(entry, `layers[${i}]`));
  const name = typeof config['name'] === 'string' ? config['name'] : 'keras';
  if (type === 'Sequential') return sequential(name, layers);
  return {
    name,
    layers,
    inputs: layers.filter((layer) => layer.type === 'InputLayer').map((layer) => layer.name),
    outputs: namesOf(config['output_layers']),
  };
}

function readLayer(entry: unknown, path: string): LayerConfig {
  if (!isObject(entry) || typeof entry['class_name'] !== 'string' || !isObject(entry['config'])) {
    throw new BadInputError('expected a layer with class_name and config', path);
  }
  const config = entry['config'];
  const name = entry['name'] ?? config['name'] ?? path;
  const nodes = entry['inbound_nodes'];
  const calls = Array.isArray(nodes)
    ? nodes.map((node: unknown) => namesOf(isObject(node) ? node['args'] : node))
    : [];
  return { type: entry['class_name'], name: String(name), config, calls };
}

/** Layers in a row; the shape of the input is its own layer's, or the first layer's. */
function sequential(name: string, layers: readonly LayerConfig[]): ModelConfig {
  const [first] = layers;
  if (first === undefined) throw new BadInputError('the Keras model has no layers');
  const row = first.type === 'InputLayer' ? layers : [inputOf(first), ...layers];
  const chained = row.map((layer, i) => ({ ...layer, calls: i === 0 ? [] : [[row[i - 1]?.name ?? '']] }));
  return { name, layers: chained, inputs: [chained[0]?.name ?? ''], outputs: [chained.at(-1)?.name ?? ''] };
}

function inputOf(layer: LayerConfig): LayerConfig {
  return { type: 'InputLayer', name: `${layer.name}_input`, config: layer.config, calls: [] };
}

/** Names in `["name", 0, 0]`, in lists of them, and in Keras 3's `keras_history`. */
function namesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    const [name, node, tensor] = value;
    if (typeof name === 'string' && typeof node === 'number' && typeof tensor === 'number') return [name];
    return value.flatMap((inner: unknown) => namesOf(inner));
  }
  if (!isObject(value)) return [];
  if (Array.isArray(value['keras_history'])) return namesOf(value['keras_history'].slice(0, 3));
  return isObject(value['config']) ? namesOf(value['config']) : [];
}
