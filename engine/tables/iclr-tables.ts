/**
 * The printed tables of the earlier paper, as data. Memory in MB as printed, times in seconds, percentages as
 * printed (an overhead can differ from gcp / regular - 1 by rounding); null = not applicable.
 */

/** Table 1 of "Cutting Down Training Memory by Re-forwarding": difference of two batch sizes. */
export interface IclrRow {
  readonly network: string;
  readonly linear: boolean;
  readonly batch: number;
  readonly input: number;
  readonly regularMB: number;
  /** Chen et al.; on non-linear networks over the chain of splitting vertices, built by hand. */
  readonly chenMB: number | null;
  readonly oursMB: number;
  readonly cutoffPct: number;
  readonly regularTimeS: number;
  readonly reforwardTimeS: number;
  readonly overheadPct: number;
}

/** Table 2 of the same (appendix C): solver time on one core of an i7-8700, theory against measurement. */
export interface TheoryRow {
  readonly network: string;
  readonly vertices: number;
  readonly solverRuntimeS: number;
  readonly measuredCutoffPct: number;
  readonly theoreticalCutoffPct: number;
}

/** As printed, a line each: the figures of `IclrRow` in its order. */
const ICLR_LINES: readonly (readonly [
  ...[network: string, linear: boolean, batch: number, input: number],
  ...[regularMB: number, chenMB: number | null, oursMB: number, cutoffPct: number],
  ...[regularTimeS: number, reforwardTimeS: number, overheadPct: number],
])[] = [
  ['alexnet', true, 1024, 224, 3550, 3108, 2620, 26, 1.295, 1.816, 40],
  ['vgg11', true, 64, 224, 2976, 2292, 1802, 39, 0.606, 0.819, 35],
  ['vgg13', true, 64, 224, 4152, 2586, 2586, 38, 1.02, 1.333, 31],
  ['vgg16', true, 64, 224, 4470, 2894, 2586, 42, 1.307, 1.696, 30],
  ['vgg19', true, 64, 224, 4788, 2894, 2502, 48, 1.593, 2.06, 29],
  ['resnet18', false, 256, 224, 5402, 2898, 2898, 46, 1.144, 1.599, 40],
  ['resnet34', false, 128, 224, 3900, 1936, 1544, 60, 1.041, 1.419, 36],
  ['resnet50', false, 64, 224, 5206, 2332, 1798, 65, 0.74, 1.027, 40],
  ['resnet101', false, 32, 224, 3812, 1216, 970, 75, 0.624, 0.853, 37],
  ['resnet152', false, 16, 224, 2810, 636, 564, 80, 0.45, 0.628, 39],
  ['densenet121', false, 32, 224, 3984, 1012, 776, 81, 0.558, 0.789, 42],
  ['densenet161', false, 16, 224, 3658, 744, 616, 83, 0.511, 0.708, 39],
  ['densenet169', false, 32, 224, 4826, 998, 848, 82, 0.714, 1.022, 43],
  ['densenet201', false, 16, 224, 3164, 600, 582, 82, 0.449, 0.651, 45],
  ['inceptionv3', false, 32, 300, 2976, 1026, 910, 69, 0.563, 0.763, 35],
  ['customnet', false, 64, 224, 3233, null, 1353, 58, 1.226, 1.648, 34],
];

export const ICLR_TABLE_1: readonly IclrRow[] = ICLR_LINES.map(
  ([network, linear, batch, input, regularMB, chenMB, oursMB, cutoffPct, ...times]) => {
    const [regularTimeS, reforwardTimeS, overheadPct] = times;
    const memory = { regularMB, chenMB, oursMB, cutoffPct };
    return { network, linear, batch, input, ...memory, regularTimeS, reforwardTimeS, overheadPct };
  },
);

const THEORY_LINES: readonly (readonly [string, ...figures: [number, number, number, number]])[] = [
  ['alexnet', 12, 0.03, 26, 42],
  ['vgg11', 17, 0.09, 39, 50],
  ['vgg13', 19, 0.15, 38, 47],
  ['vgg16', 22, 0.26, 42, 51],
  ['vgg19', 25, 0.44, 48, 53],
  ['resnet18', 51, 0.09, 46, 63],
  ['resnet34', 91, 0.53, 60, 73],
  ['resnet50', 125, 1.27, 65, 75],
  ['resnet101', 244, 12.4, 75, 81],
  ['resnet152', 363, 59.34, 80, 84],
  ['densenet121', 306, 293.75, 81, 81],
  ['densenet161', 406, 1537.82, 83, 84],
  ['densenet169', 426, 2356.47, 82, 84],
  ['densenet201', 506, 7335.35, 82, 86],
  ['inceptionv3', 219, 7.68, 69, 76],
  ['customnet', 35, 0.05, 58, 68],
];

export const ICLR_TABLE_2: readonly TheoryRow[] = THEORY_LINES.map(
  ([network, vertices, solverRuntimeS, measuredCutoffPct, theoreticalCutoffPct]) => ({
    ...{ network, vertices, solverRuntimeS, measuredCutoffPct, theoreticalCutoffPct },
  }),
);
