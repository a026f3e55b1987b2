/** One batch on the host. */
export interface Batch {
  /** [N, H, W, C], or [N, features], row by row. */
  readonly inputs: Float32Array;
  /** One class a sample. */
  readonly labels: Int32Array;
}

/** Where batches come from. Deterministic: the same iteration gives the same batch. */
export interface BatchSource {
  /** What it is, for people. */
  readonly name: string;
  batch(iteration: number): Batch;
}
