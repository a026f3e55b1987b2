import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { environmentOptions } from '../../app/start/dist.mjs';
import { feedFile, lookForUpdate, updateCheck, updateFeed } from '../../main/electron/updates.ts';
import { freshFolder } from '../support/fresh-folder.ts';

/** As electron-builder writes it. */
const feedOf = (version: string): string => `version: ${version}
files:
  - url: Zigzag-${version}.AppImage
    sha512: AAAA==
    size: 1
  - url: zigzag_${version}_amd64.deb
    sha512: BBBB==
    size: 1
path: Zigzag-${version}.AppImage
sha512: AAAA==
releaseDate: '2026-11-22T00:00:00.000Z'
`;

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/zigzag`;
}

const ask = (feed: string, more: Partial<Parameters<typeof lookForUpdate>[0]> = {}) =>
  lookForUpdate({ feed, version: '1.9.0', fetch, platform: 'linux', arch: 'x64', ...more });

describe('the update feed', () => {
  it('exists only if the program was packed with one', () => {
    const folder = freshFolder();
    const manifest = (text: string): void => writeFileSync(join(folder, 'package.json'), text);
    expect(updateFeed(folder)).toBeNull();
    for (const without of ['{}', 'damaged', '{"updates":7}', '{"updates":"nowhere"}']) {
      manifest(without);
      expect(updateFeed(folder)).toBeNull();
    }
    manifest('{"updates":"https://example.org/zigzag"}');
    expect(updateFeed(folder)).toBe('https://example.org/zigzag');
    expect(updateFeed(join(import.meta.dirname, '../..'))).toBeNull();
  });

  it('is packed by npm run dist from ZIGZAG_UPDATES, https only', () => {
    expect(environmentOptions({})).toEqual([]);
    expect(environmentOptions({ ZIGZAG_UPDATES: 'https://example.org/z' })).toContain(
      '-c.extraMetadata.updates=https://example.org/z',
    );
    for (const ZIGZAG_UPDATES of ['http://example.org/z', 'nowhere']) {
      expect(() => environmentOptions({ ZIGZAG_UPDATES })).toThrow(
        /which is no https address: mend or unset it\.$/,
      );
    }
  });

  it('has a file for each system, named as by electron-builder', () => {
    expect(feedFile('win32', 'x64')).toBe('latest.yml');
    expect(feedFile('darwin', 'arm64')).toBe('latest-mac.yml');
    expect(feedFile('linux', 'x64')).toBe('latest-linux.yml');
    expect(feedFile('linux', 'arm64')).toBe('latest-linux-arm64.yml');
  });
});

describe('looking for updates', () => {
  it('finds a newer version and its package, asks for one file and downloads nothing', async () => {
    const asked: (string | undefined)[] = [];
    const feed = await serve(({ url }, response) => {
      asked.push(url);
      response.end(feedOf('1.10.0').replaceAll('url: ', 'url: https://example.org/'));
    });
    expect(await ask(feed)).toEqual({
      kind: 'newer',
      version: '1.10.0',
      download: 'https://example.org/zigzag_1.10.0_amd64.deb',
    });
    expect(await ask(feed, { isAppImage: true })).toMatchObject({
      download: 'https://example.org/Zigzag-1.10.0.AppImage',
    });
    expect(asked).toEqual(['/zigzag/latest-linux.yml', '/zigzag/latest-linux.yml']);
    expect(await ask(feed, { version: '1.10.0-beta.2' })).toMatchObject({ kind: 'newer' });
    expect(await ask(feed, { platform: 'darwin' })).toMatchObject({ download: null });
  });

  it('opens no address that is not https', async () => {
    const feed = await serve((_request, response) => response.end(feedOf('2.0.0')));
    expect(await ask(feed)).toEqual({ kind: 'newer', version: '2.0.0', download: null });
  });

  it.each(['1.9.0', '1.8.12', '0.99.99'])('says that it is up to date beside %s', async (version) => {
    const feed = await serve((_request, response) => response.end(feedOf(version)));
    expect(await ask(feed)).toEqual({ kind: 'current' });
  });

  it.each([
    ['a page', '<!doctype html><p>Welcome to the hotel'],
    ['no version', 'files: []'],
    ['another form of version', 'version: latest'],
    ['no YAML', 'version: [1'],
    ['a bomb', `a: &a [x,x]\nb: &b [*a,*a]\nversion: *b`],
    ['nothing', ''],
  ])('reports %s', async (_what, text) => {
    const feed = await serve((_request, response) => response.end(text));
    expect(await ask(feed)).toEqual({
      kind: 'unknown',
      why: expect.stringMatching(/^the answer of 127\.0\.0\.1:\d+ is not a list of releases$/),
    });
  });

  it('reports a missing feed, a stall, an overlong answer and a refused connection', async () => {
    const missing = await serve((_request, response) => response.writeHead(404).end());
    expect(await ask(missing)).toMatchObject({ why: expect.stringMatching(/ answered with 404$/) });
    server?.close();
    const stalling = await serve((_request, response) => {
      response.writeHead(200);
      response.write('version: ');
    });
    expect(await ask(stalling, { limitMs: 300 })).toMatchObject({
      why: expect.stringMatching(/did not answer within 1 seconds$/),
    });
    server?.closeAllConnections();
    server?.close();
    const flooding = await serve((_request, response) => response.end('#'.repeat(1_000_000)));
    expect(await ask(flooding)).toMatchObject({ why: expect.stringMatching(/could not be reached$/) });
    const { host } = new URL(flooding);
    server?.closeAllConnections();
    server?.close();
    expect(await ask(`http://${host}`)).toMatchObject({ why: `${host} could not be reached` });
  });
});

