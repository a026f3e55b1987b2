import type { Place } from '../model/drawn.ts';
import classes from './learn.module.css';

/** The one drawing of small graphs: where vertices lie, lines between them, discs, and what is pressed on them. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Room {
  readonly left: number;
  readonly right?: number;
  readonly top: number;
  readonly bottom: number;
  /** Pixels from lane to lane. */
  readonly lane: number;
  readonly radius: readonly [least: number, most: number];
  /** Radius as a share of the pixels from column to column. */
  readonly share: number;
  readonly pitch?: readonly [least: number, most: number];
}

export interface Spread {
  readonly spots: readonly Spot[];
  readonly radius: number;
  readonly width: number;
  readonly height: number;
}

/** Places of vertices in pixels: columns share the width, lanes have their own height. */
export function spread(places: readonly Place[], width: number, room: Room): Spread {
  const { left, right = left, top, bottom, lane, share, radius, pitch: [least, most] = [1, Infinity] } = room;
  const columns = Math.max(...places.map(({ column }) => column));
  const lanes = Math.max(...places.map((place) => place.lane));
  const pitch = within(least, (width - left - right) / Math.max(1, columns), most);
  return {
    spots: places.map((place) => ({ x: left + place.column * pitch, y: top + place.lane * lane })),
    radius: within(radius[0], share * pitch, radius[1]),
    width: left + columns * pitch + right,
    height: top + lanes * lane + bottom,
  };
}

const within = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value));

/** A straight line would run through another vertex of its lane. */
export function isBent(places: readonly Place[], from: number, to: number): boolean {
  const [a, b] = [places[from]!, places[to]!];
  return places.some(
    ({ lane, column }) => lane === a.lane && lane === b.lane && column > a.column && column < b.column,
  );
}

const BEND = 23;

export interface LinkProps {
  readonly from: Spot;
  readonly to: Spot;
  readonly bent?: boolean;
  readonly stroke?: string;
  readonly width?: number;
  readonly opacity?: number;
}

export function Link({ from, to, bent, stroke = 'var(--zz-axis)', width = 1.5, opacity }: LinkProps) {
  const low = from.y + BEND;
  const d = bent
    ? `M${from.x} ${from.y}C${from.x + 24} ${low} ${to.x - 24} ${low} ${to.x} ${to.y}`
    : `M${from.x} ${from.y}L${to.x} ${to.y}`;
  return <path d={d} fill="none" stroke={stroke} strokeWidth={width} strokeOpacity={opacity} />;
}

export interface DiscProps {
  readonly at: Spot;
  readonly radius: number;
  /** For one that is wider than high. */
  readonly halfWidth?: number;
  /** Roundness of its corners where it is no disc. */
  readonly corner?: number | undefined;
  readonly fill: string;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly dash?: string | undefined;
  /** Less than 1 for one that goes next. */
  readonly opacity?: number;
  readonly text?: string | undefined;
  readonly textFill?: string;
  readonly fontSize?: number | undefined;
  readonly note?: string | undefined;
  readonly noteSize?: number | undefined;
  /** Pixels from its middle to the note's line. */
  readonly noteAt?: number;
  /** For tests and styles. */
  readonly data?: Readonly<Record<`data-${string}`, string | boolean | undefined>>;
}

export function Disc(props: DiscProps) {
  const {
    at,
    radius,
    halfWidth = radius,
    corner,
    fill,
    stroke = 'var(--zz-axis)',
    opacity = 1,
    data,
  } = props;
  const { text, textFill = 'var(--zz-ink)', note, noteAt = radius + 19 } = props;
  const shape = {
    className: classes['pebble'],
    fill,
    stroke,
    strokeWidth: props.strokeWidth ?? 2,
    strokeDasharray: props.dash,
    opacity,
    ...data,
  };
  return (
    <>
      {opacity < 1 && <circle cx={at.x} cy={at.y} r={radius + 1} fill="var(--zz-card)" />}
      {corner === undefined ? (
        <circle {...shape} cx={at.x} cy={at.y} r={radius} />
      ) : (
        <rect
          {...shape}
          x={at.x - halfWidth}
          y={at.y - radius}
          width={2 * halfWidth}
          height={2 * radius}
          rx={corner}
        />
      )}
      {text !== undefined && (
        <text x={at.x} y={at.y + 4} textAnchor="middle" fontSize={props.fontSize} fill={textFill}>
          {text}
        </text>
      )}
      {note !== undefined && (
        <text
          x={at.x}
          y={at.y + noteAt}
          textAnchor="middle"
          fontSize={props.noteSize}
          fill="var(--zz-muted)"
          stroke="var(--zz-card)"
          strokeWidth={4}
          paintOrder="stroke"
        >
          {note}
        </text>
      )}
    </>
  );
}

/** Around the vertex that is computed now. */
export function Ring({ at, radius, kind }: { at: Spot; radius: number; kind: string }) {
  return (
    <circle
      data-ring={kind}
      cx={at.x}
      cy={at.y}
      r={radius + 5}
      fill="none"
      stroke="var(--zz-ink)"
      strokeWidth={2.5}
    />
  );
}

export interface DiscButtonProps {
  readonly at: Spot;
  readonly radius: number;
  readonly halfWidth?: number;
  readonly isPressed: boolean;
  readonly label: string;
  readonly onClick: () => void;
}

/** Laid over a disc. */
export function DiscButton({ at, radius, halfWidth = radius, isPressed, label, onClick }: DiscButtonProps) {
  return (
    <button
      type="button"
      className={classes['vertex']}
      style={{ left: at.x - halfWidth, top: at.y - radius, width: 2 * halfWidth, height: 2 * radius }}
      aria-pressed={isPressed}
      aria-label={label}
      onClick={onClick}
    />
  );
}
