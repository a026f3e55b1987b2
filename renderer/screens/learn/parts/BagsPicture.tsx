import { PictureCard } from './PictureCard.tsx';
import { useSize } from '../../../shared/use-size.ts';
import { type Decomposed, edgesOf, partsWithout } from '../model/decompositions.ts';
import { linkPath, type Spot } from './board-layout.ts';
import classes from './learn.module.css';

export interface BagsPictureProps {
  readonly title: string;
  readonly of: Decomposed;
  readonly bag: number;
  readonly onBag: (bag: number) => void;
}

const SIDE = 32;
const MAX_WIDTH = 960;
const TOP = 40;
const LANE = 52;
const RADIUS = 16;
const BAG_HEIGHT = 28;
const BAG_LANE = 44;
const LETTER = 13;
const GAP = 32;
const TONES = ['recomputed', 'gradients', 'auxiliaries', 'input'];

export function BagsPicture({ title, of, bag, onBag }: BagsPictureProps) {
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const { tensors, names, places, bags } = of;
  const { vertices } = bags[bag]!;
  const columns = Math.max(...places.map(({ column }) => column));
  const lanes = Math.max(...places.map(({ lane }) => lane));
  const split = TOP + lanes * LANE + RADIUS + GAP;
  const bagColumns = Math.max(...bags.map(({ place }) => place.column));
  const bagLanes = Math.max(...bags.map(({ place }) => place.lane));
  const height = split + GAP + bagLanes * BAG_LANE + BAG_HEIGHT + 16;
  const widest = Math.max(...bags.map((one) => bagWidth(one.vertices.length)));
  const spots = places.map(
    ({ column, lane }): Spot => ({
      x: SIDE + (column * Math.max(1, Math.min(width, MAX_WIDTH) - 2 * SIDE)) / Math.max(1, columns),
      y: TOP + lane * LANE,
    }),
  );
  const room = Math.max(1, Math.min(width, MAX_WIDTH) - 2 * SIDE - widest);
  const bagSpots = bags.map(
    ({ place }): Spot => ({
      // The root holds the target: the tree reads as the network does, from left to right.
      x: SIDE + widest / 2 + ((bagColumns - place.column) * room) / Math.max(1, bagColumns),
      y: split + GAP + place.lane * BAG_LANE + BAG_HEIGHT / 2,
    }),
  );
  const parts = partsWithout(tensors, vertices);
  const tone = (v: number): string =>
    `var(--zz-hold-${
      TONES[
        Math.max(
          0,
          parts.findIndex((part) => part.includes(v)),
        ) % TONES.length
      ]
    })`;
  /** A graph separator by itself: the article draws these as squares. */
  const cuts = (v: number): boolean => partsWithout(tensors, [v]).length > 1;
  const table = {
    caption: title,
    columns: ['Bag', 'Tensors', 'Hangs on', 'Parts without it'],
    rows: bags.map((one, i) => [
      i + 1,
      namesOf(of, one.vertices),
      one.parent < 0 ? null : one.parent + 1,
      partsWithout(tensors, one.vertices).length,
    ]),
  };
  return (
    <PictureCard
      layer="bags"
      size={size}
      title={title}
      summary={`${names.length} tensors in ${bags.length} bags, the largest of ${of.largestBag}. ${bagSentence(of, bag)}`}
      fileName="tree-decomposition"
      height={height}
      table={table}
      overlay={bags.map((one, i) => {
        const own = bagWidth(one.vertices.length);
        return (
          <button
            key={namesOf(of, one.vertices)}
            type="button"
            className={classes['bag']}
            style={{
              left: bagSpots[i]!.x - own / 2,
              top: bagSpots[i]!.y - BAG_HEIGHT / 2,
              width: own,
              height: BAG_HEIGHT,
            }}
            aria-pressed={i === bag}
            aria-label={`Bag ${namesOf(of, one.vertices)}`}
            onClick={() => onBag(i)}
          />
        );
      })}
      footer={
        <p className={classes['reading']} role="status">
          {bagSentence(of, bag)}
        </p>
      }
    >
      {edgesOf(tensors).map(([from, to]) => (
        <path
          key={`${from} ${to}`}
          d={linkPath(spots[from]!, spots[to]!, false)}
          fill="none"
          stroke="var(--zz-axis)"
          strokeWidth={1.5}
          strokeOpacity={vertices.includes(from) || vertices.includes(to) ? 0.4 : 1}
        />
      ))}
      {spots.map(({ x, y }, v) => {
        const isIn = vertices.includes(v);
        return (
          <g key={names[v]} data-in={isIn || undefined}>
            <rect
              data-cuts={cuts(v) || undefined}
              x={x - RADIUS}
              y={y - RADIUS}
              width={2 * RADIUS}
              height={2 * RADIUS}
              rx={cuts(v) ? 4 : RADIUS}
              fill={isIn ? 'var(--zz-ink)' : tone(v)}
              stroke={isIn ? 'var(--zz-ink)' : 'var(--zz-axis)'}
              strokeWidth={2}
            />
            <text x={x} y={y + 4} textAnchor="middle" fill={isIn ? 'var(--zz-card)' : 'var(--zz-ink)'}>
              {names[v]}
            </text>
          </g>
        );
      })}
      <line x1={8} x2={width - 8} y1={split} y2={split} stroke="var(--zz-hairline)" />
      <text x={8} y={14} fill="var(--zz-muted)">
        network
      </text>
      <text x={8} y={split + 16} fill="var(--zz-muted)">
        tree of bags
      </text>
      {bags.map(({ parent }, i) =>
        parent < 0 ? null : (
          <path
            key={namesOf(of, bags[i]!.vertices)}
            d={linkPath(bagSpots[parent]!, bagSpots[i]!, false)}
            fill="none"
            stroke="var(--zz-axis)"
            strokeWidth={1.5}
          />
        ),
      )}
      {bags.map((one, i) => {
        const own = bagWidth(one.vertices.length);
        const { x, y } = bagSpots[i]!;
        return (
          <g key={namesOf(of, one.vertices)}>
            <rect
              x={x - own / 2}
              y={y - BAG_HEIGHT / 2}
              width={own}
              height={BAG_HEIGHT}
              rx={BAG_HEIGHT / 2}
              fill={i === bag ? 'var(--zz-ink)' : 'var(--zz-card)'}
              stroke={i === bag ? 'var(--zz-ink)' : 'var(--zz-axis)'}
              strokeWidth={2}
            />
            <text x={x} y={y + 4} textAnchor="middle" fill={i === bag ? 'var(--zz-card)' : 'var(--zz-ink)'}>
              {namesOf(of, one.vertices)}
            </text>
          </g>
        );
      })}
    </PictureCard>
  );
}

const bagWidth = (vertices: number): number => 20 + vertices * LETTER;

const namesOf = ({ names }: Decomposed, vertices: readonly number[]): string =>
  vertices.map((v) => names[v]).join(' ');

/** "Without b and c the rest falls into 2 parts, {a} and {d, e}." */
export function bagSentence(of: Decomposed, bag: number): string {
  const { vertices } = of.bags[bag]!;
  const parts = partsWithout(of.tensors, vertices);
  const all = new Intl.ListFormat('en-GB');
  const held = all.format(vertices.map((v) => of.names[v]!));
  const said = all.format(parts.map((part) => `{${part.map((v) => of.names[v]).join(', ')}}`));
  if (parts.length === 0) return `Bag ${held} is the whole network.`;
  if (parts.length === 1)
    return `Bag ${held} lies at an end of the tree: without it one part is left, ${said}.`;
  return `Without ${held} the rest falls into ${parts.length} parts, ${said}: once these are kept, each part can be computed alone.`;
}
