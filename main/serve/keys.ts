import { randomBytes, timingSafeEqual } from 'node:crypto';

/** A new key of 128 bits: nobody guesses it. */
export function freshKey(): string {
  return randomBytes(16).toString('hex');
}

/** Compares in constant time, so that the time of a refusal tells nothing of the key. */
export function sameKey(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** How long a browser may take to start and load the page. */
const ONCE_MS = 60_000;

interface OneTime {
  readonly key: string;
  readonly until: number;
  /** What it was exchanged for; null before. */
  session: string | null;
}

/**
 * The keys of one lab. A page shows the key of its address once and gets a session key for it, which opens
 * WebSockets and is in no address. Two kinds of keys are exchanged: the printed one as often as people open what was
 * printed, and one-time keys. A one-time key travels in a command line, which other users of the machine can read, so
 * whoever comes second with it tells that somebody was first: what it was exchanged for is void then (as of OAuth's
 * codes, RFC 6749, 4.1.2).
 */
export class SessionKeys {
  readonly printed = freshKey();
  readonly #session = freshKey();
  readonly #now: () => number;
  readonly #onVoid: (session: string) => void;
  #once: OneTime[] = [];

  /**
   * @param onVoid called with a session key that no longer counts
   * @param now milliseconds of a clock that only goes forward
   */
  constructor(onVoid: (session: string) => void, now: () => number = () => performance.now()) {
    this.#onVoid = onVoid;
    this.#now = now;
  }

  /** A key that is exchanged once, within a minute. */
  issueOnce(): string {
    const key = freshKey();
    this.#once.push({ key, until: this.#now() + ONCE_MS, session: null });
    return key;
  }

  /** The session key for a key, or null where that is none. */
  exchange(key: string): string | null {
    if (sameKey(key, this.printed)) return this.#session;
    const found = this.#once.find((one) => sameKey(key, one.key));
    if (found === undefined || this.#now() > found.until) return null;
    if (found.session === null) {
      found.session = freshKey();
      return found.session;
    }
    this.#once = this.#once.filter((one) => one !== found);
    this.#onVoid(found.session);
    return null;
  }

  /** Whether a session key opens WebSockets. */
  accepts(session: string): boolean {
    const issued = this.#once.flatMap((one) => (one.session === null ? [] : [one.session]));
    return [this.#session, ...issued].some((one) => sameKey(session, one));
  }
}
