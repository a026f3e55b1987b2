import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Equivalent, judge, lineOf, nameOf, readRows, resultsText, scoreOf } from './score.mjs';

const SOURCE = 'const a = 1;\n  if (a < b) {\n    c();\n  }\n  if (a < b) return;\n';

function mutant(status: string, line: number, from: number, to: number, replacement: string, last = line) {
  const location = { start: { line, column: from }, end: { line: last, column: to } };
  return { mutatorName: 'any', status, replacement, location };
}
const FIRST = mutant('Survived', 2, 7, 12, 'a <= b');
const BLOCK = mutant('NoCoverage', 2, 14, 4, '{}', 4);
const SECOND = mutant('Survived', 5, 7, 12, 'false');
const KILLED = mutant('Killed', 5, 7, 12, 'true');
const SLOW = mutant('Timeout', 1, 1, 2, '');
const STATIC = mutant('Ignored', 1, 1, 2, '');
const files = { 'a.ts': { source: SOURCE, mutants: [FIRST, BLOCK, SECOND, KILLED, SLOW, STATIC] } };
const named = (line: string, change: string, times?: number): Equivalent => ({
  file: 'a.ts',
  line,
  change,
  why: 'because',
  ...(times === undefined ? {} : { times }),
});

describe('the score of mutants', () => {
  it('names a mutant by its line and its change, a block by its beginning', () => {
    expect(nameOf(SOURCE, FIRST)).toEqual({ line: 'if (a < b) {', change: 'a < b → a <= b' });
    expect(nameOf(SOURCE, BLOCK)).toEqual({ line: 'if (a < b) {', change: '{ c(); } → {}' });
  });

  it('counts what could be noticed: no static mutants, and the timed out as noticed', () => {
    const { rows, survivors, stale } = judge(files, [], '2026-01-02');
    expect(rows).toEqual([{ file: 'a.ts', date: '2026-01-02', mutants: 5, noticed: 2, equivalent: 0 }]);
    expect(survivors.map(({ at }) => at)).toEqual([2, 2, 5]);
    expect(stale).toEqual([]);
    expect(scoreOf(rows).score).toBe(40);
  });

  it('leaves out the equivalent ones that are named, and no other', () => {
    const { rows, survivors, stale } = judge(files, [named('if (a < b) {', 'a < b → a <= b')], 'day');
    expect(rows[0]).toMatchObject({ mutants: 5, noticed: 2, equivalent: 1 });
    expect(scoreOf(rows).score).toBe(50);
    expect(survivors.map(({ change }) => change)).toEqual(['{ c(); } → {}', 'a < b → false']);
    expect(stale).toEqual([]);
  });

  it.each([
    ['noticed by now', named('if (a < b) return;', 'a < b → true')],
    ['of a line that is gone', named('if (a > b) {', 'a < b → a <= b')],
    ['found more often than named', named('if (a < b) {', 'a < b → a <= b', 2)],
  ])('tells a name that fits nothing: a mutant %s', (_what, entry) => {
    const { rows, stale } = judge(files, [entry], 'day');
    expect(stale).toHaveLength(1);
    expect(stale[0]).toContain(`a.ts: "${entry.line}", ${entry.change}`);
    expect(rows[0]?.equivalent).toBe(0);
  });

  it('writes results that it reads again, says what was not measured, and dates a place by its oldest file', () => {
    const rows = [
      { file: 'x/a.ts', date: '2026-01-02', mutants: 10, noticed: 6, equivalent: 2 },
      { file: 'x/b.ts', date: '2026-01-05', mutants: 4, noticed: 4, equivalent: 0 },
    ];
    const text = resultsText(new Map([['x', ['x/a.ts', 'x/b.ts', 'x/c.ts']]]), rows);
    expect(text).toContain('| x (2 of 3 files) | 2026-01-02 | 14 | 10 | 2 | 83.3 % |');
    expect(text).toContain(lineOf('x/a.ts', '2026-01-02', rows.slice(0, 1)));
    expect(text).toMatch(/## Not measured\n\n- x\/c\.ts\n$/);
    expect(readRows(text)).toEqual(rows);
    const newer = { ...rows[0]!, noticed: 8 };
    expect(readRows(resultsText(new Map([['x', ['x/a.ts']]]), [...rows, newer]))).toEqual([newer]);
  });

  it('has a reason and a file for each named mutant', () => {
    const entries: Equivalent[] = JSON.parse(readFileSync('test/mutants/equivalent.json', 'utf8'));
    for (const { file, line, change, why } of entries) {
      expect(existsSync(file), file).toBe(true);
      expect(
        readFileSync(file, 'utf8')
          .split('\n')
          .some((own) => own.trim() === line),
        line,
      ).toBe(true);
      expect(change).toContain(' → ');
      expect(why.length, change).toBeGreaterThan(10);
    }
  });
});
