import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Stopped } from '../../../app/start/guarded.mjs';
import { installWheels, namesIn, pinnedWheels, sizesIn } from '../../../app/start/wheels.mjs';
import { skippedFor } from '../../support/skipped.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const PINNED = join(import.meta.dirname, '../../../app/start/tensorflow');
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const why = hasPip ? '' : 'there is no pip: install python3-pip';

/** A wheel with one module, whose text is all that differs. */
function wheel(version: string, text: string): Buffer {
  const info = `pinned_thing-${version}.dist-info`;
  const files = {
    'pinned_thing/__init__.py': text,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: pinned-thing\nVersion: ${version}\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: '',
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([path, is]) => [path, strToU8(is)]))),
  );
}

type Options = Parameters<typeof installWheels>[2];

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('the pinned wheels', () => {
  it.each(readdirSync(PINNED).filter((name) => name.endsWith('.txt')))(
    'of %s have a version and a hash each, and name no host',
    (name) => {
      const lines = readFileSync(join(PINNED, name), 'utf8').trim().split('\n');
      const wheels = lines.filter((line) => !line.startsWith('#'));
      for (const line of wheels)
        expect(line).toMatch(
          /^[a-z][\w-]*==\d+(\.\d+)+ --hash=sha256:[0-9a-f]{64} # [1-9]\d+ bytes, [1-9]\d+ unpacked, [1-9]\d+ kept$/,
        );
      const ours = wheels.filter((line) => line.startsWith('tensorflow'));
      expect(ours.map((line) => / *==(\S+)/.exec(line)?.[1])).toEqual(['2.21.0']);
      expect(lines.join('\n')).not.toMatch(/:\/\/|--(?:extra-)?index/);
    },
  );

  it('are compiled for with pinned sources', () => {
    const { packages } = JSON.parse(readFileSync(join(PINNED, 'package-lock.json'), 'utf8'));
    const { '': _, ...fetched } = packages as Record<string, { integrity?: string; resolved?: string }>;
    expect(Object.keys(fetched)).toContain('node_modules/@tensorflow/tfjs-node');
    for (const [path, { integrity, resolved }] of Object.entries(fetched)) {
      expect(integrity, path).toMatch(/^sha512-/);
      expect(resolved, path).toBeUndefined();
    }
  });

  it('state their sizes', () => {
    const sizes = sizesIn(join(PINNED, 'linux-x64.txt'));
    expect(sizes).toEqual({
      downloadBytes: 274_000_871,
      unpackedBytes: 1_272_958_287,
      diskBytes: 853_780_745,
    });
    expect(sizesIn(join(PINNED, 'linux-x64-cuda.txt')).downloadBytes).toBeGreaterThan(3e9);
  });

  it('have the same sizes as this lock file, sources included', () => {
    const { lockSha256 } = JSON.parse(readFileSync(join(PINNED, 'sources.json'), 'utf8'));
    expect(sha256(readFileSync(join(PINNED, 'package-lock.json')))).toBe(lockSha256);
  });

  it('exist for Linux; on other systems a sentence says so', () => {
    const named = (platform: string, arch: string, cuda: boolean) =>
      namesIn(pinnedWheels({ platform, arch, cuda }));
    expect(named('linux', 'x64', false)).toEqual(['tensorflow-cpu 2.21.0']);
    expect(named('linux', 'arm64', false)).toEqual(['tensorflow 2.21.0']);
    expect(named('linux', 'x64', true)).toContain('tensorflow 2.21.0');
    for (const [platform, arch, cuda] of [
      ['darwin', 'arm64', false],
      ['linux', 'arm64', true],
      ['linux', 'riscv64', false],
    ] as const) {
      expect(() => named(platform, arch, cuda)).toThrow(
        /^TensorFlow's wheels are known to work on Linux .*\.$/,
      );
    }
  });
});

