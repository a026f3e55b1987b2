import { z } from 'zod';
import { BARS } from '../../engine/explain/explanation.ts';
import { EVIDENCE, MAX_PARTS, PHASES, SNAPSHOT_TOO_LARGE } from '../../engine/explain/measured.ts';
import { liveTensorsRequestSchema } from './live-tensors.ts';
import { MAX_IMPORT_BYTES, MAX_SNAPSHOT_BYTES } from '../../engine/exchange/read-limits.ts';
import { MEMORY_OPTIONS } from './option-schemas.ts';

/** Half of what a page sends is names that repeat: packed, a snapshot is a tenth. */
export const readMeasuredRequestSchema = z.object({
  name: z.string().max(400),
  bytes: z
    .instanceof(Blob)
    .refine(({ size }) => size <= MAX_IMPORT_BYTES, SNAPSHOT_TOO_LARGE)
    .transform(async (blob, context) => {
      const bytes = await unpacked(blob);
      if (bytes !== null) return bytes;
      context.addIssue({ code: 'custom', message: SNAPSHOT_TOO_LARGE });
      return z.NEVER;
    }),
});

/** As it is, or gunzipped; null where it grows beyond what is read, and nothing where it is damaged. */
async function unpacked(blob: Blob): Promise<Uint8Array | null> {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return new Uint8Array(await blob.arrayBuffer());
  const reader = blob.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      parts.push(step.value);
      size += step.value.length;
      if (size <= MAX_SNAPSHOT_BYTES) continue;
      await reader.cancel();
      return null;
    }
  } catch {
    // The reader says that a file is incomplete.
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const bytes = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
const count = z.number().int().nonnegative();
const phase = z.enum(PHASES);
const parts = z.array(z.number()).max(MAX_PARTS).readonly();

const deviceSchema = z.object({
  device: count,
  events: count,
  steps: count,
  step: z.object({
    number: count,
    startBytes: bytes,
    phases: z
      .array(z.object({ phase, events: count, allocated: parts, reserved: parts }))
      .max(8)
      .readonly(),
    peak: z.object({
      phase,
      at: z.number().min(0).max(1),
      requestedBytes: bytes,
      workspaceBytes: bytes.nullable(),
      allocatedBytes: bytes,
      reservedBytes: bytes,
    }),
  }),
  evidence: z.enum(EVIDENCE).nullable(),
  lostBeginning: z.string().max(1000).nullable(),
  outOfMemory: z
    .array(
      z.object({
        step: count.nullable(),
        phase,
        requestedBytes: bytes,
        freeBytes: bytes,
        allocatedBytes: bytes,
        reservedBytes: bytes,
      }),
    )
    .max(16)
    .readonly(),
  unusual: z.string().max(1000).nullable(),
});

/** Measurement in a file (`Measured` of the engine). */
export const measuredSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('snapshot'), devices: z.array(deviceSchema).min(1).max(256).readonly() }),
  z.object({
    kind: z.literal('measure'),
    device: z.enum(['cpu', 'cuda']),
    peakBytes: bytes,
    parameters: bytes.nullable(),
    batch: bytes.nullable(),
  }),
]);

/** A plan as `liveTensors` is asked for it, how it is trained, and what is laid over it. */
export const explainRequestSchema = liveTensorsRequestSchema.extend({
  ...MEMORY_OPTIONS,
  measured: measuredSchema,
  /** Device number in a snapshot; the first device that recorded a step when absent. */
  cuda: count.optional(),
});

const curve = z.array(z.number()).readonly();
const peak = z.object({ bytes: z.number(), phase });

/** A prediction and what was measured, phase by phase and bar by bar (`Explanation` of the engine). */
export const explainedSchema = z.object({
  phases: z
    .array(
      z.object({
        phase,
        predictedBytes: z.number().nullable(),
        measuredBytes: z.number().nullable(),
        predicted: curve,
        allocated: curve,
        reserved: curve,
      }),
    )
    .readonly(),
  bars: z
    .array(
      z.object({
        name: z.enum(BARS),
        bytes: z.number(),
        from: z.number(),
        by: z.enum(['theory', 'predicted', 'measured', 'left']),
      }),
    )
    .readonly(),
  measuredBytes: z.number(),
  peaks: z.object({ predicted: peak, measured: peak }),
  notes: z.array(z.string()).readonly(),
});

export type ExplainRequest = z.infer<typeof explainRequestSchema>;
export type ExplainRequestInput = z.input<typeof explainRequestSchema>;

const PICKLE = 0x80;

/** True when the first bytes of a file are those of a measurement. `name` decides when they do not. */
export function looksMeasured(start: Uint8Array, name: string): boolean {
  const [first, second = 0] = start;
  if (first === PICKLE) return second >= 2 && second <= 5;
  const text = new TextDecoder().decode(start);
  if (/^\uFEFF?\s*\{/.test(text) && /"(peakBytes|rawPeakBytes)"\s*:/.test(text))
    return !/"format"\s*:\s*"zigzag-/.test(text);
  return /\.(pickle|pkl)(\.gz)?$/i.test(name);
}
