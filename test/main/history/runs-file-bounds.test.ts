import { describe, expect, it } from 'vitest';
import { MAX_RUN_BYTES } from '../../../app/contract/history.ts';
import type { RecordedRun } from '../../../app/contract/recorded-run.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { runsInFile, writeRunsFile } from '../../../main/history/runs-file.ts';
import { requestOf } from './events.ts';
import { bytesOf, recordOf } from './pass.ts';
import { MAX_RUNS_FILE_BYTES } from '../../../engine/exchange/read-limits.ts';

const HEAD = '{"format":"zigzag-runs","version":1,"runs":[';
const NOT_JSON = 'the file is not JSON of saved runs; choose a history that was saved from this screen';
const MIB = 1024 * 1024;

/** The sentence of a refusal; the runs that came before it are counted. */
function refusal(read: () => Iterable<unknown>): { readonly before: number; readonly message: string } {
  let before = 0;
  try {
    for (const _ of read()) before++;
  } catch (error) {
    expect(error).toBeInstanceOf(BadInputError);
    return { before, message: (error as Error).message };
  }
  return { before, message: '' };
}
const refusalOf = (text: string) => refusal(() => runsInFile(bytesOf(text)));

/** A run whose text in a file has so many characters; what is beyond its schema is its own affair. */
function sized(characters: number): RecordedRun {
  const { dataFolder: _, ...request } = requestOf();
  const run = { ...recordOf('sized'), request, note: '' };
  const missing = characters - JSON.stringify(run).length;
  return { ...run, note: 'x'.repeat(missing) };
}

describe('a file of runs that is written', () => {
  it('has each run on a line, and of a folder of data its name', () => {
    const runs = [recordOf('a'), { ...recordOf('b'), request: requestOf() }];
    const lines = writeRunsFile(runs).split('\n');
    expect(lines).toHaveLength(5);
    expect([lines[0], lines[3], lines[4]]).toEqual([HEAD, ']}', '']);
    expect(lines[1]?.endsWith('},')).toBe(true);
    const told = (line = '') => JSON.parse(line.replace(/,$/, '')).request;
    expect(told(lines[1])).toMatchObject({ dataFolder: 'cifar-10' });
    expect('dataFolder' in told(lines[2])).toBe(false);
    expect(writeRunsFile([])).toBe(`${HEAD}\n\n]}\n`);
  });

  it('takes a run of just the size that is read again, and none that is larger', () => {
    const text = writeRunsFile([sized(MAX_RUN_BYTES)]);
    expect(text.length).toBe(HEAD.length + 1 + MAX_RUN_BYTES + 4);
    expect(() => writeRunsFile([sized(MAX_RUN_BYTES + 1)])).toThrow(
      'run sized needs more than the 16 MiB that a run may have in a file; leave it out',
    );
  });

  it('takes as much as is read again, the commas counted, and no run more', () => {
    const most = MAX_RUNS_FILE_BYTES - 1000;
    const quarter = sized(most / 4 - 2);
    expect(writeRunsFile(new Array(4).fill(quarter)).length).toBeLessThan(MAX_RUNS_FILE_BYTES);
    const tooLarge = () => writeRunsFile([...new Array(3).fill(quarter), sized(most / 4 - 1)]);
    expect(tooLarge).toThrow(BadInputError);
    expect(tooLarge).toThrow(
      'these runs need more than the 64 MiB that one file may have; save fewer at a time',
    );
  });
});

describe('a file of runs that is read', () => {
  it('gives a run before it looks at the next', () => {
    const text = writeRunsFile([recordOf('a'), recordOf('b')]);
    const reading = runsInFile(bytesOf(text.replace('"id":"b"', '"id":7')));
    expect(reading.next().value?.id).toBe('a');
    expect(() => reading.next()).toThrow('runs[1].id: expected a text of 1 to 100 characters, got 7');
  });

  it.each([
    ['a text', 'nothing', NOT_JSON],
    ['nothing', '', NOT_JSON],
    ['cut short', '{"format":"zigzag-runs"', NOT_JSON],
    [
      'another format',
      '{"format":"zigzag-graph"}',
      /^the file holds no runs: its format is not "zigzag-runs"; choose a saved history$/,
    ],
    ['a list', '[]', /^the file holds no runs/],
    ['null', 'null', /^the file holds no runs/],
    ['a number', '7', /^the file holds no runs/],
    [
      'a later version',
      `${HEAD}]}`.replace('1', '2'),
      'the file is zigzag-runs/2, and this lab reads zigzag-runs/1; update Zigzag',
    ],
    ['no version', '{"format":"zigzag-runs"}', /^the file is zigzag-runs\/undefined, /],
    [
      'no list',
      '{"format":"zigzag-runs","version":1,"runs":{}}',
      'runs: expected a list of 0 to 1000, got an object',
    ],
    ['no runs', '{"format":"zigzag-runs","version":1}', 'runs: expected a list of 0 to 1000, got nothing'],
    ['a run that is none', `${HEAD}7]}`, 'runs[0]: expected an object, got 7'],
    ['a run that is cut short', `${HEAD}{"id":]}`, NOT_JSON],
    ['a run of nothing', `${HEAD}1x]}`, NOT_JSON],
  ])('is refused in one sentence: %s', (_what, text, sentence) => {
    expect(refusalOf(text).message).toMatch(sentence);
  });

  it('is refused where its bytes are no text, wherever they are', () => {
    const text = writeRunsFile([recordOf('a')]);
    for (const place of ['"format"', '"id"']) {
      const bytes = bytesOf(text);
      bytes[text.indexOf(place) + 2] = 0xff;
      expect(refusal(() => runsInFile(bytes))).toEqual({ before: 0, message: NOT_JSON });
    }
  });

  it('holds as many runs as a history keeps, and is refused with one more before any is read', () => {
    const of = (count: number) => refusalOf(`${HEAD}${new Array(count).fill(0).join()}]}`).message;
    expect(of(1000)).toBe('runs[0]: expected an object, got 0');
    expect(of(1001)).toBe('the file holds 1001 runs, and the history keeps 1000');
  });

  it('takes a run of just the size that is written, and says of a larger one how large it is', () => {
    const large = 'x'.repeat(MAX_RUN_BYTES - 2);
    expect(refusalOf(`${HEAD}7,"${large}"]}`).message).toBe('runs[0]: expected an object, got 7');
    expect(refusalOf(`${HEAD}"${large}"]}`).message).toMatch(/^runs\[0\]: expected an object, got "xxx/);
    const first = JSON.stringify(recordOf('a'));
    expect(refusalOf(`${HEAD}${first},"${large}x"]}`)).toEqual({
      before: 1,
      message: 'runs[1] has 17 MiB, and the history takes at most 16 MiB a run; leave it out',
    });
  });

  it('may have more than its runs, a little', () => {
    const rest = (length: number) =>
      `{"format":"zigzag-runs","version":1,"runs":[],"more":"${'x'.repeat(length)}"}`;
    const most = 4 * MIB - rest(0).length;
    expect(refusalOf(rest(most))).toEqual({ before: 0, message: '' });
    expect(refusalOf(rest(most + 1)).message).toBe(NOT_JSON);
  });
});
