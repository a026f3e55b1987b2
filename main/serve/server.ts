import { createServer } from 'node:http';
import { TOKEN_PARAMETER } from '../../app/contract/socket.ts';
import { serveSocket } from '../host/carriers.ts';
import { createLabRouter } from '../host/router.ts';
import type { LabServices } from '../host/services.ts';
import { SessionKeys } from './keys.ts';
import { listen } from './listen.ts';
import { acceptSockets } from './sockets.ts';
import { answerRequest } from './static.ts';

export interface LabServer {
  /** Address of the page, key included; for people, as often as they like. */
  readonly url: string;
  /** The same with a key that counts once, within a minute; for a command line, which others can read. */
  urlForOnce(): string;
  /** Drops every page, stops what runs for them and frees the port. */
  close(): Promise<void>;
}

export interface LabServerOptions {
  readonly services: LabServices;
  /** Folder of the built page. */
  readonly pageRoot: string;
  /** A free one when absent. */
  readonly port?: number;
}

/**
 * The lab for browsers of this machine: the built page over HTTP, the contract over WebSocket.
 *
 * @throws BadInputError when the port cannot be had
 */
export async function serveLab({ services, pageRoot, port }: LabServerOptions): Promise<LabServer> {
  const keys = new SessionKeys((session) => sockets.drop(session));
  const router = createLabRouter(services);
  const server = createServer((request, response) => {
    answerRequest(pageRoot, keys, request, response).catch(() => response.destroy());
  });
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
      await Promise.all([closed, services.solver.close(), services.trainer.close()]);
      await services.history.close();
    },
  };
}
