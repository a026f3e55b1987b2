import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freshKey, freshKeys, type KeptKeys } from './keys.ts';

const FILE = 'serve.json';
const MAX_BYTES = 64 * 1024;
/** File permissions of users other than the owner. */
const OTHERS = 0o077;

const key = z.string().regex(/^[0-9a-f]{32}$/);
const keptSchema = z.object({
  printed: key,
  session: key,
  issued: z.array(key).max(64),
  /** Port of the lab, which tabs and links name. */
  port: z.number().int().min(1).max(65535).nullable(),
});

type Kept = z.infer<typeof keptSchema>;

/**
 * Stores the served lab's keys in its data folder, so that links and tabs survive a restart. A file that is damaged, or
 * readable by other users, is replaced by new keys. If no file can be written, the keys end with the server.
 */
export class KeptKeysFile {
  readonly #folder: string;
  #kept: Kept;

  /** @param renew discards the stored keys, which revokes earlier links and open tabs */
  constructor(folder: string, renew = false) {
    this.#folder = folder;
    const known = renew ? null : readKept(join(folder, FILE));
    this.#kept = known ?? { ...freshKeys(), issued: [], port: null };
    if (known === null) this.#write();
  }

  get keys(): KeptKeys {
    return this.#kept;
  }

  /** Null before the lab listens. */
  get port(): number | null {
    return this.#kept.port;
  }

  keep(keys: KeptKeys): void {
    this.#kept = { ...this.#kept, ...keys, issued: [...keys.issued] };
    this.#write();
  }

  keepPort(port: number): void {
    if (port === this.#kept.port) return;
    this.#kept = { ...this.#kept, port };
    this.#write();
  }

  /** Written atomically, so that no lab reads half a file, and readable only by its owner from the start. */
  #write(): void {
    const draft = join(this.#folder, `.${FILE}.${freshKey()}`);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, `${JSON.stringify(this.#kept)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, join(this.#folder, FILE));
    } catch {
      removed(draft);
    }
  }
}

/** A draft that could not become the file, if it exists. */
function removed(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Its folder does not exist.
  }
}

function readKept(file: string): Kept | null {
  try {
    const stats = statSync(file);
    const isPrivate = process.platform === 'win32' || (stats.mode & OTHERS) === 0;
    if (!stats.isFile() || !isPrivate || stats.size > MAX_BYTES) return null;
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
