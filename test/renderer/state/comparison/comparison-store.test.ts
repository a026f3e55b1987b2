import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { createComparisonStore } from '../../../../renderer/state/comparison/comparison-store.ts';
import { eventsOf, experimentOf, fakeLab, settled, until } from '../../support/fake-lab.ts';

const experiment = experimentOf();

describe('comparison store', () => {
  it('asks once, with regular first, and shows rows as they arrive', async () => {
    const lab = fakeLab();
    const store = createComparisonStore(lab.client);
    store.show(experimentOf({ strategies: ['chen-sqrt'] }));
    await until(() => store.get().running === null);
    expect(lab.asked.map(({ strategies }) => strategies)).toEqual([['regular', 'chen-sqrt']]);
    expect([...(store.get().shown?.solved.keys() ?? [])]).toEqual(['regular', 'chen-sqrt']);
  });

  it('asks for nothing when only the batch size changes', async () => {
    const lab = fakeLab();
    const store = createComparisonStore(lab.client);
    store.show(experiment);
    await until(() => store.get().running === null);
    for (const batch of [8, 16, 32]) store.show({ ...experiment, batch });
    await settled();
    expect(lab.asked).toHaveLength(1);
    expect(store.get().running).toBeNull();
  });

  it('asks only for new strategies, and for nothing when they return', async () => {
    const lab = fakeLab();
    const store = createComparisonStore(lab.client);
    store.show(experiment);
    await until(() => store.get().running === null);
    store.show({ ...experiment, strategies: ['regular', 'random', 'chen-sqrt'] });
    await until(() => store.get().running === null);
    store.show(experiment);
    store.show({ ...experiment, input: 16 });
    await until(() => store.get().running === null);
    store.show(experiment);
    expect(lab.asked.map(({ strategies }) => strategies)).toEqual([
      ['regular', 'chen-sqrt'],
      ['random'],
      ['regular', 'chen-sqrt'],
    ]);
    expect(store.get().shown?.key).toBe(store.get().wanted);
  });

  it('keeps the previous network visible until the next has a curve', async () => {
    const lab = fakeLab();
    const store = createComparisonStore(lab.client);
    store.show(experiment);
    await until(() => store.get().running === null);
    store.show(experimentOf({ model: 'tiny-dropout' }));
    expect(store.get().shown?.head.model).toBe('tiny-residual');
    expect(store.get().shown?.key).not.toBe(store.get().wanted);
    await until(() => store.get().running === null);
    expect(store.get().shown?.head.model).toBe('tiny-dropout');
  });

  it('cancels a request’s work, keeps its rows, and continues on request', async () => {
    const lab = fakeLab({ held: true });
    const store = createComparisonStore(lab.client);
    store.show(experiment);
    await until(() => lab.asked.length === 1);
    store.cancel();
    expect(store.get()).toMatchObject({ cancelled: true, running: null, failure: null });
    expect(lab.signals[0]?.aborted).toBe(true);
    store.show(experiment);
    expect(lab.asked).toHaveLength(1);
    lab.release();
    store.retry();
    await until(() => store.get().running === null);
    expect(store.get().shown?.solved.size).toBe(2);
    expect(store.get().cancelled).toBe(false);
  });

  it('stops the request for one network when another is chosen', async () => {
    const lab = fakeLab({ held: true });
    const store = createComparisonStore(lab.client);
    store.show(experiment);
    await until(() => lab.asked.length === 1);
    store.show(experimentOf({ model: 'tiny-dropout' }));
    await until(() => lab.asked.length === 2);
    expect(lab.signals.map((signal) => signal?.aborted)).toEqual([true, false]);
    lab.release();
    await until(() => store.get().running === null);
    expect(store.get()).toMatchObject({ failure: null, cancelled: false });
    expect(store.get().shown?.head.model).toBe('tiny-dropout');
  });

  it('shows a refusal, and asks again only after a change', async () => {
    let refuse = true;
    const lab = fakeLab({
      fail: () =>
        refuse
          ? new ORPCError('BAD_INPUT', { message: 'no model is named "x".', data: { path: 'model' } })
          : undefined,
    });
    const store = createComparisonStore(lab.client);
    store.show(experiment);
    await until(() => store.get().failure !== null);
    expect(store.get().failure).toEqual({
      code: 'BAD_INPUT',
      message: 'no model is named "x".',
      path: 'model',
    });
    store.show(experiment);
    await settled();
    expect(lab.asked).toHaveLength(1);
    refuse = false;
    store.show({ ...experiment, batch: 8 });
    await until(() => store.get().running === null);
    expect(store.get().failure).toBeNull();
    expect(store.get().shown?.solved.size).toBe(2);
  });

  it('silently renews plans that depend on the batch size', async () => {
    const lab = fakeLab();
    const store = createComparisonStore(lab.client);
    const live = experimentOf({ strategies: ['regular', 'live'] });
    store.show(live);
    await until(() => store.get().running === null);
    store.show({ ...live, batch: 32 });
    expect(store.get().running).toBeNull();
    await until(() => store.get().shown?.solved.get('live')?.batch === 32);
    expect(lab.asked.map(({ strategies, batch }) => [batch, ...strategies])).toEqual([
      [4, 'regular', 'live'],
      [32, 'live'],
    ]);
  });

  it('scales a chain of resnet50 to another batch exactly as the lab solves it', async () => {
    const lab = fakeLab();
    const store = createComparisonStore(lab.client);
    const chains = { model: 'resnet50', strategies: ['regular', 'optimal', 'chain-dp', 'sequential'] };
    store.show(experimentOf({ ...chains, batch: 1 }));
    await until(() => store.get().running === null);
    store.show(experimentOf({ ...chains, batch: 256 }));
    await until(() => store.get().shown?.solved.get('sequential')?.batch === 256);
    expect(lab.asked[1]?.strategies).toEqual(['chain-dp', 'sequential']);
    const fresh = eventsOf(experimentOf({ ...chains, batch: 256 }));
    for (const event of fresh) {
      if (event.type !== 'row' || event.scalesWithBatch) continue;
      const { peakBytes } = store.get().shown?.solved.get(event.row.strategy)?.row ?? {};
      expect(peakBytes, event.row.strategy).toBe(event.row.peakBytes);
    }
  });

  it('asks again only for strategies that read a changed budget', async () => {
    const lab = fakeLab();
    const store = createComparisonStore(lab.client);
    const strategies = ['regular', 'optimal', 'budget', 'chain-dp'];
    store.show(experimentOf({ strategies }));
    await until(() => store.get().running === null);
    store.show(experimentOf({ strategies, budgetBytes: 1e9 }));
    await until(() => store.get().running === null);
    store.show(experimentOf({ strategies, budgetBytes: 1e9, checkpoints: ['a'] }));
    await until(() => store.get().running === null);
    expect(lab.asked.map((asked) => asked.strategies)).toEqual([strategies, ['budget', 'chain-dp']]);
  });
});
