import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../../../app/contract/client.ts';
import { readMeasuredRequestSchema } from '../../../../app/contract/measured.ts';
import type { Measured } from '../../../../engine/explain/measured.ts';
import { readAddress } from '../../../../renderer/state/experiment/address.ts';
import { createExperimentStore } from '../../../../renderer/state/experiment/experiment-store.ts';
import { createFilesStore } from '../../../../renderer/state/files/files-store.ts';
import { createMeasuredFileStore } from '../../../../renderer/state/files/measured-file.ts';
import { snapshotFile } from '../../../support/snapshots.ts';

const RESULT: Measured = { kind: 'measure', device: 'cpu', peakBytes: 5, parameters: null, batch: null };

function opened(
  readMeasured: (request: { readonly name: string; readonly bytes: Blob }) => Promise<Measured>,
) {
  const client = { readMeasured } as unknown as LabClient;
  const experiment = createExperimentStore(
    readAddress('#/graph?strategies=regular,optimal', ['compare', 'graph']),
  );
  return { experiment, store: createMeasuredFileStore(client, experiment) };
}
const fileOf = (bytes: Uint8Array, name = 'snapshot.pickle'): File =>
  new File([Uint8Array.from(bytes)], name);

describe('the measured file', () => {
  it('is shown in Compare under regular, unless another strategy was chosen', async () => {
    const { store, experiment } = opened(async () => RESULT);
    await store.open(fileOf(Uint8Array.of(0x80, 4)));
    expect(store.get()).toEqual({
      state: 'open',
      name: 'snapshot.pickle',
      measured: RESULT,
      cuda: undefined,
    });
    expect([experiment.get().screen, experiment.get().selected]).toEqual(['compare', 'regular']);
    experiment.select('optimal');
    await store.open(fileOf(Uint8Array.of(0x80, 4)));
    expect(experiment.get().selected).toBe('optimal');
    store.close();
    expect(store.get()).toBeNull();
  });

  it('is compressed for transfer if large, and arrives unchanged', async () => {
    const bytes = new Uint8Array(2 * 2 ** 20);
    bytes.set(snapshotFile('resnet18-stacks'));
    let sent = 0;
    let arrived: Uint8Array | null = null;
    const { store } = opened(async (request) => {
      sent = request.bytes.size;
      arrived = (await readMeasuredRequestSchema.parseAsync(request)).bytes;
      return RESULT;
    });
    await store.open(fileOf(bytes));
    expect(store.get()?.state).toBe('open');
    expect(sent).toBeLessThan(bytes.length / 10);
    expect(arrived).toEqual(bytes);
  });

  it('says in one sentence why it cannot be read', async () => {
    const { store } = opened(async () => {
      throw new Error('the pickle is damaged at byte 5');
    });
    await store.open(fileOf(Uint8Array.of(0x80, 4)));
    expect(store.get()).toEqual({
      state: 'refused',
      name: 'snapshot.pickle',
      reason: 'The pickle is damaged at byte 5.',
    });
  });

  it('shows the file that was opened last', async () => {
    let answer = (_: Measured): void => undefined;
    const { store } = opened(({ name }) =>
      name === 'slow.pickle' ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(RESULT),
    );
    const slow = store.open(fileOf(Uint8Array.of(0x80, 4), 'slow.pickle'));
    await store.open(fileOf(Uint8Array.of(0x80, 4), 'fast.pickle'));
    answer({ ...RESULT, peakBytes: 7 });
    await slow;
    expect(store.get()).toMatchObject({ name: 'fast.pickle', measured: RESULT });
  });

  it('ignores networks', async () => {
    const asked: string[] = [];
    const { store } = opened(async () => RESULT);
    const client = {
      importFile: async ({ name }: { readonly name: string }) => {
        asked.push(name);
        throw new Error('no network');
      },
    } as unknown as LabClient;
    const files = createFilesStore(client, () => undefined, [store]);
    await files.open(new File(['{"format":"zigzag-graph","version":1}'], 'net.json'));
    await files.open(new File([Uint8Array.of(0x08, 7)], 'net.onnx'));
    expect(asked).toEqual(['net.json', 'net.onnx']);
    expect(store.get()).toBeNull();
    await files.open(new File(['{"device": "cpu", "peakBytes": 5}'], 'measured.json'));
    expect(store.get()).toMatchObject({ state: 'open', name: 'measured.json' });
  });

  it('refuses a file that unpacks beyond the limit', async () => {
    const bomb = new Blob([Uint8Array.from(gzipSync(Buffer.alloc(260 * 2 ** 20), { level: 1 }))]);
    const read = await readMeasuredRequestSchema.safeParseAsync({ name: 'bomb.pickle', bytes: bomb });
    expect(read.success).toBe(false);
    expect(read.error?.issues[0]?.message).toMatch(/larger than 256 MiB/);
  });
});
