import { ownDataFolder } from './history/folder.ts';
import { RunHistory } from './history/run-history.ts';
import { builtFiles, labInfo } from './host/info.ts';
import { openInBrowser } from './serve/open.ts';
import { type LabServer, serveLab } from './serve/server.ts';
import { solverClient, threadOf } from './solver/client.ts';
import { childProcessSpawner } from './trainer-client/child-process.ts';
import { TrainerClient } from './trainer-client/client.ts';
import type { ProcessSpawner } from './trainer-client/process.ts';

export interface ServeOptions {
  /** A free one when absent or 0. */
  readonly port?: number;
  /** Whether to open the page in the user's browser; a failure to do so is not an error. */
  readonly open?: boolean;
  /** How trainer processes are started; children of this Node when absent. */
  readonly spawner?: ProcessSpawner;
}

/**
 * The lab in a browser of this machine, from the built parts beside this module.
 *
 * @throws BadInputError with one sentence when the port cannot be had
 */
export async function startServer({ port, open = false, spawner }: ServeOptions = {}): Promise<LabServer> {
  const files = builtFiles(import.meta.url);
  const solver = solverClient({ start: threadOf(files.solverWorker) });
  const server = await serveLab({
    services: {
      solver,
      trainer: new TrainerClient(spawner ?? childProcessSpawner(files.trainer)),
      history: new RunHistory({ folder: ownDataFolder() }),
      info: labInfo('browser', import.meta.url),
    },
    pageRoot: files.pageRoot,
    ...(port === undefined ? {} : { port }),
  });
  // Every page asks for it first: it is made while the page loads. A failure is the page's to show.
  solver.catalog().catch(() => undefined);
  if (open) openInBrowser(server.url);
  return server;
}
