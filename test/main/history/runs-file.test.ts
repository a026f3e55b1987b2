import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RUN_BYTES } from '../../../app/contract/history.ts';
import type { RecordedRun } from '../../../app/contract/recorded-run.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { MAX_RUNS_FILE_BYTES } from '../../../engine/exchange/read-limits.ts';
import type { RecordingHistory } from './pass.ts';
import { runsInFile, writeRunsFile } from '../../../main/history/runs-file.ts';
import { requestOf } from './events.ts';
import { keptRun, keptFolder } from './kept-run.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import { bytesOf, recordOf } from './pass.ts';

/** File of the program before the record had one schema. */
const KEPT = keptRun();

const fileOf = (...ids: string[]): string => writeRunsFile(ids.map(recordOf));

/** The sentence of a refusal; anything but BadInputError fails the test. */
function refusal(history: RecordingHistory, text: string): string {
  try {
    history.importRuns(bytesOf(text));
  } catch (error) {
    if (error instanceof BadInputError) return error.message;
    throw error;
  }
  return '';
}

describe('runs as a file', () => {
  it('survive a round trip, except for the path of a folder', () => {
    const [run] = runsInFile(bytesOf(fileOf('one')));
    expect(run).toEqual({ ...recordOf('one'), request: requestOf({ dataFolder: 'cifar-10' }) });
    expect(JSON.parse(fileOf('one'))).toMatchObject({ format: 'zigzag-runs', version: 1 });
    expect([...runsInFile(bytesOf(fileOf()))]).toEqual([]);
  });

  it('are also read in the form before the record had one schema', () => {
    const [run] = runsInFile(bytesOf(JSON.stringify(KEPT.file)));
    expect(run?.loss).toEqual([2, Number.NaN]);
    expect(JSON.parse(writeRunsFile([run!]))).toEqual(KEPT.file);
    const history = historyIn(keptFolder());
    expect(history.open('kept')).toEqual(run);
    expect(JSON.parse(history.exportRuns(['kept']).text)).toEqual(KEPT.file);
    expect(history.list().runs).toMatchObject([{ number: 1, done: 2, medianMs: 10.5, overhead: 0.35 }]);
  });

  it.each([
    ['more measured steps than predicted', (run: RecordedRun) => run.measured.push(1), 'measured'],
    ['losses without times', (run: RecordedRun) => run.loss.push(1), 'loss'],
    ['a series that is too short', (run: RecordedRun) => run.start?.timeline.live.fixed.pop(), 'timeline'],
    ['a vertex that is not there', (run: RecordedRun) => run.start?.timeline.vertices.fill(99), 'vertices'],
    [
      'a host series that is too short',
      (run: RecordedRun) =>
        run.start !== null && Object.assign(run.start.timeline, { host: { fixed: [0], perSample: [0] } }),
      'timeline',
    ],
    ['an unknown kind of step', (run: RecordedRun) => run.start?.timeline.kinds.fill(200), 'kinds'],
    ['a position beyond the end', (run: RecordedRun) => Object.assign(run, { position: 999 }), 'position'],
  ])('are refused with their place when they hold %s', (_what, spoil, place) => {
    const run = structuredClone(recordOf('a'));
    spoil(run);
    const history = historyIn(freshFolder());
    expect(refusal(history, writeRunsFile([recordOf('b'), run]))).toContain(place);
    expect(history.list().runs).toEqual([]);
  });

  it('are refused in a sentence with expected and found values', () => {
    const history = historyIn(freshFolder());
    const refusalOf = (part: object) => refusal(history, JSON.stringify({ ...KEPT.file, runs: [part] }));
    const [run] = KEPT.file.runs;
    expect(refusalOf({ ...run, measured: new Array(7).fill(1) })).toBe(
      'runs[0].measured: expected at most 6 steps, got a list of 7',
    );
    expect(refusalOf({ ...run, loss: ['x', 1] })).toMatch(
      /^runs\[0\]\.loss\[0\]: expected a number .*, got "x"$/,
    );
    expect(refusalOf({ ...run, id: undefined })).toBe(
      'runs[0].id: expected a text of 1 to 100 characters, got nothing',
    );
  });

  it('may leave out initial values', () => {
    const history = historyIn(freshFolder());
    const { id, begunMs, endedMs, outcome, failure, name, note, request } = recordOf('short');
    const short = { id, begunMs, endedMs, outcome, failure, name, note, request };
    history.importRuns(bytesOf(JSON.stringify({ ...KEPT.file, runs: [short] })));
    expect(history.open('short')).toEqual({ ...short, ...emptyContent() });
  });

  it('turn any damage into a refusal or whole runs, never half', () => {
    const history = historyIn(freshFolder());
    const text = fileOf('a', 'b');
    const values = fc.oneof(fc.anything(), fc.jsonValue(), fc.constantFrom(-1, 1e300, '', null, [], {}));
    const paths: (string | number)[][] = [];
    const walk = (value: unknown, path: (string | number)[]): void => {
      paths.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value).slice(0, 40)) walk(inner, [...path, key]);
    };
    walk(JSON.parse(text), []);
    fc.assert(
      fc.property(fc.constantFrom(...paths), values, (path, value) => {
        const raw = { file: JSON.parse(text) };
        let at: Record<string, unknown> = raw;
        const whole = ['file', ...path];
        for (const key of whole.slice(0, -1)) at = at[key] as Record<string, unknown>;
        at[String(whole.at(-1))] = value;
        let spoilt: string;
        try {
          spoilt = JSON.stringify(raw.file) ?? 'undefined';
        } catch {
          return;
        }
        const before = history.list().runs.length;
        const message = refusal(history, spoilt);
        const { runs, problem } = history.list();
        expect(problem).toBeNull();
        if (message !== '') expect(runs).toHaveLength(before);
        // Imported runs can be opened.
        for (const { id } of runs.slice(0, 3)) expect(history.open(id).id).toBe(id);
        history.remove(runs.map(({ id }) => id).concat('none'));
      }),
      { numRuns: 300 },
    );
  });

  it('refuse arbitrary bytes', () => {
    const history = historyIn(freshFolder());
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => history.importRuns(bytes)).toThrow(BadInputError);
      }),
    );
  });
});

