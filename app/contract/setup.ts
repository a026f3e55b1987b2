import { z } from 'zod';

/** For processors, or for NVIDIA GPUs. */
export const TENSORFLOW_KINDS = ['cpu', 'cuda'] as const;

const bytes = z.number().int().nonnegative();

/** What adding TensorFlow takes: of what is pinned by its hash, the size is a fact. */
export const tensorflowSizesSchema = z.object({ downloadBytes: bytes, diskBytes: bytes });

/** Whether TensorFlow is on the lab's machine, and what can be added there. */
export const tensorflowSchema = z.object({
  /** What a run would find: what was added, or a package's own library; null for nothing. */
  here: z.enum([...TENSORFLOW_KINDS, 'package']).nullable(),
  /** Whether NVIDIA's driver is loaded there and has a GPU. */
  hasNvidiaGpu: z.boolean(),
  /** What can be added beside or in place of it; null for nothing. */
  add: tensorflowSizesSchema
    .extend({
      kind: z.enum(TENSORFLOW_KINDS),
      /** Where it is put. */
      folder: z.string(),
    })
    .nullable(),
  /** Where something is missing and cannot be added from here: what to do instead, in a sentence. */
  instead: z.string().nullable(),
});

export const addTensorflowSchema = z.object({ kind: z.enum(TENSORFLOW_KINDS) });

/** In order: the addon's sources and the library are fetched, the library unpacked, the addon compiled and tried. */
export const ADDING_STEPS = ['sources', 'library', 'unpacking', 'compiling', 'trying'] as const;

/** How far the adding is; without `of` nobody can tell. */
export const addingSchema = z.object({
  step: z.enum(ADDING_STEPS),
  bytes,
  of: bytes.nullable(),
});

export type TensorflowKind = (typeof TENSORFLOW_KINDS)[number];
export type Tensorflow = z.infer<typeof tensorflowSchema>;
export type Adding = z.infer<typeof addingSchema>;
