#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { fail, ROOT, say } from './root.mjs';

/**
 * @typedef {keyof typeof PARTS} Part
 * @typedef {{ part: Part, date: string, system: string, device: string, evidence: string }} Entry one run that passed;
 *   `evidence` is a file of the repository, or a sentence on where it can be seen
 */

/** Parts of the lab that run elsewhere than in unit tests, and the command that shows each at work. */
export const PARTS = /** @type {const} */ ({
  packed: ['Packed desktop program', 'npm run dist:test'],
  electron: ['Electron itself: the lab opens and trains', 'test/electron/smoke.test.ts'],
  chromium: ['Lab in Chromium', 'npm run bench screens.ts'],
  wasm: ['Training on WebAssembly', 'npm run bench trainer.ts'],
  'tensorflow-processor': ['Training with TensorFlow on the processor', 'npm run bench trainer.ts'],
  'tensorflow-cuda': ['Training with TensorFlow on a CUDA GPU', 'zigzag train --backend tensorflow --json'],
  webgpu: ['Training with WebGPU on a GPU', 'zigzag train --backend webgpu --json'],
  'pytorch-processor': ['Plans in PyTorch on the processor', 'npm run bench torch-zoo.ts'],
  'pytorch-cuda': ['Plans in PyTorch on a CUDA GPU', 'python zigzag_torch.py selftest --device cuda'],
});

const DATA = 'test/bench/results/where-ran.json';
export const PAGE = 'docs/what-has-run-where.md';

/**
 * @param {string} [root]
 * @returns {Entry[]}
 */
export function entriesOf(root = ROOT) {
  const path = join(root, DATA);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}

/** The page for readers. @param {readonly Entry[]} entries */
export function pageOf(entries) {
  const rows = Object.entries(PARTS).flatMap(([part, [title, command]]) => {
    const runs = entries.filter((entry) => entry.part === part).sort((a, b) => (a.date < b.date ? 1 : -1));
    if (runs.length === 0) return [`| ${title} | never | | | \`${command}\` |`];
    return runs.map(
      ({ date, system, device, evidence }) =>
        `| ${title} | ${date} | ${system} | ${device} | ${existsSync(join(ROOT, evidence)) ? `\`${evidence.split('/').at(-1)}\`` : evidence} |`,
    );
  });
  return `# What has run where

Passed runs of each part, the latest per device. Files with figures are in \`test/bench/results\`.
Tests of parts that never ran use stand-ins. The jobs of \`.github/workflows/desktop.yml\` can run the packed program, Electron,
and TensorFlow on CUDA.

| part | date | system | device | seen in, or how to run it |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

With \`ZIGZAG_RESULTS\` set, \`npm run dist:test\` adds its run. \`node app/start/where-ran.mjs FILE\` adds runs of other machines: FILE
holds entries of \`${DATA}\`, the output of \`zigzag train --json\`, or the file of a PyTorch self-test.

This page is written by \`app/start/where-ran.mjs\`.
`;
}

/**
 * Adds runs that passed, the latest of each part, system and device, and writes the page again.
 *
 * @param {readonly Entry[]} added
 * @param {string} [root]
 */
export function recordRuns(added, root = ROOT) {
  for (const entry of added) requireEntry(entry);
  const nameOf = (/** @type {Entry} */ { part, system, device }) => JSON.stringify([part, system, device]);
  const latest = new Map([...entriesOf(root), ...added].map((entry) => [nameOf(entry), entry]));
  const entries = [...latest.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  writeFileSync(join(root, DATA), `${JSON.stringify(entries, null, 2)}\n`);
  writeFileSync(join(root, PAGE), pageOf(entries));
}

/** @param {Entry} entry */
function requireEntry(entry) {
  const { part, date, system, device, evidence } = entry;
  const texts = [system, device, evidence];
  const isText = texts.every((text) => typeof text === 'string' && /^[^|\n]{1,200}$/.test(text));
  if (!(part in PARTS) || !/^\d{4}-\d\d-\d\d$/.test(date) || !isText)
    throw new Error(
      `not a run: ${JSON.stringify(entry)}; expected part (${Object.keys(PARTS).join(', ')}), date, system, device and evidence.`,
    );
}

/** This machine and day. */
export const here = () => ({
  date: new Date().toISOString().slice(0, 10),
  system: `${process.platform} ${process.arch}, ${release()}`,
  device: cpus()[0]?.model.trim() ?? process.arch,
});

/**
 * Runs that a file tells of: entries, the events of one training that came to its end as predicted, or what the Python
 * package's self-test wrote.
 *
 * @param {string} text
 * @returns {Entry[]}
 */
export function runsIn(text) {
  const lines = text.trim().split('\n');
  if (!lines[0]?.startsWith('{"event"')) {
    const found = JSON.parse(text);
    return found.format === 'zigzag-selftest' ? [selfTested(found)] : [found].flat();
  }
  const events = lines.map((line) => JSON.parse(line));
  const start = events.find(({ event }) => event === 'start');
  const done = events.at(-1);
  if (start === undefined || done.event !== 'done')
    throw new Error('the training did not come to its end, so it shows nothing.');
  if (done.predictedPeakBytes !== done.measuredPeakBytes)
    throw new Error(`the training peaked at ${done.measuredPeakBytes} bytes, not as predicted.`);
  const { backend, device, model } = start;
  const part =
    backend === 'tensorflow' ? (/CUDA/.test(device) ? 'tensorflow-cuda' : 'tensorflow-processor') : backend;
  return [{ ...here(), part, device, evidence: `zigzag train ${model}, ended as predicted` }];
}

/**
 * @param {{ passed: boolean, kind: string, date: string, system: string, device: string, torch: string,
 *   cases: { name: string }[] }} file
 * @returns {Entry}
 */
function selfTested({ passed, kind, date, system, device, torch, cases }) {
  if (!passed) throw new Error('the self-test of the Python package did not pass.');
  const evidence = `PyTorch self-test: ${cases.map(({ name }) => name).join(', ')} bit-identical, bytes saved as promised`;
  const part = kind === 'cuda' ? 'pytorch-cuda' : 'pytorch-processor';
  return { part, date, system, device: `PyTorch ${torch}, ${device}`, evidence };
}

/** `node app/start/where-ran.mjs [FILE]`: adds the runs of a file, and writes the page. */
async function main() {
  const [file] = process.argv.slice(2);
  recordRuns(file === undefined ? [] : runsIn(readFileSync(file, 'utf8')));
  say(`wrote ${PAGE}`);
}

if (process.argv[1] === import.meta.filename) main().catch(fail);
