import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineReply, EngineRequest, EngineResult } from '../../../app/bridges/torch/answer.ts';
import { stitched } from '../../../app/bridges/torch/stitch.ts';
import { torchFile } from '../../../app/bridges/torch/torch-file.ts';
import { findTorch2Python, findTorchPython } from '../../../app/start/python.mjs';
import { buildWheel } from '../../../app/start/wheel.mjs';
import packageFile from '../../../package.json' with { type: 'json' };
import { skippedFor } from '../../support/skipped.ts';
import { NO_TORCH, runReference } from './python.ts';
import { printed, withoutTime } from './printed.ts';

const PYTHON = findTorchPython() ?? 'python3';
/** Its path, which is needed once the search path is empty. */
const WHERE = spawnSync(PYTHON, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
const NO_PYTHON = WHERE.status === 0 ? '' : 'there is no Python 3: install it, or name one in ZIGZAG_PYTHON';
const hasRacer = (python: string | undefined): boolean =>
  python !== undefined && spawnSync(python, ['-c', 'import py_mini_racer']).status === 0;
const RACER_PYTHON = [PYTHON, findTorch2Python()].find(hasRacer);
const NO_RACER = RACER_PYTHON ? '' : 'there is no mini-racer: .ci/run installs it, or pip does';

const folder = mkdtempSync(join(tmpdir(), 'zigzag-wheel-'));
const site = join(folder, 'site');
let wheel = '';
const files = new Map<string, string>();

beforeAll(async () => {
  wheel = await buildWheel(folder);
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(wheel)))) {
    files.set(name, strFromU8(bytes));
    mkdirSync(join(site, dirname(name)), { recursive: true });
    writeFileSync(join(site, name), bytes);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the wheel', () => {
  const info = `zigzag_lab-${packageFile.version}.dist-info`;

  it('is named as pip expects, and holds the package, the engine and their licence', () => {
    expect(basename(wheel)).toBe(`zigzag_lab-${packageFile.version}-py3-none-any.whl`);
    expect([...files.keys()].sort()).toEqual(
      [
        'zigzag/__init__.py',
        ...[...readdirSync('app/bridges/torch/zigzag_lab'), 'engine.js', 'py.typed', 'version.py']
          .filter((name) => /\.(py|js|typed)$/.test(name))
          .map((name) => `zigzag_lab/${name}`),
        ...[...readdirSync('app/bridges/torch/zigzag_torch'), 'engine_facts.py']
          .filter((name) => name.endsWith('.py'))
          .map((name) => `zigzag_lab/zigzag_torch/${name}`),
        ...['LICENSE', 'METADATA', 'RECORD', 'WHEEL'].map((name) => `${info}/${name}`),
      ].sort(),
    );
    expect(files.get(`${info}/WHEEL`)).toMatch(
      /^Wheel-Version: 1\.0\n[\s\S]*^Root-Is-Purelib: true\nTag: py3-none-any\n$/m,
    );
    const metadata = files.get(`${info}/METADATA`)!;
    expect(metadata).toMatch(new RegExp(`^Name: zigzag-lab\nVersion: ${packageFile.version}\n`, 'm'));
    expect(metadata).toMatch(/^Requires-Dist: mini-racer.*extra == 'engine'/m);
    expect(metadata).toMatch(/^Requires-Dist: torch>=1\.13$/m);
    expect(files.get(`${info}/LICENSE`)).toBe(readFileSync('LICENSE', 'utf8'));
  });

  it('records every file with its hash and size', () => {
    const lines = files.get(`${info}/RECORD`)!.trimEnd().split('\n');
    const recorded = Object.fromEntries(lines.map((line) => [line.split(',')[0], line]));
    expect(Object.keys(recorded).sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) {
      const hash = createHash('sha256').update(text).digest('base64url');
      const rest = name.endsWith('/RECORD') ? ',' : `sha256=${hash},${Buffer.byteLength(text)}`;
      expect(recorded[name]).toBe(`${name},${rest}`);
    }
  });

  it('has the same bytes each time', async () => {
    const again = await buildWheel(join(folder, 'again'));
    expect(readFileSync(again).equals(readFileSync(wheel))).toBe(true);
  });

  it('holds the modules of the bridge that can be copied alone as one file', () => {
    const modules = [...files].filter(([name]) => name.startsWith('zigzag_lab/zigzag_torch/'));
    expect(stitched(Object.fromEntries(modules))).toBe(torchFile());
  });
});

