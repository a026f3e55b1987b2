import { bytesPer } from '../bytes.ts';
import type { Cause } from './causes.ts';

/** A reproduced table: the paper's columns beside ours. */

/** A text, a figure (null = not applicable or not measured), or why figures differ. */
export type Cell = string | number | null | readonly Cause[];

export interface Column {
  readonly key: string;
  readonly title: string;
  /** Whose number it is: as printed, computed here, or what follows from both. */
  readonly from: 'paper' | 'ours' | 'both';
  /** Decimals of a number; texts ignore it. */
  readonly digits: number;
}

/** Tables of networks, the paper's figures beside ours. */
export const NETWORK_TABLES = ['cvpr', 'iclr', 'theory'] as const;
export type NetworkTable = (typeof NETWORK_TABLES)[number];

/** Tables beside the papers' main ones. The rows of each are its own, and the first column names them. */
export const PLAIN_TABLES = ['capabilities', 'figure1', 'depth', 'layers', 'treewidth', 'claims'] as const;
export type PlainTable = (typeof PLAIN_TABLES)[number];

export const TABLE_NAMES = [...NETWORK_TABLES, ...PLAIN_TABLES] as const;
export type TableName = (typeof TABLE_NAMES)[number];

export const isNetworkTable = (name: TableName): name is NetworkTable =>
  NETWORK_TABLES.some((table) => table === name);

/** One row, keyed by Column.key. */
export type TableRow = Readonly<Record<string, Cell>>;

/** All of a table but its rows. */
export interface TableHead {
  readonly name: TableName;
  readonly title: string;
  readonly citation: string;
  readonly notes: readonly string[];
  readonly columns: readonly Column[];
}

export interface ReproducedTable extends TableHead {
  readonly rows: readonly TableRow[];
}

/** A table that is solved row by row, so that each can be shown as it comes. */
export interface TableRecipe {
  readonly head: TableHead;
  /** Networks of the rows, in the paper's order; of a plain table what its first column says. */
  readonly networks: readonly string[];
  /** Solves one row; milliseconds to a second. */
  rowOf(index: number): TableRow;
}

/** Solves every row of a recipe. */
export function completeTable({ head, networks, rowOf }: TableRecipe): ReproducedTable {
  return { ...head, rows: networks.map((_, i) => rowOf(i)) };
}

/** Bytes as the papers' MB (2^20), one decimal. */
export function megabytes(bytes: number | null): number | null {
  return bytes === null ? null : Math.round((bytes / bytesPer('MiB')) * 10) / 10;
}

/** Distance of ours from the paper's, in percent of the paper's, one decimal. */
export function differencePct(ours: number | null, paper: number | null): number | null {
  if (ours === null || paper === null || paper === 0) return null;
  return Math.round((ours / paper - 1) * 1000) / 10;
}

/** Share of `whole` that `less` saves, in percent, one decimal. */
export function cutoffPct(less: number | null, whole: number): number | null {
  return less === null ? null : Math.round((1 - less / whole) * 1000) / 10;
}
