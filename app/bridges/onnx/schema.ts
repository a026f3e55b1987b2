import { create, createFileRegistry, type DescMessage, type Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

/*
 * The messages and fields of onnx.proto (ONNX 1.23.2, package onnx, proto2) that an import reads. Every other field is
 * skipped as unknown.
 */

export type ModelProto = Message<'onnx.ModelProto'> & {
  irVersion: bigint;
  graph?: GraphProto | undefined;
  opsetImport: OperatorSetIdProto[];
};

type OperatorSetIdProto = Message<'onnx.OperatorSetIdProto'> & { domain: string; version: bigint };

export type GraphProto = Message<'onnx.GraphProto'> & {
  node: NodeProto[];
  name: string;
  initializer: TensorProto[];
  input: ValueInfoProto[];
  output: ValueInfoProto[];
  valueInfo: ValueInfoProto[];
};

export type NodeProto = Message<'onnx.NodeProto'> & {
  input: string[];
  output: string[];
  name: string;
  opType: string;
  attribute: AttributeProto[];
  domain: string;
};

export type AttributeProto = Message<'onnx.AttributeProto'> & {
  name: string;
  f: number;
  i: bigint;
  s: Uint8Array;
  t?: TensorProto | undefined;
  floats: number[];
  ints: bigint[];
  /** A number of onnx.AttributeProto.AttributeType. */
  type: number;
};

export type TensorProto = Message<'onnx.TensorProto'> & {
  dims: bigint[];
  dataType: number;
  floatData: number[];
  int32Data: number[];
  int64Data: bigint[];
  name: string;
  rawData: Uint8Array;
  doubleData: number[];
};

export type ValueInfoProto = Message<'onnx.ValueInfoProto'> & {
  name: string;
  type?: TypeProto | undefined;
  metadataProps: StringStringEntryProto[];
};

type StringStringEntryProto = Message<'onnx.StringStringEntryProto'> & { key: string; value: string };

type TypeProto = Message<'onnx.TypeProto'> & {
  value: { case: 'tensorType'; value: TypeProto_Tensor } | { case: undefined; value?: undefined };
};

type TypeProto_Tensor = Message<'onnx.TypeProto_Tensor'> & {
  elemType: number;
  shape?: TensorShapeProto | undefined;
};

type TensorShapeProto = Message<'onnx.TensorShapeProto'> & { dim: Dimension[] };

type Dimension = Message<'onnx.Dimension'> & {
  value:
    | { case: 'dimValue'; value: bigint }
    | { case: 'dimParam'; value: string }
    | { case: undefined; value?: undefined };
};

/** `name number type`; `*` after a type repeats it, `+` packs it too, `?` is one of the message's union `value`. */
const MESSAGES: Readonly<Record<string, string>> = {
  ModelProto: 'ir_version 1 INT64, graph 7 GraphProto, opset_import 8 OperatorSetIdProto*',
  OperatorSetIdProto: 'domain 1 STRING, version 2 INT64',
  GraphProto:
    'node 1 NodeProto*, name 2 STRING, initializer 5 TensorProto*, input 11 ValueInfoProto*, ' +
    'output 12 ValueInfoProto*, value_info 13 ValueInfoProto*',
  NodeProto:
    'input 1 STRING*, output 2 STRING*, name 3 STRING, op_type 4 STRING, attribute 5 AttributeProto*, domain 7 STRING',
  AttributeProto:
    'name 1 STRING, f 2 FLOAT, i 3 INT64, s 4 BYTES, t 5 TensorProto, floats 7 FLOAT*, ints 8 INT64*, type 20 INT32',
  TensorProto:
    'dims 1 INT64*, data_type 2 INT32, float_data 4 FLOAT+, int32_data 5 INT32+, int64_data 7 INT64+, ' +
    'name 8 STRING, raw_data 9 BYTES, double_data 10 DOUBLE+',
  ValueInfoProto: 'name 1 STRING, type 2 TypeProto, metadata_props 4 StringStringEntryProto*',
  StringStringEntryProto: 'key 1 STRING, value 2 STRING',
  TypeProto: 'tensor_type 1 TypeProto_Tensor?',
  TypeProto_Tensor: 'elem_type 1 INT32, shape 2 TensorShapeProto',
  TensorShapeProto: 'dim 1 Dimension*',
  Dimension: 'dim_value 1 INT64?, dim_param 2 STRING?',
};

function field(text: string) {
  const [name = '', number, stated = ''] = text.split(' ');
  const [, type = '', mark] = /^(\w+)(.?)$/.exec(stated) ?? [];
  const isMessage = type in MESSAGES;
  return {
    name,
    number: Number(number),
    type: isMessage ? Type.MESSAGE : Type[type as keyof typeof Type],
    label: mark === '*' || mark === '+' ? Label.REPEATED : Label.OPTIONAL,
    ...(isMessage ? { typeName: `.onnx.${type}` } : {}),
    ...(mark === '+' ? { options: { packed: true } } : {}),
    ...(mark === '?' ? { oneofIndex: 0 } : {}),
  };
}

const FILE = create(FileDescriptorProtoSchema, {
  name: 'onnx.proto',
  package: 'onnx',
  syntax: 'proto2',
  messageType: Object.entries(MESSAGES).map(([name, fields]) => ({
    name,
    field: fields.split(', ').map(field),
    oneofDecl: fields.includes('?') ? [{ name: 'value' }] : [],
  })),
});

const model: DescMessage | undefined = createFileRegistry(FILE, () => undefined).getMessage(
  'onnx.ModelProto',
);
if (model === undefined) throw new Error('onnx.proto has no ModelProto');
export const ModelProtoSchema = model as GenMessage<ModelProto>;
