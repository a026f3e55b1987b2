/** The published cells of the three networks of 000, Table 2. */

export type NasOperation =
  | 'avg_pool_3x3'
  | 'max_pool_3x3'
  | 'skip_connect'
  | 'sep_conv_3x3'
  | 'sep_conv_5x5'
  | 'sep_conv_7x7'
  | 'dil_conv_3x3'
  | 'conv_7x1_1x7';

/** An operation and the state that it reads. */
type Entry = readonly [operation: NasOperation, state: number];

/**
 * States 0 and 1 are the preprocessed outputs of the two cells before. Each pair of entries is added
 * and makes the next state; the states of `concat` are concatenated to the cell's output.
 */
export interface Cell {
  readonly entries: readonly Entry[];
  readonly concat: readonly number[];
}

export interface Genotype {
  readonly normal: Cell;
  readonly reduce: Cell;
}

/** Zoph et al. 2018, NASNet-A. */
export const NASNET: Genotype = {
  normal: {
    entries: [
      ['sep_conv_5x5', 1],
      ['sep_conv_3x3', 0],
      ['sep_conv_5x5', 0],
      ['sep_conv_3x3', 0],
      ['avg_pool_3x3', 1],
      ['skip_connect', 0],
      ['avg_pool_3x3', 0],
      ['avg_pool_3x3', 0],
      ['sep_conv_3x3', 1],
      ['skip_connect', 1],
    ],
    concat: [2, 3, 4, 5, 6],
  },
  reduce: {
    entries: [
      ['sep_conv_5x5', 1],
      ['sep_conv_7x7', 0],
      ['max_pool_3x3', 1],
      ['sep_conv_7x7', 0],
      ['avg_pool_3x3', 1],
      ['sep_conv_5x5', 0],
      ['skip_connect', 3],
      ['avg_pool_3x3', 2],
      ['sep_conv_3x3', 2],
      ['max_pool_3x3', 1],
    ],
    concat: [4, 5, 6],
  },
};

/** Real et al. 2019, AmoebaNet-A. */
export const AMOEBANET: Genotype = {
  normal: {
    entries: [
      ['avg_pool_3x3', 0],
      ['max_pool_3x3', 1],
      ['sep_conv_3x3', 0],
      ['sep_conv_5x5', 2],
      ['sep_conv_3x3', 0],
      ['avg_pool_3x3', 3],
      ['sep_conv_3x3', 1],
      ['skip_connect', 1],
      ['skip_connect', 0],
      ['avg_pool_3x3', 1],
    ],
    concat: [4, 5, 6],
  },
  reduce: {
    entries: [
      ['avg_pool_3x3', 0],
      ['sep_conv_3x3', 1],
      ['max_pool_3x3', 0],
      ['sep_conv_7x7', 2],
      ['sep_conv_7x7', 0],
      ['avg_pool_3x3', 1],
      ['max_pool_3x3', 0],
      ['max_pool_3x3', 1],
      ['conv_7x1_1x7', 0],
      ['sep_conv_3x3', 5],
    ],
    concat: [3, 4, 6],
  },
};

/** Liu et al. 2019, DARTS (second order). */
export const DARTS: Genotype = {
  normal: {
    entries: [
      ['sep_conv_3x3', 0],
      ['sep_conv_3x3', 1],
      ['sep_conv_3x3', 0],
      ['sep_conv_3x3', 1],
      ['sep_conv_3x3', 1],
      ['skip_connect', 0],
      ['skip_connect', 0],
      ['dil_conv_3x3', 2],
    ],
    concat: [2, 3, 4, 5],
  },
  reduce: {
    entries: [
      ['max_pool_3x3', 0],
      ['max_pool_3x3', 1],
      ['skip_connect', 2],
      ['max_pool_3x3', 1],
      ['max_pool_3x3', 0],
      ['skip_connect', 2],
      ['skip_connect', 2],
      ['max_pool_3x3', 1],
    ],
    concat: [2, 3, 4, 5],
  },
};
