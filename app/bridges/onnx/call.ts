import { BadInputError } from '../../../engine/errors.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { clipped } from '../../../engine/sentence.ts';
import type { Figures, ImportGraphBuilder } from '../import-graph-builder.ts';
import { bytesOfType, isFloat, type OnnxNode } from './model.ts';

/** A refusal that names its node already. */
export class CallError extends BadInputError {}

/** Trained elements in a constant: its own, and those of the constants that it is made of. */
export interface Trained {
  readonly elements: number;
  readonly of: readonly Trained[];
}

/** A value while a model is read: one that depends on the inputs, or a constant. */
export interface Value {
  readonly shape: Shape;
  readonly type: number;
  /** Vertex of the builder; undefined for a constant. */
  readonly id?: string;
  /** Numbers of a constant, where there are few. */
  readonly data?: readonly number[] | undefined;
  /** For a constant with anything trained in it. */
  readonly trained?: Trained | undefined;
}

/** Samples of a step: those that the file was written with (0 where it does not say), and those asked for. */
export interface Batches {
  readonly file: number;
  readonly asked: number;
}

/** One node being read: its inputs, its attributes, and what it becomes. */
export class Call {
  readonly node: OnnxNode;
  readonly inputs: readonly (Value | undefined)[];
  readonly builder: ImportGraphBuilder;
  readonly batches: Batches;
  readonly #counted: Set<Trained>;
  /** Inputs that depend on the network's inputs. */
  readonly flowing: readonly Value[];

  constructor(
    node: OnnxNode,
    inputs: readonly (Value | undefined)[],
    builder: ImportGraphBuilder,
    counted: Set<Trained>,
    batches: Batches,
  ) {
    this.node = node;
    this.inputs = inputs;
    this.builder = builder;
    this.#counted = counted;
    this.batches = batches;
    this.flowing = inputs.filter((value): value is Value => value?.id !== undefined);
  }

  get label(): string {
    return this.node.name || this.node.outputs[0] || this.node.type || 'a node';
  }

  fail(message: string): BadInputError {
    return new CallError(`${clipped(this.label)} (${clipped(this.node.type) || 'of no type'}) ${message}`);
  }

  input(position: number): Value {
    const value = this.inputs[position];
    if (value === undefined) throw this.fail(`lacks its input ${position}`);
    return value;
  }

  shape(position = 0): Shape {
    return this.input(position).shape;
  }

  has(position: number): boolean {
    return this.inputs[position] !== undefined;
  }

  /** Numbers of an input that must be a constant. */
  numbers(position: number): readonly number[] {
    const { data } = this.input(position);
    if (data === undefined)
      throw this.fail(`has a shape that depends on values: its input ${position} is no constant`);
    return data;
  }

  /** Numbers from an attribute of older opsets or an input of newer ones; undefined where neither is there. */
  list(attribute: string, position: number): readonly number[] | undefined {
    const value = this.node.attributes.get(attribute);
    if (Array.isArray(value)) return value as readonly number[];
    if (typeof value === 'number') return [value];
    return this.has(position) ? this.numbers(position) : undefined;
  }

  number(attribute: string, otherwise: number): number {
    const value = this.node.attributes.get(attribute);
    return typeof value === 'number' ? value : otherwise;
  }

  text(attribute: string, otherwise: string): string {
    const value = this.node.attributes.get(attribute);
    return typeof value === 'string' ? value : otherwise;
  }

  numbersOf(attribute: string): readonly number[] | undefined {
    const value = this.node.attributes.get(attribute);
    return Array.isArray(value) ? (value as readonly number[]) : undefined;
  }

  axis(attribute: string, otherwise: number, rank: number): number {
    return normalAxis(this, this.number(attribute, otherwise), rank);
  }

  /** True once an output of this node has counted what all inputs hold. */
  #allCounted = false;

  /** Trained elements that no earlier operation counted. */
  #newParameters(positions: readonly number[] | undefined): number {
    if (positions === undefined && this.#allCounted) return 0;
    const read = positions?.map((position) => this.inputs[position]) ?? this.inputs;
    if (positions === undefined) this.#allCounted = true;
    const waiting = read.flatMap((value) => value?.trained ?? []);
    let sum = 0;
    for (let trained = waiting.pop(); trained !== undefined; trained = waiting.pop()) {
      if (this.#counted.has(trained)) continue;
      this.#counted.add(trained);
      sum += trained.elements;
      for (const part of trained.of) waiting.push(part);
    }
    return sum;
  }

  /** Adds the operation, reading the inputs that flow. */
  emit(
    op: Operation,
    type: number,
    figures: Figures & { readonly trainedInputs?: readonly number[]; readonly from?: readonly Value[] } = {},
  ): Value {
    const { trainedInputs, from = this.flowing, ...given } = figures;
    const id = this.builder.add(
      this.label,
      op,
      from.map((value) => value.id ?? ''),
      {
        ...given,
        bytesPerElement: bytesOfType(type),
        parameters: this.#newParameters(trainedInputs),
      },
    );
    return { shape: this.builder.shapeOf(id), type, id };
  }

  /** An operation that is none of ours, by what its backward keeps. `keeps` counts inputs that flow. */
  opaque(
    shape: Shape,
    type: number,
    keeps: { readonly inputs?: readonly number[]; readonly output?: boolean; readonly auxBytes?: number },
    figures: Figures & { readonly alias?: 'view' | 'inplace'; readonly from?: readonly Value[] } = {},
  ): Value {
    const { alias, ...rest } = figures;
    const op: Operation = {
      kind: 'opaque',
      label: this.node.type,
      keeps: {
        inputs: keeps.inputs ?? [],
        output: keeps.output ?? false,
        auxBytes: keeps.auxBytes ?? 0,
        fixedAuxBytes: 0,
      },
      ...(alias === undefined ? {} : { alias }),
    };
    return this.emit(op, type, { ...rest, shape });
  }

  /** A constant made of constants, with its numbers where they are known. */
  constant(shape: Shape, type: number, data?: readonly number[]): Value {
    const of = isFloat(type) ? this.inputs.flatMap((value) => value?.trained ?? []) : [];
    return of.length === 0 ? { shape, type, data } : { shape, type, data, trained: { elements: 0, of } };
  }
}

export function normalAxis(call: Call, axis: number, rank: number): number {
  const normal = axis < 0 ? axis + rank : axis;
  if (!Number.isInteger(normal) || normal < 0 || normal >= Math.max(rank, 1)) {
    throw call.fail(`names the axis ${axis} of a tensor of ${rank} axes`);
  }
  return normal;
}
