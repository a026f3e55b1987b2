/** Content of a run before its first event. Without a schema: a page's first screen needs none. */
export const emptyContent = () => ({
  start: null,
  measured: [],
  iteration: 0,
  position: 0,
  worst: { step: 0, bytes: 0 },
  measuredPeakBytes: null,
  deviceBytes: null,
  iterationMs: [],
  loss: [],
  drift: [],
  quartilesMs: null,
  overhead: null,
  costs: null,
  difference: null,
  probes: [],
  largest: null,
});