describe('the engine in the wheel', () => {
  /** In a world that has the language's own objects and nothing else: no Node, no page. */
  function ask(request: EngineRequest): EngineReply {
    const context = createContext({ request: JSON.stringify(request) });
    return JSON.parse(runInContext(`${files.get('zigzag_lab/engine.js')}\nzigzagReply(request)`, context));
  }
  function solved(request: EngineRequest): EngineResult {
    const answered = ask(request);
    if ('error' in answered) throw new Error(answered.error.message);
    return answered.result;
  }
  function refused(request: EngineRequest): { code: string; message: string; leastBudget?: string } {
    const answered = ask(request);
    if ('result' in answered) throw new Error('it was answered');
    return answered.error;
  }

  const asked: [string, string, Omit<EngineRequest, 'graph'>, string[]][] = [
    ['resnet18', 'optimal', {}, []],
    ['densenet121', 'live', { strategy: 'live' }, ['--strategy', 'live']],
    ['resnet50', 'a budget', { budget: '40MiB' }, ['--budget', '40MiB']],
    ['chain-30', 'slots', { strategy: 'revolve', slots: 4 }, ['--strategy', 'revolve', '--slots', '4']],
    [
      'vgg11',
      'segments',
      { strategy: 'sequential', segments: 3 },
      ['--strategy', 'sequential', '--segments', '3'],
    ],
    ['vgg11', 'a seed', { strategy: 'random', seed: 9 }, ['--strategy', 'random', '--seed', '9']],
    [
      'tiny-residual',
      'a batch and the other profile',
      { strategy: 'live', batch: 3, profile: 'tfjs' },
      ['--strategy', 'live', '--batch', '3', '--profile', 'tfjs'],
    ],
    [
      'vgg11',
      'own checkpoints',
      { strategy: 'manual', checkpoints: ['features.5', 'features.10'] },
      ['--strategy', 'manual', '--checkpoints', 'features.5,features.10'],
    ],
  ];

  it.each(asked)('solves %s with %s as the command line, byte for byte', async (model, _, request, flags) => {
    const file = join(folder, `${model}.json`);
    writeFileSync(file, await printed('export', model, '--to', 'graph'));
    const graph: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { plan, head, row } = solved({ graph, ...request });
    expect(plan).toBe(await printed('export', file, ...flags, '--to', 'plan'));
    const said = await printed('solve', file, ...flags, '--json');
    expect(JSON.stringify({ ...head, rows: [row] })).toBe(JSON.stringify(withoutTime(said)));
  });

  const small = async (): Promise<unknown> =>
    JSON.parse(await printed('export', 'resnet18', '--to', 'graph'));

  it('takes a share of the regular peak, and the knee as a budget that the command line can be given', async () => {
    const graph = await small();
    const half = solved({ graph, budget: '50%' });
    expect(half.budgetBytes).toBe(Math.floor(half.head.regularPeakBytes / 2));
    const knee = solved({ graph, budget: 'knee' });
    expect(knee.front?.map(([peak]) => peak)).toContain(knee.budgetBytes);
    expect(knee.plan).toBe(solved({ graph, budget: knee.budgetBytes }).plan);
  });

  it('subtracts stationary bytes from a budget in bytes, not from a share', async () => {
    const graph = await small();
    const stationary = [['Parameters', 5_000_000]] as const;
    expect(solved({ graph, budget: '25MB', stationary }).budgetBytes).toBe(20_000_000);
    expect(solved({ graph, budget: '60%', stationary }).budgetBytes).toBe(
      solved({ graph, budget: '60%' }).budgetBytes,
    );
  });

  it.each([
    ['a share', '1%', []],
    ['bytes', 1000, []],
    ['less than is stationary', '2MB', [['Parameters', 5_000_000]]],
  ] as const)(
    'refuses too small a budget in one sentence with the least that works: %s',
    async (_, budget, stationary) => {
      const graph = await small();
      const { code, message, leastBudget } = refused({ graph, budget, stationary });
      expect(code).toBe('INFEASIBLE');
      expect(message).toContain(`the smallest budget known to work is ${leastBudget}`);
      expect(message).not.toContain('\n');
      expect(solved({ graph, budget: leastBudget!, stationary }).row.peakBytes).toBeGreaterThan(0);
    },
  );

  it.each(['much', '0%', '-5', '', 'Knee', 0, -1])('refuses the budget %o', async (budget) => {
    const { code, message } = refused({ graph: await small(), budget });
    expect(code).toBe('BAD_INPUT');
    expect(message).toMatch(/^a budget is a share of the regular peak such as '60%', .*, got /);
  });

  it('refuses an invalid graph with the place of the error', () => {
    const graph = {
      format: 'zigzag-graph',
      version: 1,
      vertices: [{ id: 'a', bytes: -4 }, { id: 'b' }],
      edges: [],
    };
    expect(refused({ graph })).toEqual({
      code: 'BAD_INPUT',
      message: 'vertices[0].bytes: expected a non-negative integer, got -4',
    });
  });
});

