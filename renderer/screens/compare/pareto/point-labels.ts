import type { PlotArea } from '../../../shared/charts/plot-area.ts';

export interface LabelWish {
  readonly id: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface PlacedLabel extends LabelWish {
  readonly textX: number;
  readonly textY: number;
  readonly anchor: 'start' | 'end';
}

const LETTER = 7;
const HEIGHT = 14;
const GAP = 10;

/** Names beside their points: right, else left, above or below; what finds no room is left out. */
export function pointLabels(wishes: readonly LabelWish[], area: PlotArea): PlacedLabel[] {
  const placed: (PlacedLabel & { readonly left: number; readonly right: number })[] = [];
  for (const wish of wishes) {
    const width = wish.text.length * LETTER;
    for (const [anchor, dy] of [
      ['start', 4],
      ['end', 4],
      ['start', -8],
      ['start', 16],
      ['end', -8],
      ['end', 16],
    ] as const) {
      const textX = wish.x + (anchor === 'start' ? GAP : -GAP);
      const left = anchor === 'start' ? textX : textX - width;
      const right = left + width;
      const textY = wish.y + dy;
      const fits = left >= area.left && right <= area.width && textY > HEIGHT - 4 && textY < area.bottom + 4;
      const isFree = placed.every(
        (other) => right < other.left || left > other.right || Math.abs(textY - other.textY) >= HEIGHT,
      );
      const covers = wishes.some(
        (other) =>
          other.id !== wish.id &&
          other.x > left - 6 &&
          other.x < right + 6 &&
          Math.abs(other.y - textY + 4) < 10,
      );
      if (!fits || !isFree || covers) continue;
      placed.push({ ...wish, textX, textY, anchor, left, right });
      break;
    }
  }
  return placed;
}
