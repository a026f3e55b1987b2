#!/usr/bin/env node
import { basename, dirname } from 'node:path';
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stopped } from './guarded.mjs';
import { withLock } from './lock.mjs';
import { progressLine } from './progress.mjs';
import { fail, say } from './root.mjs';
import { buildTensorflow } from './tensorflow-build.mjs';
import { planSizes, readable, refuseObstacles, targetFolder } from './tensorflow-plan.mjs';

/**
 * `npm run setup:tensorflow [-- --cuda] [--time-limit SECONDS] [--about] [--json]`: a current TensorFlow for the
 * trainer's backend `tensorflow`.
 *
 * The published packages bring a TensorFlow of 2022 from a server of their own. TensorFlow's own Python wheels carry
 * the same C library, current: this takes the wheel, compiles the addon of @tensorflow/tfjs-node against it, and puts
 * both where the trainer looks: below .zigzag/tensorflow, or in the folder that ZIGZAG_TENSORFLOW names. `--cuda` takes
 * the wheel for NVIDIA GPUs and its CUDA 12. Which wheels, their hashes and sizes, is pinned in app/start/tensorflow.
 *
 * `--about` says what it would fetch and leave on the disk, and ends. A link that brings no byte for a minute ends it;
 * `--time-limit` bounds all of it. `--json` writes lines for a program on standard output, and ends when its standard
 * input does, with the process that started it.
 */
const SILENCE_MS = Number(process.env['ZIGZAG_STALL_MS'] ?? 60_000);
const LONGEST_LIMIT_S = 2_000_000;
const INTERRUPTED = 130;
const NOTHING_KEPT = 'nothing of it was kept, and what was there before is as it was';

/** @typedef {import('./tensorflow-build.mjs').Progress} Progress */

const STEPS = /** @type {const} */ ({
  sources: "the addon's sources",
  library: 'TensorFlow',
  unpacking: 'unpacking TensorFlow',
  compiling: 'compiling the addon',
  trying: 'trying it',
});

function readArguments() {
  const { values } = parseArgs({
    options: {
      cuda: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      about: { type: 'boolean', default: false },
      'time-limit': { type: 'string' },
    },
  });
  const { cuda, json, about, 'time-limit': limit } = values;
  const seconds = limit === undefined ? null : Number(limit);
  if (seconds !== null && !(seconds > 0 && seconds <= LONGEST_LIMIT_S))
    throw new Error(`--time-limit ${limit} is no number of seconds: give one from 1 to ${LONGEST_LIMIT_S}.`);
  return { cuda, json, about, seconds };
}

/** Says how far it is: to people, or as lines of JSON to a program. @param {boolean} json */
function teller(json) {
  /** @type {{ step: Progress['step'], line: ReturnType<typeof progressLine> } | null} */
  let now = null;
  let last = '';
  return {
    /** @param {Progress} at */
    tell(at) {
      if (json) {
        const text = JSON.stringify({ event: 'progress', ...at });
        if (text !== last) process.stdout.write(`${text}\n`);
        last = text;
        return;
      }
      if (now?.step !== at.step) {
        now?.line.end();
        now = { step: at.step, line: progressLine(STEPS[at.step]) };
        say(STEPS[at.step]);
      }
      if (at.of !== null) now.line.show(at.bytes, at.of);
    },
    end: () => now?.line.end(),
  };
}

/**
 * @param {number | null} seconds
 * @param {boolean} json
 * @returns {AbortSignal} aborted with a Stopped
 */
function stopSignal(seconds, json) {
  const controller = new AbortController();
  const interrupt = () =>
    controller.abort(new Stopped(`it was cancelled: ${NOTHING_KEPT}.`, { interrupted: true }));
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, interrupt);
  if (json) process.stdin.on('error', interrupt).on('end', interrupt).on('close', interrupt).resume();
  if (seconds !== null) {
    const late = `it was not done within ${seconds} seconds (--time-limit): give it more; ${NOTHING_KEPT}.`;
    setTimeout(() => controller.abort(new Stopped(late)), seconds * 1000).unref();
  }
  return controller.signal;
}

/** @param {ReturnType<typeof readArguments>} asked @param {AbortSignal} stop */
async function add({ cuda, json }, stop) {
  const folder = targetFolder();
  // Before anything is fetched.
  const sizes = planSizes({ platform: process.platform, arch: process.arch, cuda });
  refuseObstacles(folder, sizes);
  if (!json) say(sentenceOf(cuda, sizes, folder));
  mkdirSync(dirname(folder), { recursive: true });
  const { tell, end } = teller(json);
  let isBuilding = false;
  // A process that waits for the lock has nothing to clear away.
  const waiting = new Promise((_resolve, reject) => {
    stop.addEventListener('abort', () => isBuilding || reject(stop.reason));
  });
  /** @type {string | null | undefined} */
  let obstacle = null;
  const build = async () => {
    if (stop.aborted) return;
    isBuilding = true;
    obstacle = await buildTensorflow(folder, { cuda, silenceMs: SILENCE_MS, stop, tell });
  };
  try {
    await Promise.race([withLock(basename(folder), build, dirname(folder)), waiting]);
  } finally {
    end();
  }
  if (json) return;
  if (obstacle) say(`without the lab's own fused operations, so transformers train slower: ${obstacle}.`);
  say('done: zigzag train MODEL --backend tensorflow; a lab that runs finds it by itself.');
}

/**
 * @param {boolean} cuda
 * @param {{ downloadBytes: number, diskBytes: number }} sizes
 * @param {string} folder
 */
const sentenceOf = (cuda, { downloadBytes, diskBytes }, folder) =>
  `TensorFlow for ${cuda ? 'NVIDIA GPUs (CUDA 12)' : 'the processor'}: fetches ${readable(downloadBytes)}, ` +
  `leaves ${readable(diskBytes)} in ${folder}`;

/** Sizes for the processor and for NVIDIA GPUs; null where there are no wheels. */
function about() {
  const { platform, arch } = process;
  const kinds = [false, true].map((cuda) => {
    try {
      return planSizes({ platform, arch, cuda });
    } catch {
      return null;
    }
  });
  return { folder: targetFolder(), cpu: kinds[0] ?? null, cuda: kinds[1] ?? null };
}

async function main() {
  const asked = readArguments();
  const { cuda, json, about: onlyAbout, seconds } = asked;
  if (onlyAbout && json) {
    process.stdout.write(`${JSON.stringify(about())}\n`);
    return;
  }
  if (onlyAbout) {
    const { platform, arch } = process;
    say(sentenceOf(cuda, planSizes({ platform, arch, cuda }), targetFolder()));
    return;
  }
  try {
    await add(asked, stopSignal(seconds, json));
    process.exit(0);
  } catch (error) {
    if (json)
      process.stdout.write(
        `${JSON.stringify({ event: 'failed', reason: /** @type {Error} */ (error).message })}\n`,
      );
    fail(error);
    // A lock that it waits for would keep it.
    process.exit(error instanceof Stopped && error.interrupted ? INTERRUPTED : 1);
  }
}

if (process.argv[1] === import.meta.filename) main().catch(fail);
