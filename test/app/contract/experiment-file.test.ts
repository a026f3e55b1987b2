import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { experimentSchema } from '../../../app/contract/experiment.ts';
import {
  isExperimentFile,
  readExperimentFile,
  writeExperimentFile,
} from '../../../app/contract/experiment-file.ts';
import { BadInputError } from '../../../engine/errors.ts';

const experiment = experimentSchema.parse({
  model: 'resnet50',
  batch: 64,
  strategies: ['regular', 'live'],
  dtype: 'float16',
  also: [{ model: 'vgg16', batch: 32 }],
});
const text = writeExperimentFile({ screen: 'graph', selected: 'live', view: { panel: 'yours' }, experiment });

describe('zigzag-experiment/1', () => {
  it('gives back its view, and differs from a network by its start', () => {
    expect(readExperimentFile(text)).toMatchObject({
      screen: 'graph',
      selected: 'live',
      view: { panel: 'yours' },
      experiment,
    });
    expect(isExperimentFile(text.slice(0, 200))).toBe(true);
    expect(isExperimentFile('{"format":"zigzag-graph","version":1}')).toBe(false);
  });

  it('fills in missing fields', () => {
    const short = JSON.stringify({
      format: 'zigzag-experiment',
      version: 1,
      experiment: { model: 'vgg16', batch: 1, strategies: ['regular'] },
    });
    expect(readExperimentFile(short)).toMatchObject({ screen: 'compare', selected: null, view: {} });
  });

  it('refuses an invalid file in one sentence that names the place', () => {
    const broken = (part: object): string => JSON.stringify({ ...JSON.parse(text), ...part });
    const refused: [string, RegExp][] = [
      [text.slice(0, 80), /not valid JSON/],
      [broken({ version: 2 }), /reads zigzag-experiment\/1, and the file is zigzag-experiment\/2/],
      [
        broken({ experiment: { ...experiment, batch: 0 } }),
        /experiment\.batch: expected a whole number from 1/,
      ],
      [broken({ experiment: { ...experiment, strategies: [] } }), /experiment\.strategies/],
      [broken({ experiment: { ...experiment, also: [{ model: '' }] } }), /also\[0\]\.model/],
    ];
    for (const [given, reason] of refused) expect(() => readExperimentFile(given)).toThrow(reason);
    fc.assert(
      fc.property(fc.json(), (given) => {
        expect(() => readExperimentFile(given)).toThrow(BadInputError);
      }),
    );
  });
});
