import type { KeyboardEvent, PointerEvent } from 'react';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import classes from './learn.module.css';
import { playerKey } from './player-key.ts';
import { frameAt } from './trace.ts';

export interface ScrubberProps {
  readonly area: PlotArea;
  readonly top: number;
  readonly frames: number;
  readonly places: number;
  readonly at: number;
  readonly text: string;
  readonly onSeek: (frame: number) => void;
  readonly onToggle: () => void;
}

export function Scrubber({ area, top, frames, places, at, text, onSeek, onToggle }: ScrubberProps) {
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    // The box is in the window's pixels, the area in the page's: a lecture is enlarged.
    const box = event.currentTarget.getBoundingClientRect();
    onSeek(
      Math.min(
        frameAt(
          area,
          (event.clientX - box.left) * ((area.right - area.left) / box.width) + area.left,
          places,
        ),
        frames - 1,
      ),
    );
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const meaning = playerKey(event.key, event.shiftKey);
    if (meaning === null) return;
    event.preventDefault();
    if (meaning === 'toggle') onToggle();
    else if (meaning === 'first') onSeek(0);
    else onSeek(meaning === 'last' ? frames - 1 : at + meaning);
  };
  return (
    <div
      className={classes['scrubber']}
      role="slider"
      tabIndex={0}
      aria-label="Step"
      aria-valuemin={1}
      aria-valuemax={frames}
      aria-valuenow={at + 1}
      aria-valuetext={text}
      style={{
        left: area.left,
        top: top + area.top,
        width: area.right - area.left,
        height: area.bottom - area.top,
      }}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
