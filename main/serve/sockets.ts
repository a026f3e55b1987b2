import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { MAX_IMPORT_BYTES } from '../../app/contract/opened-file.ts';
import { SOCKET_PATH, SOCKET_PROTOCOL } from '../../app/contract/socket.ts';
import { refuseUpgrade } from './guard.ts';

/** The largest request carries a file; what is larger is not from our page. */
const MAX_MESSAGE_BYTES = MAX_IMPORT_BYTES + (1 << 20);
const PING_MS = 20_000;

/**
 * Accepts WebSockets on an HTTP server, from our own page with the right key only. A peer that does not
 * answer pings is dropped, so that its work is cancelled and not left running for nobody.
 *
 * @returns closes every socket and stops
 */
export function acceptSockets(
  server: Server,
  token: string,
  accept: (socket: WebSocket) => void,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => SOCKET_PROTOCOL,
  });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const refusal = refuseUpgrade(request, token);
    if (refusal !== null) return refuse(stream, '403 Forbidden', refusal);
    const [pathname] = (request.url ?? '').split('?', 1);
    if (pathname !== SOCKET_PATH) return refuse(stream, '404 Not Found', 'there is no socket here');
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => socket.terminate());
      watch(socket);
      accept(socket);
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function refuse(stream: Duplex, status: string, reason: string): void {
  const body = `${reason}\n`;
  stream.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function watch(socket: WebSocket): void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, PING_MS);
  timer.unref();
  socket.on('close', () => clearInterval(timer));
}
