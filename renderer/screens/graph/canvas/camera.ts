import type { CompoundDrawing } from '../layout/compound.ts';
import type { Point, Size } from '../layout/geometry.ts';
import type { Picture } from '../use-graph.ts';

export interface Viewport extends Point {
  readonly zoom: number;
}

const MARGIN = 24;
const LARGEST = 1;

export function fitted(drawing: Size, window: Size): Viewport {
  const zoom = Math.min(
    LARGEST,
    (window.width - 2 * MARGIN) / Math.max(1, drawing.width),
    (window.height - 2 * MARGIN) / Math.max(1, drawing.height),
  );
  return {
    x: (window.width - drawing.width * zoom) / 2,
    y: Math.max(MARGIN, (window.height - drawing.height * zoom) / 2),
    zoom,
  };
}

export function framed(places: readonly (Point & Size)[], window: Size): Viewport {
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const width = Math.max(...places.map((place) => place.x + place.width)) - left;
  const height = Math.max(...places.map((place) => place.y + place.height)) - top;
  const { x, y, zoom } = fitted({ width, height }, window);
  return { x: x - left * zoom, y: y - top * zoom, zoom };
}

/** How much can be read: names from `near`, boxes from `far`, colour only below. */
export function zoomBand(zoom: number): 'near' | 'far' | 'tiny' {
  return zoom >= 0.42 ? 'near' : zoom >= 0.15 ? 'far' : 'tiny';
}

/** The viewport under which a box of the new drawing is where it, or its frame, was in the previous one. */
export function anchored(before: Picture, after: Picture, key: string | null, viewport: Viewport): Viewport {
  if (key === null) return viewport;
  const from = placeOf(before, key);
  const to = placeOf(after, key);
  if (from === null || to === null) return viewport;
  return {
    x: viewport.x + (from.x - to.x) * viewport.zoom,
    y: viewport.y + (from.y - to.y) * viewport.zoom,
    zoom: viewport.zoom,
  };
}

function placeOf({ drawing, layout }: Picture, key: string): CompoundDrawing['places'][number] | null {
  const at = drawing.indexOf.get(key);
  return at === undefined ? null : (layout.places[at] ?? null);
}

export function isInView(place: Point & Size, { x, y, zoom }: Viewport, window: Size): boolean {
  const left = place.x * zoom + x;
  const top = place.y * zoom + y;
  return (
    left >= 0 &&
    top >= 0 &&
    left + place.width * zoom <= window.width &&
    top + place.height * zoom <= window.height
  );
}
