import { BadInputError } from '../../../engine/errors.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import { clipped } from '../../../engine/sentence.ts';
import type { ImportGraphBuilder } from '../import-graph-builder.ts';
import {
  type Config,
  isModel,
  type LayerConfig,
  type ModelConfig,
  readModelConfig,
  type TensorRef,
} from './config.ts';
import { KERAS_LAYERS, LayerCall } from './layers.ts';

/** Models in models, called several times each, grow beyond any file: this many of their calls are drawn. */
const MAX_INNER_CALLS = 10_000;

/** One call of a layer, which later calls may wait for. */
interface Call {
  readonly layer: LayerConfig;
  readonly index: number;
}

/** Draws models of layers, and models that are layers of these, into one builder. */
export class ModelDrawer {
  /** Kinds of layers that nobody here knows. */
  readonly unknown = new Set<string>();
  readonly #builder: ImportGraphBuilder;
  readonly #inputShape: (layer: LayerConfig) => Shape;
  /** Layers whose weights were counted, and models that were read, by their object in the document. */
  readonly #counted = new Set<Config>();
  readonly #models = new Map<Config, ModelConfig>();
  #innerCalls = 0;

  constructor(builder: ImportGraphBuilder, inputShape: (layer: LayerConfig) => Shape) {
    this.#builder = builder;
    this.#inputShape = inputShape;
  }

  /**
   * @param given vertices that take the place of the model's input layers; none for the whole file
   * @returns the vertices of the model's outputs
   */
  draw(model: ModelConfig, given?: readonly string[], prefix = ''): readonly string[] {
    const byName = new Map(model.layers.map((layer) => [layer.name, layer]));
    const places = new Map([...model.inputs.entries()].reverse().map(([place, name]) => [name, place]));
    /** By call: its outputs; undefined while it waits for others. */
    const results = new Map<string, readonly string[] | undefined>();
    const calledFor = ({ layer: name, call }: TensorRef): Call | undefined => {
      const layer = byName.get(name);
      if (layer === undefined) return undefined;
      const index = isModel(layer) ? call - 1 : call;
      const isThere = Number.isInteger(index) && index >= 0 && index < layer.calls.length;
      return { layer, index: isThere ? index : 0 };
    };
    const idsOf = (refs: readonly TensorRef[], reader: string): string[] =>
      refs.map((ref) => {
        const call = calledFor(ref);
        const ids = call === undefined ? undefined : results.get(keyOf(call));
        const id = ids?.[ref.output] ?? ids?.[0];
        if (id === undefined)
          throw new BadInputError(`${reader} reads ${clipped(ref.layer)}, which is not an earlier layer`);
        return id;
      });

    // Files list producers first almost always; an explicit stack serves those that do not.
    for (const layer of model.layers) {
      const stack = Array.from({ length: Math.max(1, layer.calls.length) }, (_, i): Call => {
        return { layer, index: layer.calls.length - 1 - i };
      });
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const key = keyOf(top);
        const name = prefix + top.layer.name;
        const reads = top.layer.calls[top.index] ?? [];
        const missing = reads.flatMap((ref) => {
          const call = calledFor(ref);
          return call === undefined || results.get(keyOf(call)) !== undefined ? [] : [call];
        });
        if (results.get(key) === undefined && missing.length > 0) {
          if (results.has(key))
            throw new BadInputError(`the layer ${clipped(name)} depends on itself in a cycle`);
          results.set(key, undefined);
          for (const call of missing) stack.push(call);
          continue;
        }
        stack.pop();
        if (results.get(key) !== undefined) continue;
        const place = places.get(top.layer.name) ?? 0;
        results.set(
          key,
          reads.length === 0
            ? [this.#input(top.layer, given, place, prefix)]
            : this.#call(top.layer, idsOf(reads, `the layer ${clipped(name)}`), prefix),
        );
      }
    }
    return idsOf(model.outputs, `the output of ${clipped(prefix) || 'the model'}`);
  }

  #input(layer: LayerConfig, given: readonly string[] | undefined, place: number, prefix: string): string {
    this.#count(prefix);
    if (given === undefined) return this.#builder.input(layer.name, this.#inputShape(layer));
    const id = given[place];
    if (id === undefined) throw new BadInputError(`the layer ${clipped(prefix + layer.name)} has no input`);
    return id;
  }

  #count(prefix: string): void {
    if (prefix === '' || ++this.#innerCalls <= MAX_INNER_CALLS) return;
    throw new BadInputError(`the models inside the Keras model call more than ${MAX_INNER_CALLS} layers`);
  }

  #call(layer: LayerConfig, inputs: readonly string[], prefix: string): readonly string[] {
    this.#count(prefix);
    const { config, type } = layer;
    const name = prefix + layer.name;
    if (isModel(layer)) {
      let model = this.#models.get(config);
      if (model === undefined) {
        model = readModelConfig({ class_name: type, config });
        this.#models.set(config, model);
      }
      const outputs = this.draw(model, inputs, `${name}/`);
      if (outputs.length === 0) throw new BadInputError(`the model ${clipped(name)} names no output layer`);
      return outputs;
    }
    const reader = new LayerCall({ ...layer, name }, inputs, this.#builder, !this.#counted.has(config));
    this.#counted.add(config);
    const rule = KERAS_LAYERS.get(type);
    if (rule === undefined) this.unknown.add(type);
    try {
      return [rule === undefined ? reader.unknown() : rule(reader)];
    } catch (error) {
      if (!(error instanceof BadInputError)) throw error;
      throw new BadInputError(`${clipped(name)} (${clipped(type)}): ${error.message}`);
    }
  }
}

function keyOf({ layer, index }: Call): string {
  return `${Math.max(0, index)} ${layer.name}`;
}
