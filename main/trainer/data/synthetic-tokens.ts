import type { Shape } from '../../../engine/ops/definition.ts';
import { createRng } from '../../../engine/rng.ts';
import { mixSeed } from '../random.ts';
import type { Batch, BatchSource } from './batch.ts';
import { CLASSES, PERIOD } from './synthetic.ts';

/** Words of the language, spread over the vocabulary. */
const WORDS = 16;
/** Probability that the next word is random. */
const CHANCE = 0.1;

/**
 * Sequences of a learnable language: every word has one successor, except by chance. Labels are the next words, one per
 * position; or one per sample, its dialect, each with its own order of words. All derived from the seed.
 */
export class SyntheticTokens implements BatchSource {
  readonly name: string;
  readonly #shape: readonly [n: number, length: number];
  readonly #perPosition: boolean;
  readonly #seed: number;
  /** Tokens of the words. */
  readonly #words: readonly number[];
  readonly #dialects: number;

  /**
   * @param source [N, L]
   * @param target of the logits: [N, L, vocabulary], or [N, classes]
   * @param vocabulary upper bound of the tokens
   */
  constructor([n = 1, length = 1]: Shape, target: Shape, vocabulary: number, seed: number) {
    this.#shape = [n, length];
    this.#perPosition = target.length === 3;
    const count = Math.min(WORDS, vocabulary);
    this.#words = Array.from({ length: count }, (_word, i) => Math.floor((i * vocabulary) / count));
    this.#dialects = this.#perPosition ? 1 : Math.min(CLASSES, count, target[1] ?? 1);
    this.#seed = seed;
    const what = this.#perPosition ? 'next words' : `${this.#dialects} dialects`;
    this.name = `synthetic language, ${what}, seed ${seed}`;
  }

  batch(iteration: number): Batch {
    const [n, length] = this.#shape;
    const rng = createRng(mixSeed(this.#seed, 2, iteration % PERIOD));
    const inputs = new Int32Array(n * length);
    const labels = new Int32Array(this.#perPosition ? n * length : n);
    const { length: count } = this.#words;
    for (let sample = 0; sample < n; sample++) {
      const dialect = rng.below(this.#dialects);
      if (!this.#perPosition) labels[sample] = dialect;
      let word = rng.below(count);
      for (let i = sample * length; i < (sample + 1) * length; i++) {
        inputs[i] = this.#words[word]!;
        word = rng.next() < CHANCE ? rng.below(count) : (word + 1 + dialect) % count;
        if (this.#perPosition) labels[i] = this.#words[word]!;
      }
    }
    return { inputs, labels };
  }
}
