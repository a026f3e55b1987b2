import type { App, Session, Shell, WebContents } from 'electron';
import { isExternalLink, isLabAddress } from './address.ts';

/** Links that the user follows open in the system's browser, after a check; nothing opens here. */
export function guardContents(contents: WebContents, shell: Pick<Shell, 'openExternal'>): void {
  const leave = (event: { preventDefault(): void }, address: string): void => {
    if (isLabAddress(address)) return;
    event.preventDefault();
  };
  contents.on('will-navigate', (event) => leave(event, event.url));
  contents.on('will-redirect', (event) => leave(event, event.url));
  contents.on('will-frame-navigate', (event) => {
    // The lab has no frames.
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isExternalLink(url)) void shell.openExternal(url).catch(() => undefined);
    return { action: 'deny' };
  });
}

/** Guards every page that this program ever makes, whoever makes it. */
export function guardAllContents(app: Pick<App, 'on'>, shell: Pick<Shell, 'openExternal'>): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, shell));
}

/** The page gets no permission, no device and no network: all it needs comes from its own scheme. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((request, answer) => answer({ cancel: !isAllowedRequest(request.url) }));
}

/** The lab itself, what the page made itself, and Chromium's own developer tools. */
export function isAllowedRequest(address: string): boolean {
  return isLabAddress(address) || /^(?:blob:zigzag:\/\/lab\/|data:|devtools:\/\/)/.test(address);
}
