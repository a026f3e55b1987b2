import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What `npm run setup:tensorflow` takes from pip's index: versions and SHA-256 hashes that are pinned in
 * app/start/tensorflow, so that neither a mirror nor whoever publishes next decides what runs here. The C library in a
 * wheel does not depend on Python, so that one wheel, of one Python, serves all.
 */
const PYTHON = { version: '3.12', abis: ['cp312', 'abi3', 'none'] };
/** What pip calls a Linux with glibc 2.27 or newer, and the older ones whose wheels that takes too. */
const GLIBCS = [
  'manylinux_2_27',
  'manylinux_2_24',
  'manylinux_2_17',
  'manylinux2014',
  'manylinux_2_12',
  'manylinux2010',
];
const MACHINES = { x64: 'x86_64', arm64: 'aarch64' };
const PIP_LAST_WORDS = 4000;
/** Somebody looks at a terminal: pip draws there how much of how much has come. A silent server it leaves by itself. */
const isWatched = process.stderr.isTTY === true;

/**
 * The file of pinned wheels for a machine.
 *
 * @param {{ platform: string, arch: string, cuda: boolean }} machine
 * @throws Error where there are none, in one sentence
 */
export function pinnedWheels({ platform, arch, cuda }) {
  const name = `${platform}-${arch}${cuda ? '-cuda' : ''}.txt`;
  const file = join(import.meta.dirname, 'tensorflow', name);
  if (existsSync(file)) return file;
  throw new Error(
    `TensorFlow's wheels are known to work on Linux (x64 and arm64; with --cuda x64 alone), this is ${platform} ${arch}.`,
  );
}

/** @param {string} file @returns {string[]} such as `tensorflow-cpu 2.21.0` */
export const namesIn = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/^([\w.-]+)==(\S+)/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );

/**
 * Unpacks the wheels of a file into an empty folder; pip looks at each hash before it unpacks.
 *
 * @param {string} file
 * @param {string} target
 * @param {{ arch: string, env?: NodeJS.ProcessEnv }} options
 * @throws Error in one sentence; nothing is left in the folder then
 */
export async function installWheels(file, target, { arch, env = {} }) {
  const machine = /** @type {Record<string, string>} */ (MACHINES)[arch];
  rmSync(target, { recursive: true, force: true });
  const args = [
    ...['-m', 'pip', 'install', '--disable-pip-version-check', '--target', target],
    ...(isWatched ? [] : ['--quiet']),
    ...['--require-hashes', '--no-deps', '--only-binary=:all:', '--implementation', 'cp'],
    ...['--python-version', PYTHON.version, ...PYTHON.abis.flatMap((abi) => ['--abi', abi])],
    ...[...GLIBCS.map((glibc) => `${glibc}_${machine}`), 'any'].flatMap((tag) => ['--platform', tag]),
    ...['--requirement', file],
  ];
  const { code, said } = await pip(args, env);
  if (code === 0) return;
  rmSync(target, { recursive: true, force: true });
  if (said.includes('DO NOT MATCH THE HASHES')) {
    const wrong = /^\s+([\w.-]+)==\S+ from /m.exec(said)?.[1] ?? 'a wheel';
    throw new Error(
      `${wrong} was refused, because what was downloaded is not what is pinned (its SHA-256 differs): ` +
        'try again, and look at the index or proxy that pip is set up with when it stays so.',
    );
  }
  process.stderr.write(said);
  throw new Error(
    `pip ended with exit code ${code}: install python3 and its pip (Debian: python3-pip), and see its message above.`,
  );
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number | null, said: string }>}
 */
function pip(args, env) {
  return new Promise((resolve) => {
    const child = spawn('python3', args, {
      stdio: ['ignore', isWatched ? 2 : 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    let said = '';
    child.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-PIP_LAST_WORDS);
    });
    child.on('error', (error) => resolve({ code: null, said: `${error.message}\n` }));
    child.on('close', (code) => resolve({ code, said }));
  });
}
