import { PictureCard } from './PictureCard.tsx';
import { useSize } from '../../../shared/use-size.ts';
import { type Decomposed, edgesOf, partsWithout } from '../model/decompositions.ts';
import classes from './learn.module.css';
import { Disc, DiscButton, Link, type Room, spread } from './SmallGraph.tsx';

export interface BagsPictureProps {
  readonly title: string;
  readonly of: Decomposed;
  readonly bag: number;
  readonly onBag: (bag: number) => void;
}

const MAX_WIDTH = 960;
const RADIUS = 16;
const ROOM: Room = { left: 32, top: 40, bottom: RADIUS, lane: 52, radius: [RADIUS, RADIUS], share: 0 };
const BAG_RADIUS = 14;
const BAG_LANE = 44;
const LETTER = 13;
const GAP = 32;
const CHOSEN = { fill: 'var(--zz-ink)', stroke: 'var(--zz-ink)', textFill: 'var(--zz-card)' };
const TONES = ['recomputed', 'gradients', 'auxiliaries', 'input'];

export function BagsPicture({ title, of, bag, onBag }: BagsPictureProps) {
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const { tensors, names, places, bags } = of;
  const { vertices } = bags[bag]!;
  const room = Math.min(width, MAX_WIDTH);
  const { spots, height: split0 } = spread(places, room, ROOM);
  const split = split0 + GAP;
  const widest = Math.max(...bags.map((one) => halfWidth(one.vertices)));
  // The root holds the target: the tree reads as the network does, from left to right.
  const end = Math.max(...bags.map(({ place }) => place.column));
  const tree = spread(
    bags.map(({ place: { column, lane } }) => ({ column: end - column, lane })),
    room,
    {
      ...{ left: 32 + widest, top: split + GAP + BAG_RADIUS, bottom: BAG_RADIUS + 16, lane: BAG_LANE },
      ...{ radius: [BAG_RADIUS, BAG_RADIUS], share: 0 },
    },
  );
  const bagSpots = tree.spots;
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
      height={tree.height}
      table={table}
      overlay={bags.map((one, i) => (
        <DiscButton
          key={namesOf(of, one.vertices)}
          at={bagSpots[i]!}
          radius={BAG_RADIUS}
          halfWidth={halfWidth(one.vertices)}
          isPressed={i === bag}
          label={`Bag ${namesOf(of, one.vertices)}`}
          onClick={() => onBag(i)}
        />
      ))}
      footer={
        <p className={classes['reading']} role="status">
          {bagSentence(of, bag)}
        </p>
      }
    >
      {edgesOf(tensors).map(([from, to]) => (
        <Link
          key={`${from} ${to}`}
          from={spots[from]!}
          to={spots[to]!}
          opacity={vertices.includes(from) || vertices.includes(to) ? 0.4 : 1}
        />
      ))}
      {spots.map((at, v) => (
        <Disc
          key={names[v]}
          at={at}
          radius={RADIUS}
          corner={cuts(v) ? 4 : RADIUS}
          {...(vertices.includes(v) ? CHOSEN : { fill: tone(v) })}
          text={names[v]}
          data={{ 'data-cuts': cuts(v) || undefined }}
        />
      ))}
      <line x1={8} x2={width - 8} y1={split} y2={split} stroke="var(--zz-hairline)" />
      <text x={8} y={14} fill="var(--zz-muted)">
        network
      </text>
      <text x={8} y={split + 16} fill="var(--zz-muted)">
        tree of bags
      </text>
      {bags.map(
        ({ parent }, i) =>
          parent >= 0 && (
            <Link key={namesOf(of, bags[i]!.vertices)} from={bagSpots[parent]!} to={bagSpots[i]!} />
          ),
      )}
      {bags.map((one, i) => (
        <Disc
          key={namesOf(of, one.vertices)}
          at={bagSpots[i]!}
          radius={BAG_RADIUS}
          halfWidth={halfWidth(one.vertices)}
          corner={BAG_RADIUS}
          {...(i === bag ? CHOSEN : { fill: 'var(--zz-card)' })}
          text={namesOf(of, one.vertices)}
        />
      ))}
    </PictureCard>
  );
}

const halfWidth = ({ length }: readonly number[]): number => 10 + (length * LETTER) / 2;

const namesOf = ({ names }: Decomposed, vertices: readonly number[]): string =>
  vertices.map((v) => names[v]).join(' ');

/** "Without b and c the rest falls into 2 parts, {a} and {d, e}." */
export function bagSentence(of: Decomposed, bag: number): string {
  const { vertices } = of.bags[bag]!;
  const parts = partsWithout(of.tensors, vertices);
  const all = new Intl.ListFormat('en-GB');
  const held = all.format(vertices.map((v) => of.names[v]!));
  const said = all.format(parts.map((part) => `{${part.map((v) => of.names[v]).join(', ')}}`));
  if (parts.length === 0) return `Bag ${held} holds the whole network.`;
  if (parts.length === 1)
    return `Bag ${held} is at an end of the tree. Without it one part is left, ${said}.`;
  return `Without ${held} the rest falls into ${parts.length} parts, ${said}. If this bag is kept, each part can be recomputed alone.`;
}
