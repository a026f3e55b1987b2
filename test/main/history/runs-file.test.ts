import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedRun } from '../../../app/contract/recorded-run.ts';
import { emptyContent } from '../../../app/contract/empty-content.ts';
import { BadInputError } from '../../../engine/errors.ts';
import type { RunHistory } from '../../../main/history/run-history.ts';
import { runsInFile, writeRunsFile } from '../../../main/history/runs-file.ts';
import { requestOf } from './events.ts';
import { keptRun, keptFolder } from './kept-run.ts';
import { freshFolder, historyIn } from './folders.ts';
import { bytesOf, recordOf } from './pass.ts';

/** What the program wrote before the record had one schema. */
const KEPT = keptRun();

const fileOf = (...ids: string[]): string => writeRunsFile(ids.map(recordOf));

/** The sentence of a refusal; anything but BadInputError fails the test. */
function refusal(history: RunHistory, text: string): string {
  try {
    history.importRuns(bytesOf(text));
  } catch (error) {
    if (error instanceof BadInputError) return error.message;
    throw error;
  }
  return '';
}

describe('runs as a file', () => {
  it('come back as they went out, except for the path of a folder', () => {
    const [run] = runsInFile(bytesOf(fileOf('one')));
    expect(run).toEqual({ ...recordOf('one'), request: requestOf({ dataFolder: 'cifar-10' }) });
    expect(JSON.parse(fileOf('one'))).toMatchObject({ format: 'zigzag-runs', version: 1 });
    expect([...runsInFile(bytesOf(fileOf()))]).toEqual([]);
  });

  it('are read as they were written before the record had one schema', () => {
    const [run] = runsInFile(bytesOf(JSON.stringify(KEPT.file)));
    expect(run?.loss).toEqual([2, Number.NaN]);
    expect(JSON.parse(writeRunsFile([run!]))).toEqual(KEPT.file);
    const history = historyIn(keptFolder());
    expect(history.open('kept')).toEqual(run);
    expect(JSON.parse(history.exportRuns(['kept']).text)).toEqual(KEPT.file);
    expect(history.list().runs).toMatchObject([{ number: 1, done: 2, medianMs: 10.5, overhead: 0.35 }]);
  });

  it.each([
    ['not JSON', 'nothing', 'not JSON'],
    ['another format', '{"format":"zigzag-graph","version":1}', 'holds no runs'],
    ['a later version', '{"format":"zigzag-runs","version":2,"runs":[]}', 'zigzag-runs/2'],
    ['no list', '{"format":"zigzag-runs","version":1,"runs":{}}', 'runs'],
    [
      'too many',
      JSON.stringify({ format: 'zigzag-runs', version: 1, runs: new Array(1001).fill(0) }),
      '1001 runs',
    ],
  ])('are refused in one sentence when the file is %s', (_what, text, part) => {
    const message = refusal(historyIn(freshFolder()), text);
    expect(message).toContain(part);
    expect(message).not.toContain('\n');
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

  it('are refused in a sentence that says what is there in place of what', () => {
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

  it('need not say what is as it was before the first event', () => {
    const history = historyIn(freshFolder());
    const { id, begunMs, endedMs, outcome, failure, name, note, request } = recordOf('short');
    const short = { id, begunMs, endedMs, outcome, failure, name, note, request };
    history.importRuns(bytesOf(JSON.stringify({ ...KEPT.file, runs: [short] })));
    expect(history.open('short')).toEqual({ ...short, ...emptyContent() });
  });

  it('take any damage to the file as a refusal or as runs, and never half of it', () => {
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
        // What was taken can be opened.
        for (const { id } of runs.slice(0, 3)) expect(history.open(id).id).toBe(id);
        history.remove(runs.map(({ id }) => id).concat('none'));
      }),
      { numRuns: 300 },
    );
  });

  it('take any bytes as a refusal', () => {
    const history = historyIn(freshFolder());
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => history.importRuns(bytes)).toThrow(BadInputError);
      }),
    );
  });
});
