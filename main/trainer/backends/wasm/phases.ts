/**
 * One residue class of an axis of a convolution's input. Input places h with (h + padding) mod stride =
 * residue see only some of the filter's taps, and see them as a plain convolution (stride 1) over the
 * output's gradient: so the gradient of a strided convolution is one plain convolution a class, with no
 * zeros multiplied.
 */
export interface Phase {
  /** First input place of the class, and how many follow at distance `stride`. */
  readonly first: number;
  readonly count: number;
  /** Taps of the filter in the order in which the plain convolution wants them. */
  readonly taps: readonly number[];
  /** Distance of those taps on the output. */
  readonly dilation: number;
  /** Padding of the output's gradient; both at least 0. */
  readonly before: number;
  readonly after: number;
  /** Results of the plain convolution to pass over before the first that counts. */
  readonly skip: number;
}

export interface Axis {
  readonly input: number;
  readonly output: number;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  /** At the start of the axis. */
  readonly padding: number;
}

/**
 * The classes that any tap reaches; places of others have gradient 0. For tap k and place h the output
 * place is (h + padding - k * dilation) / stride.
 */
export function phasesOf(axis: Axis): Phase[] {
  const { stride, dilation, padding, kernel, input, output } = axis;
  const phases: Phase[] = [];
  for (let residue = 0; residue < stride; residue++) {
    const taps: number[] = [];
    for (let k = kernel - 1; k >= 0; k--) if ((k * dilation) % stride === residue) taps.push(k);
    const lowest = taps.at(-1);
    const highest = taps[0];
    if (lowest === undefined || highest === undefined) continue;
    // h = q * stride + residue - padding, for q from qFirst to qLast.
    const qFirst = Math.ceil((padding - residue) / stride);
    const qLast = Math.floor((input - 1 + padding - residue) / stride);
    if (qLast < qFirst) continue;
    const offset = (k: number): number => (k * dilation - residue) / stride;
    const before = offset(highest) - qFirst;
    const after = qLast - offset(lowest) - (output - 1);
    const second = taps[1];
    phases.push({
      first: qFirst * stride + residue - padding,
      count: qLast - qFirst + 1,
      taps,
      dilation: second === undefined ? 1 : offset(highest) - offset(second),
      before: Math.max(0, before),
      after: Math.max(0, after),
      skip: Math.max(0, -before),
    });
  }
  return phases;
}
