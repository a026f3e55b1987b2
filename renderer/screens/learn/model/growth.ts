import { MIN_LAYERS } from './games.ts';
import { memoize } from './memoize.ts';
import { chainPlay } from './plays.ts';

export interface GrowthPoint {
  readonly layers: number;
  readonly peak: number;
  /** Forward operations, repeated ones included. */
  readonly forwards: number;
}

export const growthOf = memoize((strategy: string, most: number): readonly GrowthPoint[] =>
  Array.from({ length: most - MIN_LAYERS + 1 }, (_, i) => {
    const layers = MIN_LAYERS + i;
    const { timeline, recomputes } = chainPlay(layers, strategy);
    return { layers, peak: timeline.peakBytes, forwards: layers + recomputes };
  }),
);
