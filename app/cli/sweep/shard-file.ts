import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { BadInputError } from '../../../engine/errors.ts';
import type { SweepPlan } from './plan.ts';
import type { SweptRow } from './solve-cells.ts';

const FORMAT = 'zigzag-sweep/1';
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
    throw new BadInputError(`--shard must be one of so many, such as 3/64, got "${text}"`);
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
    `--out: ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}; what is there is kept`,
  );

/** What is there already, without a last line that was not finished. */
function begin(folder: string, path: string): ReadShard | null {
  try {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(path)) return null;
    const text = readFileSync(path);
    const end = text.lastIndexOf(0x0a) + 1;
    if (end < text.length) truncateSync(path, end);
    if (end === 0) return null;
  } catch (error) {
    throw notWritten(path, error);
  }
  return readShard(path);
}

/** @throws BadInputError for what is no such file */
export function readShard(path: string): ReadShard {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  // Behind the last line break is what is still being written.
  lines.pop();
  const [header, ...rows] = lines.map((line, i) => parsed(line, path, i + 1));
  if (!isHeader(header))
    throw new BadInputError(`${path} is no result of zigzag sweep: its first line is another`);
  return { shard: header.shard, plan: header.plan, rows: rows as SweptRow[] };
}

function parsed(line: string, path: string, number: number): unknown {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && (number === 1 || 'cell' in value)) return value;
  } catch {
    // Said below.
  }
  throw new BadInputError(`${path} is damaged in line ${number}: remove that line, and run the shard again`);
}

function isHeader(value: unknown): value is Header {
  return typeof value === 'object' && value !== null && (value as Partial<Header>).format === FORMAT;
}

/** Every shard of a folder. @throws BadInputError where there is none, or they are of several sweeps */
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
    throw new BadInputError(
      `--merge: ${folder} holds no shard-K-of-N.jsonl; name the folder that --out named`,
    );
  const other = shards.find(({ plan }) => !samePlan(plan, first.plan));
  if (other !== undefined)
    throw new BadInputError(`--merge: ${first.name} and ${other.name} in ${folder} are of two sweeps`);
  return shards;
}
