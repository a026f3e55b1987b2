import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { type Graph, idOf, predecessorsOf, successorsOf } from '../../../engine/graph/graph.ts';
import {
  ADD,
  batchNorm,
  conv2d,
  FLATTEN,
  linear,
  maxPool,
  RELU,
  RELU_INPLACE,
} from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { reentrantSchedule } from '../../../engine/schedule/reentrant.ts';
import { BACKWARD, FORWARD, FREE_GRADIENT, HOLD_GRADIENT } from '../../../engine/schedule/schedule.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, runReference, torchPythons } from './python.ts';
import './bridge-file.ts';

type Layer = readonly [id: string, kind: string, inputs: readonly string[], number?: number];

interface Network {
  readonly title: string;
  readonly input: readonly [number, number, number, number];
  readonly layers: readonly Layer[];
  readonly segments: readonly { readonly ids: readonly string[]; readonly plain: boolean }[];
}

/** Ids in segments, `|` between them; a segment in brackets runs without checkpointing. */
function cut(drawing: string): Network['segments'] {
  return drawing.split('|').map((text) => ({
    ids: text.replace(/[[\]]/g, '').trim().split(/\s+/),
    plain: text.includes('['),
  }));
}

const VGG: readonly Layer[] = [
  ['c1', 'conv', ['x'], 6],
  ['r1', 'relu_', ['c1']],
  ['p1', 'pool', ['r1']],
  ['c2', 'conv', ['p1'], 8],
  ['r2', 'relu_', ['c2']],
  ['c3', 'conv', ['r2'], 7],
  ['r3', 'relu', ['c3']],
  ['p2', 'pool', ['r3']],
  ['f', 'flatten', ['p2']],
  ['l1', 'linear', ['f'], 11],
  ['r4', 'relu_', ['l1']],
  ['l2', 'linear', ['r4'], 5],
];

const RESIDUAL: readonly Layer[] = [
  ['c1', 'conv', ['x'], 6],
  ['b1', 'bn', ['c1']],
  ['r1', 'relu_', ['b1']],
  ['c2', 'conv', ['r1'], 6],
  ['b2', 'bn', ['c2']],
  ['r2', 'relu_', ['b2']],
  ['c3', 'conv', ['r2'], 6],
  ['b3', 'bn', ['c3']],
  ['s', 'add', ['b3', 'r1']],
  ['r3', 'relu_', ['s']],
  ['p', 'pool', ['r3']],
  ['f', 'flatten', ['p']],
  ['l', 'linear', ['f'], 5],
];

const networks: readonly Network[] = [
  ['VGG in three segments', VGG, 'c1 r1 p1 | c2 r2 c3 r3 p2 | f l1 r4 l2'],
  ['VGG, a view at a border', VGG, 'c1 r1 | p1 c2 r2 c3 | r3 p2 f | l1 r4 | l2'],
  ['VGG, the last segment plain', VGG, 'c1 r1 p1 c2 r2 | c3 r3 p2 | [f l1 r4 l2]'],
  ['VGG as one segment', VGG, 'c1 r1 p1 c2 r2 c3 r3 p2 f l1 r4 l2'],
  ['a residual network, the block whole', RESIDUAL, 'c1 b1 r1 | c2 b2 r2 c3 b3 s r3 | p f l'],
  ['a residual network, its sum outside of segments', RESIDUAL, 'c1 b1 r1 | c2 b2 r2 c3 b3 | [s r3] | p f l'],
  ['a residual network, its block cut', RESIDUAL, 'c1 b1 r1 c2 b2 r2 | c3 b3 s r3 p | f l'],
].map(([title, layers, drawing]) => ({
  title: title as string,
  input: [3, 4, 12, 12],
  layers: layers as readonly Layer[],
  segments: cut(drawing as string),
}));

function graphOf({ input, layers }: Network): Graph {
  const b = new GraphBuilder('reentrant');
  b.input('x', [...input]);
  for (const [id, kind, inputs, number = 0] of layers) {
    const operation = {
      conv: conv2d(number, 3, { padding: 1 }),
      relu: RELU,
      relu_: RELU_INPLACE,
      pool: maxPool(2, { stride: 2 }),
      bn: batchNorm(),
      add: ADD,
      flatten: FLATTEN,
      linear: linear(number),
    }[kind];
    if (operation === undefined) throw new Error(`no layer is a ${kind}`);
    b.add(id, operation, [...inputs]);
  }
  return b.build();
}

type Sample = readonly [pass: string, id: string | null, bytes: number];

