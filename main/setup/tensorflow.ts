import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { z } from 'zod';
import {
  type Adding,
  addingSchema,
  type Tensorflow,
  type TensorflowKind,
  tensorflowSizesSchema,
} from '../../app/contract/setup.ts';
import { CancelledError } from '../../engine/errors.ts';
import { LabFailure } from '../host/failure.ts';
import type { BuiltFiles } from '../host/info.ts';
import type { SetupService } from '../host/services.ts';
import { hasNvidiaGpu, THIS_MACHINE } from '../trainer/backends/cuda.ts';
import { tensorflowHere } from '../trainer/backends/tensorflow-folder.ts';
import { ErrorTail } from '../trainer-client/error-tail.ts';

/** The machine and the command that the setup uses; tests replace both. */
export interface SetupParts {
  /** The command in a checkout; null elsewhere. */
  readonly command: string | null;
  /** The Node that runs it. */
  readonly node: string;
  readonly here: () => Tensorflow['here'];
  readonly hasNvidiaGpu: () => boolean;
  readonly platform: NodeJS.Platform;
  /** Called when the next run should look for backends again. */
  readonly onAdded: () => void;
}

/** Output of the command with `--about --json`. */
const aboutSchema = z.object({
  folder: z.string(),
  cpu: tensorflowSizesSchema.nullable(),
  cuda: tensorflowSizesSchema.nullable(),
});

/** One line of the command's standard output while it works. */
const lineSchema = z.discriminatedUnion('event', [
  addingSchema.extend({ event: z.literal('progress') }),
  z.object({ event: z.literal('failed'), reason: z.string() }),
]);

const ABOUT_LIMIT_MS = 30_000;
/** Time limit for the command to clean up. */
const GRACE_MS = 15_000;
const COMMAND = 'npm run setup:tensorflow';

/** @param files of the built lab */
export function setupParts(
  { setupCommand }: Pick<BuiltFiles, 'setupCommand'>,
  onAdded: () => void,
): SetupParts {
  // Electron's program cannot run npm; npm names the Node that started it.
  const isElectron = process.versions['electron'] !== undefined;
  return {
    command: existsSync(setupCommand) ? setupCommand : null,
    node: isElectron ? (process.env['npm_node_execpath'] ?? 'node') : process.execPath,
    here: tensorflowHere,
    hasNvidiaGpu: () => hasNvidiaGpu(THIS_MACHINE),
    platform: process.platform,
    onAdded,
  };
}

/**
 * Adds TensorFlow to a lab that runs from its sources, with the same command as in a terminal, as a child process: only
 * on request, one at a time. The command limits its own time and leaves nothing half done.
 */
export class TensorflowSetup implements SetupService {
  readonly #parts: SetupParts;
  #child: ChildProcess | null = null;
  /** Settles when a cancelled setup has cleaned up: a new request waits for it instead of being refused. */
  #clearing: Promise<unknown> = Promise.resolve();

  constructor(parts: SetupParts) {
    this.#parts = parts;
  }

  async tensorflow(): Promise<Tensorflow> {
    const { here: look, hasNvidiaGpu: lookForGpu, platform } = this.#parts;
    const [here, hasGpu] = [look(), lookForGpu()];
    const nothing = { here, hasNvidiaGpu: hasGpu, add: null, instead: null };
    // A package's own library may use a GPU too; a run will show it.
    if (here === 'cuda' || here === 'package' || (here === 'cpu' && !hasGpu)) return nothing;
    const about = platform === 'linux' ? await this.#about() : 'TensorFlow can be added on Linux only';
    if (typeof about === 'string') return { ...nothing, instead: `${about}.` };
    const kind: TensorflowKind = hasGpu && about.cuda !== null ? 'cuda' : 'cpu';
    const sizes = about[kind];
    if (sizes === null) return { ...nothing, instead: 'TensorFlow can be added on x64 and arm64 only.' };
    if (here === kind) return nothing;
    return { ...nothing, add: { kind, folder: about.folder, ...sizes } };
  }

  async *addTensorflow(
    { kind }: { readonly kind: TensorflowKind },
    signal?: AbortSignal,
  ): AsyncGenerator<Adding, void, void> {
    const { command, node, onAdded } = this.#parts;
    if (command === null) throw notAdded('this program has no command for it');
    await this.#clearing;
    if (this.#child !== null) {
      const message = 'TensorFlow is already being added. Wait until it is done, or cancel it.';
      throw new LabFailure({ code: 'BUSY', message, data: {} });
    }
    if (signal?.aborted) throw new CancelledError();
    const child = spawn(node, [command, '--json', ...(kind === 'cuda' ? ['--cuda'] : [])], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    const tail = new ErrorTail(child.stderr);
    const ended = endOf(child);
    let tellCleared = (): void => undefined;
    const cleared = new Promise<void>((resolve) => {
      tellCleared = resolve;
    });
    const cancel = (): void => {
      this.#clearing = cleared;
      end(child);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      let reason: string | null = null;
      for await (const line of createInterface({ input: child.stdout })) {
        const said = readLine(line);
        if (said?.event === 'failed') reason = said.reason;
        else if (said !== null) yield { step: said.step, bytes: said.bytes, of: said.of };
      }
      const how = await ended;
      if (signal?.aborted) throw new CancelledError();
      if (how !== null)
        throw notAdded(reason ?? `${tail.explain(how)}; ${COMMAND} in a terminal may show more`);
      onAdded();
    } finally {
      signal?.removeEventListener('abort', cancel);
      end(child);
      await ended;
      this.#child = null;
      tellCleared();
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    end(child);
    await endOf(child);
  }

  /** A string if nothing can be added: what to do instead, as a phrase. */
  async #about(): Promise<z.infer<typeof aboutSchema> | string> {
    const { command, node } = this.#parts;
    if (command === null) {
      return (
        'This program cannot add TensorFlow itself. In a checkout of Zigzag run ' +
        `"${COMMAND}", and start this program with ZIGZAG_TENSORFLOW set to the folder that the command prints`
      );
    }
    try {
      const { stdout } = await promisify(execFile)(node, [command, '--about', '--json'], {
        timeout: ABOUT_LIMIT_MS,
      });
      return aboutSchema.parse(JSON.parse(stdout));
    } catch {
      return `TensorFlow cannot be added from here, because Node could not be started; run "${COMMAND}" in Zigzag's folder`;
    }
  }
}

function readLine(line: string): z.infer<typeof lineSchema> | null {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Null for success; else how it ended, in a few words. */
function endOf(child: ChildProcess): Promise<string | null> {
  const how = (): string | null =>
    child.exitCode === 0
      ? null
      : child.exitCode === null
        ? `killed by ${child.signalCode}`
        : `exit code ${child.exitCode}`;
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(how());
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(how()));
  });
}

/** Closing its standard input tells the command to clean up and end, on every system. */
function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin?.destroy();
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  timer.unref();
  child.once('exit', () => clearTimeout(timer));
}

function notAdded(reason: string): LabFailure {
  const message = `TensorFlow was not added: ${reason.replace(/\.$/, '')}.`;
  return new LabFailure({ code: 'NOT_ADDED', message, data: {} });
}
