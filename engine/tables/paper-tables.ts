/**
 * The printed table of the CVPR paper, as data (those of the earlier one: iclr-tables.ts). Memory in MB as printed, times
 * in seconds, percentages as printed (an overhead can differ from gcp / regular - 1 by rounding); null = not applicable.
 */

/** Table 2 of Feng & Huang, CVPR 2021: PyTorch 1.5, float32, stationary memory excluded. */
export interface CvprRow {
  readonly network: string;
  readonly linear: boolean;
  readonly batch: number;
  readonly input: number;
  readonly regularMB: number;
  readonly randomMB: number | null;
  readonly chenMB: number | null;
  readonly oursMB: number;
  readonly cutoffPct: number;
  readonly regularTimeS: number;
  readonly gcpTimeS: number;
  readonly overheadPct: number;
}

/** As printed, a line each: the figures of `CvprRow` in its order. */
const CVPR_LINES: readonly (readonly [
  ...[network: string, linear: boolean, batch: number, input: number],
  ...[regularMB: number, randomMB: number | null, chenMB: number | null, oursMB: number, cutoffPct: number],
  ...[regularTimeS: number, gcpTimeS: number, overheadPct: number],
])[] = [
  ['alexnet', true, 1024, 224, 4955, 4408, 4408, 3287, 34, 0.388, 0.519, 34],
  ['vgg11', true, 64, 224, 3577, 2781, 2781, 2781, 22, 0.266, 0.356, 34],
  ['vgg13', true, 64, 224, 5136, 3565, 3565, 3565, 31, 0.418, 0.558, 33],
  ['vgg16', true, 64, 224, 5136, 4352, 3957, 3565, 31, 0.503, 0.666, 32],
  ['vgg19', true, 64, 224, 5189, 4548, 3957, 3565, 31, 0.581, 0.774, 33],
  ['resnet18', false, 256, 224, 5635, 4069, null, 3677, 35, 0.422, 0.548, 30],
  ['resnet34', false, 128, 224, 4079, 2231, null, 1838, 55, 0.364, 0.493, 35],
  ['resnet50', false, 64, 224, 5323, 2714, null, 1973, 63, 0.394, 0.516, 31],
  ['resnet101', false, 32, 224, 3934, 2541, null, 1024, 74, 0.356, 0.482, 35],
  ['resnet152', false, 16, 224, 2767, 1464, null, 526, 81, 0.241, 0.331, 37],
  ['densenet121', false, 32, 224, 4027, 1629, null, 898, 78, 0.218, 0.292, 34],
  ['densenet161', false, 16, 224, 3751, 1432, null, 666, 82, 0.252, 0.341, 36],
  ['densenet169', false, 32, 224, 4862, 1774, null, 897, 82, 0.27, 0.357, 32],
  ['densenet201', false, 16, 224, 3146, 1242, null, 474, 85, 0.2, 0.306, 53],
  ['inceptionv3', false, 32, 300, 3074, 1336, null, 881, 71, 0.291, 0.374, 29],
  ['nasnet', false, 64, 32, 5832, null, null, 1129, 81, 0.408, 0.535, 31],
  ['amoebanet', false, 64, 32, 4944, null, null, 1058, 79, 0.331, 0.45, 36],
  ['darts', false, 64, 32, 5627, null, null, 1115, 80, 0.318, 0.494, 55],
];

export const CVPR_TABLE_2: readonly CvprRow[] = CVPR_LINES.map(
  ([network, linear, batch, input, regularMB, randomMB, chenMB, oursMB, cutoffPct, ...times]) => {
    const [regularTimeS, gcpTimeS, overheadPct] = times;
    const memory = { regularMB, randomMB, chenMB, oursMB, cutoffPct };
    return { network, linear, batch, input, ...memory, regularTimeS, gcpTimeS, overheadPct };
  },
);
