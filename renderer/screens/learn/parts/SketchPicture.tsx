import type { NotIndependent } from '../../../../engine/paper/segments.ts';
import type { PaperCost } from '../../../../engine/paper/paper-cost.ts';
import { PictureCard } from './PictureCard.tsx';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { useSize } from '../../../shared/use-size.ts';
import classes from './learn.module.css';
import type { Place } from '../model/games.ts';
import type { Sketch } from '../model/independence.ts';
import { linkPath, type Spot } from './board-layout.ts';

export interface SketchPictureProps {
  readonly sketch: Sketch;
  readonly chosen: readonly number[];
  readonly verdict: PaperCost | NotIndependent;
  /** Vertices of the segment that the reader points at; null for all. */
  readonly bright: ReadonlySet<number> | null;
  readonly onToggle: (vertex: number) => void;
}

const TOP = 52;
const LANE = 72;
const SIDE = 32;
const MAX_RADIUS = 17;
const TONES = ['checkpoints', 'recomputed', 'gradients', 'auxiliaries'];
const MINE = colorOf(identityOf('manual'));
const BEST = colorOf(identityOf('optimal'));

export function SketchPicture({ sketch, chosen, verdict, bright, onToggle }: SketchPictureProps) {
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const { names, tensors, places, columns, lanes } = sketch;
  const pitch = Math.max(1, width - 2 * SIDE) / Math.max(1, columns - 1);
  // Neighbours in a lane lie at least two columns apart where there are many.
  const radius = Math.max(6, Math.min(MAX_RADIUS, 0.8 * pitch));
  const height = 2 * TOP + (lanes - 1) * LANE;
  const spot = ({ column, lane }: Place): Spot => ({ x: SIDE + column * pitch, y: TOP + lane * LANE });
  const spots = places.map(spot);
  const tones = tonesOf(verdict);
  const last = tensors.size - 1;
  const faulty = new Set(verdict.ok ? [] : verdict.vertices);
  return (
    <PictureCard
      layer="sketch"
      size={size}
      title={sketch.title}
      summary={`${sketch.note} Checkpoints: ${chosen.map((v) => names[v]).join(', ') || 'none'}.`}
      fileName={`segments-${sketch.name}`}
      height={height}
      table={tableOf(sketch, chosen)}
      overlay={spots.slice(1, last).map(({ x, y }, i) => (
        <button
          key={names[i + 1]}
          type="button"
          className={classes['vertex']}
          style={{
            left: x - radius - 3,
            top: y - radius - 3,
            width: 2 * radius + 6,
            height: 2 * radius + 6,
          }}
          aria-pressed={chosen.includes(i + 1)}
          aria-label={`Keep ${names[i + 1]}, size ${tensors.cost[i + 1]}`}
          onClick={() => onToggle(i + 1)}
        />
      ))}
    >
      {Array.from(tensors.edgeFrom, (from, e) => {
        const to = tensors.edgeTo[e]!;
        const isBright = bright === null || (bright.has(from) && bright.has(to));
        return (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: an edge is its index
            key={e}
            d={linkPath(spots[from]!, spots[to]!, false)}
            fill="none"
            stroke="var(--zz-axis)"
            strokeWidth={1.5}
            strokeOpacity={isBright ? 1 : 0.25}
          />
        );
      })}
      {spots.map(({ x, y }, v) => {
        const isEnd = v === 0 || v === last;
        const isKept = chosen.includes(v);
        const isBest = sketch.optimum.checkpoints.includes(v);
        const fill = isKept
          ? MINE
          : isEnd
            ? 'var(--zz-hold-input)'
            : `var(--zz-${tones.has(v) ? `hold-${tones.get(v)}` : 'card'})`;
        return (
          <g key={names[v]} opacity={bright === null || bright.has(v) ? 1 : 0.25}>
            <circle
              cx={x}
              cy={y}
              r={radius}
              fill={fill}
              stroke={faulty.has(v) ? 'var(--zz-danger)' : isKept ? MINE : 'var(--zz-axis)'}
              strokeWidth={faulty.has(v) ? 3 : 2}
              strokeDasharray={faulty.has(v) ? '4 3' : undefined}
            />
            {isBest && <circle cx={x} cy={y} r={1.25 * radius} fill="none" stroke={BEST} strokeWidth={2.5} />}
            <text
              x={x}
              y={y + 4}
              textAnchor="middle"
              fontSize={radius < MAX_RADIUS ? 9 : undefined}
              fill={isKept ? 'var(--zz-card)' : 'var(--zz-ink)'}
            >
              {names[v]}
            </text>
            <text
              x={x}
              y={y + radius + 20}
              textAnchor="middle"
              fill="var(--zz-muted)"
              stroke="var(--zz-card)"
              strokeWidth={4}
              paintOrder="stroke"
            >
              {v === 0 ? 'source' : isEnd ? 'target' : tensors.cost[v]}
            </text>
          </g>
        );
      })}
    </PictureCard>
  );
}

function tonesOf(verdict: PaperCost | NotIndependent): ReadonlyMap<number, string> {
  if (!verdict.ok) return new Map();
  return new Map(
    verdict.segments.flatMap(({ vertices }, i) =>
      vertices.map((v): [number, string] => [v, TONES[i % TONES.length]!]),
    ),
  );
}

function tableOf({ names, tensors, title, optimum }: Sketch, chosen: readonly number[]) {
  return {
    caption: title,
    columns: ['Vertex', 'Size', 'Inputs', 'Kept', 'In the optimum'],
    rows: names.map((name, v) => [
      name,
      tensors.cost[v]!,
      names
        .filter((_, u) => tensors.edgeFrom.some((from, e) => from === u && tensors.edgeTo[e] === v))
        .join(' ') || null,
      chosen.includes(v) ? 'yes' : 'no',
      optimum.checkpoints.includes(v) ? 'yes' : 'no',
    ]),
  };
}
