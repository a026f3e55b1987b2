import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Database, isDamage, firstValue, type OpenDatabase, sqliteCode } from './database.ts';
import { MIGRATIONS, migrate, refuseNewer } from './schema.ts';

export interface OpenedFile {
  readonly database: Database;
  /** One sentence on the repair; null for none. */
  readonly notice: string | null;
}

/**
 * Opens the database of runs, or creates it. A damaged file is renamed and replaced by a new one; a file of a newer
 * program stays untouched.
 *
 * @throws NewerSchemaError; whatever the file system or SQLite refuses
 */
export function openHistoryFile(
  folder: string,
  open: OpenDatabase,
  migrations: readonly string[] = MIGRATIONS,
): OpenedFile {
  makeFolder(folder);
  const file = historyFile(folder);
  return alone(folder, open, () => {
    try {
      const database = openSound(file, open, migrations);
      return { database, notice: noticeOf(folder, isUnused(database) ? lastAside(folder) : null) };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const aside = setAside(file);
      return { database: openSound(file, open, migrations), notice: noticeOf(folder, aside) };
    }
  });
}

const noticeOf = (folder: string, aside: string | null): string | null =>
  aside === null
    ? null
    : `The history of runs was damaged, so it was set aside as ${aside} in ${folder} and a new one was created.`;

/** True if it has never stored a run. */
const isUnused = (database: Database): boolean =>
  firstValue(database, 'SELECT count(*) FROM sqlite_sequence') === 0;

/** The last file set aside; a lab that was killed right after did not report it. */
const lastAside = (folder: string): string | null =>
  readdirSync(folder)
    .filter((name) => /^runs-damaged-.*\.db$/.test(name))
    .sort()
    .at(-1) ?? null;

export const historyFile = (folder: string): string => join(folder, 'runs.db');

/** Identity of a file, different for another file of the same name; null if it does not exist. */
export function fileIdentity(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/**
 * Opens while no other process does: another one that found the same damage would set the new file aside. The lock is a
 * separate database, because SQLite's locks end with their process, even after a crash.
 */
function alone<T>(folder: string, open: OpenDatabase, work: () => T): T {
  const lock = open(join(folder, 'runs.lock'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    lock.close();
  }
}

/**
 * Creates folders level by level: Node's recursive option never returns on a file system that refuses with ENOENT
 * (/proc).
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another lab created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function openSound(file: string, open: OpenDatabase, migrations: readonly string[]): Database {
  const database = open(file);
  try {
    // Must come before the first write.
    refuseNewer(database, migrations);
    // Takes effect only before the first table exists. It makes the file shrink after deletions.
    database.exec('PRAGMA auto_vacuum = FULL');
    const verdict = firstValue(database, 'PRAGMA quick_check(1)');
    if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { code: 'SQLITE_CORRUPT' });
    // Keeps every commit in the file itself: SQLite silently skips an unreadable part of a write-ahead log.
    try {
      database.exec('PRAGMA journal_mode = DELETE');
    } catch (error) {
      // An earlier version of the lab has it open with a write-ahead log.
      if (sqliteCode(error) !== 'SQLITE_BUSY') throw error;
    }
    // Every commit reaches the disk, so neither a killed process nor a power cut loses it.
    database.exec('PRAGMA synchronous = EXTRA');
    database.exec('PRAGMA foreign_keys = ON');
    migrate(database, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Renames the file and its journals, journals first: a new file must never find them. @returns the new name */
function setAside(file: string): string {
  const aside = file.replace(/\.db$/, `-damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`);
  for (const part of ['-journal', '-wal', '-shm', '']) {
    if (existsSync(file + part)) renameSync(file + part, aside + part);
  }
  return basename(aside);
}
