import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PORT_REQUEST } from '../../app/contract/desktop.ts';
import { type DesktopServices, desktopServices, runDesktop } from '../../main/electron/desktop.ts';
import { answerPage, answerTrainerPage } from '../../main/electron/page-scheme.ts';
import type { LogFile } from '../../main/electron/log-file.ts';
import { stubServices } from '../main/support/stub-services.ts';
import { FakeContents, FakeWindow, fakeElectron, portRequest, silentLog } from './fakes.ts';
import { freshFolder } from '../support/fresh-folder.ts';

const FILES = { pageRoot: freshFolder(), preload: '/dist/preload.cjs' };
writeFileSync(join(FILES.pageRoot, 'index.html'), '<html><head></head></html>');

beforeEach(() => {
  FakeWindow.made.length = 0;
});

const desktopStub = (): DesktopServices => ({ ...stubServices({}), moveHistory: async () => false });

describe('runDesktop', () => {
  it('opens one sandboxed, isolated window on the lab', async () => {
    const electron = fakeElectron();
    await runDesktop(electron.asElectron, FILES, desktopStub(), silentLog);
    expect(FakeWindow.made).toHaveLength(1);
    const [window] = FakeWindow.made;
    expect(window?.options.webPreferences).toEqual({
      preload: FILES.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    });
    expect(window?.loadURL.mock.calls).toEqual([['zigzag://lab/']]);
    expect(window?.options).toMatchObject({ show: false, minWidth: 1024, minHeight: 640 });
    window?.emit('ready-to-show');
    expect(window?.show).toHaveBeenCalledOnce();
  });

  it('shows no page without the sandbox, and says what to allow', async () => {
    const electron = fakeElectron();
    electron.app.commandLine.switches.set('no-sandbox', '');
    const started = runDesktop(electron.asElectron, FILES, desktopStub(), silentLog);
    await expect(started).rejects.toThrow(/does not run without Chromium's sandbox .*sysctl/);
    expect(FakeWindow.made).toHaveLength(0);
  });

  it('registers its scheme and the sandbox before the app is ready, the guards before the window', async () => {
    const electron = fakeElectron();
    const order: string[] = [];
    electron.protocol.registerSchemesAsPrivileged.mockImplementation(() => order.push('scheme'));
    electron.app.enableSandbox.mockImplementation(() => order.push('sandbox'));
    electron.app.whenReady.mockImplementation(async () => void order.push('ready'));
    electron.defaultSession.setPermissionRequestHandler.mockImplementation(() => {
      order.push(`guard before window ${FakeWindow.made.length}`);
    });
    electron.app.commandLine.appendSwitch.mockImplementation(() => void order.push('switch'));
    await runDesktop(electron.asElectron, FILES, desktopStub(), silentLog);
    if (order[0] === 'switch') expect(order.lastIndexOf('switch')).toBeLessThan(order.indexOf('ready'));
    expect(order.filter((step) => step !== 'switch')).toEqual([
      'scheme',
      'sandbox',
      'ready',
      'guard before window 0',
    ]);
    expect(electron.protocol.registerSchemesAsPrivileged.mock.calls).toEqual([
      [[{ scheme: 'zigzag', privileges: { standard: true, secure: true, supportFetchAPI: true } }]],
    ]);
    expect(electron.defaultSession.protocol.handle).toHaveBeenCalledWith('zigzag', expect.any(Function));
  });

  it('guards every page', async () => {
    const electron = fakeElectron();
    await runDesktop(electron.asElectron, FILES, desktopStub(), silentLog);
    const contents = new FakeContents();
    electron.app.emit('web-contents-created', {}, contents);
    expect(contents.openHandler({ url: 'https://arxiv.org/' })).toEqual({ action: 'deny' });
    expect(electron.shell.openExternal).toHaveBeenCalledOnce();
  });

  it('serves a port to its page', async () => {
    const electron = fakeElectron();
    await runDesktop(electron.asElectron, FILES, desktopStub(), silentLog);
    const { event, postMessage } = portRequest('zigzag://lab/');
    electron.ipcMain.emit(PORT_REQUEST, event);
    expect(postMessage).toHaveBeenCalledOnce();
    const [, , [port]] = postMessage.mock.calls[0] ?? [];
    port.close();
  });

  it('ends at once if it already runs, and brings the first instance to the front', async () => {
    const second = fakeElectron({ firstInstance: false });
    await runDesktop(second.asElectron, FILES, desktopStub(), silentLog);
    expect(second.app.quit).toHaveBeenCalledOnce();
    expect(FakeWindow.made).toHaveLength(0);

    const first = fakeElectron();
    await runDesktop(first.asElectron, FILES, desktopStub(), silentLog);
    first.app.emit('second-instance', {}, ['/electron', process.cwd()], '/');
    const [window] = FakeWindow.made;
    expect(window?.restore).toHaveBeenCalledOnce();
    expect(window?.focus).toHaveBeenCalledOnce();
  });

  it('ends with its window, and its workers with it', async () => {
    const electron = fakeElectron();
    const services = desktopStub();
    const closed = [vi.spyOn(services.solver, 'close'), vi.spyOn(services.trainer, 'close')];
    await runDesktop(electron.asElectron, FILES, services, silentLog);
    electron.app.emit('window-all-closed');
    expect(electron.app.quit).toHaveBeenCalledOnce();
    electron.app.emit('will-quit');
    for (const close of closed) expect(close).toHaveBeenCalledOnce();
  });

  it('ends with the visible window, although the trainer has a hidden one', async () => {
    const electron = fakeElectron();
    const services = desktopStub();
    const close = vi.spyOn(services.trainer, 'close');
    await runDesktop(electron.asElectron, FILES, services, silentLog);
    FakeWindow.made[0]?.emit('closed');
    expect(close).toHaveBeenCalledOnce();
    expect(electron.app.quit).toHaveBeenCalledOnce();
  });

  it.runIf(process.platform === 'linux')('does not blame painting for a failed start', async () => {
    const scratch = freshFolder();
    vi.stubEnv('XDG_SESSION_TYPE', 'x11');
    vi.stubEnv('WAYLAND_DISPLAY', '');
    try {
      const electron = fakeElectron({ scratch });
      electron.app.whenReady.mockRejectedValue(new Error('no display'));
      const start = runDesktop(electron.asElectron, FILES, desktopStub(), silentLog);
      expect(existsSync(join(scratch, 'vulkan.json'))).toBe(true);
      await expect(start).rejects.toThrow('no display');
      expect(existsSync(join(scratch, 'vulkan.json'))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('logs why it starts without Vulkan, and how to try again', async () => {
    const scratch = freshFolder();
    const log = { path: '', write: vi.fn() } as unknown as LogFile;
    for (let time = 0; time < 2; time++) {
      const electron = fakeElectron({ scratch });
      electron.app.commandLine.switches.set('ozone-platform', 'x11');
      await runDesktop(electron.asElectron, FILES, desktopStub(), log);
    }
    const told = vi.mocked(log.write).mock.calls.map(([line]) => line);
    const wanted =
      process.platform === 'linux' ? [expect.stringContaining('vulkan.json to try Vulkan again')] : [];
    expect(told.filter((line) => line.startsWith('without Vulkan'))).toEqual(wanted);
  });

  it('forks its trainer at the first run, not before', () => {
    const electron = fakeElectron();
    const files = {
      ...FILES,
      solverWorker: '/dist/node/solver-worker.js',
      trainer: '/dist/node/trainer.js',
      reader: '/dist/node/reader.js',
      history: '/dist/node/history.js',
      trainerPageRoot: '/dist/trainer-window',
      trainerPreload: '/dist/preload-trainer.cjs',
      setupCommand: '/app/start/setup-tensorflow.mjs',
      licenses: '/dist/THIRD-PARTY-LICENSES.txt',
    };
    const { info } = desktopServices(electron.asElectron, files, import.meta.url);
    expect(info).toMatchObject({ carrier: 'desktop', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(electron.utilityProcess.fork).not.toHaveBeenCalled();
    expect(FakeWindow.made).toHaveLength(0);
  });
});

describe("the trainer's page under the same scheme", () => {
  const ask = (url: string) => answerTrainerPage(FILES.pageRoot, { url, method: 'GET' });

  it('may do nothing but run its own scripts', async () => {
    const response = await ask('zigzag://trainer/index.html');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
  });

  it('is not served at the lab’s address, nor the lab at its address', async () => {
    expect((await ask('zigzag://lab/index.html')).status).toBe(404);
    const lab = { url: 'zigzag://trainer/index.html', method: 'GET' };
    expect((await answerPage(FILES.pageRoot, lab)).status).toBe(404);
  });
});

describe('the page under its scheme', () => {
  const ask = (url: string, method = 'GET') => answerPage(FILES.pageRoot, { url, method });

  it('has the strict policy and the nonce of the response', async () => {
    const response = await ask('zigzag://lab/');
    const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1];
    const policy = response.headers.get('content-security-policy');
    expect(response.status).toBe(200);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['zigzag://lab/nothing.js', 'GET', 404],
    ['zigzag://lab/%2e%2e/package.json', 'GET', 404],
    ['zigzag://other/', 'GET', 404],
    ['zigzag://lab/', 'POST', 405],
  ])('answers %s %s with %s', async (url, method, status) => {
    expect((await ask(url, method)).status).toBe(status);
  });
});
