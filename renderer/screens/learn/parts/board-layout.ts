import type { Game } from '../model/games.ts';
import { type Room, type Spot, spread } from './SmallGraph.tsx';

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

const ROOM: Room = { left: 96, right: 24, top: 36, bottom: 40, lane: 52, radius: [3, 13], share: 0.36 };
const GAP = 56;
const MIN_NAMED = 10;

export function boardLayout({ places }: Pick<Game, 'places'>, width: number): BoardLayout {
  const { spots, radius, height } = spread(places, width, ROOM);
  const below = height - ROOM.bottom - ROOM.top + GAP;
  return {
    height: height + below,
    radius,
    forward: spots,
    backward: spots.map(({ x, y }) => ({ x, y: y + below })),
    split: height - ROOM.bottom + GAP / 2,
    hasNames: radius >= MIN_NAMED,
  };
}