describe.skipIf(NO_PYTHON !== '')(`the engine from Python${skippedFor(NO_PYTHON)}`, () => {
  const python = WHERE.stdout.trim();
  const script = `import json, sys
sys.path.insert(0, sys.argv[1])
import engine
try:
    print(engine.solve(json.loads(sys.argv[2]), 'regular').plan_text, end='')
except Exception as error:
    print(type(error).__name__, error, sep=': ')`;
  const graph = {
    format: 'zigzag-graph',
    version: 1,
    name: 'π "quoted"',
    vertices: [1, 2, 3].map((i) => ({ id: `v${i}`, bytes: i * 1000 })),
    edges: [
      ['v1', 'v2'],
      ['v2', 'v3'],
    ],
  };

  /** Without the package around it, which needs torch. */
  function run(path: string, by = python): string {
    const env = { ...process.env, PATH: path };
    const args = ['-c', script, join(site, 'zigzag_lab'), JSON.stringify(graph)];
    const { stdout, stderr } = spawnSync(by, args, { encoding: 'utf8', env });
    expect(stderr).toBe('');
    return stdout;
  }

  /** A Node that is none, in a folder of its own. */
  function stub(name: string, lines: string): string {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'node'), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return path;
  }

  async function expected(): Promise<string> {
    const file = join(folder, 'small.json');
    writeFileSync(file, JSON.stringify(graph));
    return printed('export', file, '--strategy', 'regular', '--to', 'plan');
  }

  it('runs in the Node on the path', async () => {
    expect(run(dirname(process.execPath))).toBe(await expected());
  });

  it.skipIf(NO_RACER !== '')(`runs in V8 inside Python without Node${skippedFor(NO_RACER)}`, async () => {
    expect(run('', RACER_PYTHON)).toBe(await expected());
    expect(run(stub('old', 'exit 64'), RACER_PYTHON)).toBe(await expected());
  });

  it.skipIf(hasRacer(PYTHON))('says in one sentence what to install if nothing can run it', () => {
    const remedy = 'install Node 20 or newer, or `pip install mini-racer`\n';
    expect(run('')).toBe(`EngineMissing: nothing here can run the engine: ${remedy}`);
    const old = stub('old', 'exit 64');
    expect(run(old)).toBe(
      `EngineMissing: nothing here can run the engine (${join(old, 'node')} is older than 20): ${remedy}`,
    );
    const broken = stub('broken', 'echo "FATAL: heap out of memory" >&2; exit 134');
    expect(run(broken)).toBe(
      `EngineFailed: ${join(broken, 'node')} ended with exit code 134: FATAL: heap out of memory\n`,
    );
  });
});

