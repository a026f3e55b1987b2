import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Database,
  firstValue,
  inTransaction,
  isDamage,
  loadLibsql,
  sqliteCode,
} from '../../../main/history/database.ts';
import { migrate } from '../../../main/history/schema.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const coded = (code: unknown): Error => Object.assign(new Error('x'), { code });

function inMemory(): Database {
  const database = loadLibsql()(':memory:');
  database.exec('CREATE TABLE t (x)');
  return database;
}
const count = (database: Database): unknown => firstValue(database, 'SELECT count(*) FROM t');

describe('a transaction', () => {
  it('does none of it on failure, and throws the error', () => {
    const database = inMemory();
    const failure = new Error('what failed');
    expect(() =>
      inTransaction(database, () => {
        database.exec('INSERT INTO t VALUES (1)');
        throw failure;
      }),
    ).toThrow(failure);
    expect(count(database)).toBe(0);
    inTransaction(database, () => undefined);
  });

  it('throws the reason of a failed commit, even if the system has already rolled back', () => {
    const database = inMemory();
    const full = coded('SQLITE_FULL');
    const original = database.exec.bind(database);
    database.exec = (sql) => {
      if (sql !== 'COMMIT') return original(sql);
      original('ROLLBACK');
      throw full;
    };
    expect(() => inTransaction(database, () => database.exec('INSERT INTO t VALUES (1)'))).toThrow(full);
    expect(count(database)).toBe(0);
  });

  it('blocks other writers from its start, which wait for it', () => {
    const file = join(freshFolder(), 'x.db');
    const [one, two] = [loadLibsql()(file), loadLibsql()(file)];
    one.exec('CREATE TABLE t (x)');
    // For three seconds; here for none.
    expect(firstValue(two, 'PRAGMA busy_timeout')).toBe(3000);
    two.exec('PRAGMA busy_timeout = 1');
    inTransaction(one, () => {
      expect(() => inTransaction(two, () => undefined)).toThrow('locked');
    });
    inTransaction(two, () => undefined);
    one.close();
    two.close();
  });
});

it('an error of the database has its code, and only a damaged file counts as damage', () => {
  expect(
    [coded('SQLITE_FULL'), coded('ENOSPC'), coded(5), new Error('SQLITE_FULL'), null].map(sqliteCode),
  ).toEqual(['SQLITE_FULL', '', '', '', '']);
  const damage = ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_VTAB', 'SQLITE_NOTADB', 'SQLITE_FULL', 'XSQLITE_NOTADB'];
  expect(damage.map((code) => isDamage(coded(code)))).toEqual([true, true, true, false, false]);
  expect(firstValue(inMemory(), 'SELECT x FROM t')).toBeUndefined();
});

describe('the schema', () => {
  it('is left unchanged if another process upgraded it while this one waited', () => {
    const file = join(freshFolder(), 'x.db');
    const [database, other] = [loadLibsql()(file), loadLibsql()(file)];
    const versions = ['CREATE TABLE a (x)'];
    const exec = database.exec.bind(database);
    database.exec = (sql) => {
      if (sql === 'BEGIN IMMEDIATE') migrate(other, versions);
      return exec(sql);
    };
    migrate(database, versions);
    expect(firstValue(database, 'PRAGMA user_version')).toBe(1);
    for (const opened of [database, other]) opened.close();
  });

  it('stays at the last version that succeeded', () => {
    const database = inMemory();
    expect(() => migrate(database, ['CREATE TABLE a (x)', 'CREATE TABLE b (x); NONSENSE'])).toThrow(
      'NONSENSE',
    );
    expect(firstValue(database, 'PRAGMA user_version')).toBe(1);
    expect(firstValue(database, "SELECT count(*) FROM sqlite_master WHERE name = 'b'")).toBe(0);
  });
});
