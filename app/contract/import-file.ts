import { z } from 'zod';
import { TOO_LARGE } from './opened-file.ts';
import { MAX_IMPORT_BYTES } from '../../engine/exchange/read-limits.ts';

/** A blob on the way, because both carriers carry its bytes as they are; typed arrays would arrive as plain objects. */
export const importRequestSchema = z.object({
  name: z.string().max(400),
  bytes: z
    .instanceof(Blob)
    .refine(({ size }) => size <= MAX_IMPORT_BYTES, TOO_LARGE)
    .transform(async (blob) => new Uint8Array(await blob.arrayBuffer())),
});

/** Summary of an imported file, for people to check. */
export const importSummarySchema = z.object({
  format: z.enum(['zigzag-graph', 'onnx', 'keras', 'hugging-face']),
  vertices: z.number().int(),
  edges: z.number().int(),
  /** Operations that the capture supports; null for other files. */
  coverage: z.object({ share: z.number(), opaque: z.array(z.string()) }).nullable(),
  /** Samples that the file itself holds. */
  samples: z.number().int(),
  /** Caveats for the reader of the figures, in sentences. */
  notices: z.array(z.string()),
  /** Operations of the file that became part of another vertex or a constant. */
  folded: z.number().int(),
  /** Kinds of operations taken by their bytes alone. */
  opaque: z.array(z.string()),
  parameters: z.number(),
  /** Bytes that a regular step saves for backward. */
  keptBytes: z.number(),
  largestTensors: z.array(z.object({ id: z.string(), bytes: z.number(), shape: z.array(z.number()) })),
});

export const importedNetworkSchema = z.object({
  kind: z.literal('network'),
  /** Name of the network in an experiment, for as long as this lab runs: `file:` and the content's hash. */
  model: z.string(),
  title: z.string(),
  /** Vertices of the papers' computation graph. */
  tensorVertices: z.number().int(),
  /** Side of the input image, or tokens where a sequence of any length is read; 0 of other inputs. */
  input: z.number(),
  inputUnit: z.literal('tokens').optional(),
  linear: z.boolean(),
  summary: importSummarySchema,
});

/** A plan that was opened: what the file says of it. */
export const importedPlanSchema = z.object({
  kind: z.literal('plan'),
  /** Name of the plan in an experiment, for as long as this lab runs: `plan:` and the content's hash. */
  plan: z.string(),
  /** Version of the format. */
  version: z.number().int(),
  title: z.string(),
  /** The network and the strategy that it was made for and by; empty where the file does not say. */
  model: z.string(),
  strategy: z.string(),
  steps: z.number().int(),
  checkpoints: z.number().int(),
});

export const importedSchema = z.discriminatedUnion('kind', [importedNetworkSchema, importedPlanSchema]);

/** The name by which an experiment knows what was opened. */
export const nameOfImported = (imported: Imported): string =>
  imported.kind === 'plan' ? imported.plan : imported.model;

export type ImportedPlan = z.infer<typeof importedPlanSchema>;
export type Imported = z.infer<typeof importedSchema>;
export type ImportedNetwork = z.infer<typeof importedNetworkSchema>;
