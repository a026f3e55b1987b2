import { join } from 'node:path';
import { keepTable, ON_CPU, printedRows, scriptEnv, withPackage } from './pytorch/site.ts';

/**
 * Models of many families (test/reference/torch_families.py), tiny and with random weights, fitted to 60 % of their own
 * peak: whether each is captured, trains one step to the bit, and saves the memory that the plan promises. Peaks are
 * measured outside the buffers of kernels (`zigzag_torch.measure`).
 *
 * Writes test/bench/results/pytorch-VERSION-families.md. Exits 1 where a model is not captured, differs or is refused, or
 * a Llama of 70 billion parameters takes longer than a minute.
 * ZIGZAG_MODELS=A,B takes some models and writes nothing.
 */
const ROOT = process.cwd();
const SHARE = '60%';
/** Saved over promised bytes that count as kept. */
const KEPT = 0.9;
/** Processor time of capturing and solving the largest model. */
const LARGE_SECONDS = 60;
/** Plans of bytes this few are mostly alignment. */
const LEAST_BYTES = 64 * 1024;

interface Row {
  readonly family: string;
  readonly name: string;
  readonly captured: boolean;
  /** The sentence with which it was refused. */
  readonly says: string | null;
  /** A library that is not installed. */
  readonly missing?: string;
  readonly vertices?: number;
  readonly budget?: string | number;
  readonly steady?: boolean;
  readonly same?: boolean;
  readonly left?: string | null;
  readonly plainBytes?: number;
  readonly promisedBytes?: number;
  readonly savedBytes?: number;
  readonly recompute?: number;
}

/** A model that no machine here could hold. */
interface Large {
  readonly parameters: number;
  readonly vertices: number;
  readonly captureSeconds: number;
  readonly solveSeconds: number;
  readonly sentence: string;
}

const isWhole = ({ captured, says, same }: Row): boolean => captured && says === null && same === true;

function keptOf({ promisedBytes = 0, savedBytes = 0 }: Row): number | null {
  return promisedBytes < LEAST_BYTES ? null : savedBytes / promisedBytes;
}

function lineOf(row: Row): string {
  const {
    family,
    name,
    captured,
    same,
    steady,
    plainBytes,

    budget,
    recompute = 0,
    says,
    left,
  } = row;
  const kept = keptOf(row);
  const remarks = [says, left && `leaves the plan: ${left}`, steady === false && 'two plain steps differ'];
  return `| ${[
    family,
    name,
    captured ? 'yes' : 'NO',
    same === undefined ? 'n/a' : same ? 'yes' : 'NO',
    plainBytes === undefined ? 'n/a' : `${(plainBytes / 1e6).toFixed(2)} MB`,
    budget ?? 'n/a',
    kept === null ? 'n/a' : kept.toFixed(2),
    `${(100 * recompute).toFixed(1)} %`,
    remarks.filter(Boolean).join('; ').replaceAll('|', '/'),
  ].join(' | ')} |`;
}

function summary(rows: readonly Row[]): readonly string[] {
  const shares = rows.flatMap((row) => keptOf(row) ?? []).sort((a, b) => a - b);
  const names = (wrong: (row: Row) => boolean): string => {
    const found = rows.filter(wrong).map(({ name }) => name);
    return found.length === 0 ? '' : ` (not: ${found.join(', ')})`;
  };
  const count = (right: (row: Row) => boolean): string =>
    `${rows.filter(right).length} of ${rows.length}${names((row) => !right(row))}`;
  return [
    `captured: ${count(({ captured }) => captured)}`,
    `trained one step under the plan to the bit: ${count(isWhole)}`,
    `within ${SHARE}, the least known share elsewhere: ${count(({ budget }) => budget === SHARE)}`,
    `on the plan to its end: ${count(({ left }) => left === null)}`,
    `saved over promised: least ${shares[0]?.toFixed(2)}, median ${shares[shares.length >> 1]?.toFixed(2)}, below ${KEPT}: ${shares.filter((share) => share < KEPT).length} of ${shares.length}`,
  ];
}

withPackage((ask, site, torch) => {
  const wanted = process.env['ZIGZAG_MODELS']?.split(',') ?? [];
  const script = join(ROOT, 'test', 'bench', 'torch_table.py');
  const rows = printedRows<Row>(ask([script, 'fitted', SHARE, ...wanted], scriptEnv(site))).filter(
    ({ missing }) => missing === undefined,
  );
  const versions = ask([
    '-c',
    'import importlib.metadata as m; print(", ".join(f"{n} {m.version(n)}" for n in ("torchvision", "timm", "transformers")))',
  ]).trim();
  const [largest] = printedRows<Large>(ask([script, 'large', SHARE], scriptEnv(site)));
  if (largest === undefined) throw new Error('the largest model has no row');
  const { parameters, captureSeconds, solveSeconds, vertices, sentence } = largest;
  const seconds = captureSeconds + solveSeconds;
  const text = [
    `# Families at ${SHARE} of their peak: torch ${torch}, ${versions}, ${ON_CPU}`,
    '',
    "Written by `npm run bench pytorch-families`. Kept: saved over promised bytes. It is low, for instance, where the plain step has a model's own checkpoints.",
    '',
    ...summary(rows).map((line) => `- ${line}`),
    `- Llama with ${(parameters / 1e9).toFixed(1)} billion parameters on the device meta, 4,096 tokens in bfloat16: captured in ${captureSeconds.toFixed(1)} s and solved in ${solveSeconds.toFixed(1)} s of processor time (${vertices} vertices; at most ${LARGE_SECONDS} s together: ${seconds <= LARGE_SECONDS ? 'met' : 'MISSED'}); ${sentence}`,
    '',
    '| family | model | captured | bit-identical | plain peak | budget | kept | recompute | says |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(lineOf),
  ].join('\n');
  console.log(text);
  if (!rows.every(isWhole) || seconds > LARGE_SECONDS) process.exitCode = 1;
  if (wanted.length === 0) keepTable(torch, 'families', text);
});
