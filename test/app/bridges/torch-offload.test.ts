import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseGraphFile } from '../../../engine/exchange/graph-file.ts';
import { planFile } from '../../../engine/exchange/plan-file.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import type { MemoryModel } from '../../../engine/ops/memory-model.ts';
import { createProblem } from '../../../engine/problem.ts';
import { createRng } from '../../../engine/rng.ts';
import { FETCH, FORWARD, FREE, hasTransfers, type Schedule } from '../../../engine/schedule/schedule.ts';
import { simulate, type Timeline } from '../../../engine/simulate/simulate.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { offloadEverything } from '../../support/offload.ts';
import { withTransfers } from '../../support/random-schedules.ts';
import { skippedFor } from '../../support/skipped.ts';
import { runReference, torchPythons } from './python.ts';
import './bridge-file.ts';

const NETWORKS = ['mobilenet_v2', 'transformer'];
/** Several inputs and outputs, writes in place, an LSTM. */
const ODD = ['several', 'in_place', 'recurrent'];

interface Trained {
  readonly loss: boolean;
  readonly gradientsEqual: boolean;
  readonly buffersEqual: boolean;
  readonly peakBytes: number;
  readonly left: string | null;
  readonly recomputed: number;
  readonly fetched: number;
  readonly hostBytes: number;
}

interface Result {
  readonly regular: { readonly peakBytes: number };
  readonly plans: Readonly<Record<string, Trained>>;
}

for (const { title, python, reason } of torchPythons()) {
  describe.skipIf(reason !== '')(`offloading in ${title}${skippedFor(reason)}`, () => offloading(python));
}

