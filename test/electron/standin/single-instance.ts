import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Message from a second start to the first. */
export interface SecondStart {
  readonly argv: string[];
  readonly cwd: string;
}

/** Tries a socket synchronously, as the answer is wanted: in a process of its own. */
const TRY = `
  const socket = require('net').connect(process.argv[1]);
  socket.on('error', () => process.exit(1));
  socket.on('connect', () => socket.end(process.argv[2]));
  socket.on('close', () => process.exit(0));
`;

/** A socket's path must be short, and on Windows it is a pipe. */
function socketFor(folder: string): string {
  const name = `zigzag-${createHash('sha1').update(folder).digest('hex').slice(0, 12)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.socket`);
}

/** The lock of Chromium's on Linux: a socket for the folder of the program's data. */
export class SingleInstance {
  readonly #folder: string;
  readonly #path: string;
  readonly #onSecond: (start: SecondStart) => void;
  #server: Server | null = null;

  constructor(folder: string, onSecond: (start: SecondStart) => void) {
    this.#folder = folder;
    this.#path = socketFor(folder);
    this.#onSecond = onSecond;
  }

  get isHeld(): boolean {
    return this.#server !== null;
  }

  request(): boolean {
    mkdirSync(this.#folder, { recursive: true });
    if ((process.platform === 'win32' || existsSync(this.#path)) && this.#isTold()) return false;
    rmSync(this.#path, { force: true });
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      let told = '';
      socket.on('data', (part) => {
        told += part.toString();
      });
      socket.on('end', () => {
        socket.end();
        if (told !== '') this.#onSecond(JSON.parse(told));
      });
    });
    this.#server.listen(this.#path);
    this.#server.unref();
    return true;
  }

  release(): void {
    if (this.isHeld) rmSync(this.#path, { force: true });
    this.#server = null;
  }

  #isTold(): boolean {
    const start: SecondStart = { argv: process.argv, cwd: process.cwd() };
    try {
      const args = ['-e', TRY, this.#path, JSON.stringify(start)];
      execFileSync(process.execPath, args, { timeout: 600_000, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }
}
