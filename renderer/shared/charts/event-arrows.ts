import { pixelX, pixelY } from './plot-area.ts';
import type { PlotScale } from './step-path.ts';

/** Something that happens at a step of the curve in front: a small arrow, upwards where something leaves. */
export interface StepEvent {
  readonly x: number;
  readonly y: number;
  readonly leaves: boolean;
}

const HALF = 3.5;
const HEIGHT = 6;
const APART = 7;
const ROOM = 3;

const round = (value: number): number => Math.round(value * 10) / 10;

/** SVG path of small triangles over the curve where something leaves and where it comes back; crowds are thinned out. */
export function eventArrows(events: readonly StepEvent[], { area, from, end, top }: PlotScale): string {
  const last = { up: Number.NEGATIVE_INFINITY, down: Number.NEGATIVE_INFINITY };
  let path = '';
  for (const { x, y, leaves } of events) {
    const at = pixelX(area, x, end, from);
    const kind = leaves ? 'up' : 'down';
    if (at - last[kind] < APART || at < area.left || at > area.right) continue;
    last[kind] = at;
    const low = Math.max(pixelY(area, y, top) - ROOM, area.top);
    const [foot, tip] = leaves ? [low, low - HEIGHT] : [low - HEIGHT, low];
    path += `M${round(at - HALF)} ${round(foot)}h${2 * HALF}L${round(at)} ${round(tip)}Z`;
  }
  return path;
}
