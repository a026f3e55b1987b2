import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineFacts } from '../../../app/bridges/torch/engine-facts.ts';
import type { Keeps, Shape } from '../../../engine/ops/definition.ts';
import { definitionOf, type Operation } from '../../../engine/ops/operation.ts';
import { OPTIMIZERS } from '../../../engine/training-memory/optimizers.ts';
import { TORCH_OPTIMIZERS, type TorchOptimizer } from '../../../engine/training-memory/torch-optimizers.ts';
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

const WINDOW = { kernel: [3, 2], stride: [2, 1], padding: [1, 1, 0, 0] } as const;
const POOL = { ...WINDOW, ceilMode: false, countIncludePad: true } as const;
const CONV = { ...WINDOW, kind: 'conv2d', outChannels: 6, dilation: [1, 1], groups: 2, bias: true } as const;
const X: Shape = [3, 4, 9, 7];

/** Operations that `capture` names by their kind, in other shapes than those that the facts were taken from. */
const KEEPING: readonly (readonly [Operation, ...Shape[]])[] = [
  [CONV, X],
  [{ kind: 'max-pool', ...POOL }, X],
  [{ kind: 'avg-pool', ...POOL }, X],
  [{ kind: 'adaptive-avg-pool', output: [2, 1] }, X],
  [{ kind: 'batch-norm', epsilon: 1e-3, momentum: 0.2 }, X],
  [{ kind: 'relu', inplace: true }, X],
  [{ kind: 'add', inplace: true }, X, X],
  [{ kind: 'multiply' }, X, X],
  [{ kind: 'concat' }, X, X, X],
  [{ kind: 'linear', outFeatures: 5, bias: false }, [3, 7]],
  [{ kind: 'dropout', rate: 0.25 }, X],
];

const HEADS: Shape = [2, 3, 5, 4];

/** An operation, its inputs, and the call of ATen: label, shapes of tensors, further arguments. */
const WORKING: readonly (readonly [
  Operation,
  readonly Shape[],
  string,
  readonly (Shape | null)[],
  unknown[],
])[] = [
  [CONV, [X], 'convolution', [X, [6, 2, 3, 2], [6]], [[2, 1], [1, 0], [1, 1], false, [0, 0], 2]],
  [{ kind: 'linear', outFeatures: 5, bias: true }, [[3, 7]], 'addmm', [[5], [3, 7], [7, 5]], []],
  [
    { kind: 'linear', outFeatures: 5, bias: false },
    [[3, 7]],
    'mm',
    [
      [3, 7],
      [7, 5],
    ],
    [],
  ],
  [
    { kind: 'attention', causal: false, rate: 0 },
    [HEADS, HEADS, HEADS],
    '_scaled_dot_product_flash_attention',
    [HEADS, HEADS, HEADS],
    [],
  ],
  [{ kind: 'relu', inplace: false }, [X], 'relu', [X], []],
  [{ kind: 'gelu', tanh: false }, [X], 'gelu', [X], []],
  [{ kind: 'tanh' }, [X], 'tanh', [X], []],
  [{ kind: 'sigmoid' }, [X], 'sigmoid', [X], []],
  [{ kind: 'softmax' }, [HEADS], '_softmax', [HEADS], []],
  [{ kind: 'layer-norm', epsilon: 1e-5 }, [[3, 5, 8]], 'native_layer_norm', [[3, 5, 8]], []],
  [{ kind: 'group-norm', groups: 2, epsilon: 1e-5 }, [X], 'native_group_norm', [X], []],
  [{ kind: 'batch-norm', epsilon: 1e-5, momentum: 0.1 }, [X], 'native_batch_norm', [X], []],
  [{ kind: 'dropout', rate: 0.5 }, [X], 'native_dropout', [X], []],
  [{ kind: 'add', inplace: false }, [X, X], 'add', [X, X], []],
  [{ kind: 'multiply' }, [X, X], 'mul', [X, X], []],
];

