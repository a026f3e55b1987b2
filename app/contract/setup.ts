import { z } from 'zod';

/** For processors, or for NVIDIA GPUs. */
export const TENSORFLOW_KINDS = ['cpu', 'cuda'] as const;

const bytes = z.number().int().nonnegative();

/** Sizes of adding TensorFlow. They are exact, because the files are pinned by hash. */
export const tensorflowSizesSchema = z.object({ downloadBytes: bytes, diskBytes: bytes });

/** State of TensorFlow on the lab's machine, and the part that can be added. */
export const tensorflowSchema = z.object({
  /** Library that a run would load: the added part, or a package's own; null for none. */
  here: z.enum([...TENSORFLOW_KINDS, 'package']).nullable(),
  /** True when NVIDIA's driver is loaded and has a GPU. */
  hasNvidiaGpu: z.boolean(),
  /** Part that can be added beside it or in its place; null for none. */
  add: tensorflowSizesSchema
    .extend({
      kind: z.enum(TENSORFLOW_KINDS),
      /** Folder that holds it. */
      folder: z.string(),
    })
    .nullable(),
  /** Advice when something is missing and cannot be added from here, in one sentence. */
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
