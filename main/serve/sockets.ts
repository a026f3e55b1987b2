import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { DEAF_CODE, SOCKET_PATH, SOCKET_PROTOCOL } from '../../app/contract/socket.ts';
import { admitUpgrade } from './guard.ts';
import type { SessionKeys } from './keys.ts';
import { MAX_IMPORT_BYTES } from '../../engine/exchange/read-limits.ts';

/** Largest request: one with a file. A larger one is not from our page. */
const MAX_MESSAGE_BYTES = MAX_IMPORT_BYTES + (1 << 20);
/** Bytes that may wait to be read, plus one message of any size. A page reads at once. */
export const MAX_QUEUED_BYTES = 64 << 20;
const PING_MS = 20_000;
/** Time for a peer to receive the reason before it is dropped. */
const LAST_WORD_MS = 2000;

export interface AcceptedSockets {
  /** Drops the sockets of a revoked session key. */
  drop(session: string): void;
  /** Drops all sockets and stops. */
  close(): void;
}

/**
 * Accepts WebSockets on an HTTP server, only from our own page with a session key. A peer that does not answer pings,
 * or does not read its answers, is dropped, which cancels its work.
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
    // The server closes only its own side, and a refused client may never close the other.
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

/** Sends until too much waits to be read: unread answers would fill this process's memory. */
function boundQueue(socket: WebSocket): void {
  const send = socket.send.bind(socket) as (...args: unknown[]) => void;
  socket.send = (...args: unknown[]): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount <= MAX_QUEUED_BYTES) send(...args);
    else hangUp(socket, `this page does not read: ${socket.bufferedAmount >> 20} MiB wait for it`);
  };
}

/** Closes with a reason, then drops the peer in case it does not answer. */
function hangUp(socket: WebSocket, reason: string): void {
  socket.close(DEAF_CODE, reason);
  setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
}
