import { GAME_BATCH } from '../../../engine/zoo/game-networks.ts';

export interface Level {
  readonly model: string;
  readonly batch: number;
  readonly title: string;
  readonly teaches: string;
}

const level = (model: string, title: string, teaches: string, batch = GAME_BATCH): Level => ({
  model,
  batch,
  title,
  teaches,
});

export const LEVELS: readonly Level[] = [
  level(
    'game-chain',
    'A short chain',
    'One checkpoint cuts the chain in two, and only one part at a time has to be there again.',
  ),
  level(
    'game-long-chain',
    'A long chain',
    'Few checkpoints leave long segments, many are themselves what fills the memory: of N equal tensors keep about √N.',
  ),
  level(
    'game-unequal',
    'Unequal sizes',
    'Keep small tensors, and let no segment between them grow large; equal steps are a bad choice here.',
  ),
  level(
    'game-branch',
    'Two branches',
    'On one of two paths a tensor alone cuts nothing off: Eq. 2 asks for tensors that all paths pass.',
  ),
  level(
    'game-residual',
    'Residual blocks',
    'A skip carries a tensor past the layers beside it, so that blocks are cut where it joins them again.',
  ),
  level(
    'game-skip',
    'A U with long skips',
    'What a long skip carries is needed at both of its ends; what lies between can still be divided.',
  ),
  level(
    'game-dense',
    'A dense block',
    'Every layer reads all before it, and what is joined holds what it was joined from: keeping one can spare many.',
  ),
  level(
    'game-inception',
    'An Inception block',
    'Four branches side by side are one segment: to cut within them, Eq. 2 has no price and the simulator has.',
  ),
  level(
    'tiny-transformer-fused',
    'A transformer',
    'Attention and the layers after it are residual blocks too, of tensors of very unequal sizes.',
  ),
  level(
    'resnet18',
    'ResNet-18',
    'The same blocks at real sizes: early tensors are dozens of times as large as late ones.',
  ),
  level(
    'resnet50',
    'ResNet-50',
    'The more blocks there are, the more a good set saves; the pattern repeats.',
  ),
  level(
    'nasnet',
    'NASNet',
    'Each cell reads the two cells before it: a thousand tensors, and few of them cut the network.',
  ),
];

/** From 1; 0 where the network is no level's. */
export const levelNumber = (level: Level | null): number => (level === null ? 0 : LEVELS.indexOf(level) + 1);

const RANDOM = 'random-';

export const MAX_SEED = 0xffffffff;

export const seedLevel = (seed: number): Pick<Level, 'model' | 'batch'> => ({
  model: `${RANDOM}${seed}`,
  batch: GAME_BATCH,
});

export function seedOf(model: string): number | null {
  const text = model.startsWith(RANDOM) ? model.slice(RANDOM.length) : '';
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_SEED ? Number(text) : null;
}
