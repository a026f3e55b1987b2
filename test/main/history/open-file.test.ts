import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, firstValue, loadLibsql, type OpenDatabase } from '../../../main/history/database.ts';
import { fileIdentity, historyFile, openHistoryFile } from '../../../main/history/open-file.ts';
import { NewerSchemaError } from '../../../main/history/schema.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const VERSIONS = [
  'CREATE TABLE runs (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT)',
  'ALTER TABLE runs ADD COLUMN name TEXT',
];

let folder: string;
let file: string;
const opened: Database[] = [];
beforeEach(() => {
  folder = freshFolder();
  file = historyFile(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const database of opened.splice(0)) database.close();
});

/** Opens as the lab does; every file that was opened and closed is told. */
function openTold(versions: readonly string[] = VERSIONS, open: OpenDatabase = loadLibsql()) {
  const told: string[] = [];
  const spied: OpenDatabase = (path) => {
    const name = path.slice(folder.length + 1);
    const database = open(path);
    told.push(`open ${name}`);
    const [exec, close] = [database.exec.bind(database), database.close.bind(database)];
    database.exec = (sql) => {
      told.push(`${name}: ${sql}`);
      return exec(sql);
    };
    database.close = () => {
      told.push(`close ${name}`);
      return close();
    };
    return database;
  };
  let refused: unknown = null;
  let database: Database | null = null;
  let notice: string | null = null;
  try {
    ({ database, notice } = openHistoryFile(folder, spied, versions));
    opened.push(database);
  } catch (error) {
    refused = error;
  }
  return { told, refused, database, notice };
}

const pragma = (database: Database | null, name: string): unknown =>
  database === null ? null : firstValue(database, `PRAGMA ${name}`);
const aside = (): string[] => readdirSync(folder).filter((name) => name.startsWith('runs-damaged-'));
const DAMAGE = 'no database '.repeat(500);

