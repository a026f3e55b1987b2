import { describe, expect, it } from 'vitest';
import { createStore } from '../../../../renderer/shared/store.ts';
import { readAddress } from '../../../../renderer/state/experiment/address.ts';
import { createExperimentStore } from '../../../../renderer/state/experiment/experiment-store.ts';
import { type Basis, createViewPart } from '../../../../renderer/state/experiment/view-part.ts';
import { until } from '../../support/fake-lab.ts';

const labAt = (link: string) => createExperimentStore(readAddress(link, ['graph', 'compare']));

const WORDS = {
  names: ['n'],
  read: (view: Readonly<Record<string, string>>) => Number(view['n'] ?? 0),
  write: (value: number): Record<string, string> => (value === 0 ? {} : { n: value.toFixed(1) }),
};

describe('a part of the view', () => {
  it('follows the address and is written into it, beside other parts', () => {
    const lab = labAt('#/graph?v.n=2&v.other=x');
    const part = createViewPart(lab, 'graph', WORDS);
    expect(part.get()).toBe(2);
    let told = 0;
    part.subscribe(() => (told += 1));
    part.set(3.14);
    expect(lab.get().view).toEqual({ other: 'x', n: '3.1' });
    expect(told).toBeGreaterThan(0);
    expect(part.get()).toBe(3.14);
    lab.setView({ n: '7' });
    expect(part.get()).toBe(7);
    part.set(0);
    expect(lab.get().view).toEqual({});
  });

  it('leads the address during a drag, and survives another screen', async () => {
    const lab = labAt('#/graph');
    const part = createViewPart(lab, 'graph', WORDS, 5);
    part.set(1);
    part.set(2);
    expect(part.get()).toBe(2);
    lab.goTo('compare');
    await until(() => lab.viewOf('graph')['n'] === '2.0');
    expect(lab.get().view).toEqual({});
    lab.goTo('graph');
    expect(lab.get().view).toEqual({ n: '2.0' });
  });

  it('yields to an address that changes during a drag', () => {
    const lab = labAt('#/graph');
    const part = createViewPart(lab, 'graph', WORDS, 50);
    part.set(1);
    part.set(2);
    lab.open(readAddress('#/graph?v.n=9', ['graph']));
    expect(part.get()).toBe(9);
  });

  it('is parsed again on a new basis, from its previous value if the text is unchanged', () => {
    const lab = labAt('#/graph?v.n=5');
    const shown = createStore<string | null>(null);
    let wanted = 'a';
    const basis: Basis<string | null> = { ...shown, isOwn: () => shown.get() === wanted };
    const words = {
      ...WORDS,
      read: (view: Readonly<Record<string, string>>, on: string | null, previous: number | null) =>
        on === null ? 0 : previous === null ? Number(view['n'] ?? 0) : -previous,
    };
    const part = createViewPart<number, string | null>(lab, 'graph', words, 0, basis);
    expect(part.get()).toBe(0);
    shown.set('a');
    expect(part.get()).toBe(5);
    wanted = 'b';
    shown.set('b');
    expect(part.get()).toBe(-5);
    expect(lab.get().view).toEqual({ n: '-5.0' });
    // A link that comes with its own basis is not taken for words about the previous one.
    wanted = 'c';
    lab.setView({ n: '8' });
    expect(part.get()).toBe(8);
    shown.set('c');
    expect(part.get()).toBe(8);
  });
});
