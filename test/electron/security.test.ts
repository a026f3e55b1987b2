import type { WebContents } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { isExternalLink, isLabAddress } from '../../main/electron/address.ts';
import {
  guardContents,
  guardSession,
  guardTrainerContents,
  guardTrainerSession,
  isAllowedRequest,
} from '../../main/electron/security.ts';
import { FakeContents, fakeSession } from './fakes.ts';

describe('addresses', () => {
  it.each(['zigzag://lab/', 'zigzag://lab/assets/index.js', 'zigzag://lab/#/compare', 'zigzag://lab/?a=b'])(
    '%s is the lab',
    (address) => expect(isLabAddress(address)).toBe(true),
  );

  it.each([
    'zigzag://lab.evil/',
    'zigzag://evil/lab/',
    'zigzag://user@lab/',
    'zigzag:lab',
    'https://lab/',
    'file:///lab/',
    'about:blank',
    '',
    'nonsense',
  ])('%s is not', (address) => expect(isLabAddress(address)).toBe(false));

  it.each([
    ['https://arxiv.org/abs/1808.00079', true],
    ['http://arxiv.org/', false],
    ['https://user:password@arxiv.org/', false],
    ['https://arxiv.org@evil.example/', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['zigzag://lab/', false],
    ['mailto:someone@example.org', false],
    [`https://example.org/${'x'.repeat(3000)}`, false],
  ])('%s opens in the browser: %s', (address, opens) => expect(isExternalLink(address)).toBe(opens));
});

describe('guardContents', () => {
  function guarded() {
    const contents = new FakeContents();
    const shell = { openExternal: vi.fn(async () => undefined) };
    guardContents(contents as unknown as WebContents, shell);
    const denies = (event: string, details: object): boolean => {
      const preventDefault = vi.fn();
      contents.emit(event, { ...details, preventDefault });
      return preventDefault.mock.calls.length === 1;
    };
    return { contents, shell, denies };
  }

  it.each(['will-navigate', 'will-redirect'])('denies %s to anywhere but the lab', (event) => {
    const { denies } = guarded();
    expect(denies(event, { url: 'https://arxiv.org/' })).toBe(true);
    expect(denies(event, { url: 'file:///etc/passwd' })).toBe(true);
    expect(denies(event, { url: 'zigzag://lab/index.html' })).toBe(false);
  });

  it('denies frames and webviews', () => {
    const { denies } = guarded();
    expect(denies('will-frame-navigate', { url: 'zigzag://lab/', isMainFrame: false })).toBe(true);
    expect(denies('will-frame-navigate', { url: 'zigzag://lab/', isMainFrame: true })).toBe(false);
    expect(denies('will-attach-webview', {})).toBe(true);
  });

  it('opens no window; an https link goes to the browser', () => {
    const { contents, shell } = guarded();
    for (const url of ['https://arxiv.org/abs/1808.00079', 'file:///etc/passwd', 'zigzag://lab/']) {
      expect(contents.openHandler({ url })).toEqual({ action: 'deny' });
    }
    expect(shell.openExternal.mock.calls).toEqual([['https://arxiv.org/abs/1808.00079']]);
  });
});

type Decide = (request: { url: string }, answer: (decision: object) => void) => void;

/** True when a guarded session lets a request through. */
function letsThrough(session: ReturnType<typeof fakeSession>['session'], url: string): boolean {
  const decide: Decide = session.webRequest.onBeforeRequest.mock.calls[0]?.[0];
  const answer = vi.fn();
  decide({ url }, answer);
  return answer.mock.calls[0]?.[0].cancel === false;
}

/** Replies of a guarded session to a page that asks for a permission, and to one that checks for it. */
function permits(
  session: ReturnType<typeof fakeSession>['session'],
  permission: string,
  url: string,
  isMainFrame = true,
) {
  const answer = vi.fn();
  session.setPermissionRequestHandler.mock.calls[0]?.[0](null, permission, answer, {
    requestingUrl: url,
    isMainFrame,
  });
  const [, origin = ''] = /^(.*?:\/\/[^/]*\/)/.exec(url) ?? [];
  const check = session.setPermissionCheckHandler.mock.calls[0]?.[0];
  const checked = check(null, permission, origin, { requestingUrl: url, isMainFrame });
  expect(check(null, permission, origin, { isMainFrame })).toBe(checked);
  return [answer.mock.calls[0]?.[0], checked];
}

describe('guardSession', () => {
  it('grants no device and no request beyond the lab', () => {
    const { session, asSession } = fakeSession();
    guardSession(asSession);
    expect(session.setDevicePermissionHandler.mock.calls[0]?.[0]()).toBe(false);
    expect(letsThrough(session, 'https://evil.example/')).toBe(false);
    expect(letsThrough(session, 'zigzag://trainer/window.html')).toBe(false);
    expect(letsThrough(session, 'zigzag://lab/assets/index.js')).toBe(true);
  });

  it('lets the page of the lab write to the clipboard, and grants no other permission', () => {
    const { session, asSession } = fakeSession();
    guardSession(asSession);
    const lab = 'zigzag://lab/#/compare';
    const write = 'clipboard-sanitized-write';
    expect(permits(session, write, lab)).toEqual([true, true]);
    expect(permits(session, write, lab, false)).toEqual([false, false]);
    expect(permits(session, write, 'https://evil.example/')).toEqual([false, false]);
    for (const other of ['clipboard-read', 'media', 'notifications', 'openExternal', 'fileSystem']) {
      expect(permits(session, other, lab)).toEqual([false, false]);
    }
  });

  it.each([
    ['blob:zigzag://lab/0b6f', true],
    ['data:image/png;base64,AA==', true],
    ['devtools://devtools/bundled/inspector.html', true],
    ['blob:https://evil.example/0b6f', false],
    ['ws://127.0.0.1:4321/lab', false],
    ['file:///etc/passwd', false],
  ])('lets %s through: %s', (url, allowed) => expect(isAllowedRequest(url)).toBe(allowed));
});

describe("the guards of the trainer's window", () => {
  it('let its own files through and nothing else', () => {
    const { session, asSession } = fakeSession();
    guardTrainerSession(asSession);
    expect(letsThrough(session, 'zigzag://trainer/assets/window.js')).toBe(true);
    for (const url of [
      'zigzag://lab/',
      'https://evil.example/',
      'ws://127.0.0.1:4321/',
      'data:text/html,x',
      'blob:zigzag://trainer/1',
      'devtools://devtools/bundled/inspector.html',
      'zigzag://user@trainer/',
    ]) {
      expect(letsThrough(session, url)).toBe(false);
    }
    expect(permits(session, 'clipboard-sanitized-write', 'zigzag://trainer/window.html')).toEqual([
      false,
      false,
    ]);
    expect(session.setDevicePermissionHandler.mock.calls[0]?.[0]()).toBe(false);
  });

  it('block all navigation and windows, even those that the lab may open', () => {
    const contents = new FakeContents();
    const shell = { openExternal: vi.fn(async () => undefined) };
    guardContents(contents as unknown as WebContents, shell);
    guardTrainerContents(contents as unknown as WebContents);
    for (const event of ['will-navigate', 'will-redirect']) {
      const preventDefault = vi.fn();
      contents.emit(event, { url: 'zigzag://lab/', preventDefault });
      expect(preventDefault).toHaveBeenCalled();
    }
    expect(contents.openHandler({ url: 'https://arxiv.org/' })).toEqual({ action: 'deny' });
    expect(shell.openExternal).not.toHaveBeenCalled();
  });
});
