import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { DEAF_CODE, SOCKET_PATH, SOCKET_PROTOCOL } from '../../app/contract/socket.ts';
import { admitUpgrade } from './guard.ts';
import type { SessionKeys } from './keys.ts';
import { MAX_IMPORT_BYTES } from '../../engine/exchange/read-limits.ts';

/** The largest request carries a file; what is larger is not from our page. */
const MAX_MESSAGE_BYTES = MAX_IMPORT_BYTES + (1 << 20);
/** Bytes that may wait for a peer to read them, plus one message of any size. A page reads them at once. */
export const MAX_QUEUED_BYTES = 64 << 20;
const PING_MS = 20_000;
/** For a peer that is about to be dropped to take note of the reason. */
const LAST_WORD_MS = 2000;

export interface AcceptedSockets {
  /** Drops the sockets of a session key that no longer counts. */
  drop(session: string): void;
  /** Drops all and stops. */
  close(): void;
}

/**
 * Accepts WebSockets on an HTTP server, from our own page with a session key only. A peer that does not answer pings,
 * or does not read what it asked for, is dropped, so that its work is cancelled and not left running for nobody.
 */
export function acceptSockets(
  server: Server,
  keys: SessionKeys,
  accept: (socket: WebSocket) => void,
): AcceptedSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => SOCKET_PROTOCOL,
  });
  const sessions = new Map<WebSocket, string>();
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const admitted = admitUpgrade(request, keys);
    if ('refusal' in admitted) return refuse(stream, '403 Forbidden', admitted.refusal);
    const [pathname] = (request.url ?? '').split('?', 1);
    if (pathname !== SOCKET_PATH) return refuse(stream, '404 Not Found', 'there is no socket here');
    sockets.handleUpgrade(request, stream, head, (socket) => {
      sessions.set(socket, admitted.session);
      socket.on('close', () => sessions.delete(socket));
      socket.on('error', () => socket.terminate());
      watch(socket);
      boundQueue(socket);
      accept(socket);
    });
  });
  return {
    drop(session) {
      for (const [socket, key] of sessions) if (key === session) socket.terminate();
    },
    close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

function refuse(stream: Duplex, status: string, reason: string): void {
  const body = `${reason}\n`;
  stream.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    // The server ends its own way only, and who was refused may never end the other.
    () => stream.destroy(),
  );
}

function watch(socket: WebSocket): void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive) return hangUp(socket, 'this page did not answer');
    alive = false;
    socket.ping();
  }, PING_MS);
  timer.unref();
  socket.on('close', () => clearInterval(timer));
}

/** Sends as before, until too much waits to be read: what is asked for and not read would fill this process. */
function boundQueue(socket: WebSocket): void {
  const send = socket.send.bind(socket) as (...args: unknown[]) => void;
  socket.send = (...args: unknown[]): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount <= MAX_QUEUED_BYTES) send(...args);
    else hangUp(socket, `this page does not read: ${socket.bufferedAmount >> 20} MiB wait for it`);
  };
}

/** Closes with a reason, which a peer that is deaf never hears. */
function hangUp(socket: WebSocket, reason: string): void {
  socket.close(DEAF_CODE, reason);
  setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
}
