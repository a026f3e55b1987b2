import { type Database, firstValue, inTransaction } from './database.ts';

/**
 * Steps from each schema version to the next, oldest first. Never change a released step: append the next one. SQLite's
 * `user_version` holds the version.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE runs (
     -- How people call a run; AUTOINCREMENT, so that no number is used twice.
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     source TEXT NOT NULL,
     -- The process that records it, while it is going on, and when that was last seen.
     owner INTEGER,
     seen_ms INTEGER NOT NULL,
     begun_ms INTEGER NOT NULL,
     ended_ms INTEGER,
     removed_ms INTEGER,
     outcome TEXT NOT NULL,
     failure TEXT,
     name TEXT NOT NULL DEFAULT '',
     note TEXT NOT NULL DEFAULT '',
     -- JSON: what a list shows, so that a list reads no run; the request; what is small and changes.
     summary TEXT NOT NULL,
     request TEXT NOT NULL,
     facts TEXT NOT NULL,
     -- Deflated: the start event with its prediction as JSON, the measured bytes of each step as doubles.
     start BLOB,
     measured BLOB,
     bytes INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX runs_by_time ON runs (begun_ms);
   -- Appended to while a run goes on, so that a write is as long as what is new.
   CREATE TABLE iterations (
     run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
     iteration INTEGER NOT NULL,
     ms REAL NOT NULL,
     loss REAL,
     drift REAL,
     PRIMARY KEY (run, iteration)
   ) STRICT, WITHOUT ROWID;`,
  `-- CRC-32 of what a list shows, of the packed start, and of all else; null in a run of the first version.
   ALTER TABLE runs ADD COLUMN line_sum INTEGER;
   ALTER TABLE runs ADD COLUMN start_sum INTEGER;
   ALTER TABLE runs ADD COLUMN content_sum INTEGER;
   -- Whether a removed run went by itself, to make room for newer ones.
   ALTER TABLE runs ADD COLUMN evicted INTEGER NOT NULL DEFAULT 0;`,
];

/** The database was written by a newer version of this program. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
  readonly version: number;

  constructor(version: number) {
    super(`schema ${version}`);
    this.version = version;
  }
}

const versionOf = (database: Database): number => Number(firstValue(database, 'PRAGMA user_version'));

/** @throws NewerSchemaError for a version above the last migration's */
export function refuseNewer(database: Database, migrations: readonly string[]): void {
  if (versionOf(database) > migrations.length) throw new NewerSchemaError(versionOf(database));
}

/** Upgrades a database to the latest schema, one transaction per version. */
export function migrate(database: Database, migrations: readonly string[] = MIGRATIONS): void {
  while (versionOf(database) < migrations.length) {
    inTransaction(database, () => {
      // Another process may have upgraded it while this one waited for the lock.
      const version = versionOf(database);
      const sql = migrations[version];
      if (sql === undefined) return;
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
}