const HEAD = '{"format":"zigzag-runs","version":1,"runs":[';
const NOT_JSON = 'the file is not JSON of saved runs; choose a history that was saved from this screen';

/** The sentence of a refusal; the runs that came before it are counted. */
function reading(read: () => Iterable<unknown>): { readonly before: number; readonly message: string } {
  let before = 0;
  try {
    for (const _ of read()) before++;
  } catch (error) {
    expect(error).toBeInstanceOf(BadInputError);
    return { before, message: (error as Error).message };
  }
  return { before, message: '' };
}
const readingOf = (text: string) => reading(() => runsInFile(bytesOf(text)));

/** A run whose text in a file has so many characters; what is beyond its schema is its own affair. */
function sized(characters: number): RecordedRun {
  const { dataFolder: _, ...request } = requestOf();
  const run = { ...recordOf('sized'), request, note: '' };
  const missing = characters - JSON.stringify(run).length;
  return { ...run, note: 'x'.repeat(missing) };
}

describe('a written file of runs', () => {
  it('has one run per line, and only the name of a data folder', () => {
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

  it('accepts a run of the largest size that can be read, and none larger', () => {
    const text = writeRunsFile([sized(MAX_RUN_BYTES)]);
    expect(text.length).toBe(HEAD.length + 1 + MAX_RUN_BYTES + 4);
    expect(() => writeRunsFile([sized(MAX_RUN_BYTES + 1)])).toThrow(
      'run sized needs more than the 16 MiB that a run may have in a file; leave it out',
    );
  });

  it('accepts as much as can be read, commas included, and no run more', () => {
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

describe('reading a file of runs', () => {
  it('returns a run before it parses the next', () => {
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
    ['no version', '{"format":"zigzag-runs"}', /^the file is zigzag-runs\/null, /],
    [
      'no list',
      '{"format":"zigzag-runs","version":1,"runs":{}}',
      'runs: expected a list of 0 to 1000, got object',
    ],
    ['no runs', '{"format":"zigzag-runs","version":1}', 'runs: expected a list of 0 to 1000, got nothing'],
    ['a run that is none', `${HEAD}7]}`, 'runs[0]: expected an object, got 7'],
    ['a run that is cut short', `${HEAD}{"id":]}`, NOT_JSON],
    ['a run of nothing', `${HEAD}1x]}`, NOT_JSON],
    ['more than JSON', `${HEAD}{id:1}]}`, NOT_JSON],
  ])('is refused in one sentence: %s', (_what, text, sentence) => {
    expect(readingOf(text).message).toMatch(sentence);
  });

  it('is refused if it contains bytes that are not text', () => {
    const text = writeRunsFile([recordOf('a')]);
    for (const place of ['"format"', '"id"']) {
      const bytes = bytesOf(text);
      bytes[text.indexOf(place) + 2] = 0xff;
      expect(reading(() => runsInFile(bytes))).toEqual({ before: 0, message: NOT_JSON });
    }
  });

  it('may hold as many runs as a history, and is refused with one more before any is read', () => {
    const of = (count: number) => readingOf(`${HEAD}${new Array(count).fill(0).join()}]}`).message;
    expect(of(1000)).toBe('runs[0]: expected an object, got 0');
    expect(of(1001)).toBe('the file holds 1001 runs, and the history stores at most 1000');
  });

  it('accepts a run of the largest size, and names the size of a larger one', () => {
    const large = (more: string) => `{"x":"${'x'.repeat(MAX_RUN_BYTES - 8)}${more}"}`;
    expect(readingOf(`${HEAD}${large('')}]}`).message).toMatch(/^runs\[0\]\.id: expected a text/);
    const first = JSON.stringify(recordOf('a'));
    expect(readingOf(`${HEAD}${first},${large('x')}]}`)).toEqual({
      before: 1,
      message: 'runs[1] has 17 MiB, and the history stores at most 16 MiB a run; leave it out',
    });
  });
});
