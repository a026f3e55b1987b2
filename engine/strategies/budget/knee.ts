interface TradeOff {
  readonly peakBytes: number;
  readonly recomputeFraction: number;
}

/** Forwards: what recomputation of every segment once costs at most. */
const MAX_RECOMPUTE = 1;

/**
 * The knee of a front: the point farthest from the chord between its two ends, on the side of less of both, with
 * both figures scaled to the ends' span. From there on a byte less costs more than it did on the average.
 *
 * Only points that do at most one forward more count: storing nothing at all takes tens of forwards, and a chord to
 * there makes everything before it look cheap. Null where no such point lies below the chord.
 *
 * @param whole by falling peak and growing recompute, as `paretoFront` gives it
 */
export function kneeOf<Point extends TradeOff>(whole: readonly Point[]): Point | null {
  const front = whole.filter(({ recomputeFraction }) => recomputeFraction <= MAX_RECOMPUTE);
  let knee: Point | null = null;
  let farthest = 0;
  for (const point of front) {
    const saved = share(point.peakBytes, front[0]!.peakBytes, front.at(-1)!.peakBytes);
    const paid = share(point.recomputeFraction, front[0]!.recomputeFraction, front.at(-1)!.recomputeFraction);
    // √2 times the distance to the chord, which joins (0, 0) and (1, 1).
    if (saved - paid > farthest) {
      farthest = saved - paid;
      knee = point;
    }
  }
  return knee;
}

/** Position of a value between two others, from 0 to 1; NaN when these are equal. */
function share(value: number, from: number, to: number): number {
  return (value - from) / (to - from);
}
