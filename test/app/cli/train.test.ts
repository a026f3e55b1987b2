import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TrainFlags, trainRequest } from '../../../app/cli/commands/train-request.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { graphFile, parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { createProblem } from '../../../engine/problem.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const FLAGS: TrainFlags = { strategy: 'optimal', iterations: '3' };

describe('the options of train', () => {
  it('become a request without additions', async () => {
    expect(await trainRequest('resnet18', FLAGS)).toEqual({
      model: 'resnet18',
      batch: 8,
      strategy: 'optimal',
      iterations: 3,
      seed: 0,
      learningRate: 0.01,
      momentum: 0.9,
    });
    const { strategy: _, ...unnamed } = FLAGS;
    const flags = { ...unnamed, checkpoints: 'a, b', data: 'images', naive: 'statistics,dropout' };
    expect(await trainRequest('resnet18', flags)).toMatchObject({
      strategy: 'manual',
      checkpoints: ['a', 'b'],
      dataFolder: resolve('images'),
      naiveStatistics: true,
      naiveDropout: true,
    });
    expect((await trainRequest('resnet18', { ...FLAGS, pairs: '4' })).pairs).toBe(4);
    expect((await trainRequest('resnet18', { ...FLAGS, measuredCosts: true })).measuredCosts).toBe(true);
    expect((await trainRequest('resnet18', { ...FLAGS, saveCosts: 'a.json' })).measuredCosts).toBe(true);
    expect((await trainRequest('resnet18', { ...FLAGS, batchDifference: true })).batchDifference).toBe(true);
    const largest = await trainRequest('resnet18', { largestBatch: true, memoryCap: '1MB' });
    expect(largest).toMatchObject({ largestBatch: true, memoryCapBytes: 1e6 });
    expect(await trainRequest('resnet18', { ...FLAGS, naive: 'dropout' })).not.toHaveProperty(
      'naiveStatistics',
    );
    const both = { naiveStatistics: true, naiveDropout: true };
    expect(await trainRequest('resnet18', { ...FLAGS, naive: 'both' })).toMatchObject(both);
  });

  it('take a network from a file, whatever number of samples it holds', async () => {
    const path = join(freshFolder(), 'mine.json');
    const [graph, held] = [1, 4].map((batch) => buildModel('tiny-residual', { batch }));
    writeFileSync(path, JSON.stringify({ ...graphFile(held!), name: 'mine', samples: 4 }));
    const request = await trainRequest(path, { ...FLAGS, batch: '2' });
    expect(request).toMatchObject({ model: 'mine', batch: 2 });
    expect([...parseGraphFile(request.graph ?? '').bytes]).toEqual([...graph!.bytes]);
    await expect(trainRequest(path, { ...FLAGS, dropout: '0.5' })).rejects.toThrow(/the file fixes/);
    await expect(trainRequest('./none.onnx', FLAGS)).rejects.toThrow('there is no file ./none.onnx');
  });

  it('ask for the strategy of a budget, which may be a share of regular training by the trainer’s own profile', async () => {
    const trained = (flags: TrainFlags) => trainRequest('tiny-residual', { batch: '4', ...flags });
    expect(await trained({ budget: '300KiB' })).toMatchObject({
      strategy: 'budget',
      budgetBytes: 300 * 1024,
    });
    const { peakBytes } = regularFigures(createProblem(buildModel('tiny-residual', { batch: 4 }), 'tfjs'));
    expect(await trained({ budget: '60%' })).toMatchObject({
      strategy: 'budget',
      budgetBytes: Math.floor(0.6 * peakBytes),
    });
    await expect(trained({ budget: '60%', strategy: 'optimal' })).rejects.toThrow(
      /^--budget changes nothing under optimal/,
    );
  });

  it('are refused in one sentence that names them', async () => {
    const refused = (flags: Partial<TrainFlags>) =>
      expect(trainRequest('resnet18', { ...FLAGS, ...flags })).rejects;
    await refused({ naive: 'batch' }).toThrow(BadInputError);
    await refused({ largestBatch: true }).toThrow(/^--largest-batch requires --memory-cap/);
    const both = { largestBatch: true, memoryCap: '1MB', saveCosts: 'a.json' };
    await refused(both).toThrow(/^--save-costs works with a training run/);
    await refused({ largestBatch: true, memoryCap: '1MB', pairs: '4' }).toThrow(
      /^--iterations is for a training run/,
    );
    await refused({ pairs: '0' }).toThrow('--pairs must be a whole number from 1 to 1000, got "0"');
    await refused({ naive: 'batch' }).toThrow('--naive takes statistics, dropout or both, got "batch"');
  });
});
