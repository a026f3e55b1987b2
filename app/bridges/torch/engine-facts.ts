import { ATEN_KINDS } from '../../../engine/ops/aten.ts';
import type { Field, Shape } from '../../../engine/ops/definition.ts';
import { definitionOf, fieldsOf, type Operation, type OperationKind } from '../../../engine/ops/operation.ts';
import { elementsOf } from '../../../engine/ops/shape.ts';
import {
  QUANTISED,
  TORCH_OPTIMIZERS,
  UNKNOWN_OPTIMIZER,
} from '../../../engine/training-memory/torch-optimizers.ts';

const IMAGE: Shape = [2, 4, 6, 6];
const POOL = {
  kernel: [2, 2],
  stride: [2, 2],
  padding: [0, 0, 0, 0],
  ceilMode: false,
  countIncludePad: true,
} as const;

/** One of each kind that `capture` names, with the shapes of its inputs; their figures are those of every other. */
const CAPTURED: readonly (readonly [Operation, ...Shape[]])[] = [
  [
    {
      kind: 'conv2d',
      outChannels: 8,
      kernel: [3, 3],
      stride: [1, 1],
      padding: [1, 1, 1, 1],
      dilation: [1, 1],
      groups: 1,
      bias: true,
    },
    IMAGE,
  ],
  [{ kind: 'max-pool', ...POOL }, IMAGE],
  [{ kind: 'avg-pool', ...POOL }, IMAGE],
  [{ kind: 'adaptive-avg-pool', output: [1, 1] }, IMAGE],
  [{ kind: 'batch-norm', epsilon: 1e-5, momentum: 0.1 }, IMAGE],
  [{ kind: 'relu', inplace: false }, IMAGE],
  [{ kind: 'add', inplace: false }, IMAGE, IMAGE],
  [{ kind: 'multiply' }, IMAGE, IMAGE],
  [{ kind: 'concat' }, IMAGE, IMAGE],
  [{ kind: 'linear', outFeatures: 8, bias: true }, [2, 4]],
  [{ kind: 'dropout', rate: 0.5 }, IMAGE],
];

/** Kinds that do the same work for each element of their output, whatever their attributes. */
const BY_ELEMENT: readonly (readonly [Operation, Shape])[] = [
  [{ kind: 'relu', inplace: false }, IMAGE],
  [{ kind: 'gelu', tanh: false }, IMAGE],
  [{ kind: 'tanh' }, IMAGE],
  [{ kind: 'sigmoid' }, IMAGE],
  [{ kind: 'softmax' }, IMAGE],
  [{ kind: 'batch-norm', epsilon: 1e-5, momentum: 0.1 }, IMAGE],
  [{ kind: 'layer-norm', epsilon: 1e-5 }, IMAGE],
  [{ kind: 'group-norm', groups: 2, epsilon: 1e-5 }, IMAGE],
  [{ kind: 'dropout', rate: 0.5 }, IMAGE],
];

/** Fields that change bytes; those that the shape of the output shows are left out, and in place is looked at apart. */
const SIZED: readonly Field[] = ['count', 'positive-pair', 'padding', 'boolean'];
const SHOWN = ['outChannels', 'outFeatures', 'output', 'inplace'];

/** The fewest inputs that an operation of many takes. */
function fewestInputs(op: Operation, inputs: readonly Shape[]): number {
  return inputs.findIndex((_, i) => accepts(op, inputs.slice(0, i + 1))) + 1;
}

function accepts(op: Operation, inputs: readonly Shape[]): boolean {
  try {
    return definitionOf(op).shape(op, inputs).length > 0;
  } catch {
    return false;
  }
}

function capturedFacts([op, ...inputs]: readonly [Operation, ...Shape[]]): Readonly<Record<string, unknown>> {
  const definition = definitionOf(op);
  const output = definition.shape(op, inputs);
  const keeps = definition.keeps(op, 'pytorch', inputs, output);
  const fields = Object.entries(fieldsOf(op.kind) ?? {});
  return {
    attributes: fields.flatMap(([name, type]) =>
      SIZED.includes(type) && !SHOWN.includes(name) ? [name] : [],
    ),
    fewest: definition.arity === 'many' ? fewestInputs(op, inputs) : definition.arity,
    most: definition.arity === 'many' ? null : definition.arity,
    keeps: {
      inputs: keeps.inputs,
      output: keeps.output,
      auxPerElement: keeps.auxBytes / elementsOf(output),
      fixedPerChannel: keeps.fixedAuxBytes / (output[1] ?? 1),
    },
  };
}

function flopsPerElement(): Readonly<Record<string, number>> {
  const byKind = new Map<OperationKind, number>(
    BY_ELEMENT.map(([op, shape]) => [
      op.kind,
      definitionOf(op).flops(op, [shape], shape) / elementsOf(shape),
    ]),
  );
  return Object.fromEntries(
    Object.entries(ATEN_KINDS).flatMap(([label, kind]) => {
      const flops = byKind.get(kind);
      return flops === undefined ? [] : [[label, flops]];
    }),
  );
}

/** Facts of the engine that Python needs: operations by kind, FLOPs by ATen's names, memory of optimizers. */
export function engineFacts() {
  return {
    kinds: Object.fromEntries(CAPTURED.map((entry) => [entry[0].kind, capturedFacts(entry)])),
    aten: ATEN_KINDS,
    flopsPerElement: flopsPerElement(),
    optimizers: TORCH_OPTIMIZERS,
    unknownOptimizer: UNKNOWN_OPTIMIZER,
    quantised: QUANTISED,
  };
}

/** The module of the Python package that holds them. */
export function engineFactsModule(): string {
  const parts = Object.entries(engineFacts()).map(([name, part]) => `"${name}": ${JSON.stringify(part)}`);
  const text = `{${parts.join(',\n')}}`;
  return `"""Facts of Zigzag's engine, written by \`zigzag export --to torch\` and \`npm run wheel\`; edit them there."""
import json

ENGINE = json.loads(r'''
${text}
''')
`;
}
