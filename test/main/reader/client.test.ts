import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { CancelledError } from '../../../engine/errors.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { withReader } from '../../../main/reader/client.ts';
import type { FromReader, ToReader } from '../../../main/reader/protocol.ts';
import { localSolver } from '../../../main/solver/solver.ts';
import { childProcessSpawner } from '../../../main/trainer-client/child-process.ts';
import type { WorkerProcess } from '../../../main/trainer-client/process.ts';
import { type BuiltEntries, buildEntries } from '../support/built.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const file = {
  name: 'chain.json',
  bytes: bytes(JSON.stringify(graphFile(buildModel('chain-4', { batch: 1 })))),
};

let built: BuiltEntries;
beforeAll(async () => {
  built = await buildEntries({ reader: 'main/reader/process.ts' });
});
afterAll(() => built.remove());

/** The solver over built reader processes, each of which is noted; `before` sees what is sent to it. */
function lab(
  before: (process: WorkerProcess<ToReader, FromReader>, started: number) => void = () => undefined,
) {
  const spawn = childProcessSpawner<ToReader, FromReader>(built.file('reader'));
  let started = 0;
  const solver = withReader(localSolver(), () => {
    const process = spawn();
    const send = process.send.bind(process);
    started++;
    const number = started;
    return {
      ...process,
      send: (message) => {
        before(process, number);
        send(message);
      },
    };
  });
  return { solver, started: () => started };
}

describe('an untrusted file', () => {
  it('is read in a separate process first, then as usual, and refused in that process’s sentence', async () => {
    const { solver, started } = lab();
    const imported = await solver.importFile(file);
    expect(imported).toEqual(await localSolver().importFile(file));
    expect(await solver.openedFiles()).toEqual([imported]);
    const result = { name: 'm.json', bytes: bytes('{"device":"cpu","peakBytes":5}') };
    expect(await solver.readMeasured(result)).toMatchObject({ kind: 'measure', peakBytes: 5 });
    for (const call of ['importFile', 'readMeasured'] as const)
      await expect(solver[call]({ name: 'x', bytes: bytes('PK\u0003\u0004') })).rejects.toMatchObject({
        failure: { code: 'BAD_INPUT', message: expect.stringContaining('the file is a zip archive') },
      });
    expect(started()).toBe(1);
    await solver.close();
  });

  it('that crashes its reader is refused in one sentence, and the next is read', async () => {
    const { solver, started } = lab((process, number) => number === 1 && process.kill());
    const [first, second] = [solver.importFile(file), solver.importFile(file)];
    await expect(first).rejects.toMatchObject({
      failure: {
        code: 'BAD_INPUT',
        message: expect.stringMatching(
          /^the file cannot be read: .* ended \(killed by SIGKILL.*\). Save less/,
        ),
      },
    });
    expect(await second).toMatchObject({ kind: 'network' });
    expect(started()).toBe(2);
    await solver.close();
  });

  it('is dropped when its caller leaves or the lab ends', async () => {
    const { solver, started } = lab();
    const leaving = new AbortController();
    const left = solver.importFile(file, leaving.signal);
    const waiting = solver.importFile(file, AbortSignal.abort());
    leaving.abort();
    await expect(left).rejects.toThrow(CancelledError);
    await expect(waiting).rejects.toThrow(CancelledError);
    expect(await solver.importFile(file)).toMatchObject({ kind: 'network' });
    expect(started()).toBe(2);
    const last = solver.readMeasured(file);
    const closed = solver.close();
    await expect(last).rejects.toThrow(CancelledError);
    await closed;
  });
});
