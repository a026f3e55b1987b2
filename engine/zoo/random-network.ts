import { BadInputError } from '../errors.ts';
import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { ADD, CONCAT } from '../ops/make.ts';
import { createRng, type Rng } from '../rng.ts';
import { gameInfo, gameInput, layer } from './game-networks.ts';
import type { Model } from './model.ts';

export const MAX_NETWORK_SEED = 0xffffffff;

/** Tensors between the input and the output: few enough for every set of them to be tried. */
const MAX_INNER = 12;
const LEAST_INNER = 9;
const MAX_MIB = 6;

/**
 * A network drawn by a seed: runs of layers, residual blocks, branches that are joined and skips over several layers, of
 * 9 to 12 tensors between input and output. The same seed gives the same network on every machine and in every version:
 * links name it.
 *
 * @throws BadInputError for a seed that is no whole number of 32 bits
 */
export function randomNetwork(text: string): Model {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seed <= MAX_NETWORK_SEED)) {
    throw new BadInputError(
      `a random network has a seed from 0 to ${MAX_NETWORK_SEED}, got ${JSON.stringify(text.slice(0, 20))}`,
    );
  }
  const note = `Drawn from seed ${seed}: everyone with this number gets the same network.`;
  return {
    info: gameInfo(`random-${seed}`, `Random network ${seed}`, false, note),
    build(b, { batch, input }) {
      draw(b, gameInput(b, batch, input), createRng(seed));
    },
  };
}

function draw(b: GraphBuilder, input: VertexHandle, rng: Rng): void {
  let count = 0;
  const size = (): number => 1 + rng.below(MAX_MIB);
  const next = (mib: number, from: VertexHandle): VertexHandle => layer(b, `f${++count}`, mib, from);
  /** Each adds that many tensors. */
  const parts: { readonly inner: number; readonly add: (x: VertexHandle) => VertexHandle }[] = [
    { inner: 1, add: (x) => next(size(), x) },
    { inner: 2, add: (x) => next(size(), next(size(), x)) },
    {
      inner: 4,
      add: (x) => {
        const mib = size();
        const start = next(mib, x);
        const end = next(mib, next(size(), start));
        return b.add(`f${++count}`, ADD, [end, start]);
      },
    },
    {
      inner: 4,
      add: (x) => {
        const branches = [next(size(), next(size(), x)), next(size(), x)];
        return b.add(`f${++count}`, CONCAT, branches);
      },
    },
    {
      inner: 5,
      add: (x) => {
        const start = next(size(), x);
        const end = next(size(), next(size(), next(size(), start)));
        return b.add(`f${++count}`, CONCAT, [end, start]);
      },
    },
  ];
  let x = next(size(), input);
  while (count < LEAST_INNER) {
    const fitting = parts.filter(({ inner }) => count + inner <= MAX_INNER);
    x = fitting[rng.below(fitting.length)]!.add(x);
  }
  layer(b, 'out', 1, x);
}
