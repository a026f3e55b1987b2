import * as tf from '@tensorflow/tfjs-core';
import { InternalError } from '../../engine/errors.ts';
import { idOf, predecessorsOf } from '../../engine/graph/graph.ts';
import { needsOf } from '../../engine/ops/memory-model.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { HostCopies } from './host-copies.ts';
import { copyOf, type Gradients } from './kernels/kernel.ts';
import { kernelOf } from './kernels/registry.ts';
import { reshape, run } from './kernels/tensorflow/run.ts';
import { backendTraits } from './kernels/traits.ts';
import { executionShapes, sameShape } from './layout.ts';
import type { ParameterStore } from './parameter-store.ts';
import { mixSeed } from './random.ts';
import type { StatisticsReference } from './statistics-reference.ts';

/** Classic mistakes of recomputation, for teaching. */
export interface NaiveSwitches {
  /** Running statistics count every forward as a new batch. */
  readonly statistics?: boolean;
  /** Every recompute draws a new dropout mask, so backward uses a different one than the loss. */
  readonly dropout?: boolean;
}

export interface StepStateOptions {
  readonly problem: Problem;
  readonly store: ParameterStore;
  /** Seed of the run, for dropout. */
  readonly seed: number;
  readonly naive?: NaiveSwitches;
  /** Keeps the right running statistics beside naive ones. */
  readonly reference?: StatisticsReference;
}

/** A tensor on the device and the number of live values (a view and its base) that read it. */
interface Storage {
  readonly tensor: tf.Tensor;
  readers: number;
}

/**
 * The tensors on the device during one training step. Mirrors the simulator's replay: every function allocates exactly
 * what the simulator charges, and frees its temporaries before it returns.
 */
export class StepState {
  readonly #options: StepStateOptions;
  readonly #iteration: number;
  readonly #values: (Storage | undefined)[] = [];
  readonly #aux: (readonly tf.Tensor[] | undefined)[] = [];
  readonly #gradients: (Storage | undefined)[] = [];
  readonly #host = new HostCopies();
  /** Vertices whose gradient outlives their backward. */
  readonly #held = new Set<number>();
  /** Number of forwards of each vertex in this step. */
  readonly #forwards: Uint32Array;

  constructor(options: StepStateOptions, iteration: number) {
    this.#options = options;
    this.#iteration = iteration;
    this.#forwards = new Uint32Array(options.problem.graph.size);
  }

  /** Takes over the batch. */
  begin(source: tf.Tensor): void {
    this.#values[0] = { tensor: source, readers: 1 };
  }

