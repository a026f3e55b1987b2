import { connect, type Socket } from 'node:net';
import { SOCKET_PATH, SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../../../app/contract/socket.ts';

type Headers = Readonly<Record<string, string>>;

/** A request as bytes: nothing is tidied up, added or refused on the way. */
export function requestText(line: string, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** The headers of a WebSocket as a browser opens one. */
export const upgradeHeaders = (url: URL, protocols: string): Headers => ({
  Host: url.host,
  Origin: url.origin,
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol': protocols,
});

export const protocolsOf = (key: string): string => `${SOCKET_PROTOCOL}, ${TOKEN_PROTOCOL_PREFIX}${key}`;

export const upgradeText = (url: URL, protocols: string, headers: Headers = {}, path = SOCKET_PATH): string =>
  requestText(`GET ${path}`, { ...upgradeHeaders(url, protocols), ...headers });

/** A connection that does nothing by itself, not even end when the other side does. */
export function open(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(url.port), allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Reads until the other side ends or breaks the connection, or the wanted text arrives. */
export function answerOf(socket: Socket, isEnough: (text: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const done = (): void => resolve(text);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) done();
    });
    socket.on('end', done);
    socket.on('error', done);
    socket.on('close', done);
  });
}

const HEAD_ENDS = '\r\n\r\n';

/** The status of the one answer to a request as bytes. */
export async function statusOf(url: URL, text: string): Promise<string> {
  const socket = await open(url);
  socket.write(text);
  const answer = await answerOf(socket, (soFar) => soFar.includes(HEAD_ENDS));
  socket.destroy();
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed';
}

/** Writes until the other side has closed both ways: one that has ended its own way only goes on taking. */
export function refusedWrites(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => socket.write('x'), 5);
    const done = (): void => {
      clearInterval(timer);
      resolve();
    };
    socket.on('error', done);
    socket.on('close', done);
  });
}

/** A WebSocket as bytes, after its handshake: for frames that no client sends. */
export async function openFrames(url: URL, session: string): Promise<Socket> {
  const socket = await open(url);
  socket.write(upgradeText(url, protocolsOf(session)));
  const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  if (!answer.startsWith('HTTP/1.1 101')) throw new Error(answer);
  return socket;
}

/** A frame of a client, masked with zeros; `length` may say something else than the payload's. */
export function frame(
  first: number,
  payload: Buffer,
  length = BigInt(payload.length),
  isMasked = true,
): Buffer {
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = (isMasked ? 0x80 : 0) | 127;
  head.writeBigUInt64BE(length, 2);
  return Buffer.concat([head, ...(isMasked ? [Buffer.alloc(4)] : []), payload]);
}

/** The code of the close frame in what a server sent last; null for none. */
export function closeCode(answer: string): number | null {
  const at = answer.lastIndexOf('\x88');
  return at < 0 ? null : Buffer.from(answer, 'latin1').readUInt16BE(at + 2);
}
