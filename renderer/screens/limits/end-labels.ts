import type { PlotArea } from '../../shared/charts/plot-area.ts';

export interface EndLabel {
  readonly id: string;
  readonly text: string;
  /** The ring that it belongs to, in pixels. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedEnd extends EndLabel {
  readonly textX: number;
  readonly textY: number;
}

const LETTER = 7;
const HEIGHT = 14;
const ABOVE = 10;
const BELOW = 20;

/** Labels above their rings, or below where another label is; what finds no room is left out. */
export function endLabels(wishes: readonly EndLabel[], area: PlotArea): PlacedEnd[] {
  const placed: PlacedEnd[] = [];
  const collides = (textX: number, textY: number, width: number): boolean =>
    placed.some(
      (other) =>
        Math.abs(other.textX - textX) < (width + other.text.length * LETTER) / 2 + 4 &&
        Math.abs(other.textY - textY) < HEIGHT,
    );
  for (const wish of wishes) {
    const isTwin = placed.some(({ text, x }) => text === wish.text && x === wish.x);
    if (isTwin) continue;
    const width = wish.text.length * LETTER;
    const textX = Math.min(Math.max(wish.x, area.left + width / 2), area.width - width / 2);
    const textY = [wish.y - ABOVE, wish.y + BELOW].find(
      (y) => y - HEIGHT > 0 && y < area.bottom && !collides(textX, y, width),
    );
    if (textY !== undefined) placed.push({ ...wish, textX, textY });
  }
  return placed;
}
