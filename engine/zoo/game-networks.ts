import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { ADD, avgPool, CONCAT, conv2d, convTranspose2d } from '../ops/make.ts';
import type { Model, ModelInfo } from './model.ts';

/**
 * The small networks of the checkpoint game. A layer of width w on the full grid of 32 x 32 weighs
 * w / 8 MiB at a batch of 32, so that players add up small whole numbers.
 */

export const GAME_BATCH = 32;
const GRID = 32;
const CHANNELS_PER_MIB = 8;

export const gameInfo = (name: string, title: string, linear: boolean, note: string): ModelInfo => ({
  name,
  title,
  family: 'Zigzag',
  linear,
  defaultInput: GRID,
  minInput: GRID,
  inputMultiple: 4,
  inputUnit: 'features',
  defaultBatch: GAME_BATCH,
  note,
});

export const gameInput = (b: GraphBuilder, batch: number, side: number, id = 'input'): VertexHandle =>
  b.input(id, [batch, CHANNELS_PER_MIB, side, side]);

/** A 3x3 convolution whose output weighs so many MiB on the full grid. */
export const layer = (b: GraphBuilder, id: string, mib: number, from: VertexHandle | string): VertexHandle =>
  b.add(id, conv2d(mib * CHANNELS_PER_MIB, 3, { padding: 1 }), [from]);

type Build = (b: GraphBuilder, input: VertexHandle) => void;

const game = (name: string, title: string, linear: boolean, note: string, build: Build): Model => ({
  info: gameInfo(`game-${name}`, title, linear, note),
  build: (b, { batch, input }) => build(b, gameInput(b, batch, input)),
});

/** Layers of these sizes in a row. */
const row =
  (sizes: readonly number[]): Build =>
  (b, input) => {
    let x = input;
    for (const [i, mib] of sizes.entries()) x = layer(b, `f${i + 1}`, mib, x);
  };

const same = (count: number): number[] => new Array<number>(count).fill(1);

/** In the order of the levels. */
export const GAME_NETWORKS: readonly Model[] = [
  game('chain', 'Short chain', true, 'Seven tensors of equal size in a row.', row(same(6))),
  game('long-chain', 'Long chain', true, 'Fourteen tensors of equal size in a row.', row(same(13))),
  game(
    'unequal',
    'Unequal sizes',
    true,
    'A chain with tensors of 1 to 6 MiB.',
    row([6, 6, 2, 5, 5, 1, 4, 4, 1, 3, 3, 1]),
  ),
  game('branch', 'Two branches', false, 'Two paths of unequal length that meet again.', (b, input) => {
    const stem = layer(b, 'stem', 2, input);
    const left = layer(b, 'left2', 2, layer(b, 'left1', 4, stem));
    const right = layer(b, 'right3', 2, layer(b, 'right2', 3, layer(b, 'right1', 3, stem)));
    const sum = b.add('sum', ADD, [left, right]);
    layer(b, 'out', 1, layer(b, 'tail2', 3, layer(b, 'tail1', 3, sum)));
  }),
  game('residual', 'Residual blocks', false, 'Four residual blocks, wide within.', (b, input) => {
    let x = layer(b, 'stem', 2, input);
    for (const [i, mib] of [4, 4, 3, 3].entries()) {
      const inner = layer(b, `b${i + 1}`, 2, layer(b, `a${i + 1}`, mib, x));
      x = b.add(`sum${i + 1}`, ADD, [inner, x]);
    }
    layer(b, 'out', 1, x);
  }),
  game('skip', 'U with long skips', false, 'A small U-Net with two long skips.', (b, input) => {
    const down = (id: string, width: number, from: VertexHandle): VertexHandle =>
      b.add(id, conv2d(width, 3, { stride: 2, padding: 1 }), [from]);
    const up = (id: string, width: number, from: VertexHandle): VertexHandle =>
      b.add(id, convTranspose2d(width, 2, 2), [from]);
    const first = layer(b, 'down1', 3, layer(b, 'stem', 3, input));
    const second = down('down2', 64, first);
    const bottom = layer(b, 'bottom2', 16, down('bottom1', 128, second));
    const joined = b.add('up2-join', CONCAT, [up('up2', 64, bottom), second]);
    const wide = b.add('up1-join', CONCAT, [up('up1', 24, layer(b, 'up2-conv', 8, joined)), first]);
    layer(b, 'out', 1, layer(b, 'tail', 2, layer(b, 'up1-conv', 3, wide)));
  }),
  game('dense', 'Dense block', false, 'Every layer reads all earlier layers.', (b, input) => {
    let x = layer(b, 'stem', 2, input);
    for (let i = 1; i <= 3; i++) x = b.add(`join${i}`, CONCAT, [x, layer(b, `layer${i}`, 1, x)]);
    x = layer(b, 'transition', 2, x);
    for (let i = 4; i <= 5; i++) x = b.add(`join${i}`, CONCAT, [x, layer(b, `layer${i}`, 1, x)]);
    layer(b, 'out', 1, x);
  }),
  game('inception', 'Inception block', false, 'Four branches side by side, joined at once.', (b, input) => {
    const stem = layer(b, 'stem2', 2, layer(b, 'stem1', 4, input));
    const one = b.add('a1', conv2d(8, 1), [stem]);
    const three = layer(b, 'b2', 2, b.add('b1', conv2d(8, 1), [stem]));
    const five = layer(b, 'c3', 2, layer(b, 'c2', 2, b.add('c1', conv2d(8, 1), [stem])));
    const pool = b.add('d1', conv2d(8, 1), [b.add('pool', avgPool(3, { stride: 1, padding: 1 }), [stem])]);
    const joined = b.add('join', CONCAT, [one, three, five, pool]);
    layer(b, 'out', 1, layer(b, 'tail', 3, joined));
  }),
];
