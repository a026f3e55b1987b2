import { randomBytes, timingSafeEqual } from 'node:crypto';

/** A new random key of 128 bits. */
export function freshKey(): string {
  return randomBytes(16).toString('hex');
}

/** Compares in constant time, so that the time of a refusal reveals nothing about the key. */
export function sameKey(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** How long a browser may take to start and load the page. */
const ONCE_MS = 60_000;

/** Most sessions of one-time keys that survive a restart; the oldest are dropped first. */
const MAX_ISSUED = 64;

/** Keys that survive a restart of the lab, so that its links and tabs keep working. */
export interface KeptKeys {
  readonly printed: string;
  /** Session key given in exchange for the printed key. */
  readonly session: string;
  /** Session keys given in exchange for one-time keys, the oldest first. */
  readonly issued: readonly string[];
}

/** Keys of a new lab. */
export const freshKeys = (): KeptKeys => ({ printed: freshKey(), session: freshKey(), issued: [] });

interface OneTime {
  readonly key: string;
  readonly until: number;
  /** Session key given in exchange; null before. */
  session: string | null;
}

/**
 * The keys of one lab. A page sends the key in its address once and gets a session key, which opens WebSockets and is
 * in no address. Two kinds of keys can be exchanged: the printed one, any number of times, and one-time keys. A
 * one-time key travels in a command line, which other users of the machine can read. A second use therefore proves that
 * somebody else has it, and voids the session from the first use (like OAuth's codes, RFC 6749, 4.1.2).
 */
export class SessionKeys {
  readonly printed: string;
  readonly #session: string;
  readonly #now: () => number;
  readonly #onVoid: (session: string) => void;
  readonly #onChange: (kept: KeptKeys) => void;
  #issued: readonly string[];
  #once: OneTime[] = [];

  /**
   * @param onVoid called with a session key that no longer counts
   * @param now milliseconds of a monotonic clock
   * @param kept keys of the previous lab @param onChange called with the keys to store
   */
  constructor(
    onVoid: (session: string) => void,
    now: () => number = () => performance.now(),
    kept: KeptKeys = freshKeys(),
    onChange: (kept: KeptKeys) => void = () => undefined,
  ) {
    this.#onVoid = onVoid;
    this.#now = now;
    this.#onChange = onChange;
    this.printed = kept.printed;
    this.#session = kept.session;
    this.#issued = kept.issued;
  }

  /** A key that can be exchanged once, within a minute. */
  issueOnce(): string {
    const key = freshKey();
    this.#once.push({ key, until: this.#now() + ONCE_MS, session: null });
    return key;
  }

  /** The session key for a key; null for an invalid one. */
  exchange(key: string): string | null {
    if (sameKey(key, this.printed)) return this.#session;
    const found = this.#once.find((one) => sameKey(key, one.key));
    if (found === undefined || this.#now() > found.until) return null;
    if (found.session === null) {
      found.session = freshKey();
      this.#keep([...this.#issued, found.session].slice(-MAX_ISSUED));
      return found.session;
    }
    const { session } = found;
    this.#once = this.#once.filter((one) => one !== found);
    this.#keep(this.#issued.filter((one) => one !== session));
    this.#onVoid(session);
    return null;
  }

  /** True when a session key opens WebSockets. */
  accepts(session: string): boolean {
    return this.find((one) => sameKey(session, one)) !== null;
  }

  /** A valid session key that matches a test other than the key itself. */
  find(isIt: (session: string) => boolean): string | null {
    return [this.#session, ...this.#issued].find(isIt) ?? null;
  }

  #keep(issued: readonly string[]): void {
    this.#issued = issued;
    this.#onChange({ printed: this.printed, session: this.#session, issued });
  }
}
