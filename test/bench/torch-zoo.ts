import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import '../app/bridges/bridge-file.ts';
import { torchModels } from '../../app/bridges/torch/torch-models.ts';
import { findTorch2Python, findTorchPython } from '../../app/start/python.mjs';
import { buildModel, MODELS } from '../../engine/zoo/zoo.ts';
import { BATCH, type Promised, sizeOf, type ZooAnswer, zooPlan } from '../support/torch-zoo.ts';

/**
 * Every model of torchvision's and timm's that is a network of the zoo, trained under its plan (`live`) and without:
 * whether the plan is found in it, whether a step is the same to the bit, and how much of the promised saving is
 * there. Writes test/bench/results/pytorch-VERSION-cpu-zoo.json and .md for each PyTorch that the tests have.
 *
 * Exits 1 where a model is not matched or not trained to the bit. ZIGZAG_MODELS=A,B takes some networks and writes nothing.
 */
const ROOT = process.cwd();
const SCRIPT = join(ROOT, 'test', 'reference', 'torch_zoo.py');
const STRATEGY = 'live';
const LIMIT_MS = 1_800_000;

interface Row extends ZooAnswer {
  readonly network: string;
  readonly make: string;
  readonly promised: Promised;
}

function ask(python: string, argument: string): string {
  const env = { ...process.env, OMP_WAIT_POLICY: 'PASSIVE' };
  const run = spawnSync(python, [SCRIPT, argument], { encoding: 'utf8', env, timeout: LIMIT_MS });
  if (run.status !== 0) throw new Error(`torch_zoo.py: ${run.stderr || run.error}`);
  return run.stdout.trim();
}

function rowsOf(python: string, only: readonly string[] | undefined): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-torch-zoo-'));
  const rows: Row[] = [];
  try {
    for (const { name } of MODELS) {
      if (only !== undefined && !only.includes(name)) continue;
      const same = torchModels(buildModel(name, { batch: 1 }), { model: name });
      if ('reason' in same || same.models.length === 0) continue;
      const text = zooPlan(name, STRATEGY);
      writeFileSync(join(folder, `${name}.json`), text);
      const { peakBytes, regularPeakBytes } = JSON.parse(text) as Promised;
      const input = [3, sizeOf(name), sizeOf(name)];
      for (const { make } of same.models) {
        // A model at a time: the largest leave no room for each other.
        const request = { make, plan: `${name}.json`, input, step: true };
        writeFileSync(join(folder, 'requests.json'), JSON.stringify([request]));
        const answer = JSON.parse(ask(python, folder)) as ZooAnswer;
        rows.push({ network: name, make, promised: { peakBytes, regularPeakBytes }, ...answer });
        console.log(cellsOf(rows[rows.length - 1]!).join(' | '));
      }
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const shareOf = ({ promised, regularPeakBytes, peakBytes }: Row): number =>
  (regularPeakBytes! - peakBytes!) / (promised.regularPeakBytes - promised.peakBytes);
const mb = (size: number): string => (size / 1e6).toFixed(1);

function cellsOf(row: Row): string[] {
  const { network, make, promised, exact, left, absent, refused, regularPeakBytes, peakBytes } = row;
  const head = [network, `\`${make}\``];
  if (absent !== undefined) return [...head, `no ${absent} here`, '', '', ''];
  if (refused !== undefined) return [...head, 'no', '', '', refused];
  const saved = `${mb(regularPeakBytes! - peakBytes!)} of ${mb(promised.regularPeakBytes - promised.peakBytes)} MB`;
  const same = exact === true && left === null ? 'yes' : 'no';
  return [...head, 'yes', same, saved, shareOf(row).toFixed(3)];
}

function markdown(title: string, rows: readonly Row[]): string {
  const head = ['network', 'model', 'matched', 'same to the bit', 'saved of promised', 'share'];
  const lines = [head, head.map(() => '---'), ...rows.map(cellsOf)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  const here = rows.filter(({ absent }) => absent === undefined);
  const trained = here.filter(({ exact, left }) => exact === true && left === null);
  const shares = trained.map(shareOf).sort((a, b) => a - b);
  const facts = [
    `matched: ${here.filter(({ refused }) => refused === undefined).length} of ${here.length} models`,
    `trained under the plan to the bit: ${trained.length} of ${here.length}`,
    `saved over promised: least ${shares[0]?.toFixed(3)}, median ${shares[shares.length >> 1]?.toFixed(3)}, most ${shares.at(-1)?.toFixed(3)}`,
    `strategy ${STRATEGY}, batch ${BATCH}, 64 pixels a side (Inception-v3: 96), float32; peaks without kernels' own buffers, as \`zigzag_torch.measure\` says them`,
  ];
  return `# ${title}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${lines.join('\n')}\n`;
}

function main(): void {
  const only = process.env['ZIGZAG_MODELS']?.split(',');
  for (const python of [findTorchPython(), findTorch2Python()]) {
    if (python === undefined) {
      console.log('one of the two PyTorch is not here: see ZIGZAG_PYTHON and ZIGZAG_TORCH2_PYTHON');
      continue;
    }
    const versions = JSON.parse(ask(python, 'versions')) as Readonly<Record<string, string>>;
    const device = `${cpus()[0]?.model.trim() ?? 'unknown CPU'}, one thread`;
    const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
    const rows = rowsOf(python, only);
    const wrong = rows.filter(
      ({ absent, exact, left }) => absent === undefined && (exact !== true || left !== null),
    );
    if (wrong.length > 0) process.exitCode = 1;
    const text = markdown(`The zoo in ${named.join(', ')}; ${device}`, rows);
    if (only !== undefined) {
      console.log(text);
      continue;
    }
    const version = versions['torch']!.split('.').slice(0, 2).join('.');
    const path = join(ROOT, 'test', 'bench', 'results', `pytorch-${version}-cpu-zoo`);
    writeFileSync(
      `${path}.json`,
      `${JSON.stringify({ versions, device, strategy: STRATEGY, batch: BATCH, rows }, null, 1)}\n`,
    );
    writeFileSync(`${path}.md`, text);
  }
}

main();
