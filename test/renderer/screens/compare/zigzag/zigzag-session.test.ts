import { describe, expect, it } from 'vitest';
import {
  createZigzagSession,
  readSession,
  sessionPart,
  withSession,
  writeSession,
} from '../../../../../renderer/screens/compare/zigzag/zigzag-session.ts';
import { stepAxis } from '../../../../../renderer/shared/charts/step-axis.ts';

const FORWARD = 0;
const BACKWARD = 1;
const axis = stepAxis([FORWARD, FORWARD, FORWARD, FORWARD, BACKWARD, BACKWARD, BACKWARD, BACKWARD], 4);

describe('the zigzag in a link', () => {
  it('comes back as it was sent: axis, part in view, held step, list', () => {
    const sent = createZigzagSession();
    sent.scale.set('operations');
    sent.window.set({ from: 2, to: 5.5 });
    sent.cursor.hold(3);
    sent.lists.set(true);
    const written = writeSession(sent);
    expect(written).toEqual({ axis: 'operations', zoom: '2-5.5', at: '3', list: '1' });
    const opened = createZigzagSession();
    readSession(opened, written);
    expect(writeSession(opened)).toEqual(written);
    expect(opened.cursor.held.get()).toBe(true);
  });

  it('says nothing of a first visit, nor of a cursor that only passes by', () => {
    const session = createZigzagSession();
    session.cursor.set(0.4);
    expect(writeSession(session)).toEqual({});
    readSession(session, { zoom: 'much', at: 'x', axis: 'z', list: '' });
    expect(writeSession(session)).toEqual({});
    expect(session.cursor.get()).toBeNull();
  });

  it('leaves what others keep in the view', () => {
    const view = { networks: 'bars', zoom: '0-1' };
    expect(sessionPart(view)).toEqual({ zoom: '0-1' });
    expect(withSession(view, { at: '1' })).toEqual({ networks: 'bars', at: '1' });
  });
});

describe('another scale', () => {
  it('shows the same operations, and the cursor stays on its step', () => {
    const session = createZigzagSession();
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
});
