import type { KeyboardEvent, PointerEvent } from 'react';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import classes from './learn.module.css';

export interface PlotSliderProps {
  readonly area: PlotArea;
  /** Pixels above the plot. */
  readonly above?: number;
  readonly label: string;
  readonly text: string;
  readonly at: number;
  readonly min: number;
  readonly max: number;
  readonly valueAt: (pixel: number) => number;
  readonly onMove: (value: number) => void;
  /** On the space bar. */
  readonly onToggle?: () => void;
}

/** A slider that is as large as a plot. */
export function PlotSlider(props: PlotSliderProps) {
  const { area, above = 0, label, text, at, min, max, valueAt, onMove, onToggle } = props;
  const move = (value: number): void => onMove(Math.min(Math.max(value, min), max));
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    // The box is in the window's pixels, the area in the page's: a lecture is enlarged.
    const box = event.currentTarget.getBoundingClientRect();
    move(valueAt((event.clientX - box.left) * ((area.right - area.left) / box.width) + area.left));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.shiftKey ? 10 : 1;
    const next: Record<string, number> = {
      ...{ ArrowRight: at + by, ArrowUp: at + by, ArrowLeft: at - by, ArrowDown: at - by },
      ...{ PageUp: at + 10, PageDown: at - 10, Home: min, End: max },
    };
    const wanted = next[event.key];
    const toggles = event.key === ' ' && onToggle !== undefined;
    if (wanted === undefined && !toggles) return;
    event.preventDefault();
    if (toggles) onToggle();
    else if (wanted !== undefined) move(wanted);
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
        top: above + area.top,
        width: area.right - area.left,
        height: area.bottom - area.top,
      }}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
