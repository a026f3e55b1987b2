import { z } from 'zod';
import { readVersioned } from './versioned-file.ts';

const FORMAT = 'zigzag-selftest';
const VERSION = 2;
const AGAIN = 'write it with "python -m zigzag_lab.selftest" or "python zigzag_torch.py selftest"';

const text = z.string().max(300);
const bytes = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const seconds = z.number().positive().max(1e6);

const waySchema = z.object({
  way: text.min(1),
  peakBytes: bytes.nullable(),
  seconds: seconds.nullable(),
  /** First step of a compiled model. */
  compileSeconds: seconds.nullable(),
  /** Why there are no figures; null where there are. */
  failed: text.nullable(),
});

/** zigzag-selftest/2 (SPEC, file formats): plans of the Python package beside other ways, measured on a device. */
const selfTestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  passed: z.boolean(),
  torch: text,
  date: text,
  device: text,
  budget: text,
  cases: z
    .array(
      z.object({
        name: text.min(1),
        same: z.boolean(),
        savedOverPromised: z.number().min(-1e6).max(1e6),
        /** Plain training first. */
        ways: z.array(waySchema).min(2).max(40),
      }),
    )
    .min(1)
    .max(100),
});

export type SelfTest = z.infer<typeof selfTestSchema>;

/** @throws BadInputError in one sentence, with the place of the fault */
export function readSelfTest(json: string): SelfTest {
  return readVersioned(json, selfTestSchema, {
    format: FORMAT,
    version: VERSION,
    what: 'results of the self-test',
    again: AGAIN,
  });
}
