import { Window as Page } from 'happy-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readAddress } from '../../../../renderer/state/experiment/address.ts';
import { createExperimentStore } from '../../../../renderer/state/experiment/experiment-store.ts';
import { syncAddress } from '../../../../renderer/state/experiment/sync-address.ts';

const SCREENS = ['compare', 'graph', 'train'];
const LINK = '#/compare?model=tiny-residual&batch=4&strategies=regular,chen-sqrt';

const pages: Page[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(pages.splice(0).map((page) => page.happyDOM.close()));
});

function openedAt(link: string) {
  const page = new Page({ url: 'http://lab.test/' });
  // The entry that a page of happy-dom begins with is about:blank.
  page.history.replaceState(null, '', link);
  pages.push(page);
  const store = createExperimentStore(readAddress(page.location.hash, SCREENS));
  const stop = syncAddress(store, SCREENS, page as unknown as Window);
  const resize = (batch: number): void => store.change({ ...store.get().experiment, batch });
  /** Until the browser has gone where it was sent. */
  const arrived = async (): Promise<void> => {
    vi.useRealTimers();
    await page.happyDOM.waitUntilComplete();
  };
  return { page, store, stop, resize, arrived };
}

it('writes a link’s defaults out, in the same entry', () => {
  const { page, store } = openedAt('#/graph?model=vgg11&v.panel=yours');
  expect(store.get()).toMatchObject({ screen: 'graph', view: { panel: 'yours' } });
  expect(page.location.hash).toMatch(/^#\/graph\?model=vgg11&batch=64&strategies=.*&v\.panel=yours$/);
  expect(page.history.length).toBe(1);
});

it('replaces the entry for a changed experiment; only the last change of a burst is written', () => {
  const { page, store, resize } = openedAt(LINK);
  resize(8);
  resize(16);
  resize(32);
  expect(page.location.hash).not.toContain('batch=32');
  vi.runAllTimers();
  expect(page.location.hash).toBe(LINK.replace('batch=4', 'batch=32'));
  store.undo();
  vi.runAllTimers();
  expect(page.location.hash).toContain('batch=16');
  expect(page.history.length).toBe(1);
});

it('adds an entry for another screen at once, even with a pending write', () => {
  const { page, store, resize } = openedAt(LINK);
  resize(8);
  resize(16);
  store.goTo('train');
  expect(page.location.hash).toBe(LINK.replace('compare', 'train').replace('batch=4', 'batch=16'));
  expect(page.history.length).toBe(2);
  vi.runAllTimers();
  expect(page.history.length).toBe(2);
});

it('goes back and forward between screens, each with its experiment', async () => {
  const { page, store, resize, arrived } = openedAt(LINK);
  store.goTo('graph');
  resize(8);
  vi.runAllTimers();
  page.history.back();
  await arrived();
  expect(store.get()).toMatchObject({ screen: 'compare', experiment: { batch: 4 } });
  page.history.forward();
  await arrived();
  expect(store.get()).toMatchObject({ screen: 'graph', experiment: { batch: 8 } });
  expect(page.history.length).toBe(2);
});

it('drops a pending write when the browser navigates', async () => {
  const { page, store, resize, arrived } = openedAt(LINK);
  store.goTo('graph');
  resize(8);
  resize(16);
  page.history.back();
  await arrived();
  expect(store.get()).toMatchObject({ screen: 'compare', experiment: { batch: 4 } });
  expect(page.location.hash).toBe(LINK);
});

it('opens a typed address, reports unreadable parts and rewrites it', async () => {
  const { page, store, arrived } = openedAt(LINK);
  page.location.hash = '#/train?model=vgg11&batch=none&strategies=regular';
  await arrived();
  const { screen, experiment, notices } = store.get();
  expect({ screen, model: experiment.model }).toEqual({ screen: 'train', model: 'vgg11' });
  expect(notices).toEqual([expect.stringContaining('“none”')]);
  expect(page.location.hash).toBe('#/train?model=vgg11&batch=64&strategies=regular');
});

it('writes the last change when it stops, and then follows nothing', async () => {
  const { page, store, stop, resize, arrived } = openedAt(LINK);
  resize(8);
  resize(16);
  stop();
  expect(page.location.hash).toContain('batch=16');
  store.goTo('train');
  expect(page.location.hash).toContain('#/compare');
  page.location.hash = '#/graph';
  await arrived();
  expect(store.get().screen).toBe('train');
});
