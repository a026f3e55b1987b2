import * as tf from '@tensorflow/tfjs-core';
import { InternalError } from '../../engine/errors.ts';
import { type Graph, idOf, predecessorsOf, successorsOf, vertexOf } from '../../engine/graph/graph.ts';
import { createRng } from '../../engine/rng.ts';
import { openDescent, type SgdOptions } from './descent.ts';
import type { StationarySpec } from './kernels/kernel.ts';
import { kernelOf } from './kernels/registry.ts';
import { openTensorflowDescent } from './kernels/tensorflow/descent.ts';
import { backendTraits } from './kernels/traits.ts';
import { fillNormal, mixSeed } from './random.ts';

interface VertexState {
  parameters: tf.Tensor[];
  /** Sums over the vertices that share the parameters. */
  gradients: tf.Tensor[];
  /** Number of vertices that share the parameters, and of those that have run backward in this step. */
  readonly shares: number;
  received: number;
  velocities: tf.Tensor[];
  statistics: tf.Tensor[];
}

/**
 * The tensors that stay on the device for a whole run: parameters, their gradients, momentum buffers and running
 * statistics. All are allocated up front, so their total bytes never change: a new value replaces the old one at once.
 */
export class ParameterStore {
  readonly #states: (VertexState | undefined)[] = [];
  readonly #graph: Graph;

