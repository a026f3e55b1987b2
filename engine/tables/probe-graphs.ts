import { GraphBuilder, type VertexHandle } from '../graph/builder.ts';
import { ADD, CONCAT, conv2d } from '../ops/make.ts';
import { createProblem } from '../problem.ts';
import { createRng } from '../rng.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';
import { buildModel } from '../zoo/zoo.ts';

/** Small graphs on which an exhaustive search says what is best. */

/** The columns of Table 1 of paper 000; its arbitrary graphs once with separators and once without. */
export const PROBE_CLASSES = ['equalChain', 'unequalChain', 'nonLinear', 'arbitrary'] as const;
export type ProbeClass = (typeof PROBE_CLASSES)[number];

export interface Probe {
  readonly name: string;
  readonly problem: Problem;
}

/** Channels of an image of one pixel, so that a tensor is as many floats. */
const WIDTH = 3;

type Draw = (net: Net) => void;

/** Convolutions, sums and concatenations of images of one pixel. */
class Net {
  readonly #builder: GraphBuilder;
  #count = 0;

  constructor(name: string) {
    this.#builder = new GraphBuilder(name);
  }

  source(width = WIDTH): VertexHandle {
    return this.#builder.input('source', [1, width, 1, 1]);
  }

  conv(x: VertexHandle, width = WIDTH): VertexHandle {
    return this.#builder.add(`conv${++this.#count}`, conv2d(width, 1), [x]);
  }

  add(x: VertexHandle, y: VertexHandle): VertexHandle {
    return this.#builder.add(`add${++this.#count}`, ADD, [x, y]);
  }

  concat(...inputs: VertexHandle[]): VertexHandle {
    return this.#builder.add(`concat${++this.#count}`, CONCAT, inputs);
  }

  problem(): Problem {
    return createProblem(this.#builder.build(), 'pytorch');
  }
}

function probe(name: string, draw: Draw): Probe {
  const net = new Net(name);
  draw(net);
  return { name, problem: net.problem() };
}

const equalChain = (tensors: number): Probe =>
  probe(`${tensors} equal tensors`, (net) => {
    let x = net.source();
    for (let i = 1; i < tensors; i++) x = net.conv(x);
  });

const unequalChain = (tensors: number, seed: number): Probe =>
  probe(`${tensors} unequal tensors, seed ${seed}`, (net) => {
    const rng = createRng(seed);
    let x = net.source(1 + rng.below(8));
    for (let i = 1; i < tensors; i++) x = net.conv(x, 1 + rng.below(8));
  });

/** A single tensor between its parts that everything passes through. */
const NON_LINEAR: readonly Probe[] = [
  probe('two residual blocks', (net) => {
    let x = net.conv(net.source());
    for (let i = 0; i < 2; i++) x = net.add(net.conv(net.conv(x)), x);
    net.conv(x);
  }),
  probe('two diamonds', (net) => {
    let x = net.source();
    for (const width of [4, 2]) x = net.concat(net.conv(x, width), net.conv(x));
    net.conv(net.conv(x));
  }),
  probe('three branches', (net) => {
    const x = net.conv(net.source(), 5);
    net.conv(net.conv(net.concat(net.conv(x), net.conv(x, 2), net.conv(x, 1))));
  }),
];

/** Blocks of two branches of drawn widths. */
const drawnBlocks = (seed: number): Probe =>
  probe(`two drawn blocks, seed ${seed}`, (net) => {
    const rng = createRng(seed);
    const width = (): number => 1 + rng.below(8);
    let x = net.source(width());
    for (let i = 0; i < 2; i++) x = net.concat(net.conv(x, width()), net.conv(x, width()));
    net.conv(net.conv(x, width()), width());
  });

/** Two towers of drawn widths. */
const drawnTowers = (seed: number): Probe =>
  probe(`two drawn towers, seed ${seed}`, (net) => {
    const rng = createRng(seed);
    const width = (): number => 1 + rng.below(8);
    const x = net.source(width());
    const tower = (): VertexHandle => net.conv(net.conv(net.conv(x, width()), width()), width());
    net.concat(tower(), tower());
  });

/** None that everything passes through. */
const ARBITRARY: readonly Probe[] = [
  probe('two towers', (net) => {
    const x = net.source();
    const [a, b] = [net.conv(x), net.conv(x)];
    net.concat(net.conv(net.conv(a)), net.conv(net.conv(b)));
  }),
  probe('dense connections', (net) => {
    const x = net.source();
    const a = net.conv(x);
    const b = net.conv(net.concat(x, a));
    const c = net.conv(net.concat(x, a, b));
    net.concat(a, b, c);
  }),
  probe('nested skips', (net) => {
    const x = net.source();
    const a = net.conv(x);
    const c = net.conv(net.conv(a));
    net.add(net.conv(net.add(c, a)), x);
  }),
  probe('crossed towers', (net) => {
    const x = net.source();
    const [a, b] = [net.conv(x), net.conv(x)];
    net.concat(net.conv(net.concat(a, b)), net.conv(net.add(a, b)));
  }),
];

export const PROBES: Readonly<Record<ProbeClass, readonly Probe[]>> = {
  equalChain: [4, 5, 6, 7, 8, 9].map(equalChain),
  unequalChain: [1, 2, 3, 4, 5, 6].map((seed) => unequalChain(8, seed)),
  nonLinear: [...NON_LINEAR, ...[1, 2, 3].map(drawnBlocks)],
  arbitrary: [...ARBITRARY, ...[1, 2].map(drawnTowers)],
};

/** Lengths of the equal chains on which Eq. 2 is counted. */
export const CHAIN_LENGTHS = { from: 3, to: 80 } as const;

const equalLengths = Array.from(
  { length: CHAIN_LENGTHS.to - CHAIN_LENGTHS.from + 1 },
  (_, i) => CHAIN_LENGTHS.from + i,
);

const LARGER_NETWORKS = ['resnet18', 'resnet34', 'resnet50', 'densenet121', 'inceptionv3', 'nasnet', 'darts'];

const network = (name: string): Probe => ({
  name,
  problem: createProblem(buildModel(name, { batch: 1 }), 'pytorch'),
});

/**
 * Larger graphs, for strategies that Eq. 2 measures: no search over all sets reaches them, but the papers' algorithms
 * give the optimum. Built on each call, because only one table needs them.
 */
export function largerProbes(): Readonly<Record<ProbeClass, readonly Probe[]>> {
  return {
    equalChain: equalLengths.filter((length) => length < 4 || length > 9).map(equalChain),
    unequalChain: Array.from({ length: 20 }, (_, i) => unequalChain(10 + 4 * i, 100 + i)),
    nonLinear: LARGER_NETWORKS.map(network),
    arbitrary: [],
  };
}