  forward(v: number): void {
    const { graph, memory } = this.#options.problem;
    const op = graph.operations[v]!;
    const inputs = predecessorsOf(graph, v);
    const isFirst = this.#forwards[v] === 0;
    this.#forwards[v]!++;
    const viewed = memory.viewOf[v] ?? -1;
    if (viewed >= 0) {
      const storage = this.#storageOf(viewed);
      storage.readers++;
      this.#values[v] = storage;
      return;
    }
    const kernel = kernelOf(op, idOf(graph, v));
    const { output, aux } = tf.tidy(() => {
      const result = kernel.forward({
        op,
        inputs: Array.from(inputs, (u) => this.#valueOf(u)),
        outputShape: graph.shapes[v] ?? [],
        parameters: this.#options.store.parametersOf(v),
        seed: this.#seedOf(v),
      });
      return { output: result.output, aux: [...result.aux] };
    });
    const destroyed = memory.takesOver[v] ?? -1;
    if (destroyed >= 0) this.free(destroyed);
    this.#values[v] = { tensor: output, readers: 1 };
    if (aux.length > 0) this.#aux[v] = aux;
    // Running statistics count every batch once, even after recomputes.
    if (isFirst || this.#options.naive?.statistics === true) this.#updateStatistics(v, aux, isFirst);
  }

  /** The values of a live vertex. */
  async read(v: number): Promise<ArrayLike<number>> {
    return (await this.#storageOf(v).tensor.data()) as Float32Array;
  }

  /** Allocates the gradient of the target. */
  startBackward(gradient: Float32Array): void {
    const { graph } = this.#options.problem;
    const target = graph.size - 1;
    const tensor = tf.tensor(gradient, [...(executionShapes(graph)[target] ?? [])]);
    this.#gradients[target] = { tensor, readers: 1 };
  }

  /** Computes the gradients of v's inputs and parameters; the gradient of v stays until the sample. */
  backward(v: number): void {
    const { graph, memory } = this.#options.problem;
    const storage = this.#gradients[v];
    if (storage === undefined) throw new InternalError(`${idOf(graph, v)} has no gradient`);
    const viewed = memory.viewOf[v] ?? -1;
    if (viewed >= 0 && this.#gradientBytesOf(v) === this.#gradientBytesOf(viewed)) {
      this.#backwardView(v, viewed, storage);
      return;
    }
    const inputs = predecessorsOf(graph, v);
    this.#options.store.dropGradients(v);
    const { next, parameters } = tf.tidy(() => {
      const gradient = this.#shaped(v, storage.tensor);
      const result = this.#runBackward(v, gradient);
      const next: Record<number, tf.Tensor> = {};
      const taken = new Set<tf.Tensor>([gradient, storage.tensor]);
      inputs.forEach((u, i) => {
        const part = result.inputs[i];
        if (!this.#wants(u) || part == null) return;
        const known = this.#gradients[u];
        const old = next[u] ?? (known && this.#shaped(u, known.tensor));
        if (old !== undefined) {
          next[u] = tf.add(old, part);
        } else {
          // Each gradient has its own storage, even if the operation returns one tensor for several inputs.
          next[u] = taken.has(part) ? copyOf(part) : part;
          taken.add(part);
        }
      });
      return { next, parameters: [...result.parameters] };
    });
    for (const [key, tensor] of Object.entries(next)) {
      const u = Number(key);
      this.#dropGradient(u);
      this.#gradients[u] = { tensor, readers: 1 };
    }
    if (parameters.length > 0) this.#options.store.setGradients(v, parameters);
  }

  releaseAfterBackward(v: number): void {
    if (!this.#held.has(v)) this.#dropGradient(v);
    this.freeAux(v);
  }

  holdGradient(v: number): void {
    this.#held.add(v);
  }

  freeGradient(v: number): void {
    this.#held.delete(v);
    this.#dropGradient(v);
  }

  free(v: number): void {
    const storage = this.#storageOf(v);
    this.#values[v] = undefined;
    storage.readers--;
    if (storage.readers === 0) storage.tensor.dispose();
  }

  /** Copies the activation of v to host memory; it stays on the device until it is freed. */
  async send(v: number): Promise<void> {
    await this.#host.send(v, this.#storageOf(v).tensor);
  }

  /** Copies it back into a new storage; the host copy stays for another fetch. */
  fetch(v: number): void {
    this.#values[v] = { tensor: this.#host.fetch(v), readers: 1 };
  }

  releaseAfterFetch(v: number): void {
    this.#host.release(v);
  }

  /** Bytes in host memory that may still be fetched. */
  get hostBytes(): number {
    return this.#host.bytes;
  }

  freeAux(v: number): void {
    const aux = this.#aux[v];
    if (aux !== undefined) tf.dispose([...aux]);
    this.#aux[v] = undefined;
  }

  /** Frees what is left: the batch, or everything after a failure. */
  dispose(): void {
    for (const storage of new Set(this.#values)) storage?.tensor.dispose();
    for (const aux of this.#aux) if (aux !== undefined) tf.dispose([...aux]);
    for (const storage of new Set(this.#gradients)) storage?.tensor.dispose();
    this.#values.length = 0;
    this.#aux.length = 0;
    this.#gradients.length = 0;
    this.#host.clear();
  }

  /** A view's gradient is that of its base: the same storage under another shape. */
  #backwardView(v: number, u: number, storage: Storage): void {
    const old = this.#gradients[u];
    if (old === undefined) {
      this.#gradients[u] = storage;
      storage.readers++;
      if (!this.#held.has(v)) this.#dropGradient(v);
      return;
    }
    const tensor = tf.tidy(() => tf.add(this.#shaped(u, old.tensor), this.#shaped(u, storage.tensor)));
    this.#dropGradient(u);
    this.#gradients[u] = { tensor, readers: 1 };
  }

  /** True if an input's gradient is computed: the source has one only if it is held. */
  #wants(u: number): boolean {
    return u !== 0 || this.#held.has(0);
  }

  /** 0 if none exists. */
  #gradientBytesOf(v: number): number {
    const { memory } = this.#options.problem;
    return (v === 0 && this.#wants(0) ? memory.sourceGradientBytes : memory.gradientBytes[v]) ?? 0;
  }

  #dropGradient(v: number): void {
    const storage = this.#gradients[v];
    if (storage === undefined) return;
    this.#gradients[v] = undefined;
    storage.readers--;
    if (storage.readers === 0) storage.tensor.dispose();
  }

  #runBackward(v: number, gradient: tf.Tensor): Gradients {
    const { problem, store } = this.#options;
    const { graph, memory } = problem;
    const op = graph.operations[v]!;
    const inputs = Array.from(predecessorsOf(graph, v));
    const needs = needsOf(memory, v);
    return kernelOf(op, idOf(graph, v)).backward({
      op,
      gradient,
      inputs: inputs.map((u) => (needs.includes(u) ? this.#valueOf(u) : null)),
      inputShapes: inputs.map((u) => graph.shapes[u] ?? []),
      output: needs.includes(v) ? this.#valueOf(v) : null,
      outputShape: graph.shapes[v] ?? [],
      aux: this.#aux[v] ?? [],
      parameters: store.parametersOf(v),
      seed: this.#seedOf(v),
      wants: inputs.map((u) => this.#wants(u)),
    });
  }

  #updateStatistics(v: number, aux: readonly tf.Tensor[], isFirst: boolean): void {
    const { problem, store, reference } = this.#options;
    const { graph } = problem;
    const op = graph.operations[v]!;
    const { statistics } = kernelOf(op, idOf(graph, v));
    if (statistics === undefined) return;
    const shapes = Array.from(predecessorsOf(graph, v), (u) => graph.shapes[u] ?? []);
    if (isFirst) reference?.update(v, (old) => statistics.update(op, aux, shapes, old));
    store.setStatistics(
      v,
      tf.tidy(() => statistics.update(op, aux, shapes, store.statisticsOf(v))),
    );
  }

  #storageOf(v: number): Storage {
    const storage = this.#values[v];
    if (storage === undefined) throw new InternalError(`${idOf(this.#options.problem.graph, v)} is not live`);
    return storage;
  }

  /** The value of v in its own shape; a temporary if the storage has another. */
  #valueOf(v: number): tf.Tensor {
    return this.#shaped(v, this.#storageOf(v).tensor);
  }

  #shaped(v: number, tensor: tf.Tensor): tf.Tensor {
    const shape = executionShapes(this.#options.problem.graph)[v] ?? [];
    if (sameShape(tensor.shape, shape)) return tensor;
    return backendTraits().ownOperations ? run(reshape(tensor, shape)) : tf.reshape(tensor, [...shape]);
  }

  #seedOf(v: number): number {
    const { seed, naive } = this.#options;
    const forwards = this.#forwards[v] ?? 0;
    // The first mask is correct, so without recompute the mistake changes nothing.
    if (naive?.dropout === true && forwards > 1) return mixSeed(seed, 6, this.#iteration, v, forwards);
    return mixSeed(seed, 4, this.#iteration, v);
  }
}
