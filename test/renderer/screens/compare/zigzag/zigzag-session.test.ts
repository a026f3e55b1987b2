import { describe, expect, it } from 'vitest';
import {
  readZigzag,
  type ZigzagSession,
  type ZigzagView,
  writeZigzag,
  zigzagSession,
} from '../../../../../renderer/screens/compare/zigzag/zigzag-session.ts';
import { WHOLE_HEIGHT } from '../../../../../renderer/shared/charts/vertical-view.ts';
import { stepAxis } from '../../../../../renderer/shared/charts/step-axis.ts';
import { readAddress } from '../../../../../renderer/state/experiment/address.ts';
import {
  createExperimentStore,
  type ExperimentStore,
} from '../../../../../renderer/state/experiment/experiment-store.ts';
import { until } from '../../../support/fake-lab.ts';

const FORWARD = 0;
const BACKWARD = 1;
const axis = stepAxis([FORWARD, FORWARD, FORWARD, FORWARD, BACKWARD, BACKWARD, BACKWARD, BACKWARD], 4);
const FIRST: ZigzagView = {
  scale: 'pass',
  window: null,
  height: WHOLE_HEIGHT,
  held: null,
  lists: false,
  memory: 'device',
  isFolded: null,
};

function opened(link: string): { experiment: ExperimentStore; session: ZigzagSession } {
  const experiment = createExperimentStore(readAddress(link, ['compare', 'graph']));
  return { experiment, session: zigzagSession({ experiment }) };
}

describe('the zigzag in a link', () => {
  it('survives a round trip: axis, part in view, held step, list', () => {
    const height = { from: 0.5, to: 0.75, isLog: true };
    const sent: ZigzagView = {
      scale: 'operations',
      window: { from: 2, to: 5.5 },
      height,
      held: 3,
      lists: true,
      memory: 'activations',
      isFolded: true,
    };
    const written = writeZigzag(sent);
    expect(written).toEqual({
      axis: 'operations',
      zoom: '2-5.5',
      height: 'log-0.5-0.75',
      at: '3',
      list: '1',
      memory: 'activations',
      base: 'folded',
    });
    expect(readZigzag(written)).toEqual(sent);
    const { session } = opened(
      '#/compare?v.axis=operations&v.zoom=2-5.5&v.height=log-0.5-0.75&v.at=3&v.list=1',
    );
    expect(session.window.get()).toEqual({ from: 2, to: 5.5 });
    expect(session.height.get()).toEqual(height);
    expect([session.cursor.get(), session.cursor.held.get(), session.lists.get()]).toEqual([3, true, true]);
  });

  it('is empty for a first visit, and for a moving cursor', () => {
    expect(writeZigzag(FIRST)).toEqual({});
    expect(readZigzag({ zoom: 'much', height: '3-1', at: 'x', axis: 'z', list: '' })).toEqual(FIRST);
    const { experiment, session } = opened('#/compare');
    session.cursor.set(0.4);
    expect(session.cursor.get()).toBe(0.4);
    expect(session.cursor.held.get()).toBe(false);
    expect(experiment.viewOf('compare')).toEqual({});
  });

  it('keeps other parts of the view, and is restored after another screen', async () => {
    const { experiment, session } = opened('#/compare?v.networks=bars&v.zoom=0-1');
    session.window.set(null);
    session.cursor.hold(1.23456789);
    await until(() => experiment.viewOf('compare')['at'] !== undefined);
    experiment.goTo('graph');
    expect(experiment.get().view).toEqual({});
    expect(session.cursor.get()).toBe(1.23456789);
    experiment.goTo('compare');
    expect(experiment.get().view).toEqual({ networks: 'bars', at: '1.234568' });
    expect(session.cursor.get()).toBe(1.23456789);
  });

  it('follows the browser’s way back', () => {
    const { experiment, session } = opened('#/compare?v.list=1');
    session.lists.set(false);
    experiment.open(readAddress('#/compare?v.list=1&v.at=2', ['compare']));
    expect([session.lists.get(), session.cursor.get()]).toEqual([true, 2]);
    session.cursor.letGo();
    expect(session.cursor.get()).toBeNull();
  });
});

it('another scale shows the same operations, and the cursor stays on its step', () => {
  const { session } = opened('#/compare');
  session.window.set({ from: 0.5, to: 1.5 });
  session.cursor.hold(1.25);
  session.setScale('operations', axis);
  expect(session.window.get()).toEqual({ from: 2, to: 6 });
  expect(session.cursor.get()).toBe(5);
  const clock = Float64Array.from([0, 10, 20, 30, 40, 60, 80, 100, 120]);
  session.setScale('time', { ...axis, clock });
  expect(session.window.get()).toEqual({ from: 20, to: 80 });
  session.setScale('pass', { ...axis, clock });
  expect(session.window.get()).toEqual({ from: 0.5, to: 1.5 });
  expect(session.cursor.get()).toBe(1.25);
});
