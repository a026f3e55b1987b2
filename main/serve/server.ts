import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { TOKEN_PARAMETER } from '../../app/contract/socket.ts';
import { serveSocket } from '../host/carriers.ts';
import { createLabRouter } from '../host/router.ts';
import type { LabServices } from '../host/services.ts';
import { type KeptKeys, SessionKeys } from './keys.ts';
import { listen } from './listen.ts';
import { acceptSockets } from './sockets.ts';
import { answerRequest } from './static.ts';

export interface LabServer {
  /** Address of the page with its reusable key, for the user. */
  readonly url: string;
  /** The same with a one-time key, valid for a minute; for a command line, which others can read. */
  urlForOnce(): string;
  /** Disconnects every page, stops their work and frees the port. */
  close(): Promise<void>;
}

export interface LabServerOptions {
  readonly services: LabServices;
  /** Folder of the built page. */
  readonly pageRoot: string;
  /** A free one when absent. */
  readonly port?: number;
  readonly limits?: ServeLimits;
  /** Storage of keys across restarts; without it, keys end with the server. */
  readonly keys?: { readonly kept: KeptKeys; readonly onChange: (kept: KeptKeys) => void };
}

/**
 * Limits above the needs of a browser on this machine. A client that reaches them keeps the lab busy, but cannot
 * exhaust its memory.
 */
export interface ServeLimits {
  /** Time limits for a request's headers, and for all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Interval at which connections are checked against these limits. */
  readonly checkMs: number;
  /** Most connections at once, WebSockets included; further ones are closed. */
  readonly connections: number;
}

const LIMITS: ServeLimits = { headersMs: 10_000, requestMs: 30_000, checkMs: 5_000, connections: 256 };

/**
 * The lab for browsers of this machine: the built page over HTTP, the contract over WebSocket.
 *
 * @throws BadInputError if the port is not available
 */
export async function serveLab(options: LabServerOptions): Promise<LabServer> {
  const { services, pageRoot, port, limits = LIMITS } = options;
  const { kept, onChange } = options.keys ?? {};
  const keys = new SessionKeys((session) => sockets.drop(session), undefined, kept, onChange);
  const router = createLabRouter(services);
  const server = boundedServer(limits, (request, response) =>
    answerRequest(pageRoot, keys, request, response).catch(() => response.destroy()),
  );
  const sockets = acceptSockets(server, keys, (socket) => serveSocket(router, socket));
  const opened = await listen(server, port);
  const addressWith = (key: string): string => `http://127.0.0.1:${opened}/?${TOKEN_PARAMETER}=${key}`;
  return {
    url: addressWith(keys.printed),
    urlForOnce: () => addressWith(keys.issueOnce()),
    async close() {
      sockets.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      const { solver, trainer, setup } = services;
      await Promise.all([closed, solver.close(), trainer.close(), setup.close()]);
      await services.history.close();
    },
  };
}

/**
 * A server with time limits that answers one request of a connection at a time. A client that pipelines requests, as no
 * browser does, could otherwise fill memory with files that wait for it.
 */
function boundedServer(limits: ServeLimits, answer: RequestListener): Server {
  const busy = new WeakSet<Socket>();
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (request, response) => {
      const { socket } = request;
      if (socket.destroyed) return;
      if (busy.has(socket)) {
        socket.destroy();
        return;
      }
      busy.add(socket);
      response.on('close', () => busy.delete(socket));
      answer(request, response);
    },
  );
  server.maxConnections = limits.connections;
  return server;
}
