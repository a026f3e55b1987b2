import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '../../support/processes.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const START_LIMIT_MS = 600_000;

/** A running `zigzag serve` of the built lab. */
export interface LabServer {
  /** Address with the key, without a fragment. */
  readonly url: string;
  /** Address that a browser was started with; null where none was to be. */
  readonly opened: string | null;
  readonly pid: number;
  /** Its data folder, which goes with it. */
  readonly data: string;
  /** Kills the processes that the server started (the trainer), as an out-of-memory killer would. */
  killTrainers(): number;
  /** @returns the exit code; null where a signal ended it */
  close(): Promise<number | null>;
}

interface StartOptions {
  /** True when the lab opens a browser, which only records its arguments. */
  readonly open?: boolean;
  /** Root of the checkout; differs from this file's own when it is bundled. */
  readonly root?: string;
  /** The data folder of a lab before; a new one when absent. */
  readonly data?: string;
  /** True when the data folder stays, and the lab takes the port that it names. */
  readonly keepsData?: boolean;
  /** For the lab. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startLab(options: StartOptions = {}): Promise<LabServer> {
  const { open = false, root = ROOT, keepsData = false, env = {} } = options;
  const isKept = keepsData || options.data !== undefined;
  const cli = join(root, 'dist', 'node', 'cli.js');
  if (!existsSync(cli)) throw new Error('the lab is not built: run "npm run build" first');
  // Nothing may be written into the user's own history.
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'zigzag-e2e-'));
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
    [cli, 'serve', ...(isKept ? [] : ['--port', '0']), '--json', ...(open ? ['--open'] : [])],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ZIGZAG_DATA: data,
        ...env,
        PATH: `${data}:${env['PATH'] ?? process.env['PATH']}`,
      },
    },
  );
  const url = await printedUrl(child);
  while (open && !existsSync(told)) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    url,
    opened: open ? readFileSync(told, 'utf8').trim() : null,
    pid: child.pid ?? 0,
    data,
    killTrainers: () => killTrainersOf(child.pid ?? 0),
    close: () =>
      new Promise((resolve) => {
        const gone = (): void => {
          if (!keepsData) rmSync(data, { recursive: true, force: true });
          resolve(child.exitCode);
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
    const timer = setTimeout(() => reject(new Error(`no address: ${printed}`)), START_LIMIT_MS);
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
  // The history is a process, too.
  const trainers = childrenOf(parent).filter(({ command }) => command.includes('trainer.js'));
  for (const { pid } of trainers) process.kill(pid, 'SIGKILL');
  return trainers.length;
}
