import { fromBinary } from '@bufbuild/protobuf';
import { BadInputError } from '../../../engine/errors.ts';
import { clipped } from '../../../engine/sentence.ts';
import type { ByteSource } from '../../../engine/exchange/byte-source.ts';
import {
  type AttributeProto,
  type GraphProto,
  ModelProtoSchema,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from './schema.ts';
import { skimModel } from '../../../engine/exchange/onnx/skim.ts';

/** A dimension is a number, or a name that stands for one. */
export type Dimension = number | string;

/** A tensor that the file states. */
export interface Stated {
  readonly shape: readonly number[];
  readonly type: number;
  /** Its numbers, where there are few of them. */
  readonly data: readonly number[] | undefined;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: number;
  /** Undefined where the file does not say. */
  readonly shape: readonly Dimension[] | undefined;
}

export type Attribute = number | string | readonly number[] | Stated;

export interface OnnxNode {
  readonly name: string;
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, Attribute>;
}

export interface OnnxModel {
  readonly name: string;
  readonly opset: number;
  readonly nodes: readonly OnnxNode[];
  readonly weights: ReadonlyMap<string, Stated>;
  /** Weights that the file says are parameters; undefined where it does not say of any. */
  readonly parameters: ReadonlySet<string> | undefined;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** Values in between, as the file declares them. */
  readonly values: ReadonlyMap<string, OnnxValue>;
}

const BYTES_OF_TYPE: Readonly<Record<number, number>> = {
  1: 4,
  2: 1,
  3: 1,
  4: 2,
  5: 2,
  6: 4,
  7: 8,
  9: 1,
  10: 2,
  11: 8,
  12: 4,
  13: 8,
  16: 2,
};
export const FLOAT = 1;
export const INT64 = 7;
export const BOOL = 9;

export function bytesOfType(type: number): number {
  return BYTES_OF_TYPE[type] ?? 4;
}

export function isFloat(type: number): boolean {
  return type === 1 || type === 10 || type === 11 || type === 16;
}

/**
 * Reads an ONNX model (any IR version) without its weights.
 * @throws BadInputError in one sentence when it is no such file
 */
export function readOnnxModel(source: ByteSource): OnnxModel {
  const skeleton = skimModel(source);
  let graph: GraphProto | undefined;
  let opset = 0;
  try {
    const model = fromBinary(ModelProtoSchema, skeleton);
    graph = model.graph;
    opset = Number(
      model.opsetImport.find(({ domain }) => domain === '' || domain === 'ai.onnx')?.version ?? 0,
    );
  } catch (error) {
    throw new BadInputError(
      `the ONNX file is broken: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
  if (graph === undefined || graph.node.length === 0) {
    throw new BadInputError('the file holds no ONNX graph with operations');
  }
  const weights = new Map(graph.initializer.map((tensor) => [tensor.name, stated(tensor)]));
  return {
    name: graph.name || 'onnx',
    opset,
    nodes: graph.node.map(node),
    weights,
    parameters: parameters(graph.valueInfo),
    // Until IR version 4 every weight was listed as an input too.
    inputs: graph.input.filter((input) => !weights.has(input.name)).map(value),
    outputs: graph.output.map(value),
    values: new Map([...graph.valueInfo, ...graph.output].map((info) => [info.name, value(info)])),
  };
}

/** PyTorch's newer exporter writes what each initializer was in the module. */
function parameters(infos: readonly ValueInfoProto[]): ReadonlySet<string> | undefined {
  const kinds = infos.flatMap(({ name, metadataProps }) =>
    metadataProps
      .filter(({ key }) => key.endsWith('InputSpec.kind'))
      .map(({ value: kind }) => ({ name, kind })),
  );
  const found = kinds.filter(({ kind }) => kind === 'PARAMETER').map(({ name }) => name);
  return found.length === 0 ? undefined : new Set(found);
}

function node(proto: NodeProto): OnnxNode {
  return {
    name: proto.name,
    type:
      proto.domain === '' || proto.domain === 'ai.onnx' ? proto.opType : `${proto.domain}.${proto.opType}`,
    inputs: proto.input,
    outputs: proto.output,
    attributes: new Map(proto.attribute.map((entry) => [entry.name, attribute(entry)])),
  };
}

function attribute(proto: AttributeProto): Attribute {
  if (proto.t !== undefined) return stated(proto.t);
  // 7 is INTS, which may be none.
  if (proto.ints.length > 0 || proto.type === 7) return proto.ints.map(Number);
  if (proto.floats.length > 0) return proto.floats;
  if (proto.s.length > 0) return new TextDecoder().decode(proto.s);
  // 1 is FLOAT; INT and whatever has no content else are numbers too.
  return proto.type === 1 || proto.f !== 0 ? proto.f : Number(proto.i);
}

function value(proto: ValueInfoProto): OnnxValue {
  const type = proto.type?.value;
  if (type?.case !== 'tensorType') return { name: proto.name, type: FLOAT, shape: undefined };
  const shape = type.value.shape?.dim.map((dimension): Dimension => {
    if (dimension.value.case === 'dimValue') {
      const extent = Number(dimension.value.value);
      // Some writers say "unknown" by 0 or -1.
      if (extent < -1) {
        throw new BadInputError(
          `${clipped(proto.name)} has an axis of ${extent} elements, which is impossible`,
        );
      }
      return extent <= 0 ? '' : extent;
    }
    return dimension.value.case === 'dimParam' ? dimension.value.value : '';
  });
  return { name: proto.name, type: type.value.elemType, shape };
}

function stated(proto: TensorProto): Stated {
  const shape = proto.dims.map(Number);
  const bad = shape.find((extent) => !Number.isSafeInteger(extent) || extent < 0);
  if (bad !== undefined)
    throw new BadInputError(`the tensor ${clipped(proto.name) || '?'} has an axis of ${bad} elements`);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (!Number.isSafeInteger(count)) {
    throw new BadInputError(`the tensor ${clipped(proto.name) || '?'} has more elements than can be counted`);
  }
  const data = numbers(proto);
  return { shape, type: proto.dataType, data: data?.length === count ? data : undefined };
}

function numbers(proto: TensorProto): readonly number[] | undefined {
  if (proto.int64Data.length > 0) return proto.int64Data.map(Number);
  if (proto.int32Data.length > 0) return proto.int32Data;
  if (proto.floatData.length > 0) return proto.floatData;
  if (proto.doubleData.length > 0) return proto.doubleData;
  const raw = proto.rawData;
  if (raw.length === 0) return proto.dims.some((extent) => extent === 0n) ? [] : undefined;
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const read = RAW_READERS[proto.dataType];
  if (read === undefined) return undefined;
  const size = bytesOfType(proto.dataType);
  return Array.from({ length: Math.floor(raw.length / size) }, (_, i) => read(view, i * size));
}

const RAW_READERS: Readonly<Record<number, (view: DataView, at: number) => number>> = {
  1: (view, at) => view.getFloat32(at, true),
  2: (view, at) => view.getUint8(at),
  3: (view, at) => view.getInt8(at),
  6: (view, at) => view.getInt32(at, true),
  7: (view, at) => Number(view.getBigInt64(at, true)),
  9: (view, at) => view.getUint8(at),
  11: (view, at) => view.getFloat64(at, true),
};
