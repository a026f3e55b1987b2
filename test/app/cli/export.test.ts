import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareCommand } from '../../../app/cli/commands/compare.ts';
import { exportCommand } from '../../../app/cli/commands/export.ts';
import { solveCommand } from '../../../app/cli/commands/solve.ts';
import { trainRequest } from '../../../app/cli/commands/train-request.ts';
import { json, recorder } from './recorder.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

interface Printed {
  readonly batch: number;
  readonly savedBytes: number;
  readonly rows: { readonly strategy: string; readonly peakBytes: number; readonly applicable: boolean }[];
}

describe('export', () => {
  it('writes a plan whose steps start with the first operation', async () => {
    const plan = await json<{ format: string; steps: string[][]; checkpoints: string[] }>((terminal) =>
      exportCommand('resnet18', { to: 'plan' }, terminal),
    );
    expect(plan.format).toBe('zigzag-plan');
    expect(plan.steps[0]).toEqual(['forward', 'conv1']);
    expect(plan.checkpoints.length).toBeGreaterThan(0);
  });

  it('writes a plan that solve, compare and train can follow', async () => {
    const path = join(freshFolder(), 'plan.json');
    const terminal = recorder();
    await exportCommand('resnet18', { to: 'plan', strategy: 'live', batch: '4', profile: 'tfjs' }, terminal);
    writeFileSync(path, terminal.lines.join('\n'));
    const made = JSON.parse(terminal.lines.join('\n')) as { peakBytes: number; options: object };
    expect(made.options).toEqual({ seed: 0, profile: 'tfjs', dtype: 'float32', batch: 4, input: 224 });
    const flags = { batch: '4', profile: 'tfjs', plan: path, json: true };
    const solved = await json<Printed>((t) => solveCommand('resnet18', flags, t));
    expect(solved.rows).toMatchObject([{ strategy: 'plan', peakBytes: made.peakBytes }]);
    const compared = await json<Printed>((t) => compareCommand(['resnet18'], flags, t));
    expect(compared.rows.find(({ strategy }) => strategy === 'plan')?.peakBytes).toBe(made.peakBytes);
    const asked = await trainRequest('resnet18', { iterations: '1', plan: path });
    expect(asked.strategy).toBe('plan');
    expect(JSON.parse(asked.plan ?? '')).toEqual(made);
    await expect(solveCommand('vgg11', flags, recorder())).rejects.toThrow(
      /^plan does not apply here: the plan does not fit this network: steps\[0\]\[1\]: vgg11 has no vertex "conv1"; the plan is for "resnet18"$/,
    );
    await expect(solveCommand(path, {}, recorder())).rejects.toThrow(/^the file is a plan, not a network/);
    await expect(solveCommand('vgg11', { plan: path, strategy: 'live' }, recorder())).rejects.toThrow(
      /^--plan changes nothing under live/,
    );
    await expect(solveCommand('vgg11', { plan: './none.json' }, recorder())).rejects.toThrow(
      /^--plan: there is no file \.\/none\.json$/,
    );
  });

  it('writes the steps of reentrant segments into a plan, which can be followed, but not by PyTorch', async () => {
    const folder = freshFolder();
    const [plan, graph] = [join(folder, 'plan.json'), join(folder, 'graph.json')];
    const write = async (path: string, flags: Parameters<typeof exportCommand>[1]) => {
      const terminal = recorder();
      await exportCommand('tiny-residual', flags, terminal);
      writeFileSync(path, terminal.lines.join('\n'));
      return JSON.parse(terminal.lines.join('\n')) as {
        steps: string[][];
        peakBytes: number;
        options: object;
      };
    };
    const made = await write(plan, { to: 'plan', checkpointing: 'reentrant' });
    expect(made.options).toMatchObject({ checkpointing: 'reentrant' });
    const kinds = (kind: string) => made.steps.filter((step) => step[0] === kind).map((step) => step[1]);
    expect(kinds('hold-gradient').sort()).toEqual(kinds('free-gradient').sort());
    expect(kinds('hold-gradient').length).toBeGreaterThan(2);
    const solved = await json<Printed>((t) => solveCommand('tiny-residual', { plan, json: true }, t));
    expect(solved.rows).toMatchObject([{ strategy: 'plan', peakBytes: made.peakBytes }]);
    const unfreed = { ...made, steps: made.steps.slice(0, -1) };
    writeFileSync(plan, JSON.stringify(unfreed));
    await expect(solveCommand('tiny-residual', { plan }, recorder())).rejects.toThrow(
      /^plan does not apply here: the plan cannot train this network: .* gradient of \S+ is held and never freed$/,
    );
    await write(graph, { to: 'graph' });
    await expect(
      exportCommand(graph, { to: 'torch', checkpointing: 'reentrant' }, recorder()),
    ).rejects.toThrow(/export the plan with --checkpointing non-reentrant$/);
    const asked = await trainRequest('tiny-residual', {
      strategy: 'optimal',
      iterations: '1',
      checkpointing: 'reentrant',
    });
    expect(asked.checkpointing).toBe('reentrant');
  });

  it('writes a graph that it can read again', async () => {
    const path = join(freshFolder(), 'resnet18.json');
    const terminal = recorder();
    await exportCommand('resnet18', { to: 'graph' }, terminal);
    writeFileSync(path, terminal.lines.join('\n'));
    const direct = await json<Printed>((t) => solveCommand('resnet18', { json: true }, t));
    const again = await json<Printed>((t) => solveCommand(path, { json: true }, t));
    expect(again.rows[0]?.peakBytes).toBe(direct.rows[0]?.peakBytes);
  });

  it("draws as 001's figures: elements, operations, Chen's colour beside ours", async () => {
    const drawn = async (model: string): Promise<string> => {
      const terminal = recorder();
      await exportCommand(model, { to: 'dot', batch: '1', strategy: 'optimal' }, terminal);
      return terminal.lines.join('\n');
    };
    // 001, appendix D: Alexnet's source costs 150528, and after convolution and relu the second vertex 193600.
    const alexnet = await drawn('alexnet');
    expect(alexnet).toMatch(/^digraph "alexnet" \{[\s\S]*\}$/);
    expect(alexnet).toContain('v0 [label="input\\n150528"]');
    expect(alexnet).toContain('v1 [label="features.1\\n193600"]');
    expect(alexnet).toContain('v0 -> v1 [label="conv2d, relu"]');
    expect(alexnet.match(/ -> /g)).toHaveLength(12);
    const vgg16 = await drawn('vgg16');
    expect(vgg16).toContain('label="optimal green, chen-greedy red"');
    for (const color of ['green:red', 'green', 'red']) expect(vgg16).toContain(`fillcolor="${color}"`);
    const customnet = await drawn('customnet');
    expect(customnet).toContain('chen-greedy not applicable');
    expect(customnet.match(/fillcolor="green"/g)).toHaveLength(4);
    expect(customnet.match(/^ {2}v\d+ \[/gm)).toHaveLength(35);
  });

  it('writes the division tree with the ids of the tensors', async () => {
    const tree = await json<{ root: { kind: string; source: string; target: string; children: unknown[] } }>(
      (t) => exportCommand('resnet18', { to: 'tree' }, t),
    );
    expect(tree.root).toMatchObject({ kind: 'linear', source: 'input', target: 'fc' });
    expect(tree.root.children.length).toBeGreaterThan(8);
  });

  it('writes a tree decomposition with the ids of the tensors', async () => {
    const file = await json<{ width: number; bags: { parent: number | null; vertices: string[] }[] }>((t) =>
      exportCommand('two-towers', { to: 'decomposition' }, t),
    );
    expect(file.width).toBe(2);
    expect(new Set(file.bags.flatMap(({ vertices }) => vertices)).size).toBe(30);
    expect(file.bags.filter(({ parent }) => parent === null)).toHaveLength(1);
  });

  it('refuses another form', async () => {
    await expect(exportCommand('alexnet', { to: 'pdf' }, recorder())).rejects.toThrow(/--to must be/);
  });

  it('prints the file for PyTorch without a network, and asks for one if needed', async () => {
    const terminal = recorder();
    await exportCommand(undefined, { to: 'torch' }, terminal);
    expect(terminal.lines.join('')).toContain('def apply(model');
    await expect(exportCommand(undefined, { to: 'plan' }, recorder())).rejects.toThrow(
      'name the network or the file whose plan you want',
    );
  });
});
