import { z } from 'zod';

/** Request that the program received from its menu, the system, or a second start. */
export const toldSchema = z.discriminatedUnion('kind', [
  /** An entry of the palette. */
  z.object({ kind: z.literal('action'), id: z.string() }).readonly(),
  /** A file was opened with the lab. */
  z.object({ kind: z.literal('file'), name: z.string(), bytes: z.instanceof(Uint8Array) }).readonly(),
  /** A file could not be read: why, in a sentence. */
  z.object({ kind: z.literal('refused'), name: z.string(), reason: z.string() }).readonly(),
  /** Runs are kept in another folder from now on. */
  z.object({ kind: z.literal('moved') }).readonly(),
  /** A link to a view was followed: what is behind its `#`. */
  z.object({ kind: z.literal('link'), hash: z.string().startsWith('#') }).readonly(),
]);

export type Told = z.infer<typeof toldSchema>;
