import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import layout from '../../../shared/layout/layout.module.css';
import { useSize } from '../../../shared/use-size.ts';
import type { Drawing } from '../model/exercises/question.ts';
import { Sheet } from '../parts/PictureCard.tsx';
import { Disc, DiscButton, isBent, Link, type Room, spread } from '../parts/SmallGraph.tsx';
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

const ROOM: Room = {
  ...{ left: 28, top: 40, bottom: 48, lane: 60 },
  ...{ radius: [0, 16], share: 0.42, pitch: [28, 104] },
};
const MINE = colorOf(identityOf('manual'));

export function GraphDrawing({ drawing, marking }: GraphDrawingProps) {
  const [ref, { width: room }] = useSize<HTMLDivElement>();
  const { places, names, notes, edges, pebbles = [] } = drawing;
  const { spots, radius, width, height } = spread(places, room, ROOM);
  const markOf = (v: number): number => marking?.marked.indexOf(v) ?? -1;
  return (
    <div ref={ref} className={classes['drawing']}>
      {room > 0 && (
        <div className={classes['sheet']} style={{ width, height }}>
          <div role="img" aria-label={drawing.summary} className={layout['fill']}>
            <Sheet layer="exercise" width={width} height={height}>
              {edges.map(([from, to]) => (
                <Link
                  key={`${from} ${to}`}
                  from={spots[from]!}
                  to={spots[to]!}
                  bent={isBent(places, from, to)}
                />
              ))}
              {spots.map((at, v) => {
                const mark = markOf(v);
                const isFilled = pebbles.includes(v);
                return (
                  <Disc
                    key={names[v]}
                    at={at}
                    radius={radius}
                    fill={mark >= 0 ? MINE : isFilled ? 'var(--zz-hold-checkpoints)' : 'var(--zz-card)'}
                    stroke={mark >= 0 ? MINE : isFilled ? 'var(--zz-ink)' : 'var(--zz-axis)'}
                    text={names[v]}
                    textFill={mark >= 0 ? 'var(--zz-card)' : 'var(--zz-ink)'}
                    fontSize={names[v]!.length > 3 ? 9 : 12}
                    note={marking?.isOrdered === true && mark >= 0 ? `${mark + 1}.` : notes[v]}
                    data={{ 'data-marked': mark >= 0 || undefined }}
                  />
                );
              })}
            </Sheet>
          </div>
          {marking?.open.map((v) => {
            const note = notes[v] === '' ? '' : `, ${/^\d/.test(notes[v]!) ? `size ${notes[v]}` : notes[v]}`;
            const said = marking.isOrdered && markOf(v) >= 0 ? `, number ${markOf(v) + 1}` : '';
            return (
              <DiscButton
                key={names[v]}
                at={spots[v]!}
                radius={radius + 2}
                isPressed={markOf(v) >= 0}
                label={`Mark ${names[v]}${note}${said}`}
                onClick={() => marking.onToggle(v)}
              />
            );
          })}
        </div>
      )}
    </div>
  );
}
