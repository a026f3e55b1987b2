import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { CancelledError } from '../../../engine/errors.ts';
import { LabFailure } from '../../../main/host/failure.ts';
import { type SetupParts, setupParts, TensorflowSetup } from '../../../main/setup/tensorflow.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { collected } from '../../support/collected.ts';

const folder = freshFolder();

/** A command in place of the real one. */
function command(name: string, script: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, script);
  return file;
}

const say = (event: object): string => `console.log(${JSON.stringify(JSON.stringify(event))});\n`;
const FETCHING = { step: 'library', bytes: 5, of: 10 } as const;

function setupOf(change: Partial<SetupParts>): TensorflowSetup {
  return new TensorflowSetup({
    command: null,
    node: process.execPath,
    here: () => null,
    hasNvidiaGpu: () => false,
    platform: 'linux',
    onAdded: () => undefined,
    ...change,
  });
}

describe('the offer of TensorFlow', () => {
  const SIZES = { downloadBytes: 3, diskBytes: 7 };
  const LARGE = { downloadBytes: 30, diskBytes: 70 };
  const about = (cuda: object | null): string =>
    command(`about-${cuda === null}`, say({ folder: '/f', cpu: SIZES, cuda }));

  it('offers it for the processor, with its sizes and place', async () => {
    expect(await setupOf({ command: about(LARGE) }).tensorflow()).toEqual({
      here: null,
      hasNvidiaGpu: false,
      add: { kind: 'cpu', folder: '/f', ...SIZES },
      instead: null,
    });
  });

  it('offers it for an NVIDIA GPU if one exists, also in addition to the processor’s', async () => {
    for (const here of [null, 'cpu'] as const) {
      const setup = setupOf({ command: about(LARGE), here: () => here, hasNvidiaGpu: () => true });
      expect((await setup.tensorflow()).add).toEqual({ kind: 'cuda', folder: '/f', ...LARGE });
    }
    const none = setupOf({ command: about(null), hasNvidiaGpu: () => true });
    expect((await none.tensorflow()).add?.kind).toBe('cpu');
    const enough = setupOf({ command: about(null), here: () => 'cpu', hasNvidiaGpu: () => true });
    expect(await enough.tensorflow()).toMatchObject({ add: null, instead: null });
  });

  it.each(['cpu', 'cuda', 'package'] as const)('offers nothing if %s is installed', async (here) => {
    const never = command('never', 'process.exit(3)');
    expect(await setupOf({ command: never, here: () => here }).tensorflow()).toEqual({
      here,
      hasNvidiaGpu: false,
      add: null,
      instead: null,
    });
  });

  it('says what to do if a packed program, or any program, cannot add it', async () => {
    const packed = await setupOf({}).tensorflow();
    expect(packed.add).toBeNull();
    expect(packed.instead).toMatch(
      /In a checkout of Zigzag run "npm run setup:tensorflow".*ZIGZAG_TENSORFLOW/,
    );
    for (const platform of ['darwin', 'win32'] as const) {
      const { instead } = await setupOf({ command: about(null), platform }).tensorflow();
      expect(instead).toBe('TensorFlow can be added on Linux only.');
    }
    const lost = await setupOf({ command: about(null), node: join(folder, 'no-node') }).tensorflow();
    expect(lost.instead).toMatch(/Node could not be started; run "npm run setup:tensorflow"/);
  });

  it('matches the real command', async () => {
    const setupCommand = join(import.meta.dirname, '../../../app/start/setup-tensorflow.mjs');
    const parts = setupParts({ setupCommand }, () => undefined);
    const { add } = await new TensorflowSetup({
      ...parts,
      here: () => null,
      hasNvidiaGpu: () => false,
      platform: 'linux',
    }).tensorflow();
    if (process.platform === 'linux' && process.arch === 'x64') expect(add?.downloadBytes).toBe(330_761_132);
    expect(setupParts({ setupCommand: join(folder, 'gone.mjs') }, () => undefined).command).toBeNull();
  });
});

