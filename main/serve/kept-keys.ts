import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freshKey, freshKeys, type KeptKeys } from './keys.ts';

const FILE = 'serve.json';
const MAX_BYTES = 64 * 1024;
/** Whatever others of the machine may do with a file. */
const OTHERS = 0o077;

const key = z.string().regex(/^[0-9a-f]{32}$/);
const keptSchema = z.object({
  printed: key,
  session: key,
  issued: z.array(key).max(64),
  /** Port of the lab: tabs and links name it. */
  port: z.number().int().min(1).max(65535).nullable(),
});

type Kept = z.infer<typeof keptSchema>;

/**
 * The keys of the served lab in its data folder, so that links and tabs survive a restart. A file that is damaged, or
 * that others of the machine can read, is replaced by new keys; where none can be written, the keys end with the server.
 */
export class KeptKeysFile {
  readonly #folder: string;
  #kept: Kept;

  /** @param renew forgets the keys that there were: links and tabs of before have no access then */
  constructor(folder: string, renew = false) {
    this.#folder = folder;
    const known = renew ? null : readKept(join(folder, FILE));
    this.#kept = known ?? { ...freshKeys(), issued: [], port: null };
    if (known === null) this.#write();
  }

  get keys(): KeptKeys {
    return this.#kept;
  }

  /** Null where the lab has not listened yet. */
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

  /** In one go, so that no lab reads half a file, and readable for its owner alone from the start. */
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

/** A draft that could not become the file, where there is one at all. */
function removed(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Its folder is none.
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
