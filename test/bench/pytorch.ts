import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BRIDGE_FOLDER } from '../app/bridges/bridge-file.ts';
import { findTorch2Python } from '../../app/start/python.mjs';
import { parseGraphFile } from '../../engine/exchange/graph-file.ts';
import { plansForTorch, type SolvedPlan, solvePlan } from '../support/torch-plans.ts';
import {
  type Facts,
  type PeerRow,
  type PlanRow,
  type PyTorchRow,
  summary,
  toMarkdown,
} from './pytorch/rows.ts';
import { ON_CPU } from './pytorch/site.ts';

/**
 * One table over models of many families (test/reference/torch_families.py): whether PyTorch's bridge captures them,
 * counts the bytes that autograd keeps, and trains them under plans as they train without, in the memory that the plan
 * promised; beside it what torch's own means need. Every model is a process of its own with a limit of time; one that
 * fails is a row with the sentence that says why.
 *
 * Rows are kept in dist/ by the hash of the files that made them, so a run that was broken off goes on where it was.
 * ZIGZAG_MODELS=A,B takes some models and writes no results unless ZIGZAG_RESULTS names them, ZIGZAG_FRESH=1 forgets
 * the rows, ZIGZAG_PEERS=0 leaves the peers out, ZIGZAG_TORCH2_PYTHON names the Python.
 */
const ROOT = process.cwd();
const SCRIPT = join(ROOT, 'test', 'bench', 'torch_table.py');
const FAMILIES = join(ROOT, 'test', 'reference', 'torch_families.py');
const BRIDGE = join(BRIDGE_FOLDER, 'zigzag_torch.py');
const LIMITS_MS = { capture: 240_000, peers: 300_000, train: 420_000 };
const MIB = 1024 * 1024;

const python = findTorch2Python();
const wantedModels = process.env['ZIGZAG_MODELS']?.split(',');
const withPeers = process.env['ZIGZAG_PEERS'] !== '0';