/** Options of each optimizer that change its memory; LBFGS takes a closure, SparseAdam sparse gradients. */
const UNTRIED = ['LBFGS', 'SparseAdam'];
const TRIED = Object.entries<TorchOptimizer>(TORCH_OPTIMIZERS)
  .filter(([name]) => !UNTRIED.includes(name))
  .flatMap(([name, { options, all }]) => {
    const found: Record<string, unknown>[] = [{}, ...(name === 'Rprop' ? [] : [{ weight_decay: 0.1 }])];
    for (const option of Object.keys(options ?? {}))
      found.push({
        [option]: true,
        ...(option === 'nesterov' && { momentum: 0.9 }),
      });
    return found.flatMap((given) =>
      (all === null ? [false] : [false, true]).map((atOnce) => [name, atOnce, numbered(given)] as const),
    );
  });

/** Momentum is a number, also where it is only switched on; SGD wants a rate in every version. */
function numbered(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { lr: 0.01, ...options, ...('momentum' in options && { momentum: 0.9 }) };
}

interface Told {
  readonly keeps: readonly Keeps[];
  readonly flops: readonly number[];
  readonly optimizers: readonly (readonly [number, number, number, number] | null)[];
}

describe.each(torchPythons())('$title', ({ python, reason, hasShards }) => {
  describe.skipIf(reason !== '')(`has the facts of the engine${skippedFor(reason)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-facts-'));
    let told: Told;
    const shaped = KEEPING.map(
      ([op, ...inputs]) => [op, inputs, definitionOf(op).shape(op, inputs)] as const,
    );

    beforeAll(async () => {
      await unpackWheel(folder);
      const cases = {
        keeps: shaped.map(([op, , output]) => [op.kind, output]),
        flops: WORKING.map(([op, inputs, label, shapes, further]) => [
          label,
          shapes,
          further,
          definitionOf(op).shape(op, inputs),
        ]),
        optimizers: TRIED,
      };
      const input = JSON.stringify(cases);
      const args = ['test/reference/engine_facts.py', folder];
      const run = spawnSync(python ?? '', args, { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
      if (run.status !== 0) throw new Error(run.stderr);
      told = answerOf(run.stdout);
    }, 300_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('of saved bytes, for every kind that it names', () => {
      expect(KEEPING.map(([op]) => op.kind)).toEqual(Object.keys(engineFacts().kinds));
      expect(told.keeps).toEqual(
        shaped.map(([op, inputs, output]) => definitionOf(op).keeps(op, 'pytorch', inputs, output)),
      );
    });

    it('of FLOPs', () => {
      expect(told.flops).toEqual(
        WORKING.map(([op, inputs]) => {
          const definition = definitionOf(op);
          return definition.flops(op, inputs, definition.shape(op, inputs));
        }),
      );
    });

    it.each(TRIED.map((tried, i) => [tried, i] as const))('of the memory of %j', (tried, i) => {
      const found = told.optimizers[i];
      if (found === undefined) throw new Error('nothing was told');
      // Adafactor came later.
      if (found === null) return expect(hasShards).toBe(false);
      const [state, held, predicted, seen] = found;
      // Beside tensors lie counters of steps.
      expect(Math.abs(state - held)).toBeLessThan(64);
      // The temporaries are those of a PyTorch of today; vectors of scalars come beside tensors.
      if (!hasShards) return;
      const parameter = 256 * 128 * 4;
      if (tried[0] === 'Rprop') expect(seen).toBeLessThanOrEqual(predicted + parameter / 4);
      // One by one, the profiler sees a tensor more of Adam than PyTorch's MemTracker, which torch-totals compares with.
      const unseen = /^AdamW?$/.test(tried[0]) && !tried[1] ? parameter : 0;
      if (tried[0] !== 'Rprop') expect(Math.abs(predicted + unseen - seen)).toBeLessThan(parameter / 8);
    });
  });
});

describe('the optimizers of the lab', () => {
  it.each(OPTIMIZERS.filter(({ torch }) => torch !== null))('$name keeps what torch.optim keeps', (own) => {
    const elements = 256 * 128;
    const state = own.state({ shape: [256, 128], elements }, 4).reduce((sum, bytes) => sum + bytes, 0);
    const facts: TorchOptimizer = own.torch!;
    const momentum = own.name === 'momentum' ? (facts.options?.['momentum']?.[0] ?? 0) : 0;
    const copies = (facts.state + momentum) * elements;
    expect(state).toBe(4 * (facts.isFactored ? 256 + 128 : copies));
  });
});
