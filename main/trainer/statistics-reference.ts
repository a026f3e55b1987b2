import * as tf from '@tensorflow/tfjs-core';
import { copyOf } from './kernels/kernel.ts';
import type { ParameterStore } from './parameter-store.ts';

/**
 * Correct running statistics beside a run that computes wrong ones on purpose: every batch counts once. They influence
 * no gradient, so the same run can keep both.
 */
export class StatisticsReference {
  readonly #store: ParameterStore;
  readonly #values = new Map<number, readonly tf.Tensor[]>();

  /** Create it before the executor, whose baseline must include these bytes. */
  constructor(store: ParameterStore, size: number) {
    this.#store = store;
    for (let v = 1; v < size; v++) {
      const statistics = store.statisticsOf(v);
      if (statistics.length > 0) this.#values.set(v, statistics.map(copyOf));
    }
  }

  /** Updates at the first forward of a step, as a correct run does. */
  update(v: number, next: (old: readonly tf.Tensor[]) => readonly tf.Tensor[]): void {
    const old = this.#values.get(v);
    if (old === undefined) return;
    const fresh = tf.tidy(() => [...next(old)]);
    tf.dispose([...old]);
    this.#values.set(v, fresh);
  }

  /** Relative distance of the run's statistics from the correct ones. */
  async drift(): Promise<number> {
    let distance = 0;
    let length = 0;
    for (const [v, right] of this.#values) {
      const statistics = this.#store.statisticsOf(v);
      for (const [i, tensor] of right.entries()) {
        const expected = await tensor.data<'float32'>();
        const actual = (await statistics[i]?.data<'float32'>()) ?? expected;
        for (const [k, value] of expected.entries()) {
          distance += ((actual[k] ?? 0) - value) ** 2;
          length += value ** 2;
        }
      }
    }
    return length === 0 ? 0 : Math.sqrt(distance / length);
  }

  dispose(): void {
    for (const tensors of this.#values.values()) tf.dispose([...tensors]);
    this.#values.clear();
  }
}
