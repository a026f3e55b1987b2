import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { strToU8, zipSync } from 'fflate';

const EXECUTABLE = 0o100755;
const UNIX = 3;

/** Stands for Electron's program: says how it was called, or dies as it is told. */
const PROGRAM = `#!/bin/sh
echo "desktop run-as-node=[$ELECTRON_RUN_AS_NODE] $2"
if [ -n "$STUB_SAYS" ]; then echo "$STUB_SAYS" >&2; kill -TRAP $$; fi
`;

export type Manner = 'good' | 'corrupt' | 'missing' | 'stalling' | 'slow' | 'forbidden';

/** A server of Electron's archives, well-behaved or not. */
export class Mirror {
  manner: Manner = 'good';
  requests = 0;
  readonly #server = createServer((request, response) => {
    this.requests++;
    if (request.url?.endsWith('SHASUMS256.txt') === true) response.end(this.#sums());
    else this.#serve(response);
  });
  readonly #archive = Buffer.from(
    zipSync({
      electron: [strToU8(PROGRAM), { os: UNIX, attrs: EXECUTABLE << 16 }],
      version: strToU8('0.0.0'),
    }),
  );
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #sums(): string {
    const sum = createHash('sha256').update(this.#archive).digest('hex');
    return `${sum} *electron-v${this.#version}-${process.platform}-${process.arch}.zip\n`;
  }

  #serve(response: ServerResponse): void {
    const { manner } = this;
    if (manner === 'missing' || manner === 'forbidden') {
      response.writeHead(manner === 'missing' ? 404 : 403).end();
      return;
    }
    response.setHeader('content-length', this.#archive.length);
    if (manner === 'good') response.end(this.#archive);
    if (manner === 'corrupt') response.end(Buffer.alloc(this.#archive.length, 7));
    if (manner === 'stalling') response.write(this.#archive.subarray(0, 10));
    if (manner === 'slow') void this.#trickle(response);
  }

  /** A part each 150 ms. */
  async #trickle(response: ServerResponse): Promise<void> {
    const part = Math.ceil(this.#archive.length / 10);
    for (let from = 0; from < this.#archive.length; from += part) {
      response.write(this.#archive.subarray(from, from + part));
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    response.end();
  }
}

/** A proxy that tunnels, and counts. */
export async function openProxy(): Promise<{ url: string; tunnels: () => number; close: () => void }> {
  let tunnels = 0;
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connect', (request, socket: Socket) => {
    tunnels++;
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host ?? '');
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on('error', () => {});
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels: () => tunnels,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
