import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TrainFlags, trainRequest } from '../../../app/cli/commands/train-request.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { graphFile, parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const FLAGS: TrainFlags = { strategy: 'optimal', iterations: '3' };

describe('the options of train', () => {
  it('become a request, and nothing that was not said', () => {
    expect(trainRequest('resnet18', FLAGS)).toEqual({
      model: 'resnet18',
      batch: 8,
      strategy: 'optimal',
      iterations: 3,
      seed: 0,
      learningRate: 0.01,
      momentum: 0.9,
    });
    const flags = { ...FLAGS, checkpoints: 'a, b', data: 'images', naive: 'statistics,dropout' };
    expect(trainRequest('resnet18', flags)).toMatchObject({
      checkpoints: ['a', 'b'],
      dataFolder: resolve('images'),
      naiveStatistics: true,
      naiveDropout: true,
    });
    expect(trainRequest('resnet18', { ...FLAGS, pairs: '4' }).pairs).toBe(4);
    expect(trainRequest('resnet18', { ...FLAGS, measuredCosts: true }).measuredCosts).toBe(true);
    expect(trainRequest('resnet18', { ...FLAGS, saveCosts: 'a.json' }).measuredCosts).toBe(true);
    expect(trainRequest('resnet18', { ...FLAGS, batchDifference: true }).batchDifference).toBe(true);
    const largest = trainRequest('resnet18', { ...FLAGS, largestBatch: true, memoryCap: '1MB' });
    expect(largest).toMatchObject({ largestBatch: true, memoryCapBytes: 1e6 });
    expect(trainRequest('resnet18', { ...FLAGS, naive: 'dropout' })).not.toHaveProperty('naiveStatistics');
    const both = { naiveStatistics: true, naiveDropout: true };
    expect(trainRequest('resnet18', { ...FLAGS, naive: 'both' })).toMatchObject(both);
  });

  it('take a network from a file', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'zigzag-')), 'mine.json');
    const graph = buildModel('tiny-residual', { batch: 1 });
    writeFileSync(path, JSON.stringify({ ...graphFile(graph), name: 'mine' }));
    const request = trainRequest(path, { ...FLAGS, batch: '2' });
    expect(request).toMatchObject({ model: 'mine', batch: 2 });
    expect([...parseGraphFile(request.graph ?? '').bytes]).toEqual([...graph.bytes]);
    expect(() => trainRequest(path, { ...FLAGS, dropout: '0.5' })).toThrow(/the file itself says/);
    expect(() => trainRequest('./none.onnx', FLAGS)).toThrow('there is no file ./none.onnx');
  });

  it('are refused in one sentence that names them', () => {
    const refused = (flags: Partial<TrainFlags>) => () => trainRequest('resnet18', { ...FLAGS, ...flags });
    expect(refused({ naive: 'batch' })).toThrow(BadInputError);
    expect(refused({ largestBatch: true })).toThrow(/^--largest-batch needs --memory-cap/);
    const both = { largestBatch: true, memoryCap: '1MB', saveCosts: 'a.json' };
    expect(refused(both)).toThrow(/^--save-costs goes with a training run/);
    expect(refused({ pairs: '0' })).toThrow('--pairs must be a whole number from 1 to 1000, got "0"');
    expect(refused({ naive: 'batch' })).toThrow('--naive takes statistics, dropout or both, got "batch"');
  });
});
