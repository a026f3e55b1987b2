import type { RunContent } from '../../app/contract/run-content.ts';

/** What is small and changes while a run goes on, as JSON. */
export const factsOf = (run: RunContent) => ({
  iteration: run.iteration,
  position: run.position,
  worst: run.worst,
  measuredPeakBytes: run.measuredPeakBytes,
  deviceBytes: run.deviceBytes,
  quartilesMs: run.quartilesMs,
  overhead: run.overhead,
  costs: run.costs,
  difference: run.difference,
  probes: run.probes,
  largest: run.largest,
});
