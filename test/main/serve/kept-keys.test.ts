import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeptKeysFile } from '../../../main/serve/kept-keys.ts';
import { SessionKeys } from '../../../main/serve/keys.ts';
import { serveLab } from '../../../main/serve/server.ts';
import { stubServices } from '../support/stub-services.ts';
import { protocolsOf, requestText, answerOf, open, statusOf, upgradeText } from './raw.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = join(freshFolder(), 'data');
  file = join(folder, 'serve.json');
});

const isWindows = process.platform === 'win32';

describe('the keys in the data folder', () => {
  it('are created once, readable by their owner only, and kept across a restart', () => {
    const first = new KeptKeysFile(folder);
    expect(first.port).toBeNull();
    first.keepPort(4000);
    const again = new KeptKeysFile(folder);
    expect(again.keys).toEqual(first.keys);
    expect(again.port).toBe(4000);
    if (!isWindows) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
    expect(readdirSync(folder)).toEqual(['serve.json']);
  });

  it('change when renewed, also for the next lab', () => {
    const first = new KeptKeysFile(folder).keys;
    const renewed = new KeptKeysFile(folder, true).keys;
    const known = [first.printed, first.session];
    expect(known).not.toContain(renewed.printed);
    expect(known).not.toContain(renewed.session);
    expect(new KeptKeysFile(folder).keys).toEqual(renewed);
  });

  it.each([
    ['no JSON', () => '{'],
    ['a short key', (text: string) => text.replace(/[0-9a-f]"/, '"')],
    ['a port that is none', (text: string) => text.replace('null', '70000')],
    ['too much', (text: string) => text + ' '.repeat(70_000)],
    ['nothing', () => ''],
  ])('are replaced if the file holds %s', (_what, damage) => {
    const { printed } = new KeptKeysFile(folder).keys;
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    const next = new KeptKeysFile(folder);
    expect(next.keys.printed).toMatch(/^[0-9a-f]{32}$/);
    expect(next.keys.printed).not.toBe(printed);
    expect(new KeptKeysFile(folder).keys).toEqual(next.keys);
  });

  it('are accepted up to the written limits of size, sessions and ports', () => {
    const { printed, session } = new KeptKeysFile(folder).keys;
    const issued = new Array(64).fill(session);
    const believed = (part: object, fill = '') => {
      const text = JSON.stringify({ printed, session, issued: [], port: null, ...part });
      writeFileSync(file, text + fill, { mode: 0o600 });
      return new KeptKeysFile(folder).keys.printed === printed;
    };
    expect([believed({ port: 1 }), believed({ port: 65_535 }), believed({ issued })]).toEqual([
      true,
      true,
      true,
    ]);
    const { length } = JSON.stringify({ printed, session, issued: [], port: null });
    expect(believed({}, ' '.repeat(64 * 1024 - length))).toBe(true);
    for (const part of [{ port: 0 }, { port: 65_536 }, { port: 1.5 }, { issued: [...issued, session] }]) {
      expect(believed(part), JSON.stringify(part)).toBe(false);
    }
    expect(believed({}, ' '.repeat(64 * 1024 - length + 1))).toBe(false);
    for (const key of [`${printed}0`, `0${printed}`, printed.slice(1), 'F'.repeat(32), '']) {
      expect(believed({ session: key }), key).toBe(false);
    }
  });

  it('are rewritten on changes, in place, without leftovers', () => {
    const keys = new KeptKeysFile(folder);
    const read = () => JSON.parse(readFileSync(file, 'utf8'));
    expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true);
    keys.keepPort(4000);
    const session = 'a'.repeat(32);
    keys.keep({ ...keys.keys, issued: [session] });
    expect(read()).toEqual({ ...keys.keys, issued: [session], port: 4000 });
    // The same port is no news.
    rmSync(file);
    keys.keepPort(4000);
    expect(readdirSync(folder)).toEqual([]);
    keys.keepPort(4001);
    expect(read()).toMatchObject({ issued: [session], port: 4001 });
    // Another lab's file that is sound stays.
    const { ino } = statSync(file, { bigint: true });
    expect(new KeptKeysFile(folder).port).toBe(4001);
    expect(statSync(file, { bigint: true }).ino).toBe(ino);
  });

  it('leave no draft if their place is taken', () => {
    mkdirSync(file, { recursive: true });
    writeFileSync(join(file, 'a file'), '');
    const keys = new KeptKeysFile(folder);
    expect(keys.keys.printed).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.keys.issued).toEqual([]);
    expect(readdirSync(folder)).toEqual(['serve.json']);
  });

  it.skipIf(isWindows)('are not accepted if other users may have read them', () => {
    const { printed } = new KeptKeysFile(folder).keys;
    chmodSync(file, 0o640);
    expect(new KeptKeysFile(folder).keys.printed).not.toBe(printed);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('end with the server if they cannot be written', () => {
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'a file in place of the folder');
    const keys = new KeptKeysFile(folder);
    expect(keys.keys.printed).toMatch(/^[0-9a-f]{32}$/);
    keys.keepPort(4000);
    expect(keys.port).toBe(4000);
  });
});

/** Each on a connection of its own: a pooled one may be of the server before. */
async function exchanged(lab: { readonly url: string }, key: string | null): Promise<string | null> {
  const url = new URL(lab.url);
  const headers = {
    Host: url.host,
    Origin: url.origin,
    Authorization: `Bearer ${key}`,
    'Content-Length': '0',
  };
  const socket = await open(url);
  socket.write(requestText('POST /session', { ...headers, Connection: 'close' }));
  const answer = await answerOf(socket);
  socket.destroy();
  return answer.startsWith('HTTP/1.1 200')
    ? (/\b[0-9a-f]{32}\b/.exec(answer.split('\r\n\r\n')[1] ?? '')?.[0] ?? '')
    : null;
}

const keyOf = (address: string): string | null => new URL(address).searchParams.get('token');

describe('a restarted lab', () => {
  const start = async (renew = false) => {
    const keys = new KeptKeysFile(folder, renew);
    const pageRoot = import.meta.dirname;
    const kept = { kept: keys.keys, onChange: (next: typeof keys.keys) => keys.keep(next) };
    const { port } = keys;
    const lab = await serveLab({
      services: stubServices({}),
      pageRoot,
      keys: kept,
      ...(port ? { port } : {}),
    });
    keys.keepPort(Number(new URL(lab.url).port));
    return lab;
  };

  it('has the same address, and recognizes earlier tabs by their session keys', async () => {
    const first = await start();
    const printed = await exchanged(first, keyOf(first.url));
    const opened = await exchanged(first, keyOf(first.urlForOnce()));
    await first.close();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await exchanged(second, keyOf(first.url))).toBe(printed);
    for (const session of [printed, opened]) {
      // A session key is exchanged for itself: so a page asks whether it has access.
      expect(await exchanged(second, session)).toBe(session);
      const url = new URL(second.url);
      expect(await statusOf(url, upgradeText(url, protocolsOf(session ?? '')))).toBe('101');
    }
    await second.close();
    const third = await start(true);
    for (const key of [printed, opened, keyOf(first.url)]) expect(await exchanged(third, key)).toBeNull();
    await third.close();
  });

  it('rejects the session of a stolen key, and keeps the newest sessions', () => {
    const kept = vi.fn();
    const keys = new SessionKeys(() => undefined, undefined, undefined, kept);
    const once = keys.issueOnce();
    const stolen = keys.exchange(once) ?? '';
    expect(kept.mock.lastCall?.[0].issued).toEqual([stolen]);
    expect(keys.exchange(once)).toBeNull();
    expect(kept.mock.lastCall?.[0].issued).toEqual([]);
    const sessions = Array.from({ length: 70 }, () => keys.exchange(keys.issueOnce()) ?? '');
    expect(kept.mock.lastCall?.[0].issued).toEqual(sessions.slice(-64));
    const next = new SessionKeys(() => undefined, undefined, kept.mock.lastCall?.[0]);
    expect([stolen, sessions[0] ?? '', sessions[69] ?? ''].map((one) => next.accepts(one))).toEqual([
      false,
      false,
      true,
    ]);
    expect(next.printed).toBe(keys.printed);
  });
});
