import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import layout from '../../../shared/layout/layout.module.css';
import { useSize } from '../../../shared/use-size.ts';
import type { Drawing } from '../model/exercises/question.ts';
import { Sheet } from '../parts/PictureCard.tsx';
import { linkPath, type Spot } from '../parts/board-layout.ts';
import classes from './exercises.module.css';

export interface GraphDrawingProps {
  readonly drawing: Drawing;
  /** Vertices that can be marked, and what marking one does; none where there is nothing to mark. */
  readonly marking?: {
    readonly open: readonly number[];
    readonly marked: readonly number[];
    readonly isOrdered: boolean;
    readonly onToggle: (vertex: number) => void;
  };
}

const SIDE = 28;
const TOP = 40;
const LANE = 60;
const BELOW = 48;
const MAX_RADIUS = 16;
const MIN_PITCH = 34;
const MAX_PITCH = 104;
const MINE = colorOf(identityOf('manual'));

export function GraphDrawing({ drawing, marking }: GraphDrawingProps) {
  const [ref, { width: room }] = useSize<HTMLDivElement>();
  const { places, names, notes, edges, pebbles = [] } = drawing;
  const columns = 1 + Math.max(...places.map(({ column }) => column));
  const lanes = 1 + Math.max(...places.map(({ lane }) => lane));
  const pitch = Math.min(MAX_PITCH, Math.max(MIN_PITCH, (room - 2 * SIDE) / Math.max(1, columns - 1)));
  const width = 2 * SIDE + (columns - 1) * pitch;
  const radius = Math.min(MAX_RADIUS, 0.42 * pitch);
  const height = TOP + (lanes - 1) * LANE + BELOW;
  const spots = places.map(({ column, lane }): Spot => ({ x: SIDE + column * pitch, y: TOP + lane * LANE }));
  const skips = ([from, to]: readonly [number, number]): boolean =>
    places.some((place, v) => {
      const [a, b] = [places[from]!, places[to]!];
      return (
        v !== from &&
        v !== to &&
        a.lane === b.lane &&
        place.lane === a.lane &&
        place.column > a.column &&
        place.column < b.column
      );
    });
  return (
    <div ref={ref} className={classes['drawing']}>
      {room > 0 && (
        <div className={classes['sheet']} style={{ width, height }}>
          <div role="img" aria-label={drawing.summary} className={layout['fill']}>
            <Sheet layer="exercise" width={width} height={height}>
              {edges.map((edge) => (
                <path
                  key={edge.join(' ')}
                  d={linkPath(spots[edge[0]]!, spots[edge[1]]!, skips(edge))}
                  fill="none"
                  stroke="var(--zz-axis)"
                  strokeWidth={1.5}
                />
              ))}
              {spots.map(({ x, y }, v) => {
                const place = marking?.marked.indexOf(v) ?? -1;
                const isFilled = pebbles.includes(v);
                return (
                  <g key={names[v]} data-marked={place >= 0 || undefined}>
                    <circle
                      cx={x}
                      cy={y}
                      r={radius}
                      fill={place >= 0 ? MINE : isFilled ? 'var(--zz-hold-checkpoints)' : 'var(--zz-card)'}
                      stroke={place >= 0 ? MINE : isFilled ? 'var(--zz-ink)' : 'var(--zz-axis)'}
                      strokeWidth={2}
                    />
                    <text
                      x={x}
                      y={y + 4}
                      textAnchor="middle"
                      fontSize={names[v]!.length > 3 ? 9 : 12}
                      fill={place >= 0 ? 'var(--zz-card)' : 'var(--zz-ink)'}
                    >
                      {names[v]}
                    </text>
                    <text x={x} y={y + radius + 18} textAnchor="middle" fill="var(--zz-muted)">
                      {marking?.isOrdered === true && place >= 0 ? `${place + 1}.` : notes[v]}
                    </text>
                  </g>
                );
              })}
            </Sheet>
          </div>
          {marking?.open.map((v) => {
            const { x, y } = spots[v]!;
            const place = marking.marked.indexOf(v);
            const note = notes[v] === '' ? '' : `, ${/^\d/.test(notes[v]!) ? `size ${notes[v]}` : notes[v]}`;
            const said = marking.isOrdered && place >= 0 ? `, number ${place + 1}` : '';
            return (
              <button
                key={names[v]}
                type="button"
                className={classes['vertex']}
                style={{
                  left: x - radius - 2,
                  top: y - radius - 2,
                  width: 2 * radius + 4,
                  height: 2 * radius + 4,
                }}
                aria-pressed={place >= 0}
                aria-label={`Mark ${names[v]}${note}${said}`}
                onClick={() => marking.onToggle(v)}
              />
            );
          })}
        </div>
      )}
    </div>
  );
}
