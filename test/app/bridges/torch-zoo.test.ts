import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { torchModels } from '../../../app/bridges/torch/torch-models.ts';
import type { ExportForm } from '../../../app/contract/export-file.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { skippedFor } from '../../support/skipped.ts';
import {
  BATCH,
  type PlanOptions,
  type Promised,
  sizeOf,
  type ZooAnswer,
  zooPage,
  zooPlan,
} from '../../support/torch-zoo.ts';
import { runReference, torchPythons } from './python.ts';
import './bridge-file.ts';

/** Networks of both libraries; true when a step runs under its plans, false when they are only matched. */
const NETWORKS: Readonly<Record<string, boolean>> = {
  alexnet: false,
  vgg11: false,
  vgg13: false,
  vgg16: false,
  vgg19: false,
  resnet18: true,
  resnet34: false,
  resnet50: true,
  resnet101: false,
  resnet152: false,
  inceptionv3: true,
  'mobilenet-v2': true,
};
/** Networks of the zoo that torchvision and timm define differently: each is refused with a reason. */
const REFUSED = ['densenet121', 'densenet201', 'nasnet'];
/** Networks that PyTorch computes with other operations. */
const REPLANNED = ['vit-b-16', 'gpt2-fused', 'unet'];

interface Request {
  readonly title: string;
  readonly make: string;
  readonly plan: string;
  /** Prediction of the plan for a regular step and for a step under it. */
  readonly promised: Promised;
  readonly input: readonly number[];
  readonly step?: boolean;
  readonly eval?: boolean;
  readonly autocast?: boolean;
}

describe('the zoo in PyTorch', () => {
  it('every network of the zoo has a model there, or a reason why not', () => {
    const named = MODELS.filter(({ name }) => {
      const models = torchModels(buildModel(name, { batch: 1 }), { model: name });
      return 'models' in models && models.models.length > 0;
    });
    expect(named.map(({ name }) => name)).toEqual(Object.keys(NETWORKS));
  });

  it('the page names each network’s model in PyTorch, or why it is refused', async () => {
    const page = zooPage();
    for (const { name } of MODELS) expect(page).toMatch(new RegExp(`[ |]${name}[ ,.]`));
    await expect(page).toMatchFileSnapshot('../../../docs/pytorch-zoo.md');
  });

  it.each(REFUSED)('a plan of %s is refused with a reason', (model) => {
    expect(() => zooPlan(model, 'optimal')).toThrow(/cannot run in PyTorch: .+; capture your model/);
  });

  it.each(REPLANNED)('a plan of %s promises a peak, and names no operations of PyTorch', (model) => {
    const plan = JSON.parse(zooPlan(model, 'optimal')) as Promised & { operations?: unknown };
    expect(plan.operations).toBeUndefined();
    expect(plan.peakBytes).toBeLessThan(plan.regularPeakBytes);
    expect(zooPlan(model, 'optimal', 'torch')).toContain('PLAN = None');
  });

  it('keeps to program order even if the strategy alone would not', () => {
    const order = (text: string): string[] => {
      const plan = JSON.parse(text) as { steps: [string, string][] };
      return [...new Set(plan.steps.filter(([kind]) => kind === 'forward').map(([, id]) => id))];
    };
    const graph = buildModel('resnet50', { batch: BATCH, input: 64 });
    expect(order(zooPlan('resnet50', 'live'))).toEqual(graph.ids.slice(1));
    expect(order(zooPlan('resnet50', 'live', 'plan'))).not.toEqual(graph.ids.slice(1));
  });
});

for (const { title, python, reason } of torchPythons()) {
  describe.skipIf(reason !== '')(`${title}: plans of the zoo${skippedFor(reason)}`, () => applied(python));
}

