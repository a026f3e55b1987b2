import { onMessagePortClose, onMessagePortMessage } from '@orpc/client/message-port';
import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import type { LabPort } from '../../app/contract/client.ts';
import type { LabRouter } from './router.ts';

type HandledSocket = Pick<WebSocket, 'addEventListener' | 'send'>;

/** Serves the lab over one open WebSocket. A dropped socket aborts its requests. */
export function serveSocket(router: LabRouter, socket: HandledSocket): void {
  void new RPCHandler(router).upgrade(socket);
}

/**
 * Serves the lab over one message port, which the caller starts. A closed port aborts its requests.
 *
 * Both carriers use the library's handler for sockets: it reports a message outside the protocol, while the handler for
 * ports leaves an unhandled rejection that ends the host.
 *
 * @returns a function that aborts the port's requests, for a caller that knows the other side is gone
 */
export function servePort(router: LabRouter, port: LabPort): () => void {
  const onClose: (() => void)[] = [];
  const hangUp = (): void => {
    for (const listener of onClose) listener();
  };
  onMessagePortClose(port, hangUp);
  const asSocket = {
    send: (data: unknown) => port.postMessage(data),
    addEventListener(event: string, listener: (message: { readonly data?: unknown }) => void) {
      if (event === 'message') onMessagePortMessage(port, (data: unknown) => listener({ data }));
      if (event === 'close') onClose.push(() => listener({}));
    },
  };
  serveSocket(router, asSocket as unknown as HandledSocket);
  return hangUp;
}
