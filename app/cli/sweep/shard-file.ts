import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { BadInputError } from '../../../engine/errors.ts';
import { MAX_LINE_BYTES } from '../../../engine/exchange/read-limits.ts';
import type { ByteSource } from '../../../engine/exchange/byte-source.ts';
import { fileSource } from '../../bridges/file-source.ts';
import { rowSchema } from '../../contract/results.ts';
import { type Cell, cellsOf, countCells, MAX_CELLS, type SweepPlan } from './plan.ts';
import type { SweptRow } from './solve-cells.ts';

const FORMAT = 'zigzag-sweep/1';
/** Bytes read at a time. */
const CHUNK_BYTES = 1024 * 1024;
const LINE_BREAK = 0x0a;
const SHARD_FILE = /^shard-\d+-of-\d+\.jsonl$/;

/** The cells whose index leaves `number - 1` when divided by `of`. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

interface Header {
  readonly format: typeof FORMAT;
  readonly shard: Shard;
  readonly plan: SweepPlan;
}

const text = z.string().max(10_000);
const texts = z.array(text).min(1).max(10_000);
const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const headerSchema = z.object({
  format: z.literal(FORMAT),
  shard: z
    .object({ number: whole.min(1), of: whole.max(9_999_999) })
    .refine(({ number, of }) => number <= of),
  plan: z.looseObject({
    networks: z
      .array(z.looseObject({ target: text }))
      .min(1)
      .max(MAX_CELLS),
    batches: z.array(whole.min(1)).min(1).max(MAX_CELLS),
    strategies: texts,
    budgets: texts,
  }),
});

/** The fields that a table shows; a later version may write more. */
const sweptSchema = z.looseObject({
  ...rowSchema.pick({
    strategy: true,
    reason: true,
    peakBytes: true,
    lowerBoundBytes: true,
    recomputeFraction: true,
    predictedOverhead: true,
    steps: true,
    solveMs: true,
  }).shape,
  cell: whole,
  model: text,
  batch: whole,
  input: whole,
  profile: text,
  budget: text.nullable(),
  budgetBytes: z.number().nullable(),
  regularPeakBytes: whole,
  recomputeBoundFraction: z.number().nullable(),
  checkpoints: whole,
  stoppedEarly: z.literal(true).optional(),
  claim: text.nullable(),
  processorMs: z.number(),
});

export interface ReadShard {
  readonly shard: Shard;
  readonly plan: SweepPlan;
  readonly rows: readonly SweptRow[];
}

/** `3/64`. @throws BadInputError naming the option */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(text);
  const [number, of] = [Number(match?.[1]), Number(match?.[2])];
  if (!(number >= 1 && number <= of))
    throw new BadInputError(`--shard must be a part of a whole, such as 3/64, got "${text}"`);
  return { number, of };
}

export const isOfShard = (index: number, { number, of }: Shard): boolean => index % of === number - 1;

const samePlan = (a: SweepPlan, b: SweepPlan): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * The results of one shard as they come: a header and a line a cell. What a run that was killed left half written is
 * cut off, and what it finished is not solved again.
 */
export class ShardFile {
  readonly path: string;
  /** Cells that are done. */
  readonly done: ReadonlySet<number>;

  /**
   * @throws BadInputError where the file is of another sweep, damaged, or cannot be written
   */
  constructor(folder: string, shard: Shard, plan: SweepPlan) {
    this.path = join(folder, `shard-${shard.number}-of-${shard.of}.jsonl`);
    const before = begin(folder, this.path);
    if (before === null) this.#write({ format: FORMAT, shard, plan } satisfies Header);
    else if (!samePlan(before.plan, plan))
      throw new BadInputError(`--out: ${this.path} holds another sweep; name another folder, or remove it`);
    this.done = new Set(before?.rows.map(({ cell }) => cell));
  }

  /** @throws BadInputError where the disk is full */
  add(row: SweptRow): void {
    this.#write(row);
  }

  #write(line: object): void {
    try {
      appendFileSync(this.path, `${JSON.stringify(line)}\n`);
    } catch (error) {
      throw notWritten(this.path, error);
    }
  }
}

const notWritten = (path: string, error: unknown): BadInputError =>
  new BadInputError(
    `--out: ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}; the results so far are kept`,
  );