function folderOf(kind: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  const folder = join(ROOT, 'dist', 'pytorch-table', `${kind}-${hash.digest('hex').slice(0, 12)}`);
  if (process.env['ZIGZAG_FRESH'] === '1') rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

interface Names {
  readonly torch: string;
  readonly models: Readonly<Record<string, readonly string[]>>;
}

/** File that the script wrote, or the last line of its complaint. */
function ask<T>(action: keyof typeof LIMITS_MS, folder: string, name: string, file: string): T | string {
  const path = join(folder, file);
  rmSync(path, { force: true });
  const env = { ...process.env, OMP_WAIT_POLICY: 'PASSIVE', HF_HUB_OFFLINE: '1', PYTHONWARNINGS: 'ignore' };
  const limits = { encoding: 'utf8', env, timeout: LIMITS_MS[action], maxBuffer: 64 * MIB } as const;
  const run = spawnSync(python ?? 'python3', [SCRIPT, action, folder, name], limits);
  if (run.status === 0 && existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
  if (run.error) return `${action} took longer than ${LIMITS_MS[action] / 1000} s`;
  const said = run.stderr.trim().split('\n');
  return `${action} ended with ${run.signal ?? run.status}: ${said[said.length - 1] ?? ''}`.slice(0, 300);
}

interface Trained {
  readonly steady: boolean;
  readonly plans: Readonly<Record<string, PlanRow>>;
}

function rowOf(family: string, name: string, folder: string, peerFolder: string): PyTorchRow {
  const facts = ask<Facts>('capture', folder, name, `${name}.facts.json`);
  if (typeof facts === 'string') return { family, name, failed: facts };
  const base: PyTorchRow = { family, name, facts };
  if (facts.refused !== undefined || facts.failed !== undefined) return base;
  const peers = withPeers ? peersOf(folder, peerFolder, name, facts) : {};
  try {
    return { ...base, peers, ...plansOf(folder, name, facts, peers) };
  } catch (error) {
    return { ...base, peers, failed: error instanceof Error ? error.message : String(error) };
  }
}

function peersOf(
  folder: string,
  peerFolder: string,
  name: string,
  facts: Facts,
): Readonly<Record<string, PeerRow>> {
  const kept = join(peerFolder, `${name}.peers.json`);
  if (!existsSync(kept)) {
    writeFileSync(join(peerFolder, `${name}.facts.json`), JSON.stringify(facts));
    const said = ask<Record<string, PeerRow>>('peers', peerFolder, name, `${name}.peers.json`);
    if (typeof said === 'string') {
      const partly = join(peerFolder, `${name}.peers.part`);
      const rows = existsSync(partly) ? (JSON.parse(readFileSync(partly, 'utf8')) as object) : {};
      writeFileSync(kept, JSON.stringify({ ...rows, others: { failed: said } }));
    }
  }
  const text = readFileSync(kept, 'utf8');
  writeFileSync(join(folder, `${name}.peers.json`), text);
  return JSON.parse(text) as Record<string, PeerRow>;
}

/** Solves everything that this model is asked, trains it under the plans, and puts the two side by side. */
function plansOf(
  folder: string,
  name: string,
  facts: Facts,
  peers: Readonly<Record<string, PeerRow>>,
): Partial<PyTorchRow> {
  const graph = parseGraphFile(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const started = performance.now();
  const { problem, regular, plans } = plansForTorch(graph);
  const solved = new Map<string, SolvedPlan | string>(plans);
  for (const [peer, { peakBytes }] of Object.entries(peers)) {
    if (peakBytes === undefined) continue;
    const budget = Math.floor(regular.peakBytes - (facts.plain.peakBytes - peakBytes));
    if (budget < regular.peakBytes)
      solved.set(`peer-${peer}`, solvePlan(problem, 'budget', { budgetBytes: budget }));
  }
  const solveMs = Math.round(performance.now() - started);
  const trained = trainUnder(folder, name, solved);
  const shared = { regularBytes: regular.peakBytes, documentSavedBytes: regular.savedBytes, solveMs };
  if (typeof trained === 'string') return { ...shared, failed: trained };
  const rows = new Map([...solved].map(([label, entry]) => [label, planRow(label, entry, trained)]));

  // Equal memory is what is measured: where a plan took more than the peer did, the budget is lowered by as much, once.
  const lowered = new Map<string, SolvedPlan>();
  for (const [peer, theirs] of Object.entries(peers)) {
    const ours = rows.get(`peer-${peer}`);
    if (theirs.peakBytes === undefined || ours?.peakBytes === undefined || ours.promisedPeak === undefined)
      continue;
    if (ours.peakBytes <= theirs.peakBytes) continue;
    const budget = Math.floor(ours.promisedPeak - (ours.peakBytes - theirs.peakBytes));
    const entry = solvePlan(problem, 'budget', { budgetBytes: budget });
    if (typeof entry !== 'string') lowered.set(`peer-${peer}`, entry);
  }
  const again = lowered.size === 0 ? '' : trainUnder(folder, name, lowered);
  if (typeof again !== 'string') {
    for (const [label, entry] of lowered) rows.set(label, planRow(label, entry, again));
  }
  return { ...shared, steady: trained.steady, plans: Object.fromEntries(rows) };
}

/** Trains the model under these plans and no others. */
function trainUnder(
  folder: string,
  name: string,
  plans: ReadonlyMap<string, SolvedPlan | string>,
): Trained | string {
  for (const file of readdirSync(folder)) {
    if (file.startsWith(`${name}.`) && file.endsWith('.plan.json')) rmSync(join(folder, file));
  }
  for (const [label, entry] of plans) {
    if (typeof entry === 'string') continue;
    writeFileSync(join(folder, `${name}.${label}.plan.json`), JSON.stringify(entry.plan));
  }
  return ask<Trained>('train', folder, name, `${name}.trained.json`);
}

/** Prediction of a plan beside its outcome. */
function planRow(label: string, entry: SolvedPlan | string, { plans }: Trained): PlanRow {
  if (typeof entry === 'string') return { unsolved: entry };
  const { peakBytes, recomputeFraction } = entry.timeline;
  return { ...plans[label], promisedPeak: peakBytes, promisedRecompute: recomputeFraction };
}

function main(): void {
  if (python === undefined) {
    console.log('there is no PyTorch 2.x: .ci/run installs it, or name a Python in ZIGZAG_TORCH2_PYTHON');
    return;
  }
  const folder = folderOf(withPeers ? 'rows' : 'alone', [BRIDGE, SCRIPT, FAMILIES]);
  const peerFolder = folderOf('peers', [SCRIPT, FAMILIES]);
  const listed = spawnSync(python, [SCRIPT, 'names'], { encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(`torch_table.py: ${listed.stderr}`);
  const { torch, models } = JSON.parse(listed.stdout.trim().split('\n').pop() ?? '') as Names;
  const rows: PyTorchRow[] = [];
  for (const [family, names] of Object.entries(models)) {
    for (const name of names) {
      if (wantedModels !== undefined && !wantedModels.includes(name)) continue;
      const file = join(folder, `${name}.row`);
      if (!existsSync(file)) {
        const started = performance.now();
        const row = rowOf(family, name, folder, peerFolder);
        writeFileSync(file, JSON.stringify(row));
        console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
      }
      rows.push(JSON.parse(readFileSync(file, 'utf8')) as PyTorchRow);
    }
  }
  const table = toMarkdown(rows);
  const lines = summary(rows);
  console.log(`${table}\n\n${lines.join('\n')}`);
  const part = process.env['ZIGZAG_RESULTS'];
  if (wantedModels !== undefined && part === undefined) return;
  const version = torch.split('.').slice(0, 2).join('.');
  const results = join(
    ROOT,
    'test',
    'bench',
    'results',
    `pytorch-${version}-cpu${part === undefined ? '' : `-${part}`}`,
  );
  writeFileSync(`${results}.json`, `${JSON.stringify({ torch, summary: lines, rows }, null, 1)}\n`);
  writeFileSync(
    `${results}.md`,
    `# PyTorch ${torch}, ${ON_CPU}\n\n${lines.map((l) => `- ${l}`).join('\n')}\n\n${table}\n`,
  );
}

main();
