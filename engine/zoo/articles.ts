import { linear, SIGMOID, SOFTMAX, TANH } from '../ops/make.ts';
import type { Model } from './model.ts';

/** The network of the article on PyTorch's checkpoint. */

const LAYERS = 40;
const INPUT_FEATURES = 64;
const HIDDEN_FEATURES = 1024;

/**
 * The example of article 004: a linear layer with a sigmoid, 40 linear layers of 1024 features with a tanh
 * each, a softmax. Ids are the article's module paths.
 */
export const FORTY_LAYERS: Model = {
  info: {
    name: 'forty-layers',
    title: '40 layers with tanh',
    family: 'Articles',
    linear: true,
    defaultInput: INPUT_FEATURES,
    minInput: 1,
    inputMultiple: 1,
    inputUnit: 'features',
    defaultBatch: 512,
    note: 'The example of an article on PyTorch’s checkpoint: 40 linear layers of 1,024 features; the input counts features.',
  },
  build(b, { batch, input }) {
    let x = b.input('x', [batch, input]);
    x = b.add('lin1', linear(HIDDEN_FEATURES), [x]);
    x = b.add('out1', SIGMOID, [x]);
    for (let i = 0; i < LAYERS; i++) {
      x = b.add(`layers.${i}.lin`, linear(HIDDEN_FEATURES), [x]);
      x = b.add(`layers.${i}.out`, TANH, [x]);
    }
    b.add('out3', SOFTMAX, [x]);
  },
};