function offloading(python: string | undefined): void {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-offload-'));
  const schedules = new Map<string, Schedule>();
  const timelines = new Map<string, Timeline>();
  const problems = new Map<string, Problem>();
  const resultOf = (name: string): Result =>
    JSON.parse(readFileSync(join(folder, `${name}.result.json`), 'utf8')) as Result;

  beforeAll(() => {
    const run = (action: string) =>
      runReference('torch_bridge.py', [action, folder, ...NETWORKS, ...ODD], 880_000, python);
    run('capture');
    for (const name of [...NETWORKS, ...ODD]) writePlans(name);
    run('train');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** All that can be sent is; some of it under a plan that recomputes; and transfers anywhere. */
  function writePlans(name: string): void {
    const graph = parseGraphFile(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const problem = createProblem(graph, 'pytorch');
    problems.set(name, problem);
    const regular = scheduleOf(problem, 'regular');
    timelines.set(`${name} regular`, simulate(graph, problem.memory, regular));
    const rng = createRng(7);
    const plans: [string, Schedule][] = [
      ['offload', offloadEverything(problem, regular)],
      ['drawn', withTransfers(rng, problem, scheduleOf(problem, 'optimal'))],
      ['again', withTransfers(rng, problem, scheduleOf(problem, 'live'))],
    ];
    const chosen = chosenFor(problem);
    if (chosen !== null) plans.push(['chosen', chosen]);
    for (const [strategy, schedule] of plans) {
      const timeline = simulate(graph, problem.memory, schedule);
      schedules.set(`${name} ${strategy}`, schedule);
      timelines.set(`${name} ${strategy}`, timeline);
      const plan = planFile(graph, { strategy, options: {}, checkpoints: [], schedule, timeline });
      writeFileSync(join(folder, `${name}.${strategy}.plan.json`), JSON.stringify(plan));
    }
  }

  it.each([...NETWORKS, ...ODD])('%s trains bit-identically and follows its plans', (name) => {
    const { plans } = resultOf(name);
    expect(Object.keys(plans).length).toBeGreaterThanOrEqual(3);
    for (const [strategy, plan] of Object.entries(plans)) {
      expect(plan, strategy).toMatchObject({
        loss: true,
        gradientsEqual: true,
        buffersEqual: true,
        left: null,
      });
    }
    expect(plans['offload']).toMatchObject({ recomputed: 0 });
    expect(plans['offload']!.fetched).toBeGreaterThan(0);
    if (NETWORKS.includes(name)) expect(plans['chosen']!.fetched).toBeGreaterThan(0);
  });

  it('are plans with transfers, twice from one copy too', () => {
    const all = [...schedules.values()];
    expect(all.filter(hasTransfers).length).toBeGreaterThan(12);
    expect(all.some((schedule) => timesFetched(schedule) > 1)).toBe(true);
  });

  /** On a CPU host memory is the same memory, so what is there counts in the peak that is measured. */
  it.each(NETWORKS)('%s holds the bytes of its plans, on device and host', (name) => {
    const { plans, regular } = resultOf(name);
    for (const [strategy, { peakBytes, hostBytes }] of Object.entries(plans)) {
      const timeline = timelines.get(`${name} ${strategy}`)!;
      const schedule = schedules.get(`${name} ${strategy}`)!;
      // A tensor fetched within the forward never left: the program itself still holds it.
      const first = schedule.kinds.indexOf(FETCH);
      if (first >= 0 && first < timeline.backwardStart) continue;
      const { graph, memory } = problems.get(name)!;
      const both = timeline.live.map((bytes, t) => bytes + (timeline.host?.bytes[t] ?? 0));
      const named = variableBytes(graph, memory, schedule, timeline.backwardStart);
      const little = 0.02 * regular.peakBytes;
      const said = `${strategy}: ${peakBytes}`;
      expect(peakBytes, said).toBeGreaterThan(Math.max(...both) - little);
      expect(peakBytes, said).toBeLessThan(Math.max(...both.map((bytes, t) => bytes + named[t]!)) + little);
      if (strategy === 'offload')
        expect(Math.abs(hostBytes / timeline.host!.peakBytes - 1)).toBeLessThan(0.02);
    }
  });

  it('refuses in one sentence what it cannot follow', () => {
    const { version, ...plan } = JSON.parse(
      readFileSync(join(folder, 'transformer.offload.plan.json'), 'utf8'),
    ) as { version: number };
    expect(version).toBe(2);
    const bad = { 'later.json': { ...plan, version: 3 }, 'sends.json': { ...plan, version: 1 } };
    for (const [name, text] of Object.entries(bad)) writeFileSync(join(folder, name), JSON.stringify(text));
    const said = runReference('torch_bridge.py', ['refuse', folder, ...Object.keys(bad)], 300_000, python);
    const sentences = JSON.parse(said) as Record<string, string>;
    expect(sentences['later.json']).toMatch(/^the plan is a zigzag-plan\/3, and this zigzag_torch.py reads/);
    expect(sentences['sends.json']).toMatch(/^the plan is a zigzag-plan\/1, which has no send:/);
  });
}

/**
 * Schedule of the strategy halfway between the lowest peak and the regular one, over a link that makes it worthwhile.
 */
function chosenFor(problem: Problem): Schedule | null {
  const peak = (strategy: string): number => solveRow(problem, strategy, { seed: 1 }).peakBytes ?? 0;
  const speed = { flopsPerSecond: 1e10, secondsPerOperation: 1e-6 };
  return solveRow(problem, 'offload', {
    seed: 1,
    budgetBytes: Math.floor((peak('live') + peak('regular')) / 2),
    link: { speed, link: { bytesPerSecond: 100e9, overlaps: true } },
  }).schedule;
}

/**
 * Bytes by step of what a transformer's block names until it returns and the plan has let go: its input, q, k and v, scores,
 * y and x (`Block` in torch_networks.py).
 */
function variableBytes(
  { ids }: Graph,
  { outputBytes }: MemoryModel,
  { kinds, vertices }: Schedule,
  backwardStart: number,
): number[] {
  const blockOf = (v: number): string | undefined => /^blocks\.\d+\./.exec(ids[v] ?? '')?.[0];
  const variables = new Map<string, Set<number>>();
  for (const block of new Set(ids.flatMap((_, v) => blockOf(v) ?? []))) {
    const own = [...ids.keys()].filter((v) => blockOf(v) === block);
    const named = (end: RegExp): number[] => own.filter((v) => end.test(ids[v]!));
    variables.set(
      block,
      new Set([
        own[0]! - 1,
        ...named(/\.qkv\.addmm@/),
        ...named(/\._softmax@/),
        ...named(/\.clone@/).slice(-1),
        ...named(/\.add@/).slice(0, 1),
      ]),
    );
  }
  const gone = new Set<number>();
  return Array.from(kinds, (kind, t) => {
    const v = vertices[t]!;
    if (kind === FREE) gone.add(v);
    else if (kind === FORWARD || kind === FETCH) gone.delete(v);
    const held = t < backwardStart ? variables.get(blockOf(v) ?? '') : undefined;
    return [...(held ?? [])].reduce((sum, u) => sum + (gone.has(u) ? outputBytes[u]! : 0), 0);
  });
}

function scheduleOf(problem: Problem, strategy: string): Schedule {
  const { schedule, reason } = solveRow(problem, strategy, { seed: 1 });
  if (schedule === null) throw new Error(`${strategy}: ${reason}`);
  return schedule;
}

/** Fetches of the copy that is fetched most. */
function timesFetched({ kinds, vertices }: Schedule): number {
  const times = new Map<number, number>();
  kinds.forEach((kind, t) => {
    if (kind === FETCH) times.set(vertices[t]!, (times.get(vertices[t]!) ?? 0) + 1);
  });
  return Math.max(0, ...times.values());
}
