import { join } from 'node:path';
import { keepTable, ON_CPU, printedRows, scriptEnv, withPackage } from './pytorch/site.ts';

/**
 * `zigzag_lab.Partitioner` beside PyTorch's own `activation_memory_budget`, at the measured peak that PyTorch's plan for
 * half of the memory reaches: FLOPs that the backward recomputes, measured peak against the promised one, and the
 * processor time of both partitioners (test/bench/torch_partitions.py). Nothing is compiled to kernels: the graphs that
 * `aot_autograd` gives with Inductor's decompositions run operation by operation.
 *
 * Writes test/bench/results/pytorch-VERSION-partitioner.md. Exits 1 where a target is missed. ZIGZAG_MODELS=A,B takes
 * some models and writes nothing.
 */
const ROOT = process.cwd();
/** Largest difference of the measured from the promised peak, in parts of the own one. */
const NEAR = 0.05;
/** Longest that ours may take beyond PyTorch's. */
const SECONDS = 2;
/** Rounding of gradients, in parts of the largest. */
const ROUNDING = 1e-4;

interface Row {
  readonly name: string;
  readonly failed?: string;
  readonly ownBytes: number;
  readonly theirBytes: number;
  readonly ourBytes: number;
  readonly promisedBytes: number | null;
  readonly ownFlops: number;
  readonly theirFlops: number;
  readonly ourFlops: number;
  readonly warned: boolean;
  readonly theirSeconds: number;
  readonly ourSeconds: number;
  readonly theirDifference: number;
  readonly ourDifference: number;
}

const isRight = ({ ourDifference }: Row): boolean => ourDifference <= ROUNDING;
const isPlanned = ({ warned, promisedBytes }: Row): boolean => !warned && promisedBytes !== null;
/** Both within the memory that PyTorch's plan was measured with, and its gradients right. */
const isComparable = (row: Row): boolean =>
  isPlanned(row) && row.theirDifference <= ROUNDING && row.ourBytes <= (1 + NEAR) * row.theirBytes;
const isNear = (row: Row): boolean =>
  isPlanned(row) && Math.abs(row.ourBytes - (row.promisedBytes ?? 0)) <= NEAR * row.ownBytes;
const isQuick = ({ ourSeconds, theirSeconds }: Row): boolean => ourSeconds - theirSeconds <= SECONDS;

function lineOf(row: Row): string {
  if (row.failed !== undefined) return `| ${row.name} | ${row.failed.replaceAll('|', '/')} | | | | | | |`;
  const percent = (bytes: number): string => `${((100 * bytes) / row.ownBytes).toFixed(1)} %`;
  const millions = (flops: number): string => (flops / 1e6).toFixed(2);
  const remarks = [
    !isPlanned(row) && 'no plan fits, so PyTorch’s own partition',
    row.theirDifference > ROUNDING && 'PyTorch’s plan changes the gradients',
    !isRight(row) && 'OUR PLAN CHANGES THE GRADIENTS',
  ];
  return `| ${[
    row.name,
    `${(row.ownBytes / 1e6).toFixed(2)} MB`,
    percent(row.theirBytes),
    percent(row.ourBytes),
    row.promisedBytes === null ? 'n/a' : percent(row.promisedBytes),
    `${millions(row.theirFlops)} / ${millions(row.ourFlops)}`,
    `${row.theirSeconds.toFixed(1)} / ${row.ourSeconds.toFixed(1)} s`,
    remarks.filter(Boolean).join('; '),
  ].join(' | ')} |`;
}

function summary(rows: readonly Row[]): readonly string[] {
  const count = (from: readonly Row[], right: (row: Row) => boolean): string => {
    const wrong = from.filter((row) => !right(row)).map(({ name }) => name);
    if (wrong.length > 0) process.exitCode = 1;
    return `${from.length - wrong.length} of ${from.length}${wrong.length === 0 ? '' : ` (not: ${wrong.join(', ')})`}`;
  };
  const ran = rows.filter(({ failed }) => failed === undefined);
  const fair = ran.filter(isComparable);
  return [
    `gradients as under PyTorch's own partition: ${count(ran, isRight)}`,
    `planned: ${count(ran, isPlanned)}`,
    `measured peak within ${100 * NEAR} % of the promised one: ${count(ran.filter(isPlanned), isNear)}`,
    `recompute at or below PyTorch's at its measured peak: ${count(fair, ({ ourFlops, theirFlops }) => ourFlops <= theirFlops)}`,
    `at most ${SECONDS} s longer than PyTorch's partitioner: ${count(ran, isQuick)}`,
  ];
}

withPackage((ask, site, torch) => {
  const wanted = process.env['ZIGZAG_MODELS']?.split(',') ?? [];
  const script = join(ROOT, 'test', 'bench', 'torch_partitions.py');
  const rows = printedRows<Row>(ask([script, site, ...wanted], scriptEnv()));
  const text = [
    `# Partitioner beside PyTorch's memory budget: torch ${torch}, ${ON_CPU}`,
    '',
    "Written by `npm run bench pytorch-partitioner`. PyTorch's own solver is asked for half of the memory, and ours for the peak that this was measured with. Graphs are those of `aot_autograd` with Inductor's decompositions, without compiled kernels. Recompute counts operations that forward and backward both run, one step: PyTorch's / ours, in millions of FLOPs. Time is processor time of the partitioners alone, the solver's process included.",
    '',
    ...summary(rows).map((line) => `- ${line}`),
    '',
    "| model | own peak | PyTorch's | ours | promised | recompute | partitioner | says |",
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(lineOf),
  ].join('\n');
  console.log(text);
  if (wanted.length === 0) keepTable(torch, 'partitioner', text);
});
