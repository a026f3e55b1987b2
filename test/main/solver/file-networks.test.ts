import { describe, expect, it } from 'vitest';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { FileNetworks } from '../../../main/solver/file-networks.ts';
import { KeptFiles } from '../../../main/solver/kept-files.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { experiment } from '../support/experiment.ts';

const bytesOf = (name: string): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(graphFile(buildModel(name, { batch: 1 }))));

describe('FileNetworks', () => {
  it('gives a network the name of its content, and builds it at every batch', () => {
    const files = new FileNetworks();
    const { model, title, linear } = files.open('C:\\nets\\my.net.json', bytesOf('vgg11'));
    expect({ title, linear }).toEqual({ title: 'my.net', linear: true });
    expect(files.open('again', bytesOf('vgg11')).model).toBe(model);
    const memory = new SolverMemory(files.build);
    const { strategies: _, ...network } = experiment({ model });
    const graph = memory.problem(network, 4).graph;
    expect([...graph.bytes]).toEqual([...buildModel('vgg11', { batch: 4 }).bytes]);
    expect(() => memory.problem({ ...network, input: 32 }, 4)).toThrow(/no meaning for a graph file/);
    expect(() => memory.problem({ ...network, dropout: 0.5 }, 4)).toThrow(/the file itself says/);
    expect(() => memory.problem({ ...network, dtype: 'float16' }, 4)).toThrow(/the file itself says/);
  });

  it('says that a file is gone, and keeps none that is not a network', () => {
    const files = new FileNetworks();
    expect(() => files.open('x', new TextEncoder().encode('PK'))).toThrow(/zip archive/);
    expect(() => files.build(experiment({ model: 'file:0123456789abcdef' }), 1)).toThrow(
      /drop the file again/,
    );
  });
});

describe('KeptFiles', () => {
  it('forgets what was not asked for longest', () => {
    const files = new KeptFiles();
    for (let i = 0; i < 8; i++) files.keep({ model: `file:${i}`, bytes: new Uint8Array(1) });
    files.bytesOf('file:0');
    files.keep({ model: 'file:8', bytes: new Uint8Array(1) });
    expect(files.bytesOf('file:1')).toBeUndefined();
    expect(files.all().map(({ model }) => model)).toHaveLength(8);
    expect(files.bytesOf('file:0')).toBeDefined();
  });
});
