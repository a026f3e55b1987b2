import type { WebContents } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { isExternalLink, isLabAddress } from '../../main/electron/address.ts';
import { guardContents, guardSession, isAllowedRequest } from '../../main/electron/security.ts';
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

describe('guardSession', () => {
  it('grants no permission, no device and no request beyond the lab', () => {
    const { session, asSession } = fakeSession();
    guardSession(asSession);
    const answer = vi.fn();
    session.setPermissionRequestHandler.mock.calls[0]?.[0](null, 'media', answer);
    expect(answer.mock.calls).toEqual([[false]]);
    expect(session.setPermissionCheckHandler.mock.calls[0]?.[0]()).toBe(false);
    expect(session.setDevicePermissionHandler.mock.calls[0]?.[0]()).toBe(false);
    const [decide] = session.webRequest.onBeforeRequest.mock.calls[0] ?? [];
    for (const [url, cancel] of [
      ['https://evil.example/', true],
      ['zigzag://lab/assets/index.js', false],
    ]) {
      const decided = vi.fn();
      decide({ url }, decided);
      expect(decided.mock.calls).toEqual([[{ cancel }]]);
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
