import { z } from 'zod';

const count = z.number().int();

const claimSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('least-paper-cost'), equation: z.union([z.literal(1), z.literal(2)]) }),
  z.object({ kind: z.literal('given'), strategy: z.string(), model: z.string() }),
  z.object({ kind: z.literal('equal-segments'), segments: count, stages: count, all: z.boolean() }),
  z.object({ kind: z.literal('random-sets'), valid: count, trials: count, draws: count }),
  z.object({ kind: z.literal('asked-segments'), segments: count, stages: count }),
  z.object({ kind: z.literal('stages-in-slots'), stages: count, slots: count }),
  z.object({ kind: z.literal('stages-and-tapes-in-slots'), stages: count, slots: count, tape: count }),
  z.object({ kind: z.literal('chain-within-budget'), budgetBytes: z.number(), unitBytes: z.number() }),
  z.object({
    kind: z.enum([
      'chain-least-memory',
      'exact-peak',
      'exact-recompute',
      'peak-at-bound',
      'no-recompute',
      'best-found',
    ]),
  }),
  z.object({ kind: z.literal('annealed-from-lower-sets'), lowerSets: count }),
  z.object({ kind: z.literal('annealed-from-cuts'), orders: count }),
  z.object({ kind: z.literal('recompute-found'), nested: z.boolean() }),
  z.object({
    kind: z.literal('milp-peak'),
    sweeps: count,
    peakProved: z.boolean(),
    recomputeProved: z.boolean(),
  }),
  z.object({
    kind: z.literal('milp-within-budget'),
    sweeps: count,
    budgetBytes: z.number(),
    proved: z.boolean(),
  }),
]);

/**
 * Claim of a row's result (engine/strategies/strategy/claim.ts); the compiler holds the two to each other where rows
 * are made and read.
 */
export const rowClaimSchema = z.discriminatedUnion('kind', [
  claimSchema,
  z.object({ kind: z.literal('saves-nothing'), besides: claimSchema.nullable() }),
  z.object({ kind: z.literal('above-regular'), besides: claimSchema.nullable() }),
]);
