import type { Shape } from '../../ops/definition.ts';
import type { Operation } from '../../ops/operation.ts';

/** Outputs of one tile in each direction, and values of its transform: F(4 x 4, 3 x 3). */
const TILE = 4;
const KERNEL = 3;
const TRANSFORMED = (TILE + KERNEL - 1) ** 2;

/** Up to as many input channels, the papers' figures leave no room for a workspace (SPEC, E9). */
const CHANNELS_WITHOUT = 64;

/**
 * Elements of the workspace in which cuDNN forms the weight gradient of a convolution: Winograd's algorithm in steps,
 * which stores the transforms of input, output gradient and weight gradient (SPEC, E9). Source: Lavin & Gray 2016. The
 * size is exact; which convolutions run so is inferred. O(1).
 */
export function weightGradientWorkspace(op: Operation | undefined, input: Shape, output: Shape): number {
  if (op?.kind !== 'conv2d' || op.groups !== 1) return 0;
  const isCovered = [...op.stride, ...op.dilation].every((step) => step === 1);
  if (!isCovered || op.kernel.some((side) => side !== KERNEL)) return 0;
  const [batch = 0, channels = 0] = input;
  const [, filters = 0, height = 0, width = 0] = output;
  if (channels <= CHANNELS_WITHOUT) return 0;
  const tiles = batch * Math.ceil(height / TILE) * Math.ceil(width / TILE);
  return TRANSFORMED * (tiles * (channels + filters) + channels * filters);
}
