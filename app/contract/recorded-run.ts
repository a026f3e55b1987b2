import { z } from 'zod';
import { STEP_KINDS } from '../../engine/schedule/schedule.ts';
import type { RunContent } from './run-content.ts';
import { trainEventSchema, trainRequestSchema } from './training.ts';

export const MAX_NAME = 120;
export const MAX_NOTE = 4000;

/** `interrupted`: the lab itself ended before the run did. */
export const RUN_OUTCOMES = ['running', 'done', 'cancelled', 'failed', 'interrupted'] as const;
export const runOutcomeSchema = z.enum(RUN_OUTCOMES);

export const runIdSchema = z.string().min(1).max(100);

export const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const eventSchema = <Name extends z.infer<typeof trainEventSchema>['event']>(name: Name) => {
  const schema = trainEventSchema.options.find((option) => option.shape.event.value === name);
  if (schema === undefined) throw new Error(`there is no event ${name}`);
  return schema as Extract<(typeof trainEventSchema.options)[number], { shape: { event: { value: Name } } }>;
};

/** A whole run: what its events told, by which a page draws it as it was. */
export const recordedRunSchema = z
  .object({
    id: runIdSchema,
    begunMs: whole,
    endedMs: whole.nullable(),
    outcome: runOutcomeSchema,
    failure: z.string().max(4000).nullable(),
    name: z.string().max(MAX_NAME),
    note: z.string().max(MAX_NOTE),
    request: trainRequestSchema,
    start: eventSchema('start').nullable(),
    measured: z.array(z.number()),
    iteration: whole,
    position: whole,
    worst: z.object({ step: whole, bytes: z.number() }),
    measuredPeakBytes: z.number().nullable(),
    deviceBytes: z.number().nullable(),
    iterationMs: z.array(z.number()),
    /** null where it was no number any more. */
    loss: z.array(z.number().nullable()),
    drift: z.array(z.number()),
    quartilesMs: z.tuple([z.number(), z.number()]).nullable(),
    overhead: eventSchema('overhead').nullable(),
    costs: eventSchema('costs').nullable(),
    difference: eventSchema('difference').nullable(),
    probes: z.array(eventSchema('probe')).max(1000),
    largest: eventSchema('largest').nullable(),
  })
  .superRefine((run, context) => {
    const fault = inconsistency(run);
    if (fault !== null) context.addIssue({ code: 'custom', ...fault });
  });

export type RunOutcome = z.infer<typeof runOutcomeSchema>;
export type RecordedRun = z.infer<typeof recordedRunSchema>;

/** A run's series in the form of a record, and back. Losses that are no numbers have no place in JSON. */
export function recordedContent(run: RunContent) {
  return {
    start: run.start,
    measured: Array.from(run.measured.subarray(0, run.known)),
    iteration: run.iteration,
    position: run.position,
    worst: { ...run.worst },
    measuredPeakBytes: run.measuredPeakBytes,
    deviceBytes: run.deviceBytes,
    iterationMs: [...run.iterationMs],
    loss: run.loss.map((loss) => (Number.isFinite(loss) ? loss : null)),
    drift: [...run.drift],
    quartilesMs: run.quartilesMs === null ? null : ([...run.quartilesMs] as [number, number]),
    overhead: run.overhead,
    costs: run.costs,
    difference: run.difference,
    probes: [...run.probes],
    largest: run.largest,
  };
}

export function contentOf(run: RecordedRun): RunContent {
  const measured = new Float64Array(run.start?.timeline.kinds.length ?? 0);
  measured.set(run.measured);
  return {
    start: run.start,
    measured,
    known: run.measured.length,
    iteration: run.iteration,
    position: run.position,
    worst: run.worst,
    measuredPeakBytes: run.measuredPeakBytes,
    deviceBytes: run.deviceBytes,
    iterationMs: run.iterationMs,
    loss: run.loss.map((loss) => loss ?? Number.NaN),
    drift: run.drift,
    quartilesMs: run.quartilesMs,
    overhead: run.overhead,
    costs: run.costs,
    difference: run.difference,
    probes: run.probes,
    largest: run.largest,
  };
}

interface Checked {
  readonly start: z.infer<ReturnType<typeof eventSchema<'start'>>> | null;
  readonly measured: readonly number[];
  readonly position: number;
  readonly worst: { readonly step: number };
  readonly iterationMs: readonly unknown[];
  readonly loss: readonly unknown[];
  readonly drift: readonly unknown[];
}

/** Series that do not belong together would draw something that never was. */
function inconsistency(run: Checked): { path: (string | number)[]; message: string } | null {
  const fault = (path: (string | number)[], message: string) => ({ path, message });
  const steps = run.start?.timeline.kinds.length ?? 0;
  if (run.measured.length > steps) return fault(['measured'], `expected at most ${steps} steps`);
  if (run.position > steps) return fault(['position'], `expected at most ${steps}`);
  if (run.worst.step > Math.max(0, steps - 1)) return fault(['worst', 'step'], `expected below ${steps}`);
  if (run.loss.length !== run.iterationMs.length) {
    return fault(['loss'], 'expected as many values as iterationMs');
  }
  if (run.drift.length > run.loss.length) return fault(['drift'], 'expected at most as many values as loss');
  if (run.start === null) return null;
  const { timeline, ids } = run.start;
  if (timeline.backwardStart > steps) return fault(['start', 'timeline'], 'backward starts after its end');
  if (timeline.kinds.some((kind) => kind < 0 || kind >= STEP_KINDS.length)) {
    return fault(['start', 'timeline', 'kinds'], 'expected kinds of steps');
  }
  if (timeline.vertices.some((vertex) => vertex < 0 || vertex >= ids.length)) {
    return fault(['start', 'timeline', 'vertices'], 'expected places in ids');
  }
  const lengths = [
    timeline.vertices,
    ...[
      timeline.live,
      timeline.checkpoints,
      timeline.recomputed,
      timeline.gradients,
      timeline.auxiliaries,
    ].flatMap(({ fixed, perSample }) => [fixed, perSample]),
  ].map((values) => values.length);
  if (lengths.some((length) => length !== steps)) {
    return fault(['start', 'timeline'], `expected ${steps} values in every series`);
  }
  return null;
}
