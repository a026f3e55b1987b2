import { BadInputError } from '../../../engine/errors.ts';
import type { Shape } from '../../../engine/ops/operation.ts';
import type { Imported, ImportOptions } from '../imported.ts';
import { Sketch } from '../sketch.ts';
import { isObject, type LayerConfig, readModelConfig, topologyOf } from './config.ts';
import { KERAS_LAYERS, LayerCall } from './layers.ts';

const MODELS: ReadonlySet<string> = new Set(['Functional', 'Model', 'Sequential']);

export function isKeras(document: unknown): boolean {
  return topologyOf(document) !== undefined;
}

/**
 * Reads a Keras or TensorFlow.js layers model from its topology; weights are not looked at. Images are
 * drawn as [N, C, H, W] whatever their layout in the file. What is kept is what the `pytorch` profile
 * says of the same operations. Time O(layers + edges).
 *
 * @throws BadInputError in one sentence that names the layer at fault
 */
export function importKeras(document: unknown, options: ImportOptions = {}): Imported {
  const topology = topologyOf(document);
  if (topology === undefined) throw new BadInputError('the file describes no Keras model');
  const model = readModelConfig(topology);
  const sketch = new Sketch();
  /** Layer to the vertices of its calls. */
  const results = new Map<string, string>();
  const unknown = new Set<string>();
  const byName = new Map(model.layers.map((layer) => [layer.name, layer]));
  const started = new Set<string>();

  const draw = (layer: LayerConfig): void => {
    if (layer.type === 'InputLayer' || layer.calls.length === 0) {
      results.set(layer.name, sketch.input(layer.name, inputShape(layer, options)));
      return;
    }
    // A layer that is called several times shares its weights; its last call is what later layers read.
    layer.calls.forEach((call, i) => {
      const inputs = call.map((name) => {
        const id = results.get(name);
        if (id === undefined)
          throw new BadInputError(`the layer ${layer.name} reads ${name}, which is no layer before it`);
        return id;
      });
      const reader = new LayerCall(layer, inputs, sketch, i === 0);
      const rule = KERAS_LAYERS.get(layer.type);
      if (MODELS.has(layer.type)) {
        throw new BadInputError(
          `the layer ${layer.name} holds a whole model (${layer.type}): save its layers flat`,
        );
      }
      if (rule === undefined) unknown.add(layer.type);
      try {
        results.set(layer.name, rule === undefined ? reader.unknown() : rule(reader));
      } catch (error) {
        if (!(error instanceof BadInputError)) throw error;
        throw new BadInputError(`${layer.name} (${layer.type}): ${error.message}`);
      }
    });
  };

  // Files list producers first almost always; an explicit stack serves those that do not.
  for (const start of model.layers) {
    const stack = [start];
    while (stack.length > 0) {
      const layer = stack.at(-1)!;
      const missing = layer.calls.flat().filter((name) => !results.has(name) && byName.has(name));
      if (results.has(layer.name) || missing.length === 0) {
        if (!results.has(layer.name)) draw(layer);
        stack.pop();
        continue;
      }
      if (started.has(layer.name))
        throw new BadInputError(`the layer ${layer.name} waits for itself in a cycle`);
      started.add(layer.name);
      for (const name of missing) stack.push(byName.get(name)!);
    }
  }
  const outputs = model.outputs.flatMap((name) => results.get(name) ?? []);
  if (outputs.length === 0) throw new BadInputError('the Keras model names no output layer');
  const graph = sketch.build(model.name, outputs);
  return { graph, format: 'keras', folded: 0, unknown: [...unknown] };
}

/** `batch_input_shape` (Keras 2), `batch_shape` (Keras 3): batch first, channels last or first. */
function inputShape(layer: LayerConfig, { batch = 1, input }: ImportOptions): Shape {
  const { config } = layer;
  const given = config['batch_input_shape'] ?? config['batch_shape'] ?? config['batchInputShape'];
  const list: unknown = Array.isArray(given) ? given : isObject(config) ? config['input_shape'] : undefined;
  if (!Array.isArray(list)) throw new BadInputError(`the input layer ${layer.name} gives no shape`);
  const rest: readonly unknown[] = list === given ? list.slice(1) : list;
  const extents = rest.map((extent, i) => {
    if (
      rest.length === 3 &&
      input !== undefined &&
      i !== (config['data_format'] === 'channels_first' ? 0 : 2)
    )
      return input;
    if (Number.isSafeInteger(extent) && (extent as number) > 0) return extent as number;
    if (extent === null && rest.length === 3) {
      throw new BadInputError(`${layer.name}: the file leaves the image size open; give it (--input)`);
    }
    throw new BadInputError(
      `the input layer ${layer.name} has an axis of ${JSON.stringify(extent)} elements`,
    );
  });
  const [h = 1, w = 1, c = 1] = extents;
  return rest.length === 3 ? [batch, c, h, w] : [batch, ...extents];
}
