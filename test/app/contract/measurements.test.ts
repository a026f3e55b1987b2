import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isMeasurementsFile, readMeasurements } from '../../../app/contract/measurements.ts';
import { BadInputError } from '../../../engine/errors.ts';

/** Kept output of the file of `zigzag export --to reproduce` on this machine. */
const kept = new URL('../../bench/results/cpu-xeon-two-threads-measurements.json', import.meta.url);
const text = readFileSync(kept, 'utf8');

type Row = Record<string, unknown>;

function refusal(change: (file: Row, row: Row) => void): string {
  const file = JSON.parse(text) as Row & { rows: Row[] };
  change(file, file.rows[3] as Row);
  try {
    readMeasurements(JSON.stringify(file));
  } catch (error) {
    expect(error).toBeInstanceOf(BadInputError);
    return (error as Error).message;
  }
  throw new Error('it was read');
}

describe('zigzag-measurements/1', () => {
  it('is read back unchanged, and recognized by its start', () => {
    const file = readMeasurements(text);
    expect(file.rows.map(({ network }) => network)).toContain('densenet121');
    expect(file.device).toMatch(/^cpu /);
    expect(isMeasurementsFile(text.slice(0, 200))).toBe(true);
    expect(isMeasurementsFile('{"format":"zigzag-experiment","version":1}')).toBe(false);
  });

  it('is refused in one sentence that says where it is wrong', () => {
    expect(() => readMeasurements('{"rows": [')).toThrow(
      'the measurements are not valid JSON; write it with the file of "zigzag export --to reproduce"',
    );
    expect(() => readMeasurements('[]')).toThrow(/^the file is not zigzag-measurements\/1; write it/);
    expect(() => readMeasurements('null')).toThrow(/^the file is not zigzag-measurements\/1; write it/);
    expect(refusal((file) => (file['version'] = 2))).toMatch(
      /^this lab reads zigzag-measurements\/1, and the file is zigzag-measurements\/2; /,
    );
    expect(refusal((_, row) => (row['network'] = 'unet'))).toMatch(
      /^the measurements: rows\[3\]\.network: expected one of alexnet, .*, got "unet"$/,
    );
    expect(refusal((_, row) => (row['peakBytes'] = -4))).toMatch(
      /rows\[3\]\.peakBytes: expected .*, got -4$/,
    );
    expect(refusal((_, row) => (row['startBytes'] = 1e15))).toMatch(
      /rows\[3\]\.peakBytes: expected at least startBytes, 1000000000000000, got \d+$/,
    );
    expect(refusal((_, row) => (row['stepMs'] = null))).toMatch(/rows\[3\]\.stepMs: expected times/);
    expect(refusal((_, row) => (row['batch'] = 0))).toMatch(/rows\[3\]\.batch: expected a whole number/);
    expect(refusal((_, row) => (row['checkpointing'] = null))).toMatch(
      /rows\[3\]\.checkpointing: expected null for regular/,
    );
    expect(refusal((file) => (file['rows'] = {}))).toMatch(/rows: expected a list/);
  });

  it('keeps a batch that did not fit as a row without figures', () => {
    const file = JSON.parse(text) as Row & { rows: Row[] };
    const none = { peakBytes: null, startBytes: null, stepMs: null, gradientDifference: null };
    file.rows[0] = { ...file.rows[0], ...none, outcome: 'out-of-memory', message: 'CUDA out of memory.' };
    expect(readMeasurements(JSON.stringify(file)).rows[0]).toMatchObject({ outcome: 'out-of-memory' });
  });
});
