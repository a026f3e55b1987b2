import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { idOf, totalParameters, vertexOf } from '../../../engine/graph/graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { AMOEBANET, type Cell, DARTS, type Genotype, NASNET } from '../../../engine/zoo/nas-genotypes.ts';
import { buildModel, MODELS, modelInfo, nearestModels } from '../../../engine/zoo/zoo.ts';
import { regularStep } from './regular-step.ts';

const THE_PAPERS = [
  ...['alexnet', 'vgg11', 'vgg13', 'vgg16', 'vgg19'],
  ...['resnet18', 'resnet34', 'resnet50', 'resnet101', 'resnet152'],
  ...['densenet121', 'densenet161', 'densenet169', 'densenet201'],
  ...['inceptionv3', 'nasnet', 'amoebanet', 'darts', 'customnet'],
];

describe('the list of models', () => {
  it('has every network of the papers, then our own', () => {
    const names = MODELS.map((info) => info.name);
    expect(names.slice(0, THE_PAPERS.length)).toEqual(THE_PAPERS);
    const beyond = ['gpt2', 'bert-base', 'vit-b-16'].flatMap((name) => [name, `${name}-fused`]);
    expect(names.slice(THE_PAPERS.length)).toEqual([
      ...['mobilenet-v2', 'unet', 'unet-group-norm', ...beyond],
      ...['cifar-resnet-32', 'cifar-resnet-110', 'forty-layers'],
      ...['tiny-residual', 'tiny-dropout', 'tiny-transformer', 'tiny-transformer-fused', 'tiny-unet'],
      ...['two-towers', 'two-towers-crossed', 'expression', 'fed-chain', 'chain-32'],
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has the batches of the papers' tables", () => {
    expect(MODELS.slice(0, 18).map((info) => info.defaultBatch)).toEqual([
      ...[1024, 64, 64, 64, 64, 256, 128, 64, 32, 16, 32, 16, 32, 16, 32, 64, 64, 64],
    ]);
  });

  it.each(MODELS.map((info) => [info.name, info] as const))(
    '%s builds and trains at its least',
    (_n, info) => {
      const graph = buildModel(info.name, { batch: 1, input: info.minInput });
      for (const profile of ['pytorch', 'tfjs'] as const) {
        expect(regularStep(graph, profile).peakBytes).toBeGreaterThan(0);
      }
      expect(createProblem(graph, 'tfjs').view.tensors.size).toBeGreaterThan(1);
      expect(new Set(graph.ids).size).toBe(graph.size);
    },
  );

  it.each(MODELS.filter((info) => info.minInput > 1).map((info) => [info.name, info.minInput] as const))(
    '%s needs an input of %i: the layers do not admit less',
    (name, least) => {
      const { inputMultiple } = modelInfo(name);
      expect(() => buildModel(name, { batch: 1, input: least - inputMultiple })).toThrow(
        `${least} or more (an image of ${least}x${least})`,
      );
    },
  );
});

describe('names', () => {
  it.each([
    ['resnet-18', 'resnet18'],
    ['ResNet_50', 'resnet50'],
    ['resnet19', 'resnet18'],
    ['densnet121', 'densenet121'],
    ['inception', 'inceptionv3'],
    ['tiny', 'tiny-residual'],
    ['vgg', 'vgg11'],
    ['chain', 'chain-32'],
  ])('%s: nearest is %s', (typed, name) => {
    expect(nearestModels(typed)[0]).toBe(name);
  });

  it.each(['', 'zzzzzzzz', 'x'.repeat(5000)])('suggests nothing for nonsense', (typed) => {
    expect(nearestModels(typed)).toEqual([]);
  });

  it('are those of huggingface.co too, in large or small letters', () => {
    expect(modelInfo('meta-llama/Llama-3.1-8B').name).toBe('llama-3.1-8b');
    expect(buildModel('OpenAI/gpt-oss-20b', { batch: 1, input: 8 }).name).toBe('gpt-oss-20b');
  });

  it('offers the nearest in the message, or says where all are', () => {
    expect(() => buildModel('resnet19', { batch: 1 })).toThrow(
      'no model is named "resnet19"; did you mean resnet18',
    );
    expect(() => buildModel('qqqqqqqq', { batch: 1 })).toThrow(
      'no model is named "qqqqqqqq"; the box Network and "zigzag models" list all ',
    );
    expect(() => buildModel('resnet9999', { batch: 1 })).toThrow('did you mean resnet18 or resnet34');
    expect(() => modelInfo('__proto__')).toThrow(BadInputError);
  });
});

describe('options', () => {
  it.each([0, -1, 1.5, 1e9, 65537, Number.NaN, Number.POSITIVE_INFINITY])('refuses batch %d', (batch) => {
    expect(() => buildModel('alexnet', { batch })).toThrow(BadInputError);
    expect(() => buildModel('alexnet', { batch })).toThrow(
      `batch: expected an integer from 1 to 65536, got ${batch}`,
    );
  });

  it.each([0, -224, 62, 224.5, Number.NaN])('refuses input %d', (input) => {
    expect(() => buildModel('alexnet', { batch: 1, input })).toThrow(
      `input: alexnet needs 63 or more (an image of 63x63), got ${input}`,
    );
  });

  it('refuses an input that a factorized reduce cannot halve twice', () => {
    expect(() => buildModel('darts', { batch: 1, input: 34 })).toThrow(
      'a multiple of 4, 4 or more (an image of 4x4), got 34',
    );
  });

  it.each([-0.1, 1, Number.NaN])('refuses dropout %d', (dropout) => {
    expect(() => buildModel('alexnet', { batch: 1, dropout })).toThrow(`dropout: expected a rate`);
  });

  it('refuses a batch that cannot be counted exactly, and accepts the largest one', () => {
    expect(() => buildModel('vgg19', { batch: 65536, input: 30_000 })).toThrow(
      'choose a smaller batch or input',
    );
    expect(() => buildModel('vgg19', { batch: 1, input: 1e9 })).toThrow('choose a smaller batch or input');
    expect(Number.isSafeInteger(regularStep(buildModel('vgg19', { batch: 65536 })).peakBytes)).toBe(true);
  });

  it('takes half the bytes for float16, but keeps indices and statistics', () => {
    const full = buildModel('resnet18', { batch: 2 });
    const half = buildModel('resnet18', { batch: 2, bytesPerElement: 2 });
    expect(Array.from(half.bytes)).toEqual(Array.from(full.bytes, (bytes) => bytes / 2));
    expect(regularStep(half).savedBytes).toBeGreaterThan(regularStep(full).savedBytes / 2);
  });

  it.each([
    ['alexnet', 2],
    ['vgg16', 2],
    ['densenet121', 58],
    ['inceptionv3', 1],
  ])('%s has %i dropouts when asked, and the same view', (name, count) => {
    const graph = buildModel(name, { batch: 2, dropout: 0.5 });
    const dropouts = graph.operations.filter((op) => op.kind === 'dropout' && op.rate === 0.5);
    expect(dropouts).toHaveLength(count);
    const { tensors } = createProblem(graph, 'pytorch').view;
    expect(tensors.size).toBe(createProblem(buildModel(name, { batch: 2 }), 'pytorch').view.tensors.size);
  });
});

it("ids are torchvision's module paths", () => {
  const graph = buildModel('resnet18', { batch: 1 });
  for (const id of ['conv1', 'layer1.0.conv1', 'layer2.0.downsample.1', 'layer4.1.bn2', 'fc']) {
    expect(vertexOf(graph, id)).toBeGreaterThan(0);
  }
  expect(idOf(graph, 0)).toBe('input');
  const dense = buildModel('densenet121', { batch: 1 });
  expect(vertexOf(dense, 'features.denseblock3.denselayer24.conv2')).toBeGreaterThan(0);
  expect(vertexOf(buildModel('inceptionv3', { batch: 1 }), 'Mixed_7c.branch3x3dbl_3b.conv')).toBeGreaterThan(
    0,
  );
});

describe('small networks', () => {
  it.each([2, 3, 32, 10_000])('chain-%i has as many vertices, all of one cost', (length) => {
    const graph = buildModel(`chain-${length}`, { batch: 4 });
    expect(graph.size).toBe(length);
    expect(new Set(graph.bytes).size).toBe(1);
    expect(new Set(graph.flops.slice(1)).size).toBe(1);
  });

  it.each(['chain-0', 'chain-1', 'chain-10001', 'chain-99999999999999999999'])('refuses %s', (name) => {
    expect(() => buildModel(name, { batch: 1 })).toThrow('a chain has from 2 to 10000 vertices');
  });

  it('tiny-residual has fewer than 50,000 parameters, branches and batch norm', () => {
    const graph = buildModel('tiny-residual', { batch: 64 });
    expect(totalParameters(graph)).toBeLessThan(50_000);
    expect(graph.operations.some((op) => op.kind === 'batch-norm')).toBe(true);
    expect(createProblem(graph, 'pytorch').view.tensors.edgeCount).toBeGreaterThan(18);
  });

  it.each(['tiny-transformer', 'tiny-transformer-fused', 'tiny-unet'])(
    '%s has fewer than 50,000 parameters and no vertex of figures alone',
    (name) => {
      const graph = buildModel(name, { batch: 2 });
      expect(totalParameters(graph)).toBeLessThan(50_000);
      expect(graph.operations.filter((op) => op.kind === 'opaque')).toEqual([]);
    },
  );

  it('tiny-dropout drops half unless told otherwise', () => {
    const rates = (dropout?: number) =>
      buildModel('tiny-dropout', dropout === undefined ? { batch: 1 } : { batch: 1, dropout })
        .operations.filter((op) => op.kind === 'dropout')
        .map((op) => op.rate);
    expect(rates()).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(rates(0)).toEqual([0, 0, 0, 0]);
  });
});

describe('genotypes', () => {
  const { networks } = JSON.parse(
    readFileSync(new URL('../../fixtures/nas-genotypes.json', import.meta.url), 'utf8'),
  ) as { networks: Record<string, Record<string, unknown>> };
  const plain = (genotype: Genotype) => {
    const cell = (part: Cell) => [part.entries, part.concat];
    const [normal, normalConcat] = cell(genotype.normal);
    const [reduce, reduceConcat] = cell(genotype.reduce);
    return { normal, normalConcat, reduce, reduceConcat };
  };
  it('are the published ones', () => {
    expect({ nasnet: plain(NASNET), amoebanet: plain(AMOEBANET), darts: plain(DARTS) }).toEqual(networks);
  });
});
