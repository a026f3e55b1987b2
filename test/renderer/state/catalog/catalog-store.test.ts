import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../../../app/contract/client.ts';
import type { ModelInfoRow } from '../../../../app/contract/results.ts';
import { createCatalogStore } from '../../../../renderer/state/catalog/catalog-store.ts';

const named = (name: string): ModelInfoRow => ({
  name,
  title: name,
  family: 'F',
  linear: true,
  defaultInput: 32,
  minInput: 1,
  defaultBatch: 1,
  parameters: 0,
  vertices: 2,
  tensorVertices: 2,
  note: '',
});

/** A lab that only has a catalogue; the store asks for nothing else. */
function labOf(names: readonly string[]): LabClient {
  const catalog = async () => ({ models: names.map(named), strategies: [] });
  return { catalog } as unknown as LabClient;
}

describe('catalog store', () => {
  it('has each network once after two simultaneous requests', async () => {
    const store = createCatalogStore(labOf(['a', 'b']));
    await Promise.all([store.load(), store.load()]);
    expect(store.get().models.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it("keeps the user's own network that was added before the answer", async () => {
    const store = createCatalogStore(labOf(['a']));
    const loading = store.load();
    store.add(named('file:1'));
    await loading;
    expect(store.get().models.map(({ name }) => name)).toEqual(['a', 'file:1']);
  });
});
