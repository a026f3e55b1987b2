import { GraphBuilder } from '../../../../engine/graph/builder.ts';
import { KEEPS_NOTHING } from '../../../../engine/ops/definition.ts';
import { createProblem } from '../../../../engine/problem.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { memoize } from './memoize.ts';

/** Columns run from left to right, lanes from top to bottom. */
export interface Place {
  readonly column: number;
  readonly lane: number;
}

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

class GameBuilder {
  readonly #b: GraphBuilder;
  readonly #places: Place[] = [];

  constructor(name: string) {
    this.#b = new GraphBuilder(name);
  }

  layer(inputs: readonly number[], column: number, lane: number): number {
    this.#places.push({ column, lane });
    return this.#b.addOpaque(`f${this.#b.size}`, 1, inputs);
  }

  operation(inputs: readonly number[], column: number, lane: number, kept: readonly number[] = []): number {
    this.#places.push({ column, lane });
    const op = { kind: 'opaque', label: 'operation', keeps: { ...KEEPS_NOTHING, inputs: kept } } as const;
    return this.#b.addGiven(`f${this.#b.size}`, op, inputs, 'own', { bytes: 1 });
  }

  build(): Game {
    const places = this.#places;
    return {
      problem: createProblem(this.#b.build(), 'pytorch'),
      places,
    };
  }
}

/** @param layers operations in a row; the tensors are one more, the input batch among them */
export const chainGame = memoize((layers: number): Game => {
  const b = new GameBuilder(`chain of ${layers}`);
  let x = b.layer([], 0, 0);
  for (let i = 1; i <= layers; i++) x = b.layer([x], i, 0);
  return b.build();
});

/** The network of article 002's strategies, which take 7, 4 and 5 units on it. */
const convolutionsGame = memoize((): Game => {
  const b = new GameBuilder('five convolutions');
  let x = b.layer([], 0, 0);
  for (let i = 1; i <= 5; i++) x = b.operation([x], i, 0, [0]);
  return b.build();
});

/** Three residual blocks: two layers each, and a sum with the skipped tensor. */
const residualGame = memoize((): Game => {
  const b = new GameBuilder('residual blocks');
  let x = b.layer([], 0, 1);
  for (let block = 0; block < 3; block++) {
    const column = 1 + 3 * block;
    const first = b.layer([x], column, 0);
    const second = b.layer([first], column + 1, 0);
    x = b.operation([second, x], column + 2, 1);
  }
  b.layer([x], 10, 1);
  return b.build();
});

/** A stem, three branches of one, two and three layers, their concatenation and a last layer. */
const inceptionGame = memoize((): Game => {
  const b = new GameBuilder('inception block');
  const x = b.layer([], 0, 1);
  const stem = b.layer([x], 1, 1);
  const short = b.layer([stem], 3, 0);
  const middle = b.layer([b.layer([stem], 2, 1)], 4, 1);
  const long = b.layer([b.layer([b.layer([stem], 2, 2)], 3, 2)], 4, 2);
  const joined = b.operation([short, middle, long], 5, 1);
  b.layer([joined], 6, 1);
  return b.build();
});

export function gameOf(name: GameName, layers: number): Game {
  if (name === 'chain') return chainGame(layers);
  if (name === 'convolutions') return convolutionsGame();
  return name === 'residual' ? residualGame() : inceptionGame();
}
