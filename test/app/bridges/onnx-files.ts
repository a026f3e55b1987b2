import { create, toBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema } from '../../../app/bridges/onnx/schema.ts';

export type TestAttribute = number | string | readonly number[];

export interface TestNode {
  readonly op: string;
  readonly name?: string;
  readonly inputs: readonly string[];
  readonly outputs?: readonly string[];
  readonly attributes?: Readonly<Record<string, TestAttribute>>;
}

export interface TestModel {
  readonly nodes: readonly TestNode[];
  readonly inputs?: Readonly<Record<string, readonly (number | string)[]>>;
  readonly outputs?: readonly string[];
  /** Shapes of float weights with or without their numbers, or whole numbers of an int64 tensor. */
  readonly weights?: Readonly<
    Record<
      string,
      {
        readonly shape: readonly number[];
        readonly ints?: readonly number[];
        readonly floats?: readonly number[];
      }
    >
  >;
  readonly values?: Readonly<Record<string, readonly (number | string)[]>>;
  readonly opset?: number;
}

/** An ONNX file from a short description. A node's output is its name where none is given. */
export function onnxBytes(model: TestModel): Uint8Array {
  const info = (name: string, shape: readonly (number | string)[]) => ({
    name,
    type: {
      value: {
        case: 'tensorType' as const,
        value: {
          elemType: 1,
          shape: {
            dim: shape.map((extent) => ({
              value:
                typeof extent === 'number'
                  ? { case: 'dimValue' as const, value: BigInt(extent) }
                  : { case: 'dimParam' as const, value: extent },
            })),
          },
        },
      },
    },
  });
  const inputs = model.inputs ?? { x: ['batch', 3, 8, 8] };
  const nodes = model.nodes.map((node, i) => ({ ...node, name: node.name ?? `n${i}` }));
  const outputs = model.outputs ?? [nodes.at(-1)?.outputs?.[0] ?? nodes.at(-1)?.name ?? ''];
  return toBinary(
    ModelProtoSchema,
    create(ModelProtoSchema, {
      irVersion: 8n,
      opsetImport: [{ domain: '', version: BigInt(model.opset ?? 17) }],
      graph: {
        name: 'drawn',
        node: nodes.map((node) => ({
          name: node.name,
          opType: node.op,
          input: [...node.inputs],
          output: [...(node.outputs ?? [node.name])],
          attribute: Object.entries(node.attributes ?? {}).map(([name, value]) => attribute(name, value)),
        })),
        initializer: Object.entries(model.weights ?? {}).map(([name, { shape, ints, floats }]) => ({
          name,
          dims: shape.map(BigInt),
          dataType: ints === undefined ? 1 : 7,
          int64Data: (ints ?? []).map(BigInt),
          floatData: [...(floats ?? [])],
        })),
        input: Object.entries(inputs).map(([name, shape]) => info(name, shape)),
        output: outputs.map((name) => info(name, model.values?.[name] ?? ['batch'])),
        valueInfo: Object.entries(model.values ?? {}).map(([name, shape]) => info(name, shape)),
      },
    }),
  );
}

function attribute(name: string, value: TestAttribute) {
  if (typeof value === 'string') return { name, type: 3, s: new TextEncoder().encode(value) };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { name, type: 2, i: BigInt(value) } : { name, type: 1, f: value };
  }
  return { name, type: 7, ints: value.map(BigInt) };
}
