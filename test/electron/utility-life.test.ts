import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UtilityProcess } from 'electron';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { utilityProcessSpawner } from '../../main/electron/utility-process.ts';
import type { TrainerProcess } from '../../main/trainer-client/process.ts';
import { type BuiltEntries, buildEntries } from '../main/support/built.ts';
import { type BuiltStandIn, buildStandIn } from './standin/built.ts';
import { freshFolder } from '../support/fresh-folder.ts';

type Fork = (file: string, args?: string[], options?: Electron.ForkOptions) => UtilityProcess;

let standIn: BuiltStandIn;
let built: BuiltEntries;
const scratch = freshFolder();
let fork: Fork;

beforeAll(async () => {
  [standIn, built] = await Promise.all([
    buildStandIn(),
    buildEntries({ trainer: 'main/trainer/process.ts', history: 'main/history/process.ts' }),
  ]);
  vi.stubEnv('STANDIN_BUILT', standIn.folder);
  const [{ StandInUtility }, { life }] = await Promise.all([
    import('./standin/utility.ts'),
    import('./standin/life.ts'),
  ]);
  life.isReady = true;
  fork = StandInUtility.fork as unknown as Fork;
});

afterAll(() => {
  vi.unstubAllEnvs();
  standIn?.remove();
  built?.remove();
});

/** Starts a file as the desktop does; with code that runs before its own. */
function start(file: string, code?: string): { child: UtilityProcess; process: TrainerProcess } {
  let child: UtilityProcess | undefined;
  const spy: Fork = (...[path, args, options]) => {
    const execArgv =
      code === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
    child = fork(path, args, { ...options, execArgv });
    return child;
  };
  const process = utilityProcessSpawner({ fork: spy }, file)();
  return { child: child!, process };
}

const exit = (process: TrainerProcess): Promise<string> => new Promise((resolve) => process.onExit(resolve));
const isReady = (process: TrainerProcess): Promise<void> =>
  new Promise((resolve) => process.onMessage(({ type }) => type === 'ready' && resolve()));

function script(name: string, text: string): string {
  const file = join(scratch, name);
  writeFileSync(file, text);
  return file;
}

describe('a utility process, through the stand-in', () => {
  it('killed by the system is reported with the browser’s wording', async () => {
    const { child, process: trainer } = start(built.file('trainer'));
    const ended = exit(trainer);
    await isReady(trainer);
    process.kill(child.pid!, 'SIGKILL');
    expect(await ended).toBe('killed by SIGKILL, probably because memory ran out');
  });

  it.each(['trainer', 'history'])(
    'the %s ends at once at an unhandled rejection, with its reason',
    async (name) => {
      const code = `process.parentPort.on('message', () => void Promise.reject(new Error('the tensor was lost')));`;
      const { process: worker } = start(built.file(name), code);
      const ended = exit(worker);
      await isReady(worker);
      worker.send({ type: 'cancel', id: 0 });
      expect(await ended).toBe('exit code 1: Error: the tensor was lost');
    },
  );

  it('is killed during its start', async () => {
    const { child, process: trainer } = start(built.file('trainer'));
    expect(child.pid).toBeUndefined();
    let pid: number | undefined;
    child.once('spawn', () => {
      pid = child.pid;
    });
    const ended = exit(trainer);
    trainer.kill();
    await ended;
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  it('reports its last output, even after much earlier output', async () => {
    const file = script(
      'wordy.mjs',
      `import { writeSync } from 'node:fs';
       for (let line = 0; line < 4000; line++) writeSync(2, 'chatter '.repeat(8) + line + '\\n');
       writeSync(2, 'FatalError: no room for the gradient\\n');
       process.kill(process.pid, 'SIGABRT');`,
    );
    for (let time = 0; time < 5; time++) {
      expect(await exit(start(file).process)).toBe('killed by SIGABRT: FatalError: no room for the gradient');
    }
  });
});
