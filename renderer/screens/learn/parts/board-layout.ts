import type { Game, Place } from '../model/games.ts';

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface BoardLayout {
  readonly height: number;
  /** Half the size of a pebble. */
  readonly radius: number;
  /** By vertex: activations above, their gradients below. */
  readonly forward: readonly Spot[];
  readonly backward: readonly Spot[];
  /** Y of the line between both passes. */
  readonly split: number;
  readonly hasNames: boolean;
}

const LEFT = 96;
const RIGHT = 24;
const TOP = 36;
const BOTTOM = 40;
const LANE = 52;
const GAP = 56;
const MAX_RADIUS = 13;
const MIN_NAMED = 10;

export function boardLayout(game: Pick<Game, 'places' | 'columns' | 'lanes'>, width: number): BoardLayout {
  const { places, columns, lanes } = game;
  const pitch = Math.max(1, width - LEFT - RIGHT) / Math.max(1, columns - 1);
  const radius = Math.max(3, Math.min(MAX_RADIUS, pitch * 0.36));
  const x = (place: Place): number => LEFT + (columns === 1 ? 0 : place.column * pitch);
  const rows = (lanes - 1) * LANE;
  const below = TOP + rows + GAP;
  return {
    height: below + rows + BOTTOM,
    radius,
    forward: places.map((place) => ({ x: x(place), y: TOP + place.lane * LANE })),
    backward: places.map((place) => ({ x: x(place), y: below + place.lane * LANE })),
    split: TOP + rows + GAP / 2,
    hasNames: radius >= MIN_NAMED,
  };
}

/** A line between two spots; one that would run along a row of others bends around them. */
export function linkPath(from: Spot, to: Spot, isSkip: boolean): string {
  if (!isSkip) return `M${from.x} ${from.y}L${to.x} ${to.y}`;
  const bend = from.y + LANE * 0.45;
  return `M${from.x} ${from.y}C${from.x + 24} ${bend} ${to.x - 24} ${bend} ${to.x} ${to.y}`;
}
