/** One batch on the host. */
export interface Batch {
  /** [N, H, W, C], or [N, features], row by row; tokens [N, L] as integers. */
  readonly inputs: Float32Array | Int32Array;
  /** One class per row of logits: a sample, or each of its positions or pixels. */
  readonly labels: Int32Array;
}

/** Source of batches. Deterministic: the same iteration gives the same batch. */
export interface BatchSource {
  /** Name for people. */
  readonly name: string;
  batch(iteration: number): Batch;
}
