import { GraphBuilder } from '../graph/builder.ts';
import { defaultRoles } from '../graph/default-roles.ts';
import { createProblem } from '../problem.ts';
import { solveRow } from '../strategies/solve.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';
import { cifarResnet } from '../zoo/cifar-resnet.ts';
import type { TableRecipe, TableRow } from './table.ts';

/** "the following memory and execution times for batch size = 1280" (article 002). */
const BATCH = 1280;
const GB = 1e9;

/** "Extrapolating memory requirement of standard approach gives 60GB ... accomplishes it in 6GB of RAM." */
const PRINTED = { regularGB: 60, automaticGB: 6 } as const;
/** "20% increase in wall-clock time on GTX1080, and 30% increase in wall-clock time on V100 GPU" */
const PRINTED_OVERHEAD = '20 to 30';

/** The last is the depth of the printed figures: the picture in the package's README ends at 200 blocks, 6n + 2. */
const DEPTHS = [20, 32, 56, 110, 218, 434, 1202] as const;

/** Peaks in bytes, and the share of time that the automatic mode adds. */
interface Figures {
  readonly regular: number;
  readonly plainRegular: number;
  readonly sqrt: number;
  readonly automatic: number;
  readonly plainAutomatic: number;
  readonly speed: number;
  readonly overhead: number;
}

/**
 * Memory against depth of the CIFAR-10 ResNet (articles 002 and 003): regular training, the package's automatic mode and
 * its collection `speed`, and Chen's rule of the square root. The package's benchmark can leave batch norm out, which
 * halves what backward needs: regular training and the automatic mode are computed both ways.
 */
export function depthRecipe(): TableRecipe {
  const known = new Map<number, Figures>();
  const figures = (depth: number): Figures => {
    const found = known.get(depth) ?? figuresOf(depth);
    known.set(depth, found);
    return found;
  };
  const rowOf = (index: number): TableRow => {
    const depth = DEPTHS[index] ?? 0;
    const before = DEPTHS[index - 1];
    const own = figures(depth);
    const isPrinted = index === DEPTHS.length - 1;
    const growth = (of: 'regular' | 'sqrt' | 'automatic'): number | null =>
      before === undefined
        ? null
        : hundredths(Math.log(own[of] / figures(before)[of]) / Math.log(depth / before));
    return {
      depth: `CIFAR ResNet-${depth}`,
      layers: depth,
      model: `cifar-resnet-${depth}`,
      paperRegularGB: isPrinted ? PRINTED.regularGB : null,
      regularGB: hundredths(own.regular / GB),
      regularGrowth: growth('regular'),
      plainRegularGB: hundredths(own.plainRegular / GB),
      paperAutomaticGB: isPrinted ? PRINTED.automaticGB : null,
      articulationGB: hundredths(own.automatic / GB),
      articulationGrowth: growth('automatic'),
      plainArticulationGB: hundredths(own.plainAutomatic / GB),
      sqrtGB: hundredths(own.sqrt / GB),
      sqrtGrowth: growth('sqrt'),
      speedGB: hundredths(own.speed / GB),
      paperOverheadPct: PRINTED_OVERHEAD,
      overheadPct: Math.round(own.overhead * 1000) / 10,
    };
  };
  return {
    head: {
      name: 'depth',
      title: 'Memory against depth, CIFAR-10 ResNet at batch 1,280',
      citation: 'Bulatov, Fitting larger networks into memory, 2018',
      notes: [
        'GB are 10^9 bytes: the simulated peak, float32, profile pytorch, weights excluded. Automatic: articulation points; √n: Chen’s rule; speed: outputs of convolutions and matrix products.',
        'Growth: the exponent of depth since the row above; 1 is linear, 0.5 the square root.',
        'The article’s 6 GB is the automatic mode. It names no depth; the picture in the package’s README ends at 200 blocks, 1,202 layers.',
        'At this depth the 6 GB is near the automatic mode with batch norm, but the extrapolated 60 GB is near regular training without it, or the collection speed. The cause is unknown; the package’s benchmark has a switch for batch norm.',
      ],
      columns: [
        { key: 'depth', title: 'network', from: 'both', digits: 0 },
        { key: 'paperRegularGB', title: 'regular GB', from: 'paper', digits: 0 },
        { key: 'regularGB', title: 'regular GB', from: 'ours', digits: 2 },
        { key: 'regularGrowth', title: 'growth', from: 'ours', digits: 2 },
        { key: 'plainRegularGB', title: 'regular GB, no batch norm', from: 'ours', digits: 2 },
        { key: 'paperAutomaticGB', title: 'automatic GB', from: 'paper', digits: 0 },
        { key: 'articulationGB', title: 'automatic GB', from: 'ours', digits: 2 },
        { key: 'articulationGrowth', title: 'growth', from: 'ours', digits: 2 },
        { key: 'plainArticulationGB', title: 'automatic GB, no batch norm', from: 'ours', digits: 2 },
        { key: 'sqrtGB', title: '√n GB', from: 'ours', digits: 2 },
        { key: 'sqrtGrowth', title: 'growth', from: 'ours', digits: 2 },
        { key: 'speedGB', title: 'speed GB', from: 'ours', digits: 2 },
        { key: 'paperOverheadPct', title: 'overhead %', from: 'paper', digits: 0 },
        { key: 'overheadPct', title: 'overhead %, automatic, predicted', from: 'ours', digits: 1 },
      ],
    },
    networks: DEPTHS.map((depth) => `CIFAR ResNet-${depth}`),
    rowOf,
  };
}

function figuresOf(depth: number): Figures {
  const problem = problemOf(depth, true);
  const plain = problemOf(depth, false);
  const peak = (of: Problem, strategy: string): number =>
    solveRow(of, strategy, { seed: 0 }).peakBytes ?? Number.NaN;
  return {
    regular: peak(problem, 'regular'),
    plainRegular: peak(plain, 'regular'),
    sqrt: peak(problem, 'chen-sqrt'),
    automatic: peak(problem, 'articulation'),
    plainAutomatic: peak(plain, 'articulation'),
    speed: peak(problem, 'speed'),
    overhead: solveRow(problem, 'articulation', { seed: 0 }).predictedOverhead ?? Number.NaN,
  };
}

function problemOf(depth: number, norm: boolean): Problem {
  const { info, build } = cifarResnet(depth, norm);
  const builder = new GraphBuilder(info.name);
  build(builder, { batch: BATCH, input: info.defaultInput, dropout: 0 });
  const graph = builder.build();
  return createProblem({ ...graph, roles: defaultRoles(graph) }, 'pytorch');
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
