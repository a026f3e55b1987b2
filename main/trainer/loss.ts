/** Loss of a batch and its gradient by the logits, both host-side. */
export interface Loss {
  /** Mean over the labels, in nats. */
  readonly value: number;
  /** [labels, classes], row by row. */
  readonly gradient: Float32Array;
}

/**
 * Softmax cross-entropy, averaged over the labels: one a sample, or one a position of a sequence, or one a pixel, which
 * are rows too because the executor holds the classes in the last axis. It runs on the host, in double precision, so
 * the result is the same on every backend. The target's activation may be freed right after its forward, long before
 * backward starts, and the logits then take no device memory.
 *
 * @param logits [labels, classes], row by row
 * @param labels one class a row, each below `logits.length / labels.length`
 */
export function softmaxCrossEntropy(logits: ArrayLike<number>, labels: ArrayLike<number>): Loss {
  const batch = labels.length;
  const classes = logits.length / batch;
  const gradient = new Float32Array(logits.length);
  const exponentials = new Float64Array(classes);
  let sum = 0;
  for (let n = 0; n < batch; n++) {
    const row = n * classes;
    let top = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classes; k++) top = Math.max(top, logits[row + k] ?? 0);
    let total = 0;
    for (let k = 0; k < classes; k++) {
      const exponential = Math.exp((logits[row + k] ?? 0) - top);
      exponentials[k] = exponential;
      total += exponential;
    }
    const label = labels[n] ?? 0;
    sum += Math.log(total) + top - (logits[row + label] ?? 0);
    for (let k = 0; k < classes; k++) {
      const share = (exponentials[k] ?? 0) / total;
      gradient[row + k] = (share - (k === label ? 1 : 0)) / batch;
    }
  }
  return { value: sum / batch, gradient };
}
