import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLibsql, type Value } from '../../../main/history/database.ts';
import { writeRunsFile } from '../../../main/history/runs-file.ts';
import { wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import { bytesOf, pass, recordOf } from './pass.ts';

/** A folder with the runs a, b and c, of which one was changed behind the history's back. */
async function spoiltFolder(sql: string, ...values: readonly Value[]): Promise<string> {
  const folder = freshFolder();
  const history = historyIn(folder);
  for (const id of ['a', 'b', 'c']) await pass(history, wholeRun(), { id });
  history.close();
  if (sql !== '') {
    const database = loadLibsql()(join(folder, 'runs.db'));
    // One value that is an object would be taken for named ones.
    const { changes } = database.prepare(`${sql} AND ?`).run(...values, 1);
    expect(changes).toBe(1);
    database.close();
  }
  return folder;
}

const BAD_TEXT = Buffer.from([0x62, 0xff, 0xfe]);

describe('a history with a damaged row', () => {
  it.each(['id', 'name', 'note', 'failure', 'summary', 'outcome', 'source'])(
    'whose %s is not UTF-8 reports it and shows the others',
    async (column) => {
      const folder = await spoiltFolder(
        `UPDATE runs SET ${column} = CAST(? AS TEXT) WHERE id = 'b'`,
        BAD_TEXT,
      );
      const history = historyIn(folder);
      const { runs, notice, problem } = history.list();
      expect(problem).toBeNull();
      expect(runs.map(({ id }) => id)).toEqual(['c', 'a']);
      expect(notice).toMatch(/^Run 2 cannot be read and is not shown, because .* damaged; the others .*\.$/);
      expect(history.open('a').loss).toHaveLength(3);
      await pass(history, wholeRun(), { id: 'd' });
      expect(history.list().runs).toHaveLength(3);
    },
  );

  it('shows the others if raw bytes of the file were damaged', async () => {
    const folder = freshFolder();
    const history = historyIn(folder);
    for (const id of ['a', 'spoil-me-here', 'c']) await pass(history, wholeRun(), { id });
    history.annotate({ id: 'spoil-me-here', note: 'a note to be spoilt' });
    history.close();
    const file = join(folder, 'runs.db');
    const bytes = readFileSync(file);
    const at = bytes.indexOf('a note to be spoilt');
    expect(at).toBeGreaterThan(0);
    bytes[at + 3] = 0xff;
    writeFileSync(file, bytes);
    const next = historyIn(folder);
    const { runs, notice } = next.list();
    expect(runs.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(notice).toContain('Run 2 cannot be read');
    next.close();
  });

  it.each([
    ['measured bytes', 'UPDATE runs SET measured = (SELECT start FROM runs LIMIT 1) WHERE id = ?'],
    ['start', 'UPDATE runs SET start = measured WHERE id = ?'],
    ['facts', 'UPDATE runs SET facts = replace(facts, \'"iteration":2\', \'"iteration":1\') WHERE id = ?'],
    ['one loss', "UPDATE iterations SET loss = 1.5 WHERE iteration = 1 AND run = 2 AND ? = 'b'"],
    ['one iteration', "DELETE FROM iterations WHERE iteration = 2 AND run = 2 AND ? = 'b'"],
  ])('opens the others if one has bad %s, and saves them without it', async (_what, sql) => {
    const history = historyIn(await spoiltFolder(sql, 'b'));
    expect(history.list()).toMatchObject({ notice: null, problem: null });
    expect(() => history.open('b')).toThrow(/^run 2 cannot be opened, .*checksum differs.*delete this one$/);
    const { text, leftOut } = history.exportRuns(['a', 'b', 'c']);
    expect(leftOut).toEqual([2]);
    expect(JSON.parse(text).runs.map(({ id }: { id: string }) => id)).toEqual(['a', 'c']);
    expect(() => history.exportRuns(['b'])).toThrow('run 2 cannot be opened');
    history.remove(['b']);
    expect(history.list().runs).toHaveLength(2);
  });

  it.each(['\0', 'a\0b', 'a\nb', '\ud800'])('refuses the id %j of a file, and continues', async (id) => {
    const history = historyIn(freshFolder());
    await pass(history, wholeRun(), { id: 'own' });
    const text = writeRunsFile([recordOf('good'), { ...recordOf('x'), id }]);
    expect(() => history.importRuns(bytesOf(text))).toThrow(
      /^runs\[1\]\.id: expected a text without control/,
    );
    expect(history.list()).toMatchObject({ problem: null, notice: null });
    expect(history.list().runs.map((run) => run.id)).toEqual(['own']);
  });

  it('handles an id of NUL that an earlier version accepted, and any texts', async () => {
    const history = historyIn(
      await spoiltFolder(
        "UPDATE runs SET id = CAST(? AS TEXT), line_sum = NULL WHERE id = 'b'",
        Buffer.from([0]),
      ),
    );
    expect(history.list().runs.map(({ id }) => id)).toEqual(['c', 'a']);
    await pass(history, wholeRun(), { id: 'odd', error: new Error('a\0b \ud800 c') });
    expect(history.list().runs[0]).toMatchObject({ id: 'odd', failure: 'a\0b \ufffd c' });
    expect(history.open('odd').failure).toBe('a\0b \ufffd c');
  });
});
