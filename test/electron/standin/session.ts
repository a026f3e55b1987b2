import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as Electron from 'electron';
import { life } from './life.ts';
import type { NothingElse } from './promise.ts';

type Handler = (request: Request) => Response | Promise<Response>;
type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Guard = Parameters<Electron.WebRequest['onBeforeRequest']>[0];

/** The scheme's name; the origin `zigzag://lab` is `http://lab.localhost:PORT` in the page. */
const SCHEME = /^([a-z]+):\/\/([a-z]+)(?=\/|$)/;
const LOCAL = /^http:\/\/([a-z]+)\.localhost:\d+/;

const privileged = new Map<string, Electron.CustomScheme>();

export const schemes: Pick<Electron.Protocol, 'registerSchemesAsPrivileged'> = {
  registerSchemesAsPrivileged(list) {
    if (life.isReady) {
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    }
    for (const scheme of list) privileged.set(scheme.scheme, scheme);
  },
};

class StandInProtocol implements Pick<Electron.Protocol, 'handle' | 'isProtocolHandled'> {
  readonly #handlers: Map<string, Handler>;

  constructor(handlers: Map<string, Handler>) {
    this.#handlers = handlers;
  }

  handle(scheme: string, handler: Handler): void {
    if (!life.isReady) throw new Error('protocol.handle before the app is ready');
    if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.#handlers.set(scheme, handler);
  }

  isProtocolHandled(scheme: string): boolean {
    return this.#handlers.has(scheme);
  }
}

interface Inside {
  readonly listening: Promise<void>;
  readonly origin: (host: string) => string;
  permits: (contents: Electron.WebContents | null, permission: string, url: string) => boolean;
}
const insides = new WeakMap<object, Inside>();

/** Electron's session, whose scheme a server on this machine answers: Chromium itself has no such scheme. */
class StandInSession
  implements
    Pick<
      Electron.Session,
      'fetch' | 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
    >
{
  readonly #handlers = new Map<string, Handler>();
  readonly protocol = new StandInProtocol(this.#handlers);
  readonly webRequest = {
    onBeforeRequest: (guard: Guard): void => {
      this.#guard = guard;
    },
  } satisfies Pick<Electron.WebRequest, never> & { onBeforeRequest: (guard: Guard) => void };
  #guard: Guard = null;
  #check: CheckHandler = null;

  constructor() {
    const server = createServer((request, response) => void this.#answer(request, response));
    const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    server.unref();
    insides.set(this, {
      listening,
      origin: (host) => `http://${host}.localhost:${(server.address() as AddressInfo).port}`,
      permits: (contents, permission, url) =>
        this.#check?.(contents, permission as never, new URL(url).origin, {
          requestingUrl: url,
          isMainFrame: true,
        } as Electron.PermissionCheckHandlerHandlerDetails) ?? true,
    });
  }

  setPermissionRequestHandler(_handler: RequestHandler): void {}

  /** Network of this process. */
  readonly fetch: Electron.Session['fetch'] = (input, init) => {
    let isCancelled = false;
    const asked = { url: String(input), method: 'GET' } as Electron.OnBeforeRequestListenerDetails;
    this.#guard?.(asked, ({ cancel = false }) => {
      isCancelled = cancel;
    });
    return isCancelled ? Promise.reject(new Error('net::ERR_BLOCKED_BY_CLIENT')) : fetch(input, init);
  };

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }

  setDevicePermissionHandler(): void {}

  async #answer({ url: path = '/', method = 'GET', headers }: IncomingMessage, response: ServerResponse) {
    const [scheme] = privileged.keys();
    const url = `${scheme}://${headers.host?.split('.localhost')[0]}${path}`;
    const handler = this.#handlers.get(scheme ?? '');
    let isCancelled = false;
    this.#guard?.({ url, method } as Electron.OnBeforeRequestListenerDetails, ({ cancel = false }) => {
      isCancelled = cancel;
    });
    if (handler === undefined || isCancelled) {
      response.destroy();
      return;
    }
    try {
      // `Request` of Node does not take a scheme of one's own.
      const answer = await handler({ url, method, headers: new Headers() } as Request);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch (error) {
      process.stderr.write(`protocol handler: ${String(error)}\n`);
      response.destroy();
    }
  }
}

true satisfies NothingElse<StandInSession, Electron.Session>;
true satisfies NothingElse<StandInProtocol, Electron.Protocol>;

const sessions = new Map<string, StandInSession>();

export function sessionOf(partition: string): StandInSession {
  if (!life.isReady) throw new Error('Session can only be received when app is ready');
  const session = sessions.get(partition) ?? new StandInSession();
  sessions.set(partition, session);
  return session;
}

export function insideOf(session: object): Inside {
  const inside = insides.get(session);
  if (inside === undefined) throw new TypeError('not a session');
  return inside;
}

export const session = {
  get defaultSession() {
    return sessionOf('');
  },
  fromPartition: sessionOf,
};

export const toLocal = (inside: Inside, url: string): string =>
  url.replace(SCHEME, (_all, _scheme, host: string) => inside.origin(host));

export function toScheme(url: string): string {
  const [scheme] = privileged.keys();
  return url.replace(LOCAL, (_all, host: string) => `${scheme}://${host}`);
}
