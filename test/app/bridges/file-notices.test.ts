import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aboutFile, importFile } from '../../../app/bridges/import-file.ts';
import { bytesSource } from '../../../engine/exchange/byte-source.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { createProblem } from '../../../engine/problem.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { onnxBytes, type TestNode } from './onnx-files.ts';
import { printed } from './printed.ts';

interface Shown {
  readonly depth: number;
  readonly bias?: string;
  readonly norm?: Readonly<Record<string, number>>;
  readonly dropout?: boolean;
}

/** A chain of convolutions as an exporter leaves it. */
function exported({ depth, bias, norm, dropout = false }: Shown): Uint8Array {
  const weights: Record<string, { shape: readonly number[] }> = {};
  const nodes: TestNode[] = [];
  let x = 'x';
  for (let i = 0; i < depth; i++) {
    weights[`c${i}.weight`] = { shape: [3, 3, 1, 1] };
    const inputs = [x, `c${i}.weight`];
    if (bias !== undefined) {
      const name = bias.replace('#', String(2 * i + 1));
      weights[name] = { shape: [3] };
      inputs.push(name);
    }
    nodes.push({ op: 'Conv', name: `conv${i}`, inputs });
    x = `conv${i}`;
    if (norm === undefined) continue;
    const scale = ['scale', 'shift', 'mean', 'variance'].map((what) => `${what}${i}`);
    for (const name of scale) weights[name] = { shape: [3] };
    nodes.push({ op: 'BatchNormalization', name: `norm${i}`, inputs: [x, ...scale], attributes: norm });
    x = `norm${i}`;
  }
  if (dropout) nodes.push({ op: 'Dropout', name: 'drop', inputs: [x] });
  return onnxBytes({ nodes, weights, opset: 15 });
}

const noticesOf = (bytes: Uint8Array): readonly string[] => {
  const { notices } = aboutFile(bytesSource(bytes));
  expect(importFile(bytes).summary.notices).toEqual(notices);
  return notices;
};

describe('an ONNX file', () => {
  it('with the convolution names of folding was exported for inference', () => {
    const [only, ...others] = noticesOf(exported({ depth: 3, bias: 'onnx::Conv_#' }));
    expect(only).toMatch(/^exported for inference: batch norms were folded into 3 convolutions/);
    expect(only).toContain('TrainingMode.TRAINING');
    expect(others).toEqual([]);
  });

  it('is recognized even if its writer puts another field before the IR version', () => {
    const bytes = exported({ depth: 3, bias: 'onnx::Conv_#' });
    expect([...bytes.subarray(0, 2)]).toEqual([0x08, 8]);
    const moved = Uint8Array.from([...bytes.subarray(2), ...bytes.subarray(0, 2)]);
    expect(noticesOf(moved)).toEqual(noticesOf(bytes));
  });

  it('that is deep, has biases and no normalisation may have been; unknown facts are called unknown', () => {
    expect(noticesOf(exported({ depth: 20, bias: 'c#.bias' }))[0]).toMatch(/If the model has batch norms/);
  });

  it('without such signs gets no notice', () => {
    // VGG-19 has 16 convolutions, all with a bias.
    expect(noticesOf(exported({ depth: 16, bias: 'c#.bias' }))).toEqual([]);
    expect(noticesOf(exported({ depth: 20 }))).toEqual([]);
    expect(noticesOf(exported({ depth: 20, norm: { training_mode: 1 } }))).toEqual([]);
    expect(noticesOf(exported({ depth: 2, norm: {}, dropout: true }))).toEqual([]);
  });

  it('with operations that nobody here knows names them, on the command line too', async () => {
    const nodes = [
      { op: 'Unique', name: 'u', inputs: ['x'] },
      { op: 'Fold', name: 'y', inputs: ['u'] },
    ];
    const bytes = onnxBytes({ nodes, values: { u: ['batch', 5], y: ['batch', 5] } });
    const sentence = 'unsupported operations, counted by their size only: Fold, Unique';
    expect(noticesOf(bytes)).toEqual([sentence]);
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-notices-'));
    try {
      const path = join(folder, 'net.onnx');
      writeFileSync(path, bytes);
      expect(await printed('solve', path)).toMatch(new RegExp(`^of the file +${sentence}$`, 'm'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('in evaluation mode says that dropout is unknown', () => {
    expect(noticesOf(exported({ depth: 2, norm: {} }))[0]).toMatch(/dropout is not counted/);
  });
});

describe('a graph file', () => {
  const file = (facts: Readonly<Record<string, unknown>>): Uint8Array => {
    const document = { ...graphFile(buildModel('resnet18', { batch: 2, input: 64 })), ...facts };
    return new TextEncoder().encode(JSON.stringify(document));
  };
  const coverage = { share: 1, opaque: [] };
  const peakOf = (bytes: Uint8Array, batch: number): number => {
    const { graph } = importFile(bytes, { batch });
    return regularFigures(createProblem(graph, 'pytorch')).peakBytes;
  };

  it('that was captured says with how many samples, and scales from there', () => {
    const captured = file({ samples: 2, coverage });
    expect(noticesOf(captured)).toEqual(['captured with 2 samples; other batches are scaled from it']);
    const ours = createProblem(buildModel('resnet18', { batch: 64, input: 64 }), 'pytorch');
    expect(peakOf(captured, 64)).toBe(regularFigures(ours).peakBytes);
  });

  it('without a number of samples says so', () => {
    expect(noticesOf(file({}))[0]).toMatch(/does not name its number of samples/);
    expect(peakOf(file({}), 64)).toBe(peakOf(file({ samples: 2 }), 128));
  });
});