function requests(): Request[] {
  const found: Request[] = [];
  const promises = new Map<string, Promised>();
  const plan = (model: string, strategy: string, form?: ExportForm, options: PlanOptions = {}): string => {
    const name = `${[model, strategy, form ?? '', ...Object.values(options)].join('.')}.json`;
    const text = zooPlan(model, strategy, form, options);
    writeFileSync(join(folder, name), text);
    promises.set(name, JSON.parse(text) as Promised);
    return name;
  };
  const ask = (make: string, model: string, name: string, options: Partial<Request> = {}): void => {
    const size = sizeOf(model);
    const promised = promises.get(name)!;
    found.push({ title: `${make} ${name}`, make, plan: name, promised, input: [3, size, size], ...options });
  };
  for (const [model, step] of Object.entries(NETWORKS)) {
    const models = torchModels(buildModel(model, { batch: 1 }), { model });
    if ('reason' in models) throw new Error(models.reason);
    const name = plan(model, 'optimal');
    for (const { make } of models.models) ask(make, model, name);
    if (step) ask(models.models[0]!.make, model, plan(model, 'live'), { step });
  }
  const small = 'mobilenet-v2';
  const dropping = torchModels(buildModel(small, { batch: 1 }), { model: small, dropout: 0.5 });
  const dropped = plan(small, 'live', undefined, { dropout: 0.5 });
  ask('models' in dropping ? dropping.models[0]!.make : '', small, dropped, { step: true });
  const live = plan('resnet18', 'live');
  for (const model of ['resnet18', 'resnet50']) {
    const mixed = plan(model, 'live', undefined, { precision: 'amp-bf16' });
    ask(`torchvision.models.${model}()`, model, mixed, { step: true, autocast: true });
  }
  // Refusals, each with its reason.
  ask('torchvision.models.resnet34()', 'resnet18', live);
  ask('torchvision.models.resnet18(num_classes=10)', 'resnet18', live);
  ask('torchvision.models.resnet18()', 'resnet18', live, { eval: true });
  ask('torchvision.models.resnet18()', 'resnet18', plan('resnet18', 'optimal', 'plan'));
  ask('torchvision.models.densenet121()', 'resnet18', live);
  ask('torchvision.models.inception_v3(init_weights=False)', 'inceptionv3', plan('inceptionv3', 'optimal'));
  return found;
}

const folder = mkdtempSync(join(tmpdir(), 'zigzag-torch-zoo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** The same of every Python. */
let asked: Request[] = [];

function applied(python: string | undefined): void {
  let answers: ZooAnswer[] = [];
  const the = (title: string): ZooAnswer | undefined =>
    answers[asked.findIndex((one) => one.title.includes(title))];

  beforeAll(() => {
    if (asked.length === 0) {
      asked = requests();
      writeFileSync(join(folder, 'requests.json'), JSON.stringify(asked));
    }
    const lines = runReference('torch_zoo.py', [folder], 880_000, python).trim().split('\n');
    answers = lines.map((line) => JSON.parse(line) as ZooAnswer);
    expect(answers).toHaveLength(asked.length);
  });

  it.each(Object.keys(NETWORKS))('%s is found in torchvision’s and timm’s own model', (model) => {
    const here = answers.filter(
      (_, i) => asked[i]?.plan === `${model}.optimal..json` && !isRefusal(asked[i]),
    );
    expect(here.length).toBeGreaterThan(0);
    for (const answer of here) {
      if (answer.absent !== undefined) continue;
      expect(answer).toEqual({ matched: true });
    }
  });

  it('trains bit-identically within the plan’s memory', () => {
    const shares: number[] = [];
    for (const [i, answer] of answers.entries()) {
      const request = asked[i]!;
      if (request.step !== true || answer.absent !== undefined) continue;
      expect(answer, request.title).toMatchObject({ exact: true, left: null });
      expect(answer.recomputed, request.title).toBeGreaterThan(0);
      if (request.autocast === true) continue;
      const share = savedOf(answer) / promisedOf(request);
      expect(share, request.title).toBeGreaterThan(0.95);
      expect(share, request.title).toBeLessThan(1.05);
      shares.push(share);
    }
    expect(shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)]).toBeGreaterThan(0.98);
  });

  it('saves under autocast what a plan in that precision says, plus copies of weights', () => {
    const mixed = [...asked.entries()].filter(([, { autocast }]) => autocast);
    expect(mixed).toHaveLength(2);
    for (const [i, request] of mixed) {
      expect(answers[i], request.title).toMatchObject({ exact: true, left: null });
      const more = savedOf(answers[i]!) - promisedOf(request);
      // A plan names no casts of weights, so the half copies that PyTorch keeps for backward are recomputed.
      expect(more, request.title).toBeGreaterThan(-0.02 * promisedOf(request));
      expect(more, request.title).toBeLessThan(2 * answers[i]!.parameters!);
    }
  });

  it.each([
    ['resnet34() resnet18.live', /is another network: the plan has no counterpart of conv2d/],
    ['num_classes=10', /is another network: the plan has no counterpart of linear of 10 a sample/],
    ['resnet18() resnet18.optimal.plan', /does not say what its operations are/],
    ['densenet121()', /is another network/],
    ['init_weights=False', /is another network|on which this model does not run/],
  ])('refuses %s in one sentence', (title, sentence) => {
    const found = the(title);
    expect(found?.refused).toMatch(sentence);
    expect(found?.refused).not.toContain('\n');
  });

  it('refuses a model in evaluation mode', () => {
    const i = asked.findIndex((request) => request.eval);
    expect(answers[i]?.refused).toMatch(/call model.train\(\) first/);
  });

  const isRefusal = (request: Request | undefined): boolean =>
    request?.make.includes('init_weights') === true;
  const savedOf = ({ regularPeakBytes, peakBytes }: ZooAnswer): number => regularPeakBytes! - peakBytes!;
  const promisedOf = ({ promised: { regularPeakBytes, peakBytes } }: Request): number =>
    regularPeakBytes - peakBytes;
}
