import type { App, Session, Shell, WebContents } from 'electron';
import { isExternalLink, isLabAddress, isTrainerAddress } from './address.ts';

/** Followed links open in the system's browser, after a check; nothing opens in the app. */
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

/** Guards every page that any part of this program creates. */
export function guardAllContents(app: Pick<App, 'on'>, shell: Pick<Shell, 'openExternal'>): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, shell));
}

/** The trainer's window loads its one page, then goes nowhere and opens nothing. Call after `guardContents`. */
export function guardTrainerContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/**
 * The lab's page may write to the clipboard, as "Copy link" does. It gets no other permission, no device and no
 * network: everything it needs comes from its own scheme.
 */
export function guardSession(session: Session): void {
  const isAllowed = (permission: string, address: string, isMainFrame: boolean): boolean =>
    permission === 'clipboard-sanitized-write' && isMainFrame && isLabAddress(address);
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isAllowed(permission, details.requestingUrl, details.isMainFrame));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { requestingUrl, isMainFrame }) =>
    isAllowed(permission, requestingUrl ?? origin, isMainFrame),
  );
  guardRequests(session, isAllowedRequest);
}

/** The trainer's window gets no permission, and may request only its own files. */
export function guardTrainerSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  guardRequests(session, isTrainerAddress);
}

function guardRequests(session: Session, isAllowed: (address: string) => boolean): void {
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((request, answer) => answer({ cancel: !isAllowed(request.url) }));
}

/** Allows the lab itself, what its page created, and Chromium's developer tools. */
export function isAllowedRequest(address: string): boolean {
  return isLabAddress(address) || /^(?:blob:zigzag:\/\/lab\/|data:|devtools:\/\/)/.test(address);
}
