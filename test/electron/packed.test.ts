import { extractAll, getRawHeader, createPackage } from '@electron/asar';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { electronVersion } from '../../app/start/electron.mjs';
import { packedProgram } from '../../app/start/self-test.mjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshFolder } from '../support/fresh-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILDER = join(ROOT, 'node_modules/electron-builder/cli.js');
/** Marker by which electron-builder finds the fuses in Electron's program: a mark, a version, how many there are. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('000000000'),
]);

const scratch = freshFolder();
const resources = join(scratch, 'release/linux-unpacked/resources');

/** Stands for Electron: its files, none of its code. */
async function standIn(): Promise<string> {
  const folder = join(scratch, 'electron');
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 0\n'), FUSES]));
  chmodSync(join(folder, 'electron'), 0o755);
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak'])
    writeFileSync(join(folder, file), file);
  writeFileSync(join(folder, 'version'), electronVersion());
  await createPackage(join(folder, 'locales'), join(folder, 'resources/default_app.asar'));
  return folder;
}

// Nothing of Electron runs here: what is packed is looked at, and run by Node.
describe.skipIf(process.platform !== 'linux')('the packed program', () => {
  beforeAll(async () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        BUILDER,
        '--linux',
        'dir',
        `--${process.arch}`,
        `-c.electronDist=${await standIn()}`,
        `-c.directories.output=${join(scratch, 'release')}`,
      ],
      { cwd: ROOT, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
    extractAll(join(resources, 'app.asar'), join(scratch, 'app'));
  });

  it('holds the pages, the entry that Electron starts, and no sources, types or maps', () => {
    const { main } = JSON.parse(readFileSync(join(scratch, 'app/package.json'), 'utf8'));
    expect(existsSync(join(scratch, 'app', main))).toBe(true);
    expect(existsSync(join(scratch, 'app/dist/renderer/index.html'))).toBe(true);
    const needless = filesOf(getRawHeader(join(resources, 'app.asar')).header as Folder).filter((file) =>
      /\.map$|\.[cm]?ts$|\/core-js\/|\/node_modules\/webgpu\/|-musl\//.test(file),
    );
    expect(needless).toEqual([]);
  });

  it('is found by the script that starts its self-test', () => {
    expect(packedProgram(join(scratch, 'release'))).toBe(join(scratch, 'release/linux-unpacked/zigzag'));
    expect(() => packedProgram(join(scratch, 'app'))).toThrow(
      'holds no packed program: npm run dist -- --dir',
    );
  });

  it('keeps libraries that the system opens outside the archive', () => {
    const unpacked = filesOf(getRawHeader(join(resources, 'app.asar')).header as Folder, true);
    expect(unpacked).toContain(`/node_modules/@libsql/linux-${process.arch}-gnu/index.node`);
  });

  it('solves, and trains on wasm to the predicted byte', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(scratch, 'app/dist/node/cli.js'),
        'train',
        'tiny-residual',
        '--batch=2',
        '--iterations=1',
        '--strategy=optimal',
        '--backend=wasm',
        '--json',
      ],
      { encoding: 'utf8', env: { ...process.env, ZIGZAG_DATA: join(scratch, 'data') } },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ event: 'start', backend: 'wasm' });
    const { event, predictedPeakBytes, measuredPeakBytes } = events.at(-1);
    expect(event).toBe('done');
    expect(measuredPeakBytes).toBe(predictedPeakBytes);
    // The history's addon was found too.
    expect(existsSync(join(scratch, 'data', 'runs.db'))).toBe(true);
  });
});

interface Folder {
  readonly files: Readonly<Record<string, Folder | { readonly unpacked?: boolean }>>;
}

function filesOf(folder: Folder, unpackedOnly = false, path = ''): string[] {
  return Object.entries(folder.files).flatMap(([name, entry]) => {
    if ('files' in entry) return filesOf(entry, unpackedOnly, `${path}/${name}`);
    return unpackedOnly && entry.unpacked !== true ? [] : [`${path}/${name}`];
  });
}
