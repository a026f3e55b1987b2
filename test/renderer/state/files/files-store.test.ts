import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../../../app/contract/client.ts';
import type { ImportedNetwork } from '../../../../app/contract/import-file.ts';
import { FIRST_EXPERIMENT, withModel } from '../../../../renderer/state/experiment/experiment.ts';
import { fileRow } from '../../../../renderer/state/files/file-row.ts';
import { createFilesStore, type FileKind } from '../../../../renderer/state/files/files-store.ts';
import { MAX_IMPORT_BYTES } from '../../../../engine/exchange/read-limits.ts';

const network: ImportedNetwork = {
  kind: 'network',
  model: 'file:0123456789abcdef',
  title: 'mine',
  tensorVertices: 3,
  input: 0,
  linear: true,
  summary: {
    format: 'zigzag-graph',
    vertices: 4,
    edges: 3,
    folded: 0,
    coverage: null,
    samples: 1,
    notices: [],
    opaque: [],
    parameters: 0,
    keptBytes: 40,
    largestTensors: [],
  },
};

function opened(importFile: (request: { readonly name: string }) => Promise<ImportedNetwork>) {
  const networks: string[] = [];
  const client = { importFile } as unknown as LabClient;
  return { networks, store: createFilesStore(client, ({ title }) => networks.push(title)) };
}

describe('files store', () => {
  it('passes a read file on', async () => {
    const { store, networks } = opened(async () => network);
    await store.open(new File(['{}'], 'mine.json'));
    expect(store.get()).toEqual({ name: 'mine.json', imported: network, refusal: null });
    expect(networks).toEqual(['mine']);
  });

  it('says why a file is refused', async () => {
    const { store, networks } = opened(async () => {
      throw new ORPCError('BAD_INPUT', { message: 'the file is empty', data: { path: '' } });
    });
    await store.open(new File([], 'x'));
    expect(store.get()).toMatchObject({ imported: null, refusal: 'The file is empty.' });
    expect(networks).toEqual([]);
  });

  it('does not send a too large file', async () => {
    const { store } = opened(() => Promise.reject(new Error('sent')));
    const file = Object.defineProperty(new File([], 'x'), 'size', { value: MAX_IMPORT_BYTES + 1 });
    await store.open(file);
    expect(store.get()?.refusal).toMatch(/larger than 64 MiB and not ONNX/);
  });

  it('sends a large ONNX file without its weights', async () => {
    const sent: unknown[] = [];
    const client = {
      importFile: async ({ bytes }: { readonly bytes: Blob }) => {
        sent.push(bytes.size);
        return network;
      },
    } as unknown as LabClient;
    const store = createFilesStore(
      client,
      () => undefined,
      [],
      async () => new Blob(['abc']),
    );
    await store.open(Object.defineProperty(new File([], 'x'), 'size', { value: MAX_IMPORT_BYTES + 1 }));
    expect(sent).toEqual([3]);
    expect(store.get()).toMatchObject({ imported: network, refusal: null });
  });

  it('ignores an earlier file that answers late', async () => {
    let answer = (_: ImportedNetwork): void => undefined;
    const late = new Promise<ImportedNetwork>((resolve) => (answer = resolve));
    const { store, networks } = opened(({ name }) =>
      name === 'first' ? late : Promise.resolve({ ...network, title: 'second' }),
    );
    const first = store.open(new File([], 'first'));
    await store.open(new File([], 'second'));
    answer(network);
    await first;
    expect(networks).toEqual(['second']);
  });

  it('no longer shows the file before while it looks at what kind the next one is', async () => {
    let answer = (): void => undefined;
    const told = new Promise<boolean>((resolve) => (answer = () => resolve(true)));
    const other: FileKind = {
      is: (_, { name }) => name === 'second' && told,
      open: () => Promise.resolve(),
    };
    const store = createFilesStore({ importFile: async () => network } as unknown as LabClient, () => {}, [
      other,
    ]);
    await store.open(new File([], 'first'));
    expect(store.get()).toMatchObject({ name: 'first', imported: network });
    const second = store.open(new File([], 'second'));
    expect(store.get()).toEqual({ name: 'second', imported: null, refusal: null });
    answer();
    await second;
    expect(store.get()).toBeNull();
  });

  it('says why a file that is gone cannot be read', async () => {
    const { store } = opened(async () => network);
    const gone = new File(['{}'], 'gone.json');
    gone.slice = () =>
      ({ arrayBuffer: () => Promise.reject(new Error('the file is gone')) }) as unknown as Blob;
    await store.open(gone);
    expect(store.get()?.refusal).toBe('The file is gone.');
  });

  it('drops sizes that a file does not admit', () => {
    const chosen = { ...FIRST_EXPERIMENT, input: 32, dtype: 'float16' as const };
    const next = withModel(chosen, fileRow(network));
    expect(next).toMatchObject({ model: network.model, dtype: 'float32' });
    expect(next).not.toHaveProperty('input');
  });
});
