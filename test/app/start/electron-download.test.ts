import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Checkout } from './support/checkout.ts';
import { Mirror, openProxy } from './support/mirror.ts';

const BROWSER = 'browser ["serve","--open"]';

let checkout: Checkout;
let mirror: Mirror;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  checkout = new Checkout();
  mirror = new Mirror(checkout.version);
  env = { ELECTRON_MIRROR: await mirror.listen() };
});

afterEach(() => mirror.close());

const failure = (): string => join(checkout.folder, 'node_modules/.cache/zigzag/electron-failure.json');

// The stub is a shell script.
describe.skipIf(process.platform === 'win32')('npm start, with Electron’s program on a server', () => {
  it('fetches it once, starts it with its arguments, and not as a Node', async () => {
    const first = await checkout.start(['--one'], { ...env, ELECTRON_RUN_AS_NODE: '1' });
    expect(first).toMatchObject({ code: 0, out: 'desktop run-as-node=[] --one\n' });
    expect(first.err).toContain("fetching Electron's program; this happens once");
    const asked = mirror.requests;
    expect(await checkout.start([], env)).toMatchObject({
      code: 0,
      out: 'desktop run-as-node=[] \n',
      err: '',
    });
    expect(mirror.requests).toBe(asked);
  });

  it.each([
    ['missing', /\/electron-v.*\.zip \(404\)/],
    ['forbidden', /127\.0\.0\.1:\d+ answered with 403/],
    ['corrupt', /does not have the checksum/],
  ] as const)(
    'if it is %s: says why, and opens the browser without the desktop’s arguments',
    async (manner, why) => {
      mirror.manner = manner;
      const { code, out, err } = await checkout.start(['--for-the-desktop'], env);
      expect(code).toBe(0);
      expect(out.trim()).toBe(BROWSER);
      expect(err).toMatch(
        /desktop shell is not available \(its download failed: .*\), so the same lab opens in the browser/,
      );
      expect(err).toMatch(why);
      expect(err).toContain('without effect: --for-the-desktop');
    },
  );

  it('remembers a failure with its reason, and does not retry for a day', async () => {
    mirror.manner = 'missing';
    await checkout.start([], env);
    mirror.manner = 'good';
    const asked = mirror.requests;
    const { out, err } = await checkout.start([], env);
    expect(out.trim()).toBe(BROWSER);
    expect(err).toMatch(/failed less than a day ago: there is no http.*\(404\); delete /);
    expect(mirror.requests).toBe(asked);
    const kept = JSON.parse(readFileSync(failure(), 'utf8'));
    writeFileSync(failure(), JSON.stringify({ ...kept, at: kept.at - 25 * 3600_000 }));
    expect((await checkout.start([], env)).out).toContain('desktop');
    expect(existsSync(failure())).toBe(false);
  });

  it('that refuses the connection: says so', async () => {
    mirror.close();
    const { out, err } = await checkout.start([], env);
    expect(out.trim()).toBe(BROWSER);
    expect(err).toContain('127.0.0.1 refused the connection');
  });

  it('waits only while bytes arrive', async () => {
    const hasty = { ...env, ZIGZAG_STALL_MS: '800' };
    mirror.manner = 'slow';
    expect((await checkout.start([], hasty)).out).toContain('desktop');
    mirror.manner = 'stalling';
    const { out, err } = await new Checkout().start([], hasty);
    expect(out.trim()).toBe(BROWSER);
    expect(err).toContain('no byte of its download arrived for 1 seconds');
  });

  it('is interrupted by Ctrl+C: ends, opens no browser, and counts as no failure', async () => {
    mirror.manner = 'stalling';
    const ended = await checkout.start([], env, (pid, err) => {
      const timer = setInterval(() => {
        if (mirror.requests === 0 || !err().includes('fetching')) return;
        clearInterval(timer);
        process.kill(-pid, 'SIGINT');
      }, 50);
    });
    expect(ended).toMatchObject({ code: 130, out: '' });
    expect(ended.err).toContain('was interrupted');
    expect(existsSync(failure())).toBe(false);
    mirror.manner = 'good';
    expect((await checkout.start([], env)).out).toContain('desktop');
  });

  it('goes through the proxy that the environment names', async () => {
    const proxy = await openProxy();
    const { out } = await checkout.start([], { ...env, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    expect(out).toContain('desktop');
    expect(proxy.tunnels()).toBeGreaterThan(0);
    proxy.close();
  });

  it('takes the program from the folder that ELECTRON_OVERRIDE_DIST_PATH names, and fetches nothing', async () => {
    const own = join(checkout.folder, 'own');
    mkdirSync(own);
    const missing = await checkout.start([], { ...env, ELECTRON_OVERRIDE_DIST_PATH: own });
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toMatch(
      /ELECTRON_OVERRIDE_DIST_PATH is .*own, which holds no electron: mend or unset it/,
    );
    writeFileSync(join(own, 'electron'), '#!/bin/sh\necho own program\n', { mode: 0o755 });
    expect(await checkout.start([], { ...env, ELECTRON_OVERRIDE_DIST_PATH: own })).toMatchObject({
      code: 0,
      out: 'own program\n',
    });
    expect(mirror.requests).toBe(0);
  });

  it.each([
    ['FATAL:zygote_host_impl_linux.cc] No usable sandbox!', /sandbox is not allowed to start here: .*sysctl/],
    ['Missing X server or $DISPLAY', /the display that DISPLAY or WAYLAND_DISPLAY names does not answer/],
    [
      'electron: error while loading shared libraries: libnss3.so: cannot open shared object file',
      /the system has no libnss3\.so, which Electron needs/,
    ],
    ['something else', /Electron ended at once with SIGTRAP/],
  ])('ends at once with “%s”: explains it, and opens the browser', async (says, why) => {
    const { out, err } = await checkout.start([], { ...env, STUB_SAYS: says });
    expect(out).toContain(BROWSER);
    expect(err).toContain(says);
    expect(err).toMatch(why);
  });
});
