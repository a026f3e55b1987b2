import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const START_LIMIT_MS = 60_000;

/** A running `zigzag serve` of the built lab. */
export interface LabServer {
  /** Address with the key, without a fragment. */
  readonly url: string;
  /** Address that a browser was started with; null where none was to be. */
  readonly opened: string | null;
  /** Kills the processes that the server started (the trainer), as an out-of-memory killer would. */
  killTrainers(): number;
  close(): Promise<void>;
}

/** @param open whether the lab opens a browser, which only writes down what it was started with */
export async function startLab({ open = false } = {}): Promise<LabServer> {
  const cli = join(ROOT, 'dist', 'node', 'cli.js');
  if (!existsSync(cli)) throw new Error('the lab is not built: run "npm run build" first');
  // Nothing may be written into the user's own history.
  const data = mkdtempSync(join(tmpdir(), 'zigzag-e2e-'));
  const told = join(data, 'opened');
  writeFileSync(
    join(data, 'xdg-open'),
    `#!/bin/sh\necho "$*" > '${told}.part'; mv '${told}.part' '${told}'\n`,
    {
      mode: 0o755,
    },
  );
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--port', '0', '--json', ...(open ? ['--open'] : [])],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ZIGZAG_DATA: data, PATH: `${data}:${process.env['PATH']}` },
    },
  );
  const url = await printedUrl(child);
  while (open && !existsSync(told)) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    url,
    opened: open ? readFileSync(told, 'utf8').trim() : null,
    killTrainers: () => killTrainersOf(child.pid ?? 0),
    close: () =>
      new Promise((resolve) => {
        const gone = (): void => {
          rmSync(data, { recursive: true, force: true });
          resolve();
        };
        if (child.exitCode !== null) return gone();
        child.once('exit', gone);
        child.kill('SIGTERM');
      }),
  };
}

function printedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`no address after 60 s: ${printed}`)), START_LIMIT_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /"url":"([^"]+)"/.exec(printed)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`zigzag serve ended with ${code}: ${printed}`)));
  });
}

/** @returns how many there were */
export function killTrainersOf(parent: number): number {
  const children = childrenOf(parent).filter(isTrainer);
  for (const pid of children) process.kill(pid, 'SIGKILL');
  return children.length;
}

/** The history is a process, too. */
const isTrainer = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('trainer.js');

/** Processes started by a process, from Linux's own list. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // "pid (name) state ppid …"; the name may contain anything but ends at the last parenthesis.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}
