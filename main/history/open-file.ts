import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Database, isDamage, type OpenDatabase, firstValue } from './database.ts';
import { hasLostTransactions } from './journal.ts';
import { MIGRATIONS, migrate, NewerSchemaError } from './schema.ts';

export interface OpenedFile {
  readonly database: Database;
  /** What had to be done, in one sentence; null for nothing. */
  readonly notice: string | null;
}

/** Offset of `user_version` in a database file's header, a big-endian 32-bit number. */
const VERSION_OFFSET = 60;
const HEADER_BYTES = 100;

/**
 * Opens the database of runs, or makes it. A damaged file is set aside under another name and a new one
 * begun; a file of a later program is left as it is.
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
  // Before SQLite opens it, because even that may write.
  const version = existsSync(file) ? versionInHeader(file) : 0;
  if (version > migrations.length) throw new NewerSchemaError(version);
  return alone(folder, open, () => {
    // Before SQLite opens it, which forgets what it does not read.
    const copy = hasLostTransactions(`${file}-wal`) ? copyAside(file) : null;
    try {
      const database = openSound(file, open, migrations);
      if (copy !== null) return { database, notice: lostNotice(folder, basename(copy)) };
      return { database, notice: noticeOf(folder, isUnused(database) ? lastAside(folder) : null) };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const aside = setAside(file);
      return { database: openSound(file, open, migrations), notice: noticeOf(folder, basename(aside)) };
    }
  });
}

const noticeOf = (folder: string, aside: string | null): string | null =>
  aside === null
    ? null
    : `The history of runs was damaged, so it was set aside as ${aside} in ${folder} and a new one was begun.`;

const lostNotice = (folder: string, copy: string): string =>
  `The journal of the history of runs was damaged, so runs that were written last may be missing; as it was, it lies in ${folder} as ${copy}.`;

/** Whether no run was ever kept in it. */
const isUnused = (database: Database): boolean =>
  firstValue(database, 'SELECT count(*) FROM sqlite_sequence') === 0;

/** What was set aside last: a lab that is killed after that has told nobody. */
const lastAside = (folder: string): string | null =>
  readdirSync(folder)
    .filter((name) => /^runs-damaged-.*\.db$/.test(name))
    .sort()
    .at(-1) ?? null;

export const historyFile = (folder: string): string => join(folder, 'runs.db');

/** What tells a file from another one of the same name; null for none. */
export function fileIdentity(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/**
 * Opens while no other process does: one that found the same damage would set the new file aside. A database of its
 * own is the lock, because SQLite's locks end with their process, however that ends.
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

/** Level by level, because Node's own recursion never ends where a file system refuses with ENOENT (/proc). */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another lab was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function openSound(file: string, open: OpenDatabase, migrations: readonly string[]): Database {
  const database = open(file);
  try {
    // Takes effect before the first table is made: what is deleted leaves the file smaller.
    database.exec('PRAGMA auto_vacuum = FULL');
    const verdict = firstValue(database, 'PRAGMA quick_check(1)');
    if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { code: 'SQLITE_CORRUPT' });
    database.exec('PRAGMA journal_mode = WAL');
    // Every commit reaches the disk, so that neither a killed process nor a lost supply takes it back.
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA foreign_keys = ON');
    migrate(database, migrations);
    // So that the header names the version, too.
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function versionInHeader(file: string): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(file, 'r');
  try {
    const read = readSync(handle, header, 0, HEADER_BYTES, 0);
    const isDatabase = header.toString('latin1', 0, 15) === 'SQLite format 3';
    return read === HEADER_BYTES && isDatabase ? header.readUInt32BE(VERSION_OFFSET) : 0;
  } finally {
    closeSync(handle);
  }
}

const asideOf = (file: string): string =>
  file.replace(/\.db$/, `-damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`);

/** @returns path of a copy of the file with its journal */
function copyAside(file: string): string {
  const aside = asideOf(file);
  for (const part of ['-wal', '']) if (existsSync(file + part)) copyFileSync(file + part, aside + part);
  return aside;
}

/** @returns the file's new path; its journal goes with it, and first: a new file must never find it */
function setAside(file: string): string {
  const aside = asideOf(file);
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(file + part)) renameSync(file + part, aside + part);
  }
  return aside;
}
