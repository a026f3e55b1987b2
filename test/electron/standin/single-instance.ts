import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';

/** What a second start hands to the first. */
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

/** The lock of Chromium's on Linux: a socket beside the program's data. */
export class SingleInstance {
  readonly #path: string;
  readonly #onSecond: (start: SecondStart) => void;
  #server: Server | null = null;

  constructor(path: string, onSecond: (start: SecondStart) => void) {
    this.#path = path;
    this.#onSecond = onSecond;
  }

  get isHeld(): boolean {
    return this.#server !== null;
  }

  request(): boolean {
    mkdirSync(dirname(this.#path), { recursive: true });
    if (existsSync(this.#path) && this.#isTold()) return false;
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
      execFileSync(process.execPath, args, { timeout: 10_000, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }
}
