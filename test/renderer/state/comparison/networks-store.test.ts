import { ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createComparisonStore } from '../../../../renderer/state/comparison/comparison-store.ts';
import {
  createNetworksStore,
  type NetworksStore,
} from '../../../../renderer/state/comparison/networks-store.ts';
import { createResultsCache } from '../../../../renderer/state/comparison/answers.ts';
import { toFront } from '../../../../renderer/state/experiment/networks.ts';
import { experimentOf, type FakeLab, fakeLab, until } from '../../support/fake-lab.ts';

const several = experimentOf({ also: [{ model: 'tiny-dropout' }, { model: 'chain-8', batch: 2 }] });

function storesOf(lab: FakeLab) {
  const cache = createResultsCache();
  const front = createComparisonStore(lab.client, cache);
  const networks = createNetworksStore(lab.client, cache, front);
  const show = (experiment: typeof several): void => {
    front.show(experiment);
    networks.show(experiment);
  };
  return { front, networks, show };
}
const models = (lab: FakeLab) => lab.asked.map(({ model, batch }) => `${model} ${batch}`);

describe('networks store', () => {
  afterEach(() => void vi.useRealTimers());

  it('solves the others after the selected one, one by one, each at its own size', async () => {
    const lab = fakeLab();
    const { networks, show } = storesOf(lab);
    show(several);
    await until(() => networks.get().results.size === 2 && networks.get().running === null);
    expect(models(lab)).toEqual(['tiny-residual 4', 'tiny-dropout 4', 'chain-8 2']);
    for (const { solved } of networks.get().results.values())
      expect([...solved.keys()]).toEqual(['regular', 'chen-sqrt']);
  });

  it('asks for nothing when another network is selected', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const lab = fakeLab();
    const { front, networks, show } = storesOf(lab);
    show(several);
    await until(() => networks.get().results.size === 2 && networks.get().running === null);
    show(toFront(several, 2));
    expect(front.get().shown?.head.model).toBe('chain-8');
    // Whatever waited for a pause would be asked now.
    await vi.advanceTimersByTimeAsync(5000);
    expect(lab.asked).toHaveLength(3);
    expect([...networks.get().results.values()].map(({ head }) => head.model).sort()).toEqual([
      'tiny-dropout',
      'tiny-residual',
    ]);
  });

  it('names the network that the lab refused and goes on with the next', async () => {
    const lab = fakeLab({
      fail: () =>
        lab.asked.at(-1)?.model === 'tiny-dropout'
          ? new ORPCError('BAD_INPUT', { message: 'no.', data: { path: 'model' } })
          : undefined,
    });
    const { networks, show } = storesOf(lab);
    show(several);
    await until(() => networks.get().results.size === 1 && networks.get().running === null);
    expect([...networks.get().failures.values()].map(({ message }) => message)).toEqual(['no.']);
    networks.again();
    await until(() => networks.get().failures.size === 1);
    expect(models(lab).slice(1)).toEqual(['tiny-dropout 4', 'chain-8 2', 'tiny-dropout 4']);
  });

  it('yields the solver to the selected network at once, and resumes afterwards', async () => {
    const lab = fakeLab();
    const { front, networks, show } = storesOf(lab);
    const stop = whenRunning(networks, () => {
      stop();
      queueMicrotask(() => {
        front.show({ ...several, seed: 1 });
        expect(networks.get().running).toBeNull();
      });
    });
    show(several);
    await until(() => networks.get().results.size === 2 && networks.get().running === null);
    expect(models(lab)).toEqual([
      'tiny-residual 4',
      'tiny-dropout 4',
      'tiny-residual 4',
      'tiny-dropout 4',
      'chain-8 2',
    ]);
    expect(lab.signals.map((signal) => signal?.aborted)).toEqual([false, true, false, false, false]);
  });

  it('cancels only the others, keeps their rows, and continues on request', async () => {
    const lab = fakeLab();
    const { front, networks, show } = storesOf(lab);
    const stop = whenRunning(networks, () => {
      stop();
      networks.cancel();
    });
    show(several);
    await until(() => networks.get().cancelled);
    expect(networks.get().running).toBeNull();
    expect(front.get()).toMatchObject({ cancelled: false, failure: null });
    networks.again();
    await until(() => networks.get().results.size === 2 && networks.get().running === null);
    expect(networks.get().cancelled).toBe(false);
  });
});

function whenRunning(networks: NetworksStore, act: () => void): () => void {
  return networks.subscribe(() => {
    if (networks.get().running !== null) act();
  });
}
