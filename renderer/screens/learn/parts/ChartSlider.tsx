import type { KeyboardEvent, PointerEvent } from 'react';
import { type PlotArea, valueX } from '../../../shared/charts/plot-area.ts';
import classes from './learn.module.css';

/** A place on the x axis that the reader moves. */
export interface ChartCursor {
  readonly at: number;
  readonly min: number;
  readonly max: number;
  readonly label: string;
  readonly text: string;
  /** Written at the line. */
  readonly note: string;
  readonly onMove: (x: number) => void;
}

interface ChartSliderProps {
  readonly area: PlotArea;
  readonly end: number;
  readonly cursor: ChartCursor;
}

/** The plot as a slider along its x axis. */
export function ChartSlider({ area, end, cursor }: ChartSliderProps) {
  const { at, min, max, label, text, onMove } = cursor;
  const move = (x: number): void => onMove(Math.min(Math.max(x, min), max));
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    // The box is in the window's pixels, the area in the page's: a lecture is enlarged.
    const box = event.currentTarget.getBoundingClientRect();
    move(
      Math.round(
        valueX(area, (event.clientX - box.left) * ((area.right - area.left) / box.width) + area.left, end),
      ),
    );
  };
  const press = (event: KeyboardEvent): void => {
    const next: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + 10,
      PageDown: at - 10,
      Home: min,
      End: max,
    };
    const wanted = next[event.key];
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(wanted);
  };
  return (
    <div
      className={classes['scrubber']}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={at}
      aria-valuetext={text}
      style={{
        left: area.left,
        top: area.top,
        width: area.right - area.left,
        height: area.bottom - area.top,
      }}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