/** Memory in the simulator at every operation that PyTorch runs as one of its own. */
function simulated(network: Network): Sample[] {
  const { graph, memory } = createProblem(graphOf(network), 'pytorch');
  const segments = network.segments.map(({ ids }) => ids.map((id) => graph.ids.indexOf(id)));
  const joins = new Uint8Array(graph.size);
  network.segments.forEach(({ plain }, s) => {
    if (plain) for (const v of segments[s] ?? []) joins[v] = 1;
  });
  const plan = { segments, kept: new Uint8Array(graph.size), recomputeLast: true, joins };
  const schedule = reentrantSchedule(graph, memory, plan);
  const { live, backwardStart } = simulate(graph, memory, schedule);
  const home = new Map(segments.flatMap((segment, s) => segment.map((v) => [v, s])));
  const plainOf = (v: number): boolean => joins[v] === 1;
  const samples: Sample[] = [];
  const hasGradient = new Set<number>();
  const held = new Set<number>();
  /** PyTorch's bytes beside the gradient that we count, less those it shares where we count two; by vertex. */
  const differs = new Map<number, number>();
  const others = (): number => [...differs.values()].reduce((sum, difference) => sum + difference, 0);
  // M6 counts the target's gradient from its backward on; PyTorch makes it before the last segment is recomputed.
  let early = memory.gradientBytes[graph.size - 1] ?? 0;
  schedule.kinds.forEach((kind, t) => {
    const v = schedule.vertices[t] ?? 0;
    const is = graph.operations[v]?.kind;
    const bytes = live[t] ?? 0;
    if (kind === FORWARD && is !== 'flatten') {
      samples.push(['forward', idOf(graph, v), bytes + (t < backwardStart ? 0 : early) + others()]);
    }
    if (kind === HOLD_GRADIENT) held.add(v);
    if (kind === FREE_GRADIENT) {
      held.delete(v);
      differs.delete(v);
    }
    if (kind !== BACKWARD) return;
    early = 0;
    // M4 adds up in place, where PyTorch has both parts until they are added, and the outer part of an output that
    // is read inside as well until it has run backward.
    let beside = 0;
    const outer: number[] = [];
    for (const u of predecessorsOf(graph, v)) {
      if (hasGradient.has(u)) {
        beside += memory.gradientBytes[u] ?? 0;
        if (held.has(u) && u > 0) outer.push(u);
      }
      hasGradient.add(u);
    }
    if (is !== 'add' && is !== 'flatten')
      samples.push(['backward', idOf(graph, v), bytes + beside + others()]);
    if (!held.has(v) || (differs.get(v) ?? 0) > 0) differs.delete(v);
    for (const u of outer) differs.set(u, memory.gradientBytes[u] ?? 0);
    // And it gives each input of a sum a gradient of its own, where PyTorch hands both the same one, unless the other
    // is given to the segment for nothing else: its gradient is then copied at once.
    const [first = 0, second = 0] = predecessorsOf(graph, v);
    const readers = [...successorsOf(graph, second)].filter((w) => home.get(w) === home.get(v));
    const isCopied = home.get(second) !== home.get(v) && readers.length === 1 && !plainOf(v);
    if (is === 'add' && !isCopied) differs.set(first, -(memory.gradientBytes[first] ?? 0));
  });
  return samples;
}

for (const { title, python, reason } of torchPythons()) {
  describe.skipIf(reason !== '')(
    `[M14] [M15] [M16] [M17] reentrant segments in ${title}${skippedFor(reason)}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'zigzag-reentrant-'));
      afterAll(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'networks.json');
      let measured: readonly (readonly Sample[])[] | null = null;
      const samplesOf = (i: number): readonly Sample[] => {
        if (measured === null) {
          writeFileSync(
            file,
            JSON.stringify(
              networks.map((n) => ({ ...n, layers: n.layers.map((l) => [...l, 0].slice(0, 4)) })),
            ),
          );
          measured = answerOf(runReference('torch_reentrant.py', [file], 120_000, python));
        }
        return measured?.[i] ?? [];
      };

      it.each(networks.map((network, i) => [network.title, network, i] as const))(
        '%s: the same bytes at every operation',
        (_title, network, i) => {
          const expected = simulated(network);
          const found = samplesOf(i).map(
            ([pass, id, bytes], t): Sample => [pass, id ?? expected[t]?.[1] ?? null, bytes],
          );
          expect(found).toEqual(expected);
        },
        130_000,
      );

      it('the file for PyTorch refuses a plan that holds gradients in one sentence', () => {
        const steps = [
          ['forward', 'a'],
          ['hold-gradient', 'a'],
        ];
        const plan = JSON.stringify({ format: 'zigzag-plan', version: 1, steps });
        const program = `import json, sys, torch
sys.dont_write_bytecode = True
import zigzag_torch
try:
    zigzag_torch.apply(torch.nn.Linear(1, 1), json.loads(${JSON.stringify(plan)}))
except zigzag_torch.PlanMismatch as error:
    print(error)`;
        const { stdout, stderr } = spawnSync(python ?? '', ['-c', program], { encoding: 'utf8' });
        expect(stdout + stderr).toMatch(
          /^the plan holds gradients, as reentrant .* --checkpointing non-reentrant\n$/,
        );
      });
    },
  );
}
