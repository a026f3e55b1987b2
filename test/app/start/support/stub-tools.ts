import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** How the tools behave; `good` is what is not named. */
export interface Manners {
  readonly npm?: 'good' | 'offline' | 'stalling' | 'absent';
  readonly python?: 'good' | 'offline' | 'stalling' | 'slow' | 'full' | 'absent';
  readonly compiler?: 'good' | 'failing' | 'absent';
  /** The library that comes out of it does not run. */
  readonly broken?: boolean;
}

/**
 * In place of @tensorflow/tfjs-node: a backend of its name, of which the processor's JavaScript does the work, on the
 * core that the trainer has.
 */
const ADDON = `
if (process.env.STUB_BROKEN) throw new Error('libtensorflow_cc.so.2: cannot open shared object file');
const { createRequire } = require('node:module');
const load = createRequire(${JSON.stringify(join(ROOT, 'package.json'))});
const tf = load('@tensorflow/tfjs-core');
const { MathBackendCPU } = load('@tensorflow/tfjs-backend-cpu');
tf.env().set('PROD', true);
tf.registerBackend('tensorflow', () => new MathBackendCPU(), 3);
for (const kernel of tf.getKernelsForBackend('cpu')) tf.registerKernel({ ...kernel, backendName: 'tensorflow' });
tf.setBackend('tensorflow');
module.exports = tf;
`;

const NPM = `
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const [command, ...args] = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];
if (command === 'ci') {
  const cache = option('--cache');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'tarball'), Buffer.alloc(20_000_000));
  if (MANNER === 'offline') {
    console.error('npm error code ENOTFOUND\\nnpm error network request to https://registry failed');
    process.exit(1);
  }
  if (MANNER === 'stalling') return setInterval(() => {}, 1000);
  const folder = join(option('--prefix'), 'node_modules', '@tensorflow', 'tfjs-node');
  mkdirSync(join(folder, 'binding'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"@tensorflow/tfjs-node","main":"index.js"}');
  writeFileSync(join(folder, 'index.js'), ${JSON.stringify(ADDON)});
  setTimeout(() => {}, 700);
}
`;

const PYTHON = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const args = process.argv.slice(2);
if (!args.includes('install')) process.exit(0);
if (process.env.STUB_PID) writeFileSync(process.env.STUB_PID, String(process.pid));
if (MANNER === 'offline') {
  console.error("WARNING: Retrying after connection broken by 'NameResolutionError(Temporary failure in name resolution)'");
  console.error('ERROR: No matching distribution found for tensorflow-cpu==2.21.0');
  process.exit(1);
}
if (MANNER === 'full') {
  console.error("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device");
  process.exit(1);
}
const fetched = join(process.env.TMPDIR, 'pip-unpack-stub');
mkdirSync(fetched, { recursive: true });
const wheel = join(fetched, 'tensorflow.whl');
writeFileSync(wheel, Buffer.alloc(60_000_000));
const finish = () => {
  const library = join(args[args.indexOf('--target') + 1], 'tensorflow');
  mkdirSync(join(library, 'include'), { recursive: true });
  for (const name of ['libtensorflow_cc.so.2', 'libtensorflow_framework.so.2']) writeFileSync(join(library, name), Buffer.alloc(3e6));
  setTimeout(() => process.exit(0), 700);
};
if (MANNER === 'stalling') setInterval(() => {}, 1000);
else if (MANNER === 'slow') {
  setInterval(() => appendFileSync(wheel, Buffer.alloc(100_000)), 100);
  setTimeout(finish, 8000);
}
else setTimeout(finish, 700);
`;

const COMPILER = `
const { writeFileSync } = require('node:fs');
const out = process.argv[process.argv.indexOf('-o') + 1];
if (process.argv.includes('--version')) process.exit(0);
if (MANNER === 'failing') {
  console.error("tfjs_backend.cc:1:10: fatal error: no such header");
  process.exit(1);
}
writeFileSync(out, '');
`;

/** Programs in place of npm, python3 and g++, first on the path, and a folder where TensorFlow is to be put. */
export class StubTools {
  readonly folder = mkdtempSync(join(tmpdir(), 'zigzag-setup-'));
  readonly target = join(this.folder, 'tensorflow');
  readonly pidFile = join(this.folder, 'pid');

  constructor({ npm = 'good', python = 'good', compiler = 'good' }: Manners = {}) {
    mkdirSync(join(this.folder, 'bin'));
    this.#write('npm', npm, NPM);
    this.#write('python3', python, PYTHON);
    this.#write('g++', compiler, COMPILER);
  }

  /** Environment of a program that calls them. */
  env(broken = false): Record<string, string> {
    return {
      // Theirs alone: nothing is fetched by a test.
      PATH: join(this.folder, 'bin'),
      ZIGZAG_TENSORFLOW: this.target,
      STUB_PID: this.pidFile,
      // npm's own way to say where it is.
      npm_execpath: '',
      npm_node_execpath: process.execPath,
      ...(broken ? { STUB_BROKEN: '1' } : {}),
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(name: string, manner: string, script: string): void {
    const file = join(this.folder, 'bin', name);
    const says = manner === 'absent' ? 'process.exit(1);' : script;
    writeFileSync(`${file}.cjs`, `const MANNER = ${JSON.stringify(manner)};\n${says}`);
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${file}.cjs" "$@"\n`);
    chmodSync(file, 0o755);
  }
}
