import { describe, expect, it } from 'vitest';
import { experimentSchema } from '../../../app/contract/experiment.ts';
import { importRequestSchema } from '../../../app/contract/import-file.ts';
import { TOO_LARGE } from '../../../app/contract/opened-file.ts';
import { inputFault } from '../../../app/contract/input-fault.ts';
import { trainRequestSchema } from '../../../app/contract/training.ts';
import { MAX_IMPORT_BYTES } from '../../../engine/exchange/read-limits.ts';

const experiment = { model: 'resnet50', batch: 8, strategies: ['regular'] };

function faultOf(input: unknown, schema = experimentSchema as unknown as typeof trainRequestSchema) {
  const result = schema.safeParse(input);
  if (result.success) throw new Error('the input was accepted');
  return inputFault(schema, result.error.issues, input);
}

describe('inputFault', () => {
  it.each([
    [0, '0'],
    [-1, '-1'],
    [1.5, '1.5'],
    [1e9, '1000000000'],
    ['8', '"8"'],
    [Number.NaN, 'NaN'],
    [undefined, 'nothing'],
    [null, 'null'],
  ])('says which values a batch of %s may have', (batch, shown) => {
    expect(faultOf({ ...experiment, batch })).toEqual({
      path: 'batch',
      message: `batch: expected a whole number from 1 to 65536, got ${shown}`,
    });
  });

  it.each([
    [{ input: 0 }, 'input: expected a whole number from 1 to 131072, got 0'],
    [{ dropout: 1 }, 'dropout: expected a number from 0 to 0.95, got 1'],
    [{ profile: 'jax' }, 'profile: expected one of pytorch, pytorch-1.5, tfjs, got "jax"'],
    [{ budgetBytes: 0 }, 'budgetBytes: expected a number above 0, got 0'],
    [{ strategies: [] }, 'strategies: expected a list of 1 to 32, got a list of 0'],
    [{ strategies: ['regular', 7] }, 'strategies[1]: expected a text of 1 to 40 characters, got 7'],
    [{ model: {} }, 'model: expected a text of 1 to 120 characters, got an object'],
  ])('names the place and the limits of %j', (change, message) => {
    expect(faultOf({ ...experiment, ...change }).message).toBe(message);
  });

  it('shortens a long value', () => {
    const { message } = faultOf({ ...experiment, model: 'x'.repeat(5000) });
    expect(message.length).toBeLessThan(120);
  });

  it('names the request if it is not an object', () => {
    expect(faultOf(null)).toEqual({ path: '', message: 'the request: expected an object, got null' });
  });

  it('reads limits above an exclusive bound', () => {
    const request = { model: 'vgg11', batch: 1, strategy: 'regular', iterations: 1, learningRate: 11 };
    expect(faultOf(request, trainRequestSchema).message).toBe(
      'learningRate: expected a number above 0, at most 10, got 11',
    );
  });

  it('passes on the sentence of a schema’s own check', async () => {
    const bytes = Object.defineProperty(new Blob(), 'size', { value: MAX_IMPORT_BYTES + 1 });
    const refused = await importRequestSchema.safeParseAsync({ name: 'x', bytes });
    const issues = refused.error?.issues ?? [];
    expect(inputFault(importRequestSchema, issues, { bytes })).toEqual({ path: 'bytes', message: TOO_LARGE });
  });
});
