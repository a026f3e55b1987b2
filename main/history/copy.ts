import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, sqliteCode } from './database.ts';
import { makeFolder } from './open-file.ts';

/** Creates a folder if needed and tests that it is writable. @throws what the file system refuses */
export function tryFolder(folder: string): void {
  makeFolder(folder);
  const probe = join(folder, `.zigzag-${randomUUID()}`);
  writeFileSync(probe, '', { flag: 'wx' });
  rmSync(probe);
}

/**
 * Copies the database as it is now, even while others write; the copy is whole or absent. @throws what SQLite refuses
 */
export function copyDatabase(database: Database, target: string): void {
  const draft = `${target}.${randomUUID()}.new`;
  try {
    database.prepare('VACUUM INTO ?').run(draft);
    renameSync(draft, target);
  } finally {
    for (const part of ['', '-journal', '-wal', '-shm']) rmSync(draft + part, { force: true });
  }
}

/** One sentence on why a folder cannot store runs. */
export function unusable(folder: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || sqliteCode(error) === 'SQLITE_FULL')
    return `the disk of ${folder} is full; free some space, or choose another folder`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `you have no write permission in ${folder}; choose another folder, or change its permissions`;
  const why = code ?? (error instanceof Error ? error.message : String(error));
  return `${folder} cannot be used (${why}); choose another folder`;
}
