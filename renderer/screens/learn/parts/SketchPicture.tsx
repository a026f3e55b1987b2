import type { PaperCost } from '../../../../engine/paper/paper-cost.ts';
import type { NotIndependent } from '../../../../engine/paper/segments.ts';
import { useSize } from '../../../shared/use-size.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { edgesOf } from '../model/decompositions.ts';
import type { Sketch } from '../model/independence.ts';
import { PictureCard } from './PictureCard.tsx';
import { Disc, DiscButton, Link, type Room, spread } from './SmallGraph.tsx';

export interface SketchPictureProps {
  readonly sketch: Sketch;
  readonly chosen: readonly number[];
  readonly verdict: PaperCost | NotIndependent;
  /** Vertices of the segment that the reader points at; null for all. */
  readonly bright: ReadonlySet<number> | null;
  readonly onToggle: (vertex: number) => void;
}

/** Neighbours in a lane lie at least two columns apart where there are many. */
const ROOM: Room = { left: 32, top: 52, bottom: 52, lane: 72, radius: [6, 17], share: 0.8 };
const TONES = ['checkpoints', 'recomputed', 'gradients', 'auxiliaries'];
const MINE = colorOf(identityOf('manual'));
const BEST = colorOf(identityOf('optimal'));

export function SketchPicture({ sketch, chosen, verdict, bright, onToggle }: SketchPictureProps) {
  const size = useSize<HTMLDivElement>();
  const { names, tensors, places } = sketch;
  const { spots, radius, height } = spread(places, size[1].width, ROOM);
  const tones = tonesOf(verdict);
  const last = tensors.size - 1;
  const faulty = new Set(verdict.ok ? [] : verdict.vertices);
  const light = (...vertices: readonly number[]): number =>
    bright === null || vertices.every((v) => bright.has(v)) ? 1 : 0.25;
  return (
    <PictureCard
      layer="sketch"
      size={size}
      title={sketch.title}
      summary={`${sketch.note} Checkpoints: ${chosen.map((v) => names[v]).join(', ') || 'none'}.`}
      fileName={`segments-${sketch.name}`}
      height={height}
      table={tableOf(sketch, chosen)}
      overlay={spots
        .slice(1, last)
        .map((at, i) => (
          <DiscButton
            key={names[i + 1]}
            at={at}
            radius={radius + 3}
            isPressed={chosen.includes(i + 1)}
            label={`Keep ${names[i + 1]}, size ${tensors.cost[i + 1]}`}
            onClick={() => onToggle(i + 1)}
          />
        ))}
    >
      {edgesOf(tensors).map(([from, to]) => (
        <Link key={`${from} ${to}`} from={spots[from]!} to={spots[to]!} opacity={light(from, to)} />
      ))}
      {spots.map((at, v) => {
        const isEnd = v === 0 || v === last;
        const isKept = chosen.includes(v);
        const tone = tones.get(v);
        return (
          <g key={names[v]} opacity={light(v)}>
            <Disc
              at={at}
              radius={radius}
              fill={
                isKept
                  ? MINE
                  : `var(--zz-${isEnd ? 'hold-input' : tone === undefined ? 'card' : `hold-${tone}`})`
              }
              stroke={faulty.has(v) ? 'var(--zz-danger)' : isKept ? MINE : 'var(--zz-axis)'}
              strokeWidth={faulty.has(v) ? 3 : 2}
              dash={faulty.has(v) ? '4 3' : undefined}
              text={names[v]}
              textFill={isKept ? 'var(--zz-card)' : 'var(--zz-ink)'}
              fontSize={radius < ROOM.radius[1] ? 9 : undefined}
              note={v === 0 ? 'source' : isEnd ? 'target' : String(tensors.cost[v])}
            />
            {sketch.optimum.checkpoints.includes(v) && (
              <circle cx={at.x} cy={at.y} r={1.25 * radius} fill="none" stroke={BEST} strokeWidth={2.5} />
            )}
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
  const edges = edgesOf(tensors);
  return {
    caption: title,
    columns: ['Vertex', 'Size', 'Inputs', 'Kept', 'In the optimum'],
    rows: names.map((name, v) => [
      name,
      tensors.cost[v]!,
      names.filter((_, u) => edges.some(([from, to]) => from === u && to === v)).join(' ') || null,
      chosen.includes(v) ? 'yes' : 'no',
      optimum.checkpoints.includes(v) ? 'yes' : 'no',
    ]),
  };
}
