import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileSource } from '../../../app/bridges/file-source.ts';
import { importFile } from '../../../app/bridges/import-file.ts';
import { parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { type Graph, totalParameters } from '../../../engine/graph/graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { skippedFor } from '../../support/skipped.ts';
import { NO_TORCH, runReference } from './python.ts';
import './bridge-file.ts';

const OPSETS = {
  resnet50: 11,
  densenet121: 13,
  inception_v3: 17,
  mobilenet_v2: 12,
  vgg16: 16,
};
const IN_ZOO: readonly [keyof typeof OPSETS, string, number][] = [
  ['resnet50', 'resnet50', 64],
  ['densenet121', 'densenet121', 64],
  ['inception_v3', 'inceptionv3', 96],
];

describe.skipIf(NO_TORCH !== '')(`ONNX files as PyTorch writes them${skippedFor(NO_TORCH)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-onnx-'));
  const read = (name: string, batch: number) =>
    importFile(fileSource(join(folder, `${name}.onnx`)), { batch });

  beforeAll(() => {
    const cases = Object.entries(OPSETS).map(([name, opset]) => `${name}:${opset}`);
    runReference('torch_onnx.py', [folder, ...cases]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(IN_ZOO)(
    '%s is the network of the zoo, with the same optimum, at any batch',
    (name, model, input) => {
      for (const batch of [2, 32]) {
        const { graph, summary } = read(name, batch);
        const ours = buildModel(model, { batch, input });
        expect(figures(graph)).toEqual(figures(ours));
        expect(summary.keptBytes).toBe(figures(ours).savedBytes);
        expect(summary.opaque).toEqual([]);
      }
    },
  );

  it.each(['mobilenet_v2', 'vgg16'])('%s keeps what its capture measured, with the same optimum', (name) => {
    const captured = parseGraphFile(readFileSync(join(folder, `${name}.json`), 'utf8'));
    expect(figures(read(name, 2).graph)).toEqual(figures(captured));
  });
});

function figures(graph: Graph) {
  const problem = createProblem(graph, 'pytorch');
  const [regular, optimal] = ['regular', 'optimal'].map((name) => solveRow(problem, name, { seed: 1 }));
  return {
    parameters: totalParameters(graph),
    savedBytes: regular?.timeline?.savedBytes ?? 0,
    regularPeak: regular?.peakBytes,
    paperCost: optimal?.paperCostBytes,
    optimalPeak: optimal?.peakBytes,
  };
}
