import { describe, expect, it } from 'vitest';
import { nameOfImported } from '../../../app/contract/import-file.ts';
import type { LimitsEvent } from '../../../app/contract/limits.ts';
import { liveTensorsRequestSchema } from '../../../app/contract/live-tensors.ts';
import { limitsEvents } from '../../../main/solver/limits.ts';
import { liveTensors } from '../../../main/solver/live-tensors.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { planFile } from '../../../engine/exchange/plan-file.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { FileNetworks } from '../../../main/solver/file-networks.ts';
import { judge } from '../../../main/solver/judge.ts';
import { KeptFiles } from '../../../main/solver/kept-files.ts';
import { SolverMemory } from '../../../main/solver/memory.ts';
import { torchUse } from '../../../main/solver/torch-use.ts';
import { experiment } from '../support/experiment.ts';

const bytesOf = (name: string): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(graphFile(buildModel(name, { batch: 1 }))));

describe('FileNetworks', () => {
  it('names a network by its content, and builds it at every batch', () => {
    const files = new FileNetworks();
    const opened = files.open('C:\\nets\\my.net.json', bytesOf('vgg11'));
    expect(opened).toMatchObject({ kind: 'network', title: 'my.net', linear: true });
    const model = nameOfImported(opened);
    expect(nameOfImported(files.open('again', bytesOf('vgg11')))).toBe(model);
    const memory = new SolverMemory(files);
    const { strategies: _, ...network } = experiment({ model });
    const graph = memory.problem(network, 4).graph;
    expect([...graph.bytes]).toEqual([...buildModel('vgg11', { batch: 4 }).bytes]);
    expect(() => memory.problem({ ...network, input: 32 }, 4)).toThrow(/the graph file fixes the sizes/);
    expect(() => memory.problem({ ...network, dropout: 0.5 }, 4)).toThrow(/the file fixes/);
    expect(() => memory.problem({ ...network, dtype: 'float16' }, 4)).toThrow(/the file fixes/);
  });

  it('has limits of the batch, but not of the input, because a file has one size', () => {
    const files = new FileNetworks();
    const limits = (model: string, memory: SolverMemory) => {
      const events: LimitsEvent[] = [];
      const strategies = ['regular', 'optimal'];
      const asked = {
        ...experiment({ model, strategies }),
        memoryBytes: 4 * 2 ** 30,
        largestInput: true,
      };
      limitsEvents(asked, { memory, control: NO_CONTROL, emit: (event) => events.push(event) });
      return events.flatMap((event) => (event.type === 'row' ? [event.row] : []));
    };
    const ours = limits('vgg11', new SolverMemory());
    const file = limits(nameOfImported(files.open('x.json', bytesOf('vgg11'))), new SolverMemory(files));
    expect(file.map(({ batch, input }) => ({ batch, input }))).toEqual(
      ours.map(({ batch }) => ({ batch, input: null })),
    );
    expect(file[1]?.batch?.batch).toBeGreaterThan(file[0]?.batch?.batch ?? 0);
  });

  it('names the file of a plan once, for the reader and in the program, whatever the config.json is called', () => {
    const files = new FileNetworks();
    const sizes = { hidden_size: 32, intermediate_size: 64, num_hidden_layers: 4, num_attention_heads: 4 };
    const config = { model_type: 'llama', vocab_size: 96, max_position_embeddings: 64, ...sizes };
    const model = nameOfImported(files.open('mine.json', new TextEncoder().encode(JSON.stringify(config))));
    const asked = { experiment: experiment({ model, batch: 2 }), strategy: 'live' };
    const { plan, scripts } = torchUse(asked, { memory: new SolverMemory(files), control: NO_CONTROL });
    expect(plan?.fileName).toMatch(/^llama-.*-live\.plan\.json$/);
    expect(scripts).toHaveLength(2);
    for (const { text } of scripts) expect(text).toContain(`'${plan?.fileName}'`);
  });

  it('reports a missing file, and keeps no file without a network', () => {
    const files = new FileNetworks();
    expect(() => files.open('x', new TextEncoder().encode('PK'))).toThrow(/zip archive/);
    expect(() => files.build(experiment({ model: 'file:0123456789abcdef' }), 1)).toThrow(
      /drop the file again/,
    );
  });
});

describe('plans', () => {
  const problem = createProblem(buildModel('vgg11', { batch: 2 }), 'pytorch');
  const { checkpoints, schedule, timeline } = solveRow(problem, 'optimal', { seed: 0 });
  const made = { strategy: 'optimal', options: {}, checkpoints, schedule: schedule!, timeline: timeline! };
  const plan = new TextEncoder().encode(JSON.stringify(planFile(problem.graph, made)));

  it('are separate rows at every batch, with the reason if they do not fit', () => {
    const files = new FileNetworks();
    const opened = files.open('best.plan.json', plan);
    expect(opened).toMatchObject({ kind: 'plan', title: 'best.plan', model: 'vgg11', strategy: 'optimal' });
    const memory = new SolverMemory(files);
    const peaks = (model: string, name: string) => {
      const { strategies: _, ...network } = experiment({ model, batch: 4, plan: name });
      return ['optimal', 'plan'].map((strategy) => {
        return judge(memory.problem(network, 4), 4, memory.plan(network, strategy, NO_CONTROL));
      });
    };
    const [ours, theirs] = peaks('vgg11', nameOfImported(opened));
    expect(theirs).toMatchObject({ applicable: true, peakBytes: ours?.peakBytes });
    const [, misfit] = peaks('resnet18', nameOfImported(opened));
    expect(misfit?.reason).toMatch(/^the plan does not fit this network: .* the plan is for "vgg11"$/);
    const asked = { model: 'vgg11', batch: 4, strategy: 'plan', plan: nameOfImported(opened) };
    const listed = liveTensors(liveTensorsRequestSchema.parse(asked), { memory, control: NO_CONTROL });
    expect(listed.vertices.length).toBeGreaterThan(0);
    const [, gone] = peaks('vgg11', 'plan:0123456789abcdef');
    expect(gone?.reason).toMatch(/drop the file again/);
  });
});

it('KeptFiles drops the least recently used', () => {
  const files = new KeptFiles();
  const imported = new FileNetworks().open('x', bytesOf('vgg11'));
  const keep = (name: string): void => files.keep({ name, bytes: new Uint8Array(1), imported });
  for (let i = 0; i < 8; i++) keep(`file:${i}`);
  files.bytesOf('file:0');
  keep('file:8');
  expect(files.bytesOf('file:1')).toBeUndefined();
  expect(files.all().map(({ name }) => name)).toHaveLength(8);
  expect(files.bytesOf('file:0')).toBeDefined();
});
