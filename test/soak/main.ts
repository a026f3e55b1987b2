import { setTimeout as pause } from 'node:timers/promises';
import { findChromium } from '../../app/start/chromium.mjs';
import { startLab } from '../e2e/support/lab-server.ts';
import { childrenOf, factsOf } from '../support/processes.ts';
import { createRng } from '../support/rng.ts';
import { copies } from './actions.ts';
import { browse } from './browser.ts';
import { judge, type Sample } from './bounds.ts';
import { connect, type Tally, visit } from './client.ts';
import { LAB_BOUNDS, PAGE_BOUND, sampleLab } from './lab-bounds.ts';
import { report } from './report.ts';

const CLIENTS = 4;
const SAMPLE_MS = 1000;
const LAST_CALL_MS = 60_000;
/** As many runs as a history keeps. */
const FULL = 1000;

/** Lets clients at a lab for some minutes, and says what it took: `node main.js MINUTES SEED`. */
async function soak(minutes: number, seed: number): Promise<boolean> {
  const lab = await startLab({ root: process.cwd() });
  const tally: Tally = { done: new Map(), faults: [] };
  await fillHistory(lab.url, seed);
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    visit(lab.url, seed + index, over.signal, tally).catch((error: unknown) => {
      tally.faults.push(`a client ended: ${error instanceof Error ? error.message : error}`);
    }),
  );
  const chromium = findChromium();
  const page = chromium === undefined ? null : await browse(chromium, lab.url, over.signal, tally);
  const samples: Sample[] = [];
  const begun = performance.now();
  for (let ms = 0; ms < minutes * 60_000; ms = performance.now() - begun) {
    const heap = page?.heapBytes() ?? null;
    const ofPage = heap === null ? {} : { [PAGE_BOUND.name]: heap };
    samples.push({ ms, values: { ...sampleLab(lab.pid, lab.data), ...ofPage } });
    await pause(SAMPLE_MS);
  }
  over.abort();
  const ended = Promise.all([...clients, page?.close()]).then(() => true);
  const inTime = await Promise.race([ended, pause(LAST_CALL_MS, false, { ref: false })]);
  if (!inTime) tally.faults.push('a client still waits for an answer a minute after it cancelled its calls');
  const started = childrenOf(lab.pid).map(({ pid }) => pid);
  const code = await lab.close();
  const left = started.filter((pid) => factsOf(pid) !== null).length;
  if (code !== 0) tally.faults.push(`the lab ended with ${code ?? 'a signal'}`);
  if (left > 0) tally.faults.push(`${left} processes were left behind`);
  const bounds = page === null ? LAB_BOUNDS : [...LAB_BOUNDS, PAGE_BOUND];
  const verdicts = bounds.map((bound) => judge(bound, samples));
  const who = `${CLIENTS} clients and ${page === null ? 'no browser (there is no Chromium)' : 'a browser'}`;
  process.stdout.write(report(verdicts, tally, `${minutes} min, ${who}, seed ${seed}`));
  return tally.faults.length === 0 && verdicts.every(({ isKept }) => isKept);
}

/** One run and copies of it, until runs and removed runs are as many as are kept: then nothing grows by rights. */
async function fillHistory(address: string, seed: number): Promise<void> {
  const { lab, close } = await connect(address);
  const request = { model: 'tiny-residual', batch: 2, strategy: 'optimal', iterations: 3 };
  for await (const _ of await lab.train({ ...request, backend: 'wasm' }));
  const [run] = (await lab.listRuns()).runs;
  if (run === undefined) throw new Error('the lab keeps no runs');
  const { text } = await lab.exportRuns({ ids: [run.id] });
  const rng = createRng(seed);
  for (let round = 0; round < 2; round++) {
    await lab.importRuns({ bytes: copies(text, FULL, rng), makeRoom: true });
  }
  close();
}

const [minutes = '10', seed = '1'] = process.argv.slice(2);
// A client that still waits would keep this process.
process.exit((await soak(Number(minutes), Number(seed))) ? 0 : 1);
