// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { HeightAxis } from '../../../renderer/shared/charts/HeightAxis.tsx';
import { plotArea } from '../../../renderer/shared/charts/plot-area.ts';
import { WHOLE_HEIGHT, zoomHeight } from '../../../renderer/shared/charts/vertical-view.ts';

const AREA = plotArea(400, 300);

afterEach(cleanup);

it('keeps what two fingers have zoomed to when one of them is lifted before the other', () => {
  const onView = vi.fn();
  render(<HeightAxis area={AREA} view={WHOLE_HEIGHT} onView={onView} says="" />);
  const axis = screen.getByRole('slider');
  axis.setPointerCapture = () => undefined;
  axis.getBoundingClientRect = () => new DOMRect(0, 0, 40, 100);
  const at = (pointerId: number, clientY: number) => ({ pointerId, clientY, button: 0 });
  fireEvent.pointerDown(axis, at(1, 60));
  fireEvent.pointerDown(axis, at(2, 40));
  fireEvent.pointerMove(axis, at(1, 70));
  fireEvent.pointerMove(axis, at(2, 30));
  expect(onView).toHaveBeenCalledTimes(2);
  const [zoomed] = onView.mock.lastCall ?? [];
  const wanted = zoomHeight(WHOLE_HEIGHT, 0.5, 2);
  expect([zoomed.from, zoomed.to]).toEqual([expect.closeTo(wanted.from), expect.closeTo(wanted.to)]);
  expect(wanted.to - wanted.from).toBeCloseTo(0.5);
  fireEvent.pointerUp(axis, at(2, 30));
  fireEvent.pointerMove(axis, at(1, 75));
  fireEvent.pointerUp(axis, at(1, 75));
  expect(onView).toHaveBeenCalledTimes(2);
});

it('zooms to where a drag ended, also when its last move was never drawn', () => {
  const onView = vi.fn();
  render(<HeightAxis area={AREA} view={WHOLE_HEIGHT} onView={onView} says="" />);
  const axis = screen.getByRole('slider');
  axis.setPointerCapture = () => undefined;
  axis.getBoundingClientRect = () => new DOMRect(0, 0, 40, 100);
  const at = (clientY: number) => ({ pointerId: 1, clientY, button: 0 });
  fireEvent.pointerDown(axis, at(20));
  fireEvent.pointerMove(axis, at(50));
  fireEvent.pointerUp(axis, at(60));
  expect(onView).toHaveBeenCalledTimes(1);
  const [zoomed] = onView.mock.lastCall ?? [];
  expect([zoomed.from, zoomed.to]).toEqual([expect.closeTo(0.4), expect.closeTo(0.8)]);
  // A click is no drag.
  fireEvent.pointerDown(axis, at(20));
  fireEvent.pointerUp(axis, at(20));
  expect(onView).toHaveBeenCalledTimes(1);
});
