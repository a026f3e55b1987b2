import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../../renderer/state/experiment/address.ts';
import {
  createExperimentStore,
  type ExperimentStore,
} from '../../../../renderer/state/experiment/experiment-store.ts';

function storeAt(clock: { now: number }): ExperimentStore {
  return createExperimentStore(readAddress('#/compare?model=vgg16&batch=8', ['compare']), () => clock.now);
}

const batchOf = (store: ExperimentStore): number => store.get().experiment.batch;

function setBatch(store: ExperimentStore, batch: number, merge?: string): void {
  store.change({ ...store.get().experiment, batch }, merge);
}

describe('experiment store', () => {
  it('undoes and redoes changes of the experiment, and clears redo after a new change', () => {
    const store = storeAt({ now: 0 });
    setBatch(store, 16);
    setBatch(store, 32);
    store.undo();
    expect(batchOf(store)).toBe(16);
    store.undo();
    expect(batchOf(store)).toBe(8);
    store.undo();
    expect(batchOf(store)).toBe(8);
    store.redo();
    expect(batchOf(store)).toBe(16);
    setBatch(store, 64);
    store.redo();
    expect(batchOf(store)).toBe(64);
  });

  it('undoes continuous typing as one change', () => {
    const clock = { now: 0 };
    const store = storeAt(clock);
    for (const batch of [1, 12, 128]) {
      setBatch(store, batch, 'batch');
      clock.now += 200;
    }
    clock.now += 5000;
    setBatch(store, 5, 'batch');
    store.undo();
    expect(batchOf(store)).toBe(128);
    store.undo();
    expect(batchOf(store)).toBe(8);
  });

  it('stores no undo step without a change', () => {
    const store = storeAt({ now: 0 });
    const before = store.get();
    store.change({ ...before.experiment });
    expect(store.get()).toBe(before);
  });

  it('keeps the screen and the selection out of undo', () => {
    const store = storeAt({ now: 0 });
    setBatch(store, 16);
    store.goTo('train');
    store.select('optimal');
    store.undo();
    expect(store.get()).toMatchObject({ screen: 'train', selected: 'optimal' });
  });

  it('restores a screen as it was left, and follows a link', () => {
    const store = storeAt({ now: 0 });
    store.setView({ zoom: '0-1' });
    store.goTo('graph');
    expect(store.get().view).toEqual({});
    store.setView({ at: 'conv1' });
    store.setView({ zoom: '2-3' }, 'compare');
    store.goTo('compare');
    expect(store.get().view).toEqual({ zoom: '2-3' });
    expect(store.viewOf('graph')).toEqual({ at: 'conv1' });
    store.open({ ...store.get(), screen: 'graph', view: {}, faults: [] });
    expect(store.get().view).toEqual({});
  });
});