describe('the entry of the menu', () => {
  const entry = (feed: string, response = 0) => {
    const showMessageBox = vi.fn(async (_window: unknown, _options: { message: string; detail: string }) => ({
      response,
      checkboxChecked: false,
    }));
    const openExternal = vi.fn(async () => undefined);
    const check = updateCheck({
      dialog: { showMessageBox } as never,
      shell: { openExternal },
      windows: { show: () => ({ window: {} }) } as never,
      session: () => ({ fetch }) as never,
      feed,
      version: '1.9.0',
    });
    const said = async () => {
      check();
      // While it looks it is not asked again.
      check();
      await vi.waitFor(() => expect(showMessageBox).toHaveBeenCalled());
      expect(showMessageBox).toHaveBeenCalledOnce();
      return showMessageBox.mock.calls[0]?.[1];
    };
    return { said, openExternal };
  };

  it('shows the result in a sentence', async () => {
    const current = entry(await serve((_request, response) => response.end(feedOf('1.9.0'))));
    expect(await current.said()).toMatchObject({ message: 'Zigzag 1.9.0 is up to date' });
    server?.close();
    const lost = entry(await serve((_request, response) => response.writeHead(500).end()));
    expect(await lost.said()).toMatchObject({
      message: 'Checking for updates failed',
      detail: expect.stringMatching(/answered with 500; try again later\.$/),
    });
  });

  it('opens a download in the browser on request, and does nothing else', async () => {
    const https = feedOf('2.0.0').replaceAll('url: ', 'url: https://example.org/');
    const feed = await serve((_request, response) => response.end(https.replaceAll('.deb', '.deb')));
    const declined = entry(feed, 1);
    expect(await declined.said()).toMatchObject({
      message: 'Zigzag 2.0.0 is out',
      detail: 'This is 1.9.0. Nothing is downloaded automatically.',
    });
    expect(declined.openExternal).not.toHaveBeenCalled();
    if (process.platform !== 'linux') return;
    const wanted = entry(feed, 0);
    await wanted.said();
    await vi.waitFor(() =>
      expect(wanted.openExternal).toHaveBeenCalledWith('https://example.org/zigzag_2.0.0_amd64.deb'),
    );
  });
});
