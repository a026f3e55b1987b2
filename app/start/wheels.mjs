import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bytesBelow, runGuarded } from './guarded.mjs';
import { reasonOfNetwork } from './network-reason.mjs';

/**
 * Wheels that `npm run setup:tensorflow` takes from pip's index: versions and SHA-256 hashes that are pinned in
 * app/start/tensorflow, so that neither a mirror nor the one who publishes next decides what runs here. The C library in a
 * wheel does not depend on Python, so that one wheel, of one Python, serves all.
 */
const PYTHON = { version: '3.12', abis: ['cp312', 'abi3', 'none'] };
/** pip's names for a Linux with glibc 2.27 or newer, and for older ones whose wheels it takes too. */
const GLIBCS = [
  'manylinux_2_27',
  'manylinux_2_24',
  'manylinux_2_17',
  'manylinux2014',
  'manylinux_2_12',
  'manylinux2010',
];
const MACHINES = { x64: 'x86_64', arm64: 'aarch64' };
/** So much beside the wheels themselves is no longer what pip reads about them. */
const UNPACKING_BYTES = 2e6;

/**
 * The file of pinned wheels for a machine.
 *
 * @param {{ platform: string, arch: string, cuda: boolean }} machine
 * @throws Error if none exists, in one sentence
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
 * Sizes of a file's wheels, to download and on disk: of bytes whose hash is pinned, the size is a fact.
 *
 * @param {string} file
 * @returns {{ downloadBytes: number, unpackedBytes: number, diskBytes: number }} the last is what is left in the end
 */
export function sizesIn(file) {
  const sizes = { downloadBytes: 0, unpackedBytes: 0, diskBytes: 0 };
  for (const [, packed, unpacked, kept] of readFileSync(file, 'utf8').matchAll(
    /# (\d+) bytes, (\d+) unpacked, (\d+) kept$/gm,
  )) {
    sizes.downloadBytes += Number(packed);
    sizes.unpackedBytes += Number(unpacked);
    sizes.diskBytes += Number(kept);
  }
  return sizes;
}

/**
 * How an installation stands.
 *
 * @typedef {object} Installing
 * @property {'library' | 'unpacking'} step
 * @property {number} bytes of the wheels, or of what was in them
 * @property {number} of
 */

/**
 * Unpacks the wheels of a file into an empty folder; pip looks at each hash before it unpacks, and works below
 * `scratch`, where it leaves nothing.
 *
 * @param {string} file
 * @param {string} target
 * @param {object} options
 * @param {string} options.arch
 * @param {string} options.scratch an empty folder on the disk of the target
 * @param {number} options.silenceMs
 * @param {AbortSignal} options.stop
 * @param {(at: Installing) => void} [options.tell]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @throws Error in one sentence; nothing is left in the folder then
 */
export async function installWheels(file, target, options) {
  const { arch, scratch, silenceMs, stop, tell = () => {}, env = {} } = options;
  const machine = /** @type {Record<string, string>} */ (MACHINES)[arch];
  const { downloadBytes, unpackedBytes } = sizesIn(file);
  rmSync(target, { recursive: true, force: true });
  const look = () => {
    const all = bytesBelow(scratch) + bytesBelow(target);
    const packed = bytesBelow(scratch, (name) => name.endsWith('.whl'));
    const unpacked = all - packed;
    tell(
      unpacked > UNPACKING_BYTES
        ? { step: 'unpacking', bytes: unpacked, of: unpackedBytes }
        : { step: 'library', bytes: packed, of: downloadBytes },
    );
    return all;
  };
  const silence =
    `no byte of TensorFlow arrived for ${Math.round(silenceMs / 1000)} seconds: look at the network, or at the index ` +
    'and the proxy that pip is set up with, and try again.';
  try {
    const { code, said } = await runGuarded(
      [
        'python3',
        ...[
          '-m',
          'pip',
          'install',
          '--quiet',
          '--disable-pip-version-check',
          '--no-input',
          '--target',
          target,
        ],
        // Leaves no copy in pip's cache and nothing compiled for a Python: the disk holds what was announced.
        ...['--no-cache-dir', '--no-compile'],
        ...['--require-hashes', '--no-deps', '--only-binary=:all:', '--implementation', 'cp'],
        ...['--python-version', PYTHON.version, ...PYTHON.abis.flatMap((abi) => ['--abi', abi])],
        ...[...GLIBCS.map((glibc) => `${glibc}_${machine}`), 'any'].flatMap((tag) => ['--platform', tag]),
        ...['--requirement', file],
      ],
      { stop, env: { ...env, TMPDIR: scratch }, watch: { look, silenceMs, silence } },
    );
    if (code !== 0) throw new Error(refusalOf(code, said));
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error;
  }
}

/** @param {number | null} code @param {string} said */
function refusalOf(code, said) {
  if (said.includes('DO NOT MATCH THE HASHES')) {
    const wrong = /^\s+([\w.-]+)==\S+ from /m.exec(said)?.[1] ?? 'a wheel';
    return (
      `${wrong} was refused, because what was downloaded is not what is pinned (its SHA-256 differs): ` +
      'try again, and look at the index or proxy that pip is set up with when it stays so.'
    );
  }
  const network = reasonOfNetwork(said);
  if (network !== null) return `TensorFlow could not be fetched, because ${network}.`;
  const last = [...said.matchAll(/^ERROR: (.+)$/gm)].at(-1)?.[1] ?? said.trim().split('\n').at(-1);
  return `pip ended with exit code ${code} (${last || 'and said nothing'}): look at the index that pip is set up with.`;
}
