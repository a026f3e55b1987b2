import { basename } from 'node:path';
import { fileSource } from '../app/bridges/file-source.ts';
import { aboutFile } from '../app/bridges/import-file.ts';
import { BadInputError } from '../engine/errors.ts';
import { HistoryClient } from './history/client.ts';
import { dataFolderNow } from './history/folder.ts';
import { builtFiles, labInfo } from './host/info.ts';
import type { SolverService } from './host/services.ts';
import { withReader } from './reader/client.ts';
import { openInBrowser } from './serve/open.ts';
import { KeptKeysFile } from './serve/kept-keys.ts';
import { type LabServer, type LabServerOptions, serveLab } from './serve/server.ts';
import { setupParts, TensorflowSetup } from './setup/tensorflow.ts';
import { solverClient } from './solver/client.ts';
import { threadOf } from './solver/thread.ts';
import { childProcessSpawner } from './trainer-client/child-process.ts';
import { TrainerClient } from './trainer-client/client.ts';

export interface ServeOptions {
  /** A free port if absent or 0. */
  readonly port?: number;
  /** Path of a network's file that the page shows. */
  readonly file?: string;
  /** Budget of the experiment with that network. */
  readonly budgetBytes?: number;
  /** Opens the page in the user's browser; failing to do so is not an error. */
  readonly open?: boolean;
  /** Revokes earlier links and open tabs. */
  readonly newKey?: boolean;
}

/**
 * The lab in a browser of this machine, from the built parts beside this module.
 *
 * @throws BadInputError with one sentence if the port is not available, or the file holds no network
 */
export async function startServer({
  port,
  file,
  budgetBytes,
  open = false,
  newKey = false,
}: ServeOptions = {}): Promise<LabServer> {
  const files = builtFiles(import.meta.url);
  const solver = withReader(
    solverClient({ start: threadOf(files.solverWorker) }),
    childProcessSpawner(files.reader),
  );
  try {
    const address = file === undefined ? '' : await openedAt(solver, file, budgetBytes);
    const data = dataFolderNow();
    const keys = new KeptKeysFile(data.folder, newKey);
    const trainer = new TrainerClient(childProcessSpawner(files.trainer));
    const options: Omit<LabServerOptions, 'port'> = {
      services: {
        solver,
        trainer,
        setup: new TensorflowSetup(setupParts(files, () => trainer.renew())),
        history: new HistoryClient(childProcessSpawner(files.history), data),
        info: labInfo('browser', import.meta.url),
      },
      pageRoot: files.pageRoot,
      keys: { kept: keys.keys, onChange: (kept) => keys.keep(kept) },
    };
    const lab =
      port === undefined ? await serveWhereBefore(options, keys) : await serveLab({ ...options, port });
    if (port !== undefined && port !== 0) keys.keepPort(port);
    const server = { ...lab, url: lab.url + address, urlForOnce: () => lab.urlForOnce() + address };
    // Prepared while the page loads, because every page asks for it first. The page shows a failure.
    solver.catalog().catch(() => undefined);
    if (open) openInBrowser(server.urlForOnce());
    return server;
  } catch (error) {
    // Its thread and reader would keep the process alive.
    await solver.close();
    throw error;
  }
}

/**
 * Listens on the previous lab's port, which links and tabs name. If that is taken, as by another lab, uses a free one
 * and tries the previous port again next time.
 */
async function serveWhereBefore(
  options: Omit<LabServerOptions, 'port'>,
  keys: KeptKeysFile,
): Promise<LabServer> {
  const { port } = keys;
  if (port !== null) {
    try {
      return await serveLab({ ...options, port });
    } catch (error) {
      if (!(error instanceof BadInputError)) throw error;
      return serveLab(options);
    }
  }
  const lab = await serveLab(options);
  keys.keepPort(Number(new URL(lab.url).port));
  return lab;
}

/** @throws BadInputError for a path that is not a file */
function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  const source = fileSource(path);
  try {
    return Uint8Array.from(source.read(0, source.size));
  } finally {
    source.close();
  }
}

/** Part after the page's address that opens the network of a file. */
async function openedAt(
  solver: SolverService,
  file: string,
  budgetBytes: number | undefined,
): Promise<string> {
  try {
    const imported = await solver.importFile({ name: basename(file), bytes: bytesOf(file) });
    if (imported.kind === 'plan') throw new BadInputError('it is a plan; open its network instead');
    const budget =
      budgetBytes === undefined
        ? ''
        : `&budgetBytes=${budgetBytes}&strategies=regular,optimal,live,budget&select=budget`;
    const batch = aboutFile(fileSource(file)).samples;
    return `#/compare?model=${encodeURIComponent(imported.model)}&batch=${batch}${budget}`;
  } catch (error) {
    await solver.close();
    const message = error instanceof Error ? error.message : String(error);
    const reason = message.startsWith(`${file} `) ? `it${message.slice(file.length)}` : message;
    throw new BadInputError(`${file} cannot be opened: ${reason}`);
  }
}
