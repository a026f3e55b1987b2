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
    'One checkpoint cuts the chain in two. Only one part at a time has to be recomputed.',
  ),
  level(
    'game-long-chain',
    'A long chain',
    'Few checkpoints leave long segments; many checkpoints fill the memory themselves. Of N equal tensors, keep about √N.',
  ),
  level(
    'game-unequal',
    'Unequal sizes',
    'Keep small tensors, and let no segment between them grow large. Equal distances are a bad choice here.',
  ),
  level(
    'game-branch',
    'Two branches',
    'A tensor on one of two paths cuts nothing off by itself. Eq. 2 needs tensors that all paths pass.',
  ),
  level(
    'game-residual',
    'Residual blocks',
    'A skip carries a tensor past some layers. Cut the network where the skip joins them again.',
  ),
  level(
    'game-skip',
    'A U with long skips',
    'The tensor of a long skip is needed at both of its ends. The part in between can still be divided.',
  ),
  level(
    'game-dense',
    'A dense block',
    'Every layer reads all layers before it. A concatenation contains its inputs, so keeping one can replace many.',
  ),
  level(
    'game-inception',
    'An Inception block',
    'Four branches side by side form one segment. Eq. 2 has no cost for a cut inside them; the simulator does.',
  ),
  level(
    'tiny-transformer-fused',
    'A transformer',
    'Attention and the layers after it are residual blocks too, with tensors of widely different sizes.',
  ),
  level(
    'resnet18',
    'ResNet-18',
    'The same blocks at real sizes: early tensors are dozens of times as large as late ones.',
  ),
  level('resnet50', 'ResNet-50', 'The pattern repeats: the more blocks, the more a good set saves.'),
  level(
    'nasnet',
    'NASNet',
    'Each cell reads the two cells before it. Of the thousand tensors, few cut the network.',
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
