/** Network facts for a search for the largest input. */
export interface InputRange {
  readonly least: number;
  /** Every admitted side is a multiple of this. */
  readonly multiple: number;
  readonly most: number;
}

/** The largest input of a schedule; side 0 where not even the smallest that the network admits fits. */
export interface InputLimit {
  /** Height and width in pixels. */
  readonly input: number;
  /** True if the limit is the largest allowed input rather than the memory. */
  readonly capped: boolean;
  /** Live bytes of a step at that input; null where nothing fits. */
  readonly peakBytes: number | null;
  /** Live bytes of a step at the smallest admitted input. */
  readonly leastBytes: number;
}

/**
 * The largest square input whose step holds at most `bytes` under one schedule. A larger input makes no
 * tensor of the zoo's networks smaller, and a schedule names operations and not sizes, so the peak never
 * falls with the input and bisection finds the last side that fits; O(log(most)) simulations.
 *
 * @param peakOf live bytes of the schedule's step at an admitted side
 */
export function largestInput(
  { least, multiple, most }: InputRange,
  bytes: number,
  peakOf: (input: number) => number,
): InputLimit {
  const first = Math.ceil(Math.max(least, 1) / multiple);
  const last = Math.floor(most / multiple);
  const leastBytes = peakOf(first * multiple);
  if (leastBytes > bytes) return { input: 0, capped: false, peakBytes: null, leastBytes };
  let fits = first;
  let peakBytes = leastBytes;
  let tooLarge = last + 1;
  // Doubling first keeps the graphs that are built near the answer's size.
  for (let next = Math.min(2 * fits, last); next > fits && tooLarge > last; next = Math.min(2 * next, last)) {
    const peak = peakOf(next * multiple);
    if (peak > bytes) tooLarge = next;
    else {
      fits = next;
      peakBytes = peak;
    }
  }
  while (tooLarge - fits > 1) {
    const middle = (fits + tooLarge) >> 1;
    const peak = peakOf(middle * multiple);
    if (peak > bytes) tooLarge = middle;
    else {
      fits = middle;
      peakBytes = peak;
    }
  }
  return { input: fits * multiple, capped: fits === last, peakBytes, leastBytes };
}
