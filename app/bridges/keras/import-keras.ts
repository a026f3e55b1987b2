import { BadInputError } from '../../../engine/errors.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import { shown } from '../../../engine/exchange/operation-fields.ts';
import { clipped } from '../../../engine/sentence.ts';
import type { Imported, ImportOptions } from '../imported.ts';
import { ImportGraphBuilder } from '../import-graph-builder.ts';
import { isObject, type LayerConfig, readModelConfig, topologyOf } from './config.ts';
import { ModelDrawer } from './draw-model.ts';

export function isKeras(document: unknown): boolean {
  return topologyOf(document) !== undefined;
}

/**
 * Reads a Keras or TensorFlow.js layers model from its topology; weights are not looked at. Images are
 * drawn as [N, C, H, W] whatever their layout in the file. What is kept is what the `pytorch` profile
 * says of the same operations. A layer that is called several times counts its weights once; a model that
 * is a layer is drawn layer by layer, its names after its own (`base/conv1`). Time O(calls + edges).
 *
 * @throws BadInputError in one sentence that names the layer at fault
 */
export function importKeras(document: unknown, options: ImportOptions = {}): Imported {
  const topology = topologyOf(document);
  if (topology === undefined) throw new BadInputError('the file is not a Keras model');
  const model = readModelConfig(topology);
  const builder = new ImportGraphBuilder();
  const drawer = new ModelDrawer(builder, (layer) => inputShape(layer, options));
  const outputs = drawer.draw(model);
  if (outputs.length === 0) throw new BadInputError('the Keras model names no output layer');
  const graph = builder.build(model.name, outputs);
  const unknown = [...drawer.unknown];
  return { graph, format: 'keras', samples: 1, notices: [], coverage: null, folded: 0, unknown };
}

/** `batch_input_shape` (Keras 2), `batch_shape` (Keras 3): batch first, channels last or first. */
function inputShape(layer: LayerConfig, { batch = 1, input }: ImportOptions): Shape {
  const { config } = layer;
  const given = config['batch_input_shape'] ?? config['batch_shape'] ?? config['batchInputShape'];
  const list: unknown = Array.isArray(given) ? given : isObject(config) ? config['input_shape'] : undefined;
  if (!Array.isArray(list)) throw new BadInputError(`the input layer ${clipped(layer.name)} gives no shape`);
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
      throw new BadInputError(
        `${clipped(layer.name)}: the file leaves the image size open; give it (--input)`,
      );
    }
    throw new BadInputError(
      `the input layer ${clipped(layer.name)} has an axis of ${shown(extent)} elements`,
    );
  });
  const [h = 1, w = 1, c = 1] = extents;
  return rest.length === 3 ? [batch, c, h, w] : [batch, ...extents];
}
