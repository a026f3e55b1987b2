import { createRequire } from 'node:module';

/** The parts of libsql that are used here; better-sqlite3 has the same. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

export interface Statement {
  run(...values: readonly Value[]): { readonly lastInsertRowid: number | bigint; readonly changes: number };
  all(...values: readonly Value[]): unknown[];
  iterate(...values: readonly Value[]): Iterable<unknown>;
}

export type Value = string | number | null | Uint8Array;

/** Opens a database file, or creates it. */
export type OpenDatabase = (file: string) => Database;

/** How long one process waits for another that writes. */
const WAIT_MS = 3000;

/**
 * SQLite through libsql, a native library that may be missing or broken on some machines.
 *
 * @throws Error when its library cannot be loaded
 */
export function loadLibsql(): OpenDatabase {
  const load = createRequire(import.meta.url);
  const Libsql = load('libsql') as new (file: string, options: { timeout: number }) => Database;
  return (file) => new Libsql(file, { timeout: WAIT_MS });
}

/**
 * Runs work as one transaction. The library's own transactions hide why a commit failed: after a full disk they report
 * only that nothing is left to roll back.
 */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled it back.
    }
    throw error;
  }
}

/** The first value of the first row, for pragmas and counts. */
export function firstValue(database: Database, sql: string, ...values: readonly Value[]): unknown {
  const [row] = database.prepare(sql).all(...values) as Readonly<Record<string, unknown>>[];
  return Object.values(row ?? {})[0];
}

/** SQLite's error code, such as `SQLITE_FULL`; empty for any other error. */
export function sqliteCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error));
