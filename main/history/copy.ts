import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, sqliteCode } from './database.ts';
import { makeFolder } from './open-file.ts';

/** Makes a folder where there is none, and writes into it, for a moment. @throws what the file system refuses */
export function tryFolder(folder: string): void {
  makeFolder(folder);
  const probe = join(folder, `.zigzag-${randomUUID()}`);
  writeFileSync(probe, '', { flag: 'wx' });
  rmSync(probe);
}

/** One sound file, as it is now, whoever writes meanwhile; there in whole or not at all. @throws what SQLite refuses */
export function copyDatabase(database: Database, target: string): void {
  const draft = `${target}.${randomUUID()}.new`;
  try {
    database.prepare('VACUUM INTO ?').run(draft);
    renameSync(draft, target);
  } finally {
    for (const part of ['', '-journal', '-wal', '-shm']) rmSync(draft + part, { force: true });
  }
}

/** Why a folder cannot be used for runs, in one sentence. */
export function unusable(folder: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || sqliteCode(error) === 'SQLITE_FULL')
    return `the disk of ${folder} is full; free some space, or choose another folder`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${folder} is not writable for you; choose another folder, or change its permissions`;
  const why = code ?? (error instanceof Error ? error.message : String(error));
  return `${folder} cannot be used (${why}); choose another folder`;
}
