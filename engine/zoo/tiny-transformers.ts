import { buildGpt, type LanguageSize } from './transformers.ts';
import type { Model } from './model.ts';

const SIZE: LanguageSize = { width: 32, heads: 4, layers: 2, vocabulary: 64, positions: 64 };

/** GPT-2's operations at a size that trains in seconds, with both forms of attention. */
export const TINY_TRANSFORMERS: readonly Model[] = [tiny(false), tiny(true)];

function tiny(fused: boolean): Model {
  return {
    info: {
      name: fused ? 'tiny-transformer-fused' : 'tiny-transformer',
      title: fused ? 'Tiny transformer, fused attention' : 'Tiny transformer',
      family: 'Zigzag',
      linear: false,
      defaultInput: 32,
      minInput: 1,
      maxInput: SIZE.positions,
      inputMultiple: 1,
      inputUnit: 'tokens',
      defaultBatch: 32,
      note: `GPT-2 with ${SIZE.layers} layers of width ${SIZE.width}; the input is the sequence length, at most ${SIZE.positions}.`,
    },
    generalRoles: true,
    build: (b, settings) => buildGpt(b, settings, SIZE, fused),
  };
}
