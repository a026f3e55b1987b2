import { GraphBuilder } from '../../../../engine/graph/builder.ts';
import { KEEPS_NOTHING } from '../../../../engine/ops/definition.ts';
import { createProblem } from '../../../../engine/problem.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { drawnVertices, type Place } from './drawn.ts';
import { memoize } from './memoize.ts';

/**
 * A graph small enough to be played with pebbles. Every tensor costs one, so that bytes are pebbles. A layer's
 * backward needs its input and its output (SPEC M7), a convolution's its input; sums and concatenations need nothing.
 */
export interface Game {
  readonly problem: Problem;
  readonly places: readonly Place[];
}

export const GAMES = ['chain', 'convolutions', 'residual', 'inception'] as const;
export type GameName = (typeof GAMES)[number];

export const GAME_TITLES: Readonly<Record<GameName, string>> = {
  chain: 'Chain',
  convolutions: 'Five convolutions',
  residual: 'Residual blocks',
  inception: 'Inception block',
};

export const MIN_LAYERS = 2;
export const MAX_LAYERS = 100;
/** Longer chains are too dense to be followed move by move. */
export const MAX_PLAYED = 24;

/** @param isConvolution whether a vertex is no layer, whose backward needs its output too */
function gameFrom(name: string, text: string, isConvolution = false): Game {
  const b = new GraphBuilder(name);
  const vertices = drawnVertices(text);
  for (const { id, size, inputs } of vertices) {
    const isJoin = inputs.length > 1;
    if (!isJoin && !(isConvolution && inputs.length === 1)) b.addOpaque(id, size, inputs);
    else {
      const keeps = { ...KEEPS_NOTHING, inputs: isJoin ? [] : [0] };
      b.addGiven(id, { kind: 'opaque', label: 'operation', keeps }, inputs, 'own', { bytes: size });
    }
  }
  return { problem: createProblem(b.build(), 'pytorch'), places: vertices };
}

const chainText = (layers: number): string =>
  Array.from({ length: layers + 1 }, (_, i) => `f${i} ${i} 0 1${i === 0 ? '' : ` f${i - 1}`}`).join(', ');

/** @param layers operations in a row; the tensors are one more, the input batch among them */
export const chainGame = memoize((layers: number): Game => gameFrom(`chain of ${layers}`, chainText(layers)));

/** The network of article 002's strategies, which take 7, 4 and 5 units on it. */
const convolutionsGame = memoize((): Game => gameFrom('five convolutions', chainText(5), true));

/** Three residual blocks: two layers each, and a sum with the skipped tensor. */
const residualGame = memoize(
  (): Game =>
    gameFrom(
      'residual blocks',
      'f0 0 1 1, f1 1 0 1 f0, f2 2 0 1 f1, f3 3 1 1 f2 f0, f4 4 0 1 f3, f5 5 0 1 f4, f6 6 1 1 f5 f3, f7 7 0 1 f6, f8 8 0 1 f7, f9 9 1 1 f8 f6, f10 10 1 1 f9',
    ),
);

/** A stem, three branches of one, two and three layers, their concatenation and a last layer. */
const inceptionGame = memoize(
  (): Game =>
    gameFrom(
      'inception block',
      'f0 0 1 1, f1 1 1 1 f0, f2 3 0 1 f1, f3 2 1 1 f1, f4 4 1 1 f3, f5 2 2 1 f1, f6 3 2 1 f5, f7 4 2 1 f6, f8 5 1 1 f2 f4 f7, f9 6 1 1 f8',
    ),
);

export function gameOf(name: GameName, layers: number): Game {
  if (name === 'chain') return chainGame(layers);
  if (name === 'convolutions') return convolutionsGame();
  return name === 'residual' ? residualGame() : inceptionGame();
}
