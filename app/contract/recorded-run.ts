import { z } from 'zod';
import { STEP_KINDS } from '../../engine/schedule/schedule.ts';
import { emptyContent } from './empty-content.ts';
import { type TrainEventOf, trainEventSchema, trainRequestSchema } from './training.ts';

export const MAX_NAME = 120;
export const MAX_NOTE = 4000;
export const MAX_FAILURE = 4000;

export const RUN_OUTCOMES = ['running', 'done', 'cancelled', 'failed', 'interrupted'] as const;

/** A control character, or half a surrogate pair, is no name: a database cuts it or keeps another. */
const NO_ID = /[\p{Cc}\p{Cs}]/u;
export const runIdSchema = z
  .string()
  .min(1)
  .max(100)
  .refine((id) => !NO_ID.test(id), { params: { expected: 'a text without control characters' } });

export const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const eventSchema = <Name extends TrainEventOf['event']>(name: Name) => {
  const schema = trainEventSchema.options.find((option) => option.shape.event.value === name);
  if (schema === undefined) throw new Error(`there is no event ${name}`);
  return schema as Extract<(typeof trainEventSchema.options)[number], { shape: { event: { value: Name } } }>;
};

const LAST_EVENT = 'the last event of this name, or null';
const bytes = z.number().nullable();
const series = z.array(z.number());

/** JSON has null for a loss that is no longer a number. */
const lossSchema = z
  .number()
  .or(z.nan())
  .nullable()
  .transform((loss) => loss ?? Number.NaN);

/** Facts about a run that the history itself stores; a line of its list has the same. */
export const runHeadSchema = z.object({
  id: runIdSchema.describe(
    '1 to 100 characters, none of them a control character; a run whose id the history has is left as it is there',
  ),
  begunMs: whole.describe('milliseconds since 1970'),
  endedMs: whole.nullable().describe('the same, or null'),
  outcome: z
    .enum(RUN_OUTCOMES)
    .describe(
      `${RUN_OUTCOMES.map((outcome) => `\`${outcome}\``).join(', ')}; the last where the lab itself ended before the run did`,
    ),
  failure: z.string().max(MAX_FAILURE).nullable().describe('why it failed, in a sentence, or null'),
  name: z.string().max(MAX_NAME).describe("the user's own"),
  note: z.string().max(MAX_NOTE).describe("the user's own"),
});

const nothing = emptyContent();

/** Content that the events of a run build up, with the value of each field before the first event. */
export const runContentSchema = z.object({
  start: eventSchema('start')
    .nullable()
    .default(nothing.start)
    .describe("the run's `start` event with its prediction, or null"),
  measured: series
    .default(nothing.measured)
    .describe(
      'live bytes of every step, as many as were reached; the latest iteration over the previous ones',
    ),
  iteration: whole.default(nothing.iteration).describe('the latest iteration'),
  position: whole.default(nothing.position).describe('how many of its steps were measured'),
  worst: z
    .object({ step: whole, bytes: z.number() })
    .default(nothing.worst)
    .describe('`{"step","bytes"}`: where measured less predicted bytes was largest, over all iterations'),
  measuredPeakBytes: bytes.default(nothing.measuredPeakBytes).describe('number, or null'),
  deviceBytes: bytes
    .default(nothing.deviceBytes)
    .describe('the most that the device itself reported; null where it cannot tell'),
  iterationMs: series.default(nothing.iterationMs).describe('one value an iteration'),
  loss: z
    .array(lossSchema)
    .default(nothing.loss)
    .describe('one value an iteration; null where it is no number'),
  drift: series
    .default(nothing.drift)
    .describe(
      'with naive statistics only, one value an iteration: how far these are from the right ones, a share of 1',
    ),
  quartilesMs: z
    .tuple([z.number(), z.number()])
    .nullable()
    .default(nothing.quartilesMs)
    .describe('first and third quartile of the iterations after warm-up; null before the end'),
  overhead: eventSchema('overhead').nullable().default(nothing.overhead).describe(LAST_EVENT),
  costs: eventSchema('costs').nullable().default(nothing.costs).describe(LAST_EVENT),
  difference: eventSchema('difference').nullable().default(nothing.difference).describe(LAST_EVENT),
  probes: z.array(eventSchema('probe')).max(1000).default(nothing.probes).describe('all events of this name'),
  largest: eventSchema('largest').nullable().default(nothing.largest).describe(LAST_EVENT),
});

/** A whole run: by what its events told, a page draws it as it was. SPEC's table is written from this. */
export const recordedRunSchema = z
  .object({
    ...runHeadSchema.shape,
    request: trainRequestSchema.describe(
      'what was asked for: `model`, `batch`, `strategy`, `iterations`, ... (`app/contract/training.ts`); of `dataFolder` its last part only',
    ),
    ...runContentSchema.shape,
  })
  .superRefine((run, context) => {
    const fault = inconsistency(run);
    if (fault === null) return;
    const { path, expected } = fault;
    context.addIssue({ code: 'custom', path, message: `expected ${expected}`, params: { expected } });
  });

type Content = z.infer<typeof runContentSchema>;

export type RunOutcome = (typeof RUN_OUTCOMES)[number];
export type RecordedRun = z.infer<typeof recordedRunSchema>;

/** Content of a run so far, live or reopened. */
export type RunContent = { readonly [Field in keyof Content]: Readonly<Content[Field]> };

/** Series that do not belong together would draw something that never was. */
function inconsistency(run: Content): { readonly path: string[]; readonly expected: string } | null {
  const fault = (path: string[], expected: string) => ({ path, expected });
  const steps = run.start?.timeline.kinds.length ?? 0;
  if (run.measured.length > steps) return fault(['measured'], `at most ${steps} steps`);
  if (run.position > steps) return fault(['position'], `at most ${steps}`);
  if (run.worst.step > Math.max(0, steps - 1)) return fault(['worst', 'step'], `below ${steps}`);
  if (run.loss.length !== run.iterationMs.length) {
    return fault(['loss'], 'as many values as iterationMs');
  }
  if (run.drift.length > run.loss.length) return fault(['drift'], 'at most as many values as loss');
  if (run.start === null) return null;
  const { timeline, ids } = run.start;
  if (timeline.backwardStart > steps) return fault(['start', 'timeline'], 'backward to start before its end');
  if (timeline.kinds.some((kind) => kind < 0 || kind >= STEP_KINDS.length)) {
    return fault(['start', 'timeline', 'kinds'], 'kinds of steps');
  }
  if (timeline.vertices.some((vertex) => vertex < 0 || vertex >= ids.length)) {
    return fault(['start', 'timeline', 'vertices'], 'places in ids');
  }
  const lengths = [
    timeline.vertices,
    ...[
      timeline.live,
      timeline.checkpoints,
      timeline.recomputed,
      timeline.gradients,
      timeline.auxiliaries,
      ...(timeline.host === undefined ? [] : [timeline.host]),
    ].flatMap(({ fixed, perSample }) => [fixed, perSample]),
  ].map((values) => values.length);
  if (lengths.some((length) => length !== steps)) {
    return fault(['start', 'timeline'], `${steps} values in every series`);
  }
  return null;
}
