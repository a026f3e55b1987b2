import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BadInputError } from '../../../engine/errors.ts';
import { copyDatabase, tryFolder, unusable } from '../../../main/history/copy.ts';
import { loadLibsql } from '../../../main/history/database.ts';
import { historyFile } from '../../../main/history/open-file.ts';
import { startEvent, wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';
import { pass } from './pass.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe('a tested folder', () => {
  it('is created for its user only, and stays empty', () => {
    const folder = join(freshFolder(), 'a', 'b');
    tryFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder, 'own'), 'text');
    tryFolder(folder);
    expect(readdirSync(folder)).toEqual(['own']);
  });

  it('is refused if it is not a folder', () => {
    const file = join(freshFolder(), 'file');
    writeFileSync(file, 'text');
    expect(thrownBy(() => tryFolder(file))).toMatchObject({ code: 'ENOTDIR' });
    expect(readFileSync(file, 'utf8')).toBe('text');
  });
});

describe('a copy of a database', () => {
  const withRows = () => {
    const folder = freshFolder();
    const database = loadLibsql()(join(folder, 'from.db'));
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('CREATE TABLE kept (x)');
    database.exec('INSERT INTO kept VALUES (1), (2)');
    return { folder, database, to: join(folder, 'to.db') };
  };

  it('has everything written so far, in one file, and nothing later', () => {
    const { folder, database, to } = withRows();
    copyDatabase(database, to);
    database.exec('INSERT INTO kept VALUES (3)');
    expect(readdirSync(folder).filter((name) => name.startsWith('to'))).toEqual(['to.db']);
    const copy = loadLibsql()(to);
    expect(copy.prepare('SELECT x FROM kept').all()).toMatchObject([{ x: 1 }, { x: 2 }]);
    copy.close();
    database.close();
  });

  it('to a full disk leaves no draft and no journal', () => {
    const { folder, database, to } = withRows();
    const full = {
      ...database,
      prepare: () => ({
        run: (draft: string) => {
          for (const part of ['', '-journal']) writeFileSync(draft + part, 'half');
          throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
        },
      }),
    } as unknown as typeof database;
    expect(() => copyDatabase(full, to)).toThrow('full');
    expect(readdirSync(folder).filter((name) => name.startsWith('to'))).toEqual([]);
    database.close();
  });

  it('that cannot be put in place leaves no file', () => {
    const { folder, database, to } = withRows();
    mkdirSync(join(to, 'taken'), { recursive: true });
    expect(() => copyDatabase(database, to)).toThrow();
    expect(readdirSync(folder).filter((name) => name.startsWith('to'))).toEqual(['to.db']);
    expect(readdirSync(to)).toEqual(['taken']);
    database.close();
  });
});

describe('why a folder cannot be used', () => {
  const FULL = 'the disk of F is full; free some space, or choose another folder';
  const RIGHTS = 'you have no write permission in F; choose another folder, or change its permissions';
  it.each<[string, unknown, string]>([
    ['ENOSPC', { code: 'ENOSPC' }, FULL],
    ['SQLITE_FULL', Object.assign(new Error('odd'), { code: 'SQLITE_FULL' }), FULL],
    ['EACCES', { code: 'EACCES' }, RIGHTS],
    ['EPERM', { code: 'EPERM' }, RIGHTS],
    ['EROFS', { code: 'EROFS' }, RIGHTS],
    ['ENOTDIR', { code: 'ENOTDIR' }, 'F cannot be used (ENOTDIR); choose another folder'],
    ['an error without a code', new Error('odd'), 'F cannot be used (odd); choose another folder'],
    ['what is no error', 'odd', 'F cannot be used (odd); choose another folder'],
  ])('is given in one sentence: %s', (_what, error, sentence) => {
    expect(unusable('F', error)).toBe(sentence);
  });
});

describe('a copied history', () => {
  it('is the same in the other folder, and both continue separately', async () => {
    const target = join(freshFolder(), 'new');
    const history = historyIn(freshFolder());
    for (const id of ['a', 'b']) await pass(history, wholeRun(), { id });
    expect(history.copyTo(target)).toBe(true);
    expect(readdirSync(target)).toEqual(['runs.db']);
    await pass(history, [startEvent()], { id: 'c' });
    const copy = historyIn(target);
    expect(copy.list()).toMatchObject({ runs: [{ id: 'b' }, { id: 'a' }], problem: null, notice: null });
    expect(copy.open('a')).toEqual(history.open('a'));
    expect(history.list().runs).toHaveLength(3);
  });

  it('replaces no history, not even an empty one', async () => {
    const target = freshFolder();
    historyIn(target).list();
    const history = historyIn(freshFolder());
    await pass(history, wholeRun(), { id: 'a' });
    expect(history.copyTo(target)).toBe(false);
    expect(historyIn(target).list().runs).toEqual([]);
  });

  it('does not happen if nothing can be read here', () => {
    const target = freshFolder();
    const history = historyIn(freshFolder(), {
      load: () => {
        throw new Error('odd');
      },
    });
    expect(history.copyTo(target)).toBe(false);
    expect(readdirSync(target)).toEqual([]);
  });

  it('is refused for a folder without write permission, with what to do', () => {
    const file = join(freshFolder(), 'file');
    writeFileSync(file, '');
    const refused = thrownBy(() => historyIn(freshFolder()).copyTo(file));
    expect(refused).toBeInstanceOf(BadInputError);
    expect(refused).toMatchObject({ message: `${file} cannot be used (ENOTDIR); choose another folder` });
  });
});

it('a folder on a disk that is unplugged is not created again, and its history returns with the disk', async () => {
  const folder = join(freshFolder(), 'disk');
  const history = historyIn(folder, { mustExist: true });
  const problem = `${folder}, the folder of runs, was not found, so runs are not stored now. Connect its disk, or choose another folder in the desktop's menu (File, Data Folder…).`;
  expect(history.list()).toEqual({ runs: [], evicted: [], folder, problem, notice: null });
  expect(() => history.open('a')).toThrow(problem);
  expect(existsSync(historyFile(folder))).toBe(false);
  mkdirSync(folder);
  await pass(history, wholeRun(), { id: 'a' });
  expect(history.list()).toMatchObject({ runs: [{ id: 'a' }], problem: null });
});
