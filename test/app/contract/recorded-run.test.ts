import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordedRunSchema, runContentSchema } from '../../../app/contract/recorded-run.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';

const SPEC = join(import.meta.dirname, '../../../SPEC.md');
const TABLE = /(?<=A run is\n\n)(\|.*\n)+/;

describe('the record of a run', () => {
  it('is what SPEC says of it (`npx vitest run test/app/contract/recorded-run.test.ts -u` writes its table)', async () => {
    const rows = Object.entries(recordedRunSchema.shape).map(
      ([name, { description }]) => `| \`${name}\` | ${description} |\n`,
    );
    const spec = readFileSync(SPEC, 'utf8');
    expect(spec).toMatch(TABLE);
    const table = ['| field | what |\n', '| --- | --- |\n', ...rows].join('');
    await expect(spec.replace(TABLE, () => table)).toMatchFileSnapshot(SPEC);
  });

  it('describes every field of its own', () => {
    for (const [name, { description }] of Object.entries(recordedRunSchema.shape)) {
      expect(description, name).toBeDefined();
    }
  });

  it('starts empty, with separate series for every run', () => {
    expect(emptyContent()).toMatchObject({
      start: null,
      measured: [],
      worst: { step: 0, bytes: 0 },
      loss: [],
    });
    expect(emptyContent()).toEqual(emptyContent());
    for (const [name, value] of Object.entries(emptyContent())) {
      if (Array.isArray(value)) expect(value, name).not.toBe(runContentSchema.parse({})[name as 'loss']);
    }
  });
});
