#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall } from './apt.mjs';
import { ensureChromium, NO_CHROMIUM } from './chromium.mjs';
import { KERNEL_PACKAGES, whyNoKernelCompiler } from './kernels.mjs';
import { findLatex, LATEX_PACKAGES } from './latex.mjs';
import { findTorch2Python, findTorchPython, TORCH2_PACKAGES, TORCH2_VENV } from './python.mjs';
import { fail, ROOT, say } from './root.mjs';
import { run, runNode, succeeds } from './run.mjs';
import { operationsFile, targetFolder } from './tensorflow-plan.mjs';

/**
 * Prepares Chromium, PyTorch, a PyTorch 2.x in an environment of its own, TensorFlow, the kernels' compiler, LaTeX and
 * a reader of PDF for the tests of `.ci/run` against them, all at once: each downloads for most of its time. Says what
 * cannot be had; its tests are skipped.
 */
const ADDON_LIMIT_S = 600;
const TORCH2_LIMIT_MS = 8 * 60_000;

async function preparePytorch() {
  if (findTorchPython()) return undefined;
  return aptInstall('the tests against PyTorch', ['python3-torch', 'python3-torchvision']);
}

/**
 * A processor alone needs no driver's libraries, but which packages there are depends on the index that pip is set up
 * with, so what it offers under their plain names is taken.
 */
async function prepareTorch2() {
  if (process.env['ZIGZAG_TORCH2_PYTHON'] || findTorch2Python()) return undefined;
  const python = join(TORCH2_VENV, 'bin', 'python');
  if (!succeeds('python3', '-m', 'venv', TORCH2_VENV)) {
    const obstacle = await aptInstall('PyTorch 2.x', ['python3-venv']);
    if (obstacle) return obstacle;
    if (!succeeds('python3', '-m', 'venv', TORCH2_VENV)) return 'python3 -m venv fails';
  }
  say(`installing ${TORCH2_PACKAGES.join(', ')} for the tests (pip)`);
  // V8 for Python is what the wheel's engine runs in where there is no Node; its Trainer wants accelerate. Programs that
  // train adapters and four-bit weights want peft and bitsandbytes, configurations of torchtitan the last four.
  const packages = [...TORCH2_PACKAGES, 'mini-racer', 'accelerate', 'lightning', 'peft', 'bitsandbytes'];
  const forTitan = ['tyro', 'spmd_types==0.2.3', 'torch_checkpointing', 'torchdata'];
  const args = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check'];
  const { code, timedOut } = await run(python, [...args, ...packages, ...forTitan], {
    output: 'stderr',
    timeoutMs: TORCH2_LIMIT_MS,
  });
  if (timedOut) return 'pip took longer than 8 minutes; the next run goes on from what it downloaded';
  if (code !== 0) return `pip ended with exit code ${code}`;
  // Alone, since the Trainer of transformers would write to the loggers that torchtitan brings along.
  const titan = await run(python, [...args, '--no-deps', 'torchtitan==0.3.0'], { output: 'stderr' });
  // With PYTHONDONTWRITEBYTECODE, Python compiles them at every import: 5 seconds instead of 2 for torch, 21 instead of 7
  // for the Trainer of transformers. Some packages have files for a newer Python, so the exit code says nothing.
  const unused = '/tests?/|/site-packages/(pip|pygments|setuptools)/';
  const compile = ['-m', 'compileall', '-q', '-j', '0', '-x', unused, join(TORCH2_VENV, 'lib')];
  await run(python, compile, { output: 'ignore' });
  return titan.code === 0 ? undefined : `ready but for torchtitan: pip ended with exit code ${titan.code}`;
}

async function prepareChromium() {
  return (await ensureChromium(true)) ? undefined : NO_CHROMIUM;
}

async function prepareLatex() {
  return findLatex() ? undefined : aptInstall('the tests of tables in LaTeX', LATEX_PACKAGES);
}

/** Reads the pages that a browser printed. */
async function preparePdftotext() {
  if (succeeds('pdftotext', '-v')) return undefined;
  return aptInstall('the tests of printed lessons', ['poppler-utils']);
}

async function prepareKernelCompiler() {
  if (whyNoKernelCompiler() === '') return undefined;
  return aptInstall('the kernels of wasm', KERNEL_PACKAGES);
}

async function prepareTensorflow() {
  if (process.env['ZIGZAG_TENSORFLOW'] || existsSync(operationsFile(targetFolder()))) return undefined;
  const missing = [];
  if (!succeeds('python3', '-m', 'pip', '--version')) missing.push('python3-pip');
  if (!succeeds('g++', '--version')) missing.push('g++');
  const obstacle = missing.length > 0 ? await aptInstall("TensorFlow's addon", missing) : undefined;
  if (obstacle) return obstacle;
  const setup = join(ROOT, 'app/start/setup-tensorflow.mjs');
  const { code } = await runNode([setup, '--time-limit', String(ADDON_LIMIT_S)], { output: 'stderr' });
  return code === 0 ? undefined : 'its addon could not be built: see the message above';
}

async function main() {
  const all = /** @type {const} */ ([
    ['PyTorch 2.x', prepareTorch2],
    ['TensorFlow', prepareTensorflow],
    ['PyTorch', preparePytorch],
    ['Chromium', prepareChromium],
    ['LaTeX', prepareLatex],
    ['pdftotext', preparePdftotext],
    ['clang', prepareKernelCompiler],
  ]);
  await Promise.all(
    all.map(async ([name, prepare]) => {
      const obstacle = await prepare();
      say(`${name} for the tests: ${obstacle ?? 'ready'}`);
    }),
  );
}

main().catch(fail);