/** Rows that exist already, without an unfinished last line. */
function begin(folder: string, path: string): ReadShard | null {
  try {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(path)) return null;
    const source = fileSource(path);
    const end = endOfLines(source);
    source.close();
    if (end < source.size) truncateSync(path, end);
    if (end === 0) return null;
  } catch (error) {
    throw notWritten(path, error);
  }
  return readShard(path);
}

/** Offset behind the last line break. */
function endOfLines(source: ByteSource): number {
  for (let end = source.size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const at = source.read(start, end - start).lastIndexOf(LINE_BREAK);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

/** @throws BadInputError for what is not such a file: a pipe, another sweep's row, or more than its plan has cells for */
export function readShard(path: string): ReadShard {
  const source = fileSource(path);
  try {
    return shardOf(source, path);
  } finally {
    source.close();
  }
}

/** Reads line by line, so that memory grows with the cells of the plan and not with the file. */
export function shardOf(source: ByteSource, path: string): ReadShard {
  const lines = linesOf(source, path);
  const first = lines.next();
  const header = first.done === true ? null : parsed(first.value);
  if (!isRecord(header) || header['format'] !== FORMAT)
    throw new BadInputError(`${path} is not a result of zigzag sweep: its first line is different`);
  const read = headerSchema.safeParse(header);
  const cellCount = read.success ? countCells((header as unknown as Header).plan) : Number.POSITIVE_INFINITY;
  if (!read.success || cellCount > MAX_CELLS)
    throw new BadInputError(`${path} has a damaged first line: remove the file, and run the shard again`);
  // As it was written: plans are compared as text.
  const { shard, plan } = header as unknown as Header;
  const cells = cellsOf(plan);
  const rows = new Map<number, SweptRow>();
  let number = 1;
  for (const line of lines) {
    number++;
    const row = sweptSchema.safeParse(parsed(line)).data;
    const cell = row === undefined ? undefined : cells[row.cell];
    if (row === undefined || cell === undefined || !isOfShard(row.cell, shard) || !isAnswer(row, cell))
      throw damaged(path, number);
    const found = row as unknown as SweptRow;
    const before = rows.get(row.cell);
    // Two runs of one shard at once write some cells twice.
    if (before !== undefined && !isSameAnswer(before, found))
      throw new BadInputError(
        `${path} has two results for cell ${row.cell}, the second in line ${number}: remove the file, and run the shard again`,
      );
    if (before === undefined) rows.set(row.cell, found);
  }
  return { shard, plan, rows: [...rows.values()] };
}

const isAnswer = (row: z.infer<typeof sweptSchema>, { batch, strategy, budget }: Cell): boolean =>
  row.batch === batch && row.strategy === strategy && row.budget === budget;

/** Equal but for how long it took. */
export function isSameAnswer(
  { solveMs: _a, processorMs: _b, ...one }: SweptRow,
  { solveMs: _c, processorMs: _d, ...other }: SweptRow,
): boolean {
  return isDeepStrictEqual(one, other);
}

const damaged = (path: string, number: number): BadInputError =>
  new BadInputError(`${path} is damaged in line ${number}: remove that line, and run the shard again`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Undefined for what is not JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Lines that have their end; what follows the last line break is still being written. */
function* linesOf(source: ByteSource, path: string): Generator<string, void, void> {
  const decoder = new TextDecoder();
  let rest: Uint8Array = new Uint8Array(0);
  let number = 1;
  for (let offset = 0; offset < source.size; ) {
    const read = source.read(offset, CHUNK_BYTES);
    if (read.length === 0) return;
    offset += read.length;
    const bytes = Buffer.concat([rest, read]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      yield decoder.decode(bytes.subarray(start, end));
      start = end + 1;
      number++;
    }
    rest = bytes.subarray(start);
    if (rest.length > MAX_LINE_BYTES) throw damaged(path, number);
  }
}

/** Every shard of a folder. @throws BadInputError if none exists, or they are of several sweeps */
export function readShards(folder: string): ReadShard[] {
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  const names = isFolder
    ? readdirSync(folder)
        .filter((name) => SHARD_FILE.test(name))
        .sort()
    : [];
  const shards = names.map((name) => ({ name, ...readShard(join(folder, name)) }));
  const [first] = shards;
  if (first === undefined)
    throw new BadInputError(`--merge: ${folder} has no file shard-K-of-N.jsonl; name the folder of --out`);
  const other = shards.find(({ plan }) => !samePlan(plan, first.plan));
  if (other !== undefined)
    throw new BadInputError(`--merge: ${first.name} and ${other.name} in ${folder} belong to two sweeps`);
  return shards;
}