describe('adding TensorFlow', () => {
  it('reports progress, and makes the trainer look again afterwards', async () => {
    const onAdded = vi.fn();
    const good = command(
      'good',
      `console.error(process.argv.slice(2).join(' '));\nconsole.log('no event');\n${say({ event: 'progress', ...FETCHING })}`,
    );
    const setup = setupOf({ command: good, onAdded });
    expect(await collected(setup.addTensorflow({ kind: 'cuda' }))).toEqual([FETCHING]);
    expect(onAdded).toHaveBeenCalledTimes(1);
  });

  it('requests the chosen kind', async () => {
    const told = join(folder, 'told');
    const asked = command(
      'asked',
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(told)}, process.argv.slice(2).join(' '));`,
    );
    await collected(setupOf({ command: asked }).addTensorflow({ kind: 'cuda' }));
    expect(readFileSync(told, 'utf8')).toBe('--json --cuda');
    await collected(setupOf({ command: asked }).addTensorflow({ kind: 'cpu' }));
    expect(readFileSync(told, 'utf8')).toBe('--json');
  });

  it.each([
    [
      `${say({ event: 'failed', reason: 'g++ is needed.' })}process.exitCode = 1;`,
      'TensorFlow was not added: g++ is needed.',
    ],
    [
      `console.error('Error: odd'); process.exitCode = 7;`,
      /^TensorFlow was not added: exit code 7: Error: odd; npm run setup:tensorflow in a terminal may show more\.$/,
    ],
    [
      `process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);`,
      /^TensorFlow was not added: killed by SIGKILL; /,
    ],
  ] as const)('says in one sentence why not', async (script, message) => {
    const onAdded = vi.fn();
    const setup = setupOf({ command: command('failing', script), onAdded });
    await expect(collected(setup.addTensorflow({ kind: 'cpu' }))).rejects.toThrow(message);
    expect(onAdded).not.toHaveBeenCalled();
    const packed = collected(setupOf({}).addTensorflow({ kind: 'cpu' }));
    await expect(packed).rejects.toMatchObject({ failure: { code: 'NOT_ADDED' } });
  });

  it('lets a cancelled command clean up, and the next one waits for that', async () => {
    const marker = join(folder, 'cleared');
    const endless = command(
      'endless',
      `import { existsSync, writeFileSync } from 'node:fs';
       if (existsSync(${JSON.stringify(marker)})) process.exit(0);
       process.stdin.on('end', () => setTimeout(() => {
         writeFileSync(${JSON.stringify(marker)}, '');
         process.exit(130);
       }, 300)).resume();
       ${say({ event: 'progress', ...FETCHING })}`,
    );
    const setup = setupOf({ command: endless });
    const abort = new AbortController();
    const events = setup.addTensorflow({ kind: 'cpu' }, abort.signal);
    expect((await events.next()).value).toEqual(FETCHING);
    const busy = setup.addTensorflow({ kind: 'cpu' }).next();
    await expect(busy).rejects.toThrow('TensorFlow is already being added');
    await expect(busy).rejects.toBeInstanceOf(LabFailure);
    abort.abort();
    const next = collected(setup.addTensorflow({ kind: 'cpu' }));
    await expect(events.next()).rejects.toThrow(CancelledError);
    expect(existsSync(marker)).toBe(true);
    expect(await next).toEqual([]);
  });

  it('ends with the lab', async () => {
    const endless = command(
      'ended',
      `process.stdin.on('end', () => process.exit(130)).resume(); ${say({ event: 'progress', ...FETCHING })}`,
    );
    const setup = setupOf({ command: endless });
    const events = setup.addTensorflow({ kind: 'cpu' });
    await events.next();
    const rest = events.next();
    await setup.close();
    await expect(rest).rejects.toThrow(/exit code 130/);
  });
});
