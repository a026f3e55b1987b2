import type { ConfigDocument } from './fields.ts';
import { readLanguageModel, textAlone } from './model-types.ts';

/**
 * How the network of a `config.json` is counted, in parts of sentences.
 * @throws BadInputError as `readLanguageModel`
 */
export function configNotices(document: ConfigDocument): readonly string[] {
  const { layers } = readLanguageModel(document);
  const isFused = layers.some(({ delta, attention }) => delta !== null && attention.kernel !== 'eager');
  return [
    'trained as the classes of transformers run it; no padding, no kernels from the hub',
    ...(textAlone(document) === undefined ? [] : ['its text model alone, without the images']),
    ...(isFused
      ? ['linear attention in the kernels of flash-linear-attention and causal-conv1d, which run on CUDA']
      : []),
  ];
}
