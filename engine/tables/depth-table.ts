import { createProblem } from '../problem.ts';
import { solveRow } from '../strategies/solve.ts';
import { buildModel } from '../zoo/zoo.ts';
import type { TableRecipe, TableRow } from './table.ts';

/** "the following memory and execution times for batch size = 1280" (article 002). */
const BATCH = 1280;
const GB = 1e9;

/** "Extrapolating memory requirement of standard approach gives 60GB ... accomplishes it in 6GB of RAM." */
const PRINTED = { regularGB: 60, sqrtGB: 6 } as const;
/** "20% increase in wall-clock time on GTX1080, and 30% increase in wall-clock time on V100 GPU" */
const PRINTED_OVERHEAD = '20 to 30';

const DEPTHS = [20, 32, 56, 110, 218, 434] as const;

/** Peaks in bytes, and the share of time that the rule of the square root adds. */
interface Figures {
  readonly regular: number;
  readonly sqrt: number;
  readonly articulation: number;
  readonly speed: number;
  readonly overhead: number;
}

/**
 * Memory against depth of the CIFAR-10 ResNet (articles 002 and 003): regular training, Chen's rule of the square
 * root, the package's automatic mode and its collection `speed`. The article names no depth for its 60 GB: the
 * last row is the first depth at which regular training needs that much here.
 */
export function depthRecipe(): TableRecipe {
  const known = new Map<number, Figures>();
  const figures = (depth: number): Figures => {
    const found = known.get(depth) ?? figuresOf(depth);
    known.set(depth, found);
    return found;
  };
  const depths = [...DEPTHS, depthOf(PRINTED.regularGB * GB, figures)];
  const rowOf = (index: number): TableRow => {
    const depth = depths[index] ?? 0;
    const before = depths[index - 1];
    const own = figures(depth);
    const isPrinted = index === depths.length - 1;
    const growth = (of: 'regular' | 'sqrt' | 'articulation'): number | null =>
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
      paperSqrtGB: isPrinted ? PRINTED.sqrtGB : null,
      sqrtGB: hundredths(own.sqrt / GB),
      sqrtGrowth: growth('sqrt'),
      articulationGB: hundredths(own.articulation / GB),
      articulationGrowth: growth('articulation'),
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
        'GB are 10^9 bytes: the simulated peak, float32, profile pytorch, weights excluded. √n: Chen’s rule; automatic: articulation points; speed: outputs of convolutions and matrix products.',
        'Growth: the exponent of depth since the row above; 1 is linear, 0.5 the square root.',
        'The article extrapolates 60 GB and names no depth: the last row is the first at which regular training needs 60 GB here. Zigzag: zigzag compare cifar-resnet-N --batch 1280.',
      ],
      columns: [
        { key: 'depth', title: 'network', from: 'both', digits: 0 },
        { key: 'paperRegularGB', title: 'regular GB', from: 'paper', digits: 0 },
        { key: 'regularGB', title: 'regular GB', from: 'ours', digits: 2 },
        { key: 'regularGrowth', title: 'growth', from: 'ours', digits: 2 },
        { key: 'paperSqrtGB', title: '√n GB', from: 'paper', digits: 0 },
        { key: 'sqrtGB', title: '√n GB', from: 'ours', digits: 2 },
        { key: 'sqrtGrowth', title: 'growth', from: 'ours', digits: 2 },
        { key: 'articulationGB', title: 'automatic GB', from: 'ours', digits: 2 },
        { key: 'articulationGrowth', title: 'growth', from: 'ours', digits: 2 },
        { key: 'speedGB', title: 'speed GB', from: 'ours', digits: 2 },
        { key: 'paperOverheadPct', title: 'overhead %', from: 'paper', digits: 0 },
        { key: 'overheadPct', title: 'overhead %, √n, predicted', from: 'ours', digits: 1 },
      ],
    },
    networks: depths.map((depth) => `CIFAR ResNet-${depth}`),
    rowOf,
  };
}

function figuresOf(depth: number): Figures {
  const problem = createProblem(buildModel(`cifar-resnet-${depth}`, { batch: BATCH }), 'pytorch');
  const row = (strategy: string) => solveRow(problem, strategy, { seed: 0 });
  const peak = (strategy: string): number => row(strategy).peakBytes ?? Number.NaN;
  return {
    regular: peak('regular'),
    sqrt: peak('chen-sqrt'),
    articulation: peak('articulation'),
    speed: peak('speed'),
    overhead: row('chen-sqrt').predictedOverhead ?? Number.NaN,
  };
}

/** The first depth 6n + 2 at which regular training peaks at so many bytes: a straight line, then step by step. */
function depthOf(bytes: number, figures: (depth: number) => Pick<Figures, 'regular'>): number {
  const [one, two] = [56, 110];
  const slope = (figures(two).regular - figures(one).regular) / (two - one);
  let n = Math.round((one + (bytes - figures(one).regular) / slope - 2) / 6);
  while (figures(6 * n + 2).regular < bytes) n++;
  while (figures(6 * n - 4).regular >= bytes) n--;
  return 6 * n + 2;
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
