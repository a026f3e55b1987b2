import { type KeyboardEvent, type PointerEvent, useMemo } from 'react';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { useSize } from '../../../shared/use-size.ts';
import classes from '../graph.module.css';
import { lowEnd, type MaxTermScale, maxTermAt, shareOf, stopAt } from '../state/max-term.ts';

export interface MaxTermSliderProps {
  readonly scale: MaxTermScale;
  readonly at: number;
  readonly batch: number;
  readonly onMove: (stop: number) => void;
}

const HEIGHT = 96;
const PLOT = { left: 8, right: 8, top: 14, bottom: 22 } as const;
const BIG_STEP = 10;

/** A slider over C on a logarithmic scale, drawn on the curve that it walks along: Eq. 2 against C. */
export function MaxTermSlider({ scale, at, batch, onMove }: MaxTermSliderProps) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const { stops, best } = scale;
  const inner = Math.max(1, width - PLOT.left - PLOT.right);
  const xOf = (stop: number): number => PLOT.left + shareOf(scale, stops[stop]!.maxTerm) * inner;
  const top = useMemo(() => stops.reduce((most, { cost }) => Math.max(most, cost), 1), [stops]);
  const yOf = (cost: number): number =>
    HEIGHT - PLOT.bottom - (cost / top) * (HEIGHT - PLOT.top - PLOT.bottom);
  const line = stops
    .map(
      ({ cost }, i) =>
        `${i === 0 ? 'M' : 'H'}${xOf(i).toFixed(1)}${i === 0 ? ' ' : 'V'}${yOf(cost).toFixed(1)}`,
    )
    .join('');

  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - PLOT.left) / inner;
    // The optimum is what most people look for: it holds the pointer within a few pixels.
    if (Math.abs(event.clientX - box.left - xOf(best)) < 4) onMove(best);
    else onMove(stopAt(scale, maxTermAt(scale, share)));
  };
  const press = (event: KeyboardEvent): void => {
    const next = stopAfter(event.key, at, scale);
    if (next === null || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(next);
  };
  const stop = stops[at]!;
  return (
    <div
      ref={ref}
      className={classes['slider']}
      role="slider"
      tabIndex={0}
      aria-label="Max term C, the largest size of a segment"
      aria-valuemin={0}
      aria-valuemax={stops.length - 1}
      aria-valuenow={at}
      aria-valuetext={`C ${formatBytes(stop.maxTerm * batch)}: ${formatCount(stop.count)} checkpoints, Eq. 2 ${formatBytes(stop.cost * batch)}${at === best ? ', the optimum' : ''}`}
      style={{ height: HEIGHT }}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={press}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <line
            className={classes['axis']}
            x1={PLOT.left}
            x2={width - PLOT.right}
            y1={HEIGHT - PLOT.bottom}
            y2={HEIGHT - PLOT.bottom}
          />
          <path className={classes['curve']} d={line} fill="none" />
          <line
            className={classes['bestLine']}
            x1={xOf(best)}
            x2={xOf(best)}
            y1={PLOT.top}
            y2={HEIGHT - PLOT.bottom}
          />
          <circle className={classes['best']} cx={xOf(best)} cy={yOf(stops[best]!.cost)} r={4} />
          <text
            className={classes['axisText']}
            x={Math.min(Math.max(xOf(best), PLOT.left + 26), width - PLOT.right - 26)}
            y={10}
            textAnchor="middle"
          >
            optimum
          </text>
          <text className={classes['axisText']} x={PLOT.left} y={HEIGHT - 6}>
            C up to {formatBytes(lowEnd(scale) * batch)}
          </text>
          <text className={classes['axisText']} x={width - PLOT.right} y={HEIGHT - 6} textAnchor="end">
            {formatBytes(stops.at(-1)!.maxTerm * batch)}
          </text>
          <line
            className={classes['thumbLine']}
            x1={xOf(at)}
            x2={xOf(at)}
            y1={PLOT.top}
            y2={HEIGHT - PLOT.bottom}
          />
          <circle className={classes['thumb']} cx={xOf(at)} cy={HEIGHT - PLOT.bottom} r={7} />
        </svg>
      )}
    </div>
  );
}

export function stopAfter(key: string, at: number, { stops, best }: MaxTermScale): number | null {
  const to = (stop: number): number => Math.min(Math.max(stop, 0), stops.length - 1);
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return to(at + 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return to(at - 1);
    case 'PageUp':
      return to(at + BIG_STEP);
    case 'PageDown':
      return to(at - BIG_STEP);
    case 'Home':
      return 0;
    case 'End':
      return stops.length - 1;
    case 'o':
    case 'O':
      return best;
    default:
      return null;
  }
}