describe('opening the file of a history', () => {
  it('creates it with the latest schema, under a lock that is then released', () => {
    const { database, notice, told } = openTold();
    expect(notice).toBeNull();
    expect(told.slice(0, 3)).toEqual(['open runs.lock', 'runs.lock: BEGIN EXCLUSIVE', 'open runs.db']);
    expect(told.at(-1)).toBe('close runs.lock');
    expect(told.filter((one) => one.startsWith('close'))).toHaveLength(1);
    expect(pragma(database, 'user_version')).toBe(VERSIONS.length);
    // FULL, of what is deleted, and EXTRA, of what is synced.
    expect([pragma(database, 'auto_vacuum'), pragma(database, 'synchronous')]).toEqual([1, 3]);
    expect([pragma(database, 'journal_mode'), pragma(database, 'foreign_keys')]).toEqual(['delete', 1]);
    expect(readdirSync(folder).sort()).toEqual(['runs.db', 'runs.lock']);
  });

  it('upgrades a file of an earlier schema, and keeps its contents', () => {
    const earlier = openTold(VERSIONS.slice(0, 1)).database;
    earlier?.exec("INSERT INTO runs (id) VALUES ('a')");
    const { database, notice, refused } = openTold();
    expect([notice, refused]).toEqual([null, null]);
    expect(database?.prepare('SELECT * FROM runs').all()).toMatchObject([{ number: 1, id: 'a', name: null }]);
  });

  it('creates every folder on the path, and accepts one that another lab just created', () => {
    folder = join(folder, 'a', 'b');
    file = historyFile(folder);
    expect(openTold().refused).toBeNull();
    expect(existsSync(file)).toBe(true);
    expect(openTold().refused).toBeNull();
  });

  it('throws the file system’s error', () => {
    const taken = join(folder, 'taken');
    writeFileSync(taken, '');
    folder = join(taken, 'below');
    expect(openTold().refused).toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(process.platform === 'linux')('never loops if no folder can be created', () => {
    folder = '/proc/none/of/this';
    expect(openTold().refused).toMatchObject({ code: 'ENOENT' });
  });
});

it('a file of a later schema is refused before it is changed', () => {
  openTold([...VERSIONS, 'CREATE TABLE later (x)']).database?.close();
  opened.splice(0);
  const before = readFileSync(file);
  const { refused, told } = openTold();
  expect(refused).toBeInstanceOf(NewerSchemaError);
  expect(refused).toMatchObject({ version: 3, message: 'schema 3' });
  expect(told.slice(-2)).toEqual(['close runs.db', 'close runs.lock']);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(openTold([...VERSIONS, 'CREATE TABLE later (x)']).refused).toBeNull();
});

describe('a file that an earlier version wrote, with a write-ahead log', () => {
  /** Lab of that version with a run, which is in its log alone. */
  function earlierLab(): Database {
    const database = loadLibsql()(file);
    opened.push(database);
    for (const sql of ['PRAGMA journal_mode = WAL', VERSIONS[0] ?? '', 'PRAGMA user_version = 1'])
      database.exec(sql);
    database.exec("INSERT INTO runs (id) VALUES ('a')");
    return database;
  }
  const ids = (database: Database | null) => database?.prepare('SELECT id FROM runs ORDER BY number').all();

  it('is read with its log, which is then gone, also after a kill', () => {
    earlierLab();
    const from = folder;
    folder = freshFolder();
    file = historyFile(folder);
    for (const part of ['', '-wal']) copyFileSync(historyFile(from) + part, file + part);
    const { database, notice } = openTold();
    expect([notice, ids(database)]).toEqual([null, [{ id: 'a' }]]);
    expect(pragma(database, 'journal_mode')).toBe('delete');
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('is shared with that lab while it runs', () => {
    const earlier = earlierLab();
    const { database, refused } = openTold();
    expect(refused).toBeNull();
    database?.exec("INSERT INTO runs (id) VALUES ('b')");
    earlier.exec("INSERT INTO runs (id) VALUES ('c')");
    for (const lab of [earlier, database])
      expect(ids(lab)).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  });
});

describe('a damaged file', () => {
  it('is set aside under the current time and reported, and a new one is created under the same lock', () => {
    vi.useFakeTimers({ now: Date.UTC(2030, 1, 2, 3, 4, 5, 6), toFake: ['Date'] });
    writeFileSync(file, DAMAGE);
    const { notice, told } = openTold();
    vi.useRealTimers();
    const name = 'runs-damaged-2030-02-02T03-04-05-006Z.db';
    expect(notice).toBe(
      `The history of runs was damaged, so it was set aside as ${name} in ${folder} and a new one was created.`,
    );
    expect(readFileSync(join(folder, name), 'utf8')).toBe(DAMAGE);
    // Everything opened of it is closed again, so the new file is another one.
    expect(told.filter((one) => /^(open|close)/.test(one))).toEqual([
      ...['open runs.lock', 'open runs.db', 'close runs.db', 'open runs.db', 'close runs.lock'],
    ]);
  });

  it('is moved with its journal, which a new file must never find', () => {
    writeFileSync(file, DAMAGE);
    for (const part of ['-wal', '-shm', '-journal']) writeFileSync(file + part, part);
    const open: OpenDatabase = (path) => {
      // A library that refuses it and leaves the journal as it is.
      if (path === file && existsSync(file)) throw Object.assign(new Error('no'), { code: 'SQLITE_NOTADB' });
      return loadLibsql()(path);
    };
    openTold(VERSIONS, open);
    const [name] = aside();
    expect(aside().sort()).toEqual(['', '-journal', '-shm', '-wal'].map((part) => name + part));
    expect(readFileSync(join(folder, `${name}-journal`), 'utf8')).toBe('-journal');
  });

  it('is also recognized by the database’s own check', () => {
    const { database } = openTold();
    database?.exec("INSERT INTO runs (id) VALUES ('a')");
    const checked: OpenDatabase = (path) => {
      const opening = loadLibsql()(path);
      const prepare = opening.prepare.bind(opening);
      let isFirst = path === file && aside().length === 0;
      opening.prepare = (sql) => {
        if (!isFirst || !sql.includes('quick_check')) return prepare(sql);
        isFirst = false;
        return { ...prepare(sql), all: () => [{ quick_check: 'row 1 missing from index' }] };
      };
      return opening;
    };
    expect(openTold(VERSIONS, checked).notice).toMatch(/^The history of runs was damaged/);
    expect(aside().filter((name) => name.endsWith('.db'))).toHaveLength(1);
  });

  it('is reported until a run was stored, the latest of several', () => {
    for (const name of [
      'runs-damaged-2.db',
      'runs-damaged-1.db',
      'my-runs-damaged-3.db',
      'runs-damaged-4.db-wal',
    ]) {
      writeFileSync(join(folder, name), '');
    }
    const { database, notice } = openTold();
    expect(notice).toContain('set aside as runs-damaged-2.db in');
    expect(openTold().notice).toBe(notice);
    database?.exec("INSERT INTO runs (id) VALUES ('a')");
    expect(openTold().notice).toBeNull();
    database?.exec('DELETE FROM runs');
    expect(openTold().notice).toBeNull();
  });

  it('is not one that cannot be opened for another reason, nor a failed migration', () => {
    mkdirSync(file);
    expect(openTold().refused).toMatchObject({ message: expect.stringContaining('nable to open') });
    folder = freshFolder();
    file = historyFile(folder);
    const { refused, told } = openTold(['NONSENSE']);
    expect(refused).toMatchObject({ message: expect.stringContaining('NONSENSE') });
    expect(told.slice(-2)).toEqual(['close runs.db', 'close runs.lock']);
    expect(aside()).toEqual([]);
  });

  it('is waited for while another lab checks it', () => {
    const lock = loadLibsql()(join(folder, 'runs.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    const impatient: OpenDatabase = (path) => {
      const database = loadLibsql()(path);
      database.exec('PRAGMA busy_timeout = 1');
      return database;
    };
    const { refused, told } = openTold(VERSIONS, impatient);
    expect(refused).toMatchObject({ message: expect.stringContaining('locked') });
    expect(told).not.toContain('open runs.db');
    expect(told.at(-1)).toBe('close runs.lock');
    lock.close();
    expect(openTold(VERSIONS, impatient).refused).toBeNull();
  });
});

it('the identity of a file stays the same through changes and under any name', () => {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  for (const path of [one, two]) writeFileSync(path, '');
  const identity = fileIdentity(one);
  expect(identity).not.toBe(fileIdentity(two));
  writeFileSync(one, 'changed');
  expect(fileIdentity(one)).toBe(identity);
  expect(fileIdentity(join(folder, 'none'))).toBeNull();
});
