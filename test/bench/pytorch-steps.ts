import { join } from 'node:path';
import { markdownTable } from '../support/bench-results.ts';
import { keepTable, ON_CPU, printedRows, scriptEnv, withPackage } from './pytorch/site.ts';

/**
 * Processor time of a training step under a plan beside per-block checkpointing in the same memory, for small models that
 * people train (test/bench/torch_steps.py).
 *
 * Writes test/bench/results/pytorch-VERSION-cpu-steps.md. Exits 1 where gradients differ or a plan is left.
 * ZIGZAG_MODELS=A,B takes some models and writes nothing.
 */
const SCRIPT = join(process.cwd(), 'test', 'bench', 'torch_steps.py');
const WANTED = 10;

type Way = 'plain' | 'checkpoint' | 'plan';

interface Row {
  readonly name: string;
  readonly vertices: number;
  readonly peaks: Readonly<Record<Way, number>>;
  readonly seconds: Readonly<Record<Way, number>>;
  /** True if its gradients equal plain training's to the bit. */
  readonly same: boolean;
  readonly left: string | null;
  /** FLOPs that the plan recomputes, of a forward's. */
  readonly recompute: number;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function cellsOf({ name, vertices, peaks, seconds, same, left, recompute }: Row) {
  if (!same || left !== null) process.exitCode = 1;
  return {
    model: name,
    operations: vertices,
    'plain peak': `${(peaks.plain / 1e6).toFixed(1)} MB`,
    "checkpoint's peak": percent(peaks.checkpoint / peaks.plain),
    "plan's peak": percent(peaks.plan / peaks.plain),
    'plain step': `${(1e3 * seconds.plain).toFixed(0)} ms`,
    "checkpoint's step": (seconds.checkpoint / seconds.plain).toFixed(2),
    "plan's step": (seconds.plan / seconds.plain).toFixed(2),
    recompute: percent(recompute),
    'plan over checkpoint': (seconds.plan / seconds.checkpoint).toFixed(2),
    'bit-identical': same ? 'yes' : 'NO',
    left: left ?? 'no',
  };
}

withPackage((ask, site, torch) => {
  const names = process.env['ZIGZAG_MODELS']?.split(',') ?? [];
  const rows = printedRows<Row>(ask([SCRIPT, ...names], scriptEnv(site)));
  const faster = rows.filter(({ seconds }) => seconds.plan <= seconds.checkpoint).length;
  const text = [
    `# A step under a plan beside per-block checkpointing, PyTorch ${torch}, ${ON_CPU}`,
    '',
    "Written by `npm run bench pytorch-steps`. The plan's budget is the peak of checkpointing, which the model's own library does block by block. Peaks are parts of plain training's; times are medians of processor time, over a plain step's; recompute is of a forward's FLOPs.",
    '',
    `- no slower than per-block checkpointing: ${faster} of ${rows.length}${names.length > 0 ? '' : ` (at least ${WANTED} wanted: ${faster >= WANTED ? 'met' : 'MISSED'})`}`,
    '',
    ...markdownTable(rows.map(cellsOf)),
  ].join('\n');
  console.log(text);
  if (names.length === 0) keepTable(torch, 'cpu-steps', text);
});
