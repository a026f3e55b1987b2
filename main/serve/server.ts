import { createServer } from 'node:http';
import { TOKEN_PARAMETER } from '../../app/contract/socket.ts';
import { serveSocket } from '../host/carriers.ts';
import { createLabRouter } from '../host/router.ts';
import type { LabServices } from '../host/services.ts';
import { freshToken } from './guard.ts';
import { listen } from './listen.ts';
import { acceptSockets } from './sockets.ts';
import { answerRequest } from './static.ts';

export interface LabServer {
  /** Address of the page, key included. */
  readonly url: string;
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
  const token = freshToken();
  const router = createLabRouter(services);
  const server = createServer((request, response) => {
    answerRequest(pageRoot, request, response).catch(() => response.destroy());
  });
  const closeSockets = acceptSockets(server, token, (socket) => serveSocket(router, socket));
  const opened = await listen(server, port);
  return {
    url: `http://127.0.0.1:${opened}/?${TOKEN_PARAMETER}=${token}`,
    async close() {
      closeSockets();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, services.solver.close(), services.trainer.close()]);
      await services.history.close();
    },
  };
}