  /** @throws BadInputError for a graph with vertices that have no operation */
  constructor(graph: Graph, seed: number) {
    this.#graph = graph;
    try {
      const owners = ownersOf(graph);
      const shares = new Uint32Array(graph.size);
      for (const owner of owners) shares[owner]!++;
      for (const [v, owner] of owners.entries()) {
        if (v === 0) continue;
        // An owner comes before those that share with it.
        this.#states[v] = owner === v ? initialState(graph, v, seed, shares[v]!) : this.#states[owner];
      }
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  parametersOf(v: number): readonly tf.Tensor[] {
    return this.#states[v]?.parameters ?? [];
  }

  gradientsOf(v: number): readonly tf.Tensor[] {
    return this.#states[v]?.gradients ?? [];
  }

  statisticsOf(v: number): readonly tf.Tensor[] {
    return this.#states[v]?.statistics ?? [];
  }

  /** Drops the gradients of the last step to make room for those of this one. */
  dropGradients(v: number): void {
    const state = this.#states[v];
    if (state === undefined || state.received > 0) return;
    tf.dispose(state.gradients);
    state.gradients = [];
  }

  /**
   * Takes over the gradients of this step, after those of the last were dropped. Vertices that share parameters add
   * their gradients.
   */
  setGradients(v: number, gradients: readonly tf.Tensor[]): void {
    const state = this.#states[v];
    const isFirst = state?.received === 0;
    if (
      state === undefined ||
      state.gradients.length !== (isFirst ? 0 : gradients.length) ||
      state.parameters.length !== gradients.length
    ) {
      throw new InternalError(`${idOf(this.#graph, v)} returned ${gradients.length} parameter gradients`);
    }
    const sums = isFirst ? [...gradients] : gradients.map((part, i) => tf.add(state.gradients[i]!, part));
    if (!isFirst) tf.dispose([...state.gradients, ...gradients]);
    state.gradients = sums;
    state.received = (state.received + 1) % state.shares;
  }

  setStatistics(v: number, statistics: readonly tf.Tensor[]): void {
    const state = this.#states[v];
    if (state === undefined) return;
    tf.dispose(state.statistics);
    state.statistics = [...statistics];
  }

  /** Changes all parameters by the gradients of this step. */
  descend(options: SgdOptions): void {
    const { ownOperations, fuses } = backendTraits();
    const descent = (ownOperations && !fuses ? openTensorflowDescent : openDescent)(options);
    try {
      for (const state of new Set(this.#states)) {
        if (state === undefined) continue;
        for (const [i, gradient] of state.gradients.entries()) {
          const old = { parameter: state.parameters[i]!, velocity: state.velocities[i]! };
          const { parameter, velocity } = descent.step(old, gradient);
          state.parameters[i] = parameter;
          state.velocities[i] = velocity;
        }
      }
    } finally {
      descent.end();
    }
  }

  /** Waits until the device has finished; some devices work through a queue. */
  async settle(): Promise<void> {
    const last = this.#states.findLast((state) => state !== undefined && state.parameters.length > 0);
    await last?.parameters.at(-1)?.data();
  }

  dispose(): void {
    for (const state of new Set(this.#states)) {
      if (state !== undefined)
        tf.dispose([state.parameters, state.gradients, state.velocities, state.statistics]);
    }
    this.#states.length = 0;
  }
}

/** Bytes of a `ParameterStore` of this graph, without making one. */
export function stationaryBytesOf(graph: Graph): number {
  let elements = 0;
  const owners = ownersOf(graph);
  for (let v = 1; v < graph.size; v++) {
    if (owners[v] !== v) continue;
    const { parameters, statistics } = specsOf(graph, v);
    for (const spec of parameters) elements += 3 * sizeOf(spec);
    for (const spec of statistics) elements += sizeOf(spec);
  }
  return Float32Array.BYTES_PER_ELEMENT * elements;
}

/** The vertex whose parameters each vertex uses: mostly its own, but a tied head those of the embedding. */
function ownersOf(graph: Graph): readonly number[] {
  return graph.operations.map((op, v) => (op.kind === 'tied-linear' ? vertexOf(graph, op.table) : v));
}

function specsOf(graph: Graph, v: number) {
  const op = graph.operations[v]!;
  const kernel = kernelOf(op, idOf(graph, v));
  const inputs = Array.from(predecessorsOf(graph, v), (u) => graph.shapes[u] ?? []);
  return {
    parameters: kernel.parameters(op, inputs),
    statistics: kernel.statistics?.specs(op, inputs) ?? [],
  };
}

function initialState(graph: Graph, v: number, seed: number, shares: number): VertexState | undefined {
  const { parameters, statistics } = specsOf(graph, v);
  if (parameters.length + statistics.length === 0) return undefined;
  const gain = betweenProducts(graph, v) ? Math.SQRT1_2 : 1;
  const make = (spec: StationarySpec, i: number): tf.Tensor =>
    initialTensor(spec, gain, mixSeed(seed, 3, v, i));
  // `tf.zeros` would make the zeros on the host first.
  const zeros = (spec: StationarySpec): tf.Tensor => tf.fill([...spec.shape], 0);
  // Cleans up after a failure.
  return tf.tidy(() => ({
    parameters: parameters.map(make),
    gradients: parameters.map(zeros),
    velocities: parameters.map(zeros),
    statistics: statistics.map(make),
    shares,
    received: 0,
  }));
}

/**
 * True if only other products read a product, as in a chain of convolutions. He's initialisation compensates for a
 * ReLU; without one, every layer would double the variance.
 */
function betweenProducts(graph: Graph, v: number): boolean {
  const isProduct = (u: number): boolean => {
    const kind = graph.operations[u]?.kind;
    return kind === 'conv2d' || kind === 'linear';
  };
  const readers = successorsOf(graph, v);
  return isProduct(v) && readers.length > 0 && readers.every(isProduct);
}

function initialTensor({ shape, initial }: StationarySpec, gain: number, seed: number): tf.Tensor {
  if (initial === 'zeros') return tf.fill([...shape], 0);
  if (initial === 'ones') return tf.fill([...shape], 1);
  const values = new Float32Array(sizeOf({ shape, initial }));
  fillNormal(values, gain * initial.normal, createRng(seed));
  return tf.tensor(values, [...shape]);
}

function sizeOf(spec: StationarySpec): number {
  return spec.shape.reduce((product, extent) => product * extent, 1);
}
