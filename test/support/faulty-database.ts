import type { Database, OpenDatabase } from '../../main/history/database.ts';

/** Points at which a database may fail: opening a file, a statement, the sync at the end of a transaction. */
export type Operation = 'open' | 'write' | 'sync' | 'synced';

/**
 * A driver that tells every operation before it is done, and after a commit once more: a listener may throw, as a
 * disk does, or kill the process. A commit that is told as `sync` has not been done, one told as `synced` has.
 */
export function countingDriver(open: OpenDatabase, tell: (operation: Operation) => void): OpenDatabase {
  return (file) => {
    tell('open');
    const database = open(file);
    return {
      exec(sql) {
        // The rollback of a failed transaction does not fail: it asks nothing of the disk.
        if (sql === 'ROLLBACK') return database.exec(sql);
        tell(sql === 'COMMIT' ? 'sync' : 'write');
        const done = database.exec(sql);
        if (sql === 'COMMIT') tell('synced');
        return done;
      },
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          run(...values) {
            tell('write');
            return statement.run(...values);
          },
          all: (...values) => statement.all(...values),
          iterate: (...values) => statement.iterate(...values),
        };
      },
      close: () => database.close(),
    } satisfies Database;
  };
}

/** Fails the N-th operation from when it is armed, counted from 1, or every one from it on. */
export class FaultyDisk {
  #left = Number.POSITIVE_INFINITY;
  #lasts = false;
  /** How many operations were failed. */
  failed = 0;

  arm(nth: number, lasts: boolean): void {
    this.#left = nth;
    this.#lasts = lasts;
  }

  repair(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  driver(open: OpenDatabase): OpenDatabase {
    return countingDriver(open, (operation) => {
      this.#left--;
      if (this.#left > 0 || (this.#left < 0 && !this.#lasts)) return;
      this.failed++;
      throw Object.assign(new Error(`disk I/O error (${operation})`), { code: 'SQLITE_IOERR' });
    });
  }
}