describe.runIf(hasPip)(`a mirror of pip's index${skippedFor(why)}`, () => {
  const good = wheel('1.0', 'IS_GOOD = True\n');
  let served: Record<string, Buffer>;
  let mirror: Server;
  const folder = freshFolder();
  let asked: string[];
  let stalls = false;
  let port: number;

  beforeAll(async () => {
    mirror = createServer(({ url = '' }, response) => {
      const file = url.split('/').at(-1) ?? '';
      asked.push(url);
      const found = served[file];
      if (found !== undefined && stalls) {
        response.writeHead(200, { 'content-length': found.length });
        response.write(found.subarray(0, found.length / 2));
        return;
      }
      if (found !== undefined) {
        response.end(found);
        return;
      }
      // The mirror vouches for whatever it serves.
      const links = Object.entries(served).map(
        ([name, bytes]) => `<a href="/files/${name}#sha256=${sha256(bytes)}">${name}</a>`,
      );
      response.setHeader('content-type', 'text/html').end(`<!doctype html><body>${links.join('')}</body>`);
    });
    await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
    ({ port } = mirror.address() as AddressInfo);
    writeFileSync(join(folder, 'wheels.txt'), `pinned-thing==1.0 --hash=sha256:${sha256(good)}\n`);
  });
  beforeEach(() => {
    asked = [];
    stalls = false;
  });
  afterAll(() => {
    mirror.close();
    mirror.closeAllConnections();
  });

  const target = (): string => join(folder, 'python');
  const module = (): string => join(target(), 'pinned_thing', '__init__.py');
  let scratch: string;
  function install(wheels: Record<string, Buffer>, options: Partial<Options> = {}): Promise<void> {
    served = wheels;
    const env = {
      PIP_INDEX_URL: `http://127.0.0.1:${port}/simple/`,
      PIP_CONFIG_FILE: devNull,
      NO_PROXY: '127.0.0.1',
    };
    scratch = mkdtempSync(join(folder, 'scratch-'));
    return installWheels(join(folder, 'wheels.txt'), target(), {
      arch: 'x64',
      env,
      scratch,
      silenceMs: 20_000,
      stop: new AbortController().signal,
      ...options,
    });
  }

  it('with the pinned wheel installs it, not a newer or an earlier one', async () => {
    const newer = wheel('2.0', 'IS_NEWER = True\n');
    await install({ 'pinned_thing-1.0-py3-none-any.whl': good, 'pinned_thing-2.0-py3-none-any.whl': newer });
    expect(readFileSync(module(), 'utf8')).toBe('IS_GOOD = True\n');
    writeFileSync(join(target(), 'left-over'), '');
    await install({ 'pinned_thing-1.0-py3-none-any.whl': good });
    expect(existsSync(join(target(), 'left-over'))).toBe(false);
  });

  it('with another wheel under the same name is refused in one sentence, and nothing is unpacked', async () => {
    const forged = wheel('1.0', 'import os\n');
    const refused = install({ 'pinned_thing-1.0-py3-none-any.whl': forged });
    await expect(refused).rejects.toThrow(
      /^pinned-thing was refused, because what was downloaded is not what is pinned \(its SHA-256 differs\): [^\n]*\.$/,
    );
    expect(asked.some((url) => url.endsWith('.whl'))).toBe(true);
    expect(existsSync(target())).toBe(false);
  });

  it('with a wheel that lost a byte is refused too', async () => {
    const broken = Buffer.from(good);
    broken.writeUInt8(broken.readUInt8(40) ^ 1, 40);
    await expect(install({ 'pinned_thing-1.0-py3-none-any.whl': broken })).rejects.toThrow(/SHA-256 differs/);
    expect(existsSync(target())).toBe(false);
  });

  it('without the wheel gives pip’s message', async () => {
    await expect(install({})).rejects.toThrow(
      /^pip ended with exit code 1 \(No matching distribution found for pinned-thing==1\.0[^\n]*\): look at the index [^\n]*\.$/,
    );
  });

  it('that stalls within a wheel is stopped after a silence, pip included', async () => {
    stalls = true;
    const told: number[] = [];
    const silent = install(
      { 'pinned_thing-1.0-py3-none-any.whl': good },
      { silenceMs: 1500, tell: ({ bytes }) => told.push(bytes) },
    );
    await expect(silent).rejects.toThrow(
      /^no byte of TensorFlow arrived for 2 seconds: look at the network[^\n]*\.$/,
    );
    expect(told.length).toBeGreaterThan(1);
    expect(existsSync(target())).toBe(false);
  });

  it('is stopped at once when the work is stopped', async () => {
    stalls = true;
    const stop = new AbortController();
    const stopped = install({ 'pinned_thing-1.0-py3-none-any.whl': good }, { stop: stop.signal });
    await vi.waitFor(() => expect(asked.some((url) => url.endsWith('.whl'))).toBe(true));
    stop.abort(new Stopped('enough.'));
    await expect(stopped).rejects.toThrow('enough.');
    expect(existsSync(target())).toBe(false);
  });

  it('that refuses connections is reported as a network problem', async () => {
    mirror.close();
    mirror.closeAllConnections();
    const env = {
      PIP_INDEX_URL: `http://127.0.0.1:${port}/simple/`,
      PIP_RETRIES: '1',
      NO_PROXY: '127.0.0.1',
    };
    await expect(
      install({}, { env: { ...env, PIP_CONFIG_FILE: devNull, PIP_FIND_LINKS: '' } }),
    ).rejects.toThrow(
      /^TensorFlow could not be fetched, because its server refused the connection: try again later\.$/,
    );
  });
});