describe.skipIf(NO_TORCH !== '')(`the package with PyTorch${skippedFor(NO_TORCH)}`, () => {
  const NETWORKS = ['transformer', 'several', 'mobilenet_v2'];
  const FLAGS: Readonly<Record<string, readonly string[]>> = {
    optimal: [],
    live: ['--strategy', 'live'],
    share: [],
    knee: [],
    revolve: ['--strategy', 'revolve', '--slots', '3'],
    random: ['--strategy', 'random', '--seed', '7', '--batch', '2'],
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  beforeAll(() => {
    runReference('torch_wheel.py', ['solve', site, folder, ...NETWORKS]);
    runReference('torch_wheel.py', ['fit', site, folder]);
  });

  it.each(NETWORKS)('gives a captured %s the plans of the command line, byte for byte', async (name) => {
    for (const [key, flags] of Object.entries(FLAGS)) {
      const { budgetBytes = null, refused, ...said } = JSON.parse(read(`${name}.${key}.row`));
      const budget = budgetBytes === null ? [] : ['--budget', String(budgetBytes)];
      const args = [join(folder, `${name}.json`), ...flags, ...budget];
      if (refused !== undefined) {
        expect(['random', 'revolve']).toContain(key);
        await expect(printed('export', ...args, '--to', 'plan')).rejects.toThrow(refused);
        continue;
      }
      expect(read(`${name}.${key}.plan`)).toBe(await printed('export', ...args, '--to', 'plan'));
      expect(said).toEqual(withoutTime(await printed('solve', ...args, '--json')));
    }
  });

  interface Fitted {
    readonly said: string;
    readonly sentence: string;
    readonly rows: readonly (readonly [string, string])[];
    readonly same: boolean;
    readonly applied: boolean;
    readonly loss: boolean;
    readonly worst: number;
    readonly peak: number;
    readonly regular: number;
    readonly parameters: number;
    readonly stationary: Readonly<Record<string, number>>;
    readonly remark: string | null;
    readonly roomy: readonly [boolean, string];
    readonly opened: readonly [null, string];
    readonly document: object;
    readonly [refusal: string]: unknown;
  }
  const fitted = (): Fitted => JSON.parse(read('fit.json')) as Fitted;

  it('fits a model into a share of its peak: the same step, one line, a report', () => {
    const { said, sentence, same, applied, loss, worst, peak, regular, rows } = fitted();
    expect([same, applied]).toEqual([true, true]);
    expect(loss).toBe(true);
    expect(worst).toBe(0);
    expect(peak).toBeLessThanOrEqual(regular * 0.6);
    expect(said).toBe(`${sentence}\n`);
    expect(sentence).toMatch(/^Transformer: budget peaks at .* instead of .* more time \(predicted\)\.$/);
    const names = rows.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['Budget asked for', 'Peak of a step', 'State of AdamW']));
    expect(rows).toContainEqual(['Verified', 'a step is bit-identical']);
    const html = read('report.html');
    expect(html).toMatch(/^<div class="zigzag-report">.*<\/div>$/s);
    expect(html).toContain(`<p>${sentence}</p>`);
    expect(html.match(/<path class="line /g)).toHaveLength(2);
    // Nothing of the page around it is styled.
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
    for (const [, selector = ''] of style.matchAll(/(?:^|\})\s*([^@{}]+)\{/gm)) {
      for (const part of selector.split(',')) expect(part.trim()).toMatch(/^\.zigzag-report\b/);
    }
  });

  it('counts memory outside a step, by the type of the optimizer', () => {
    const { parameters, stationary, remark } = fitted();
    expect(stationary).toEqual({
      'Parameters and buffers': parameters,
      'Their gradients': parameters,
      'State of SGD': parameters,
    });
    expect(remark).toBeNull();
  });

  it('names the least budget known to work, which then works', () => {
    const { small, again, device, deviceAgain } = fitted();
    expect(small).toMatchObject({
      type: 'CannotFit',
      message: expect.stringMatching(
        /^no known schedule fits .*; the smallest budget known to work is [\d.]+%$/,
      ),
    });
    expect(device).toMatchObject({
      type: 'CannotFit',
      least: expect.any(Number),
      message: expect.stringMatching(/^a budget of 100kB is too small: .* known to work is \d+ bytes$/),
    });
    expect([again, deviceAgain]).toEqual([null, null]);
  });

  it('replaces a model’s plan, and keeps the old one if the new fit fails', () => {
    const { twice, followed } = fitted();
    expect(twice).toEqual(['CannotFit', true, false]);
    expect(followed).toBe('the model has not run under a plan');
  });

  it('leaves a model unchanged that already fits', () => {
    expect(fitted().roomy).toEqual([false, 'Transformer fits as it is: nothing was changed.']);
  });

  it('writes the graph, and says how to open it, without a lab', () => {
    const { opened, document } = fitted();
    const [address, said] = opened;
    expect(address).toBeNull();
    const [, file = ''] = /^to see it in the lab, run `zigzag serve (.*)`, or .*\n$/.exec(said) ?? [];
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
    rmSync(dirname(file), { recursive: true });
  });

  it.each([
    ['nonsense', /^a budget is a share .*, got "much"$/],
    [
      'uncheckpointed',
      /^budget='checkpointing' is the memory of the model's own gradient checkpointing, and it has none: turn it on, or give a budget such as '60%'$/,
    ],
    ['half', /^a budget is a text such as .*, got 0\.5$/],
    ['stranger', /^this Transformer has no report: /],
  ])('refuses %s in one sentence', (key, message) => {
    expect(fitted()[key]).toMatchObject({ type: 'BadInput', message: expect.stringMatching(message) });
  });
});
