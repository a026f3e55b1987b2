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

/** Sessions of one-time keys that are known again after a restart; the oldest leave first. */
const MAX_ISSUED = 64;

/** Keys that outlive the lab, so that its links and tabs do. */
export interface KeptKeys {
  readonly printed: string;
  /** The session key that the printed one is exchanged for. */
  readonly session: string;
  /** Session keys that one-time keys were exchanged for, the oldest first. */
  readonly issued: readonly string[];
}

/** New keys of a lab that nobody has been at. */
export const freshKeys = (): KeptKeys => ({ printed: freshKey(), session: freshKey(), issued: [] });

interface OneTime {
  readonly key: string;
  readonly until: number;
  /** Session that it was exchanged for; null before. */
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
  readonly printed: string;
  readonly #session: string;
  readonly #now: () => number;
  readonly #onVoid: (session: string) => void;
  readonly #onChange: (kept: KeptKeys) => void;
  #issued: readonly string[];
  #once: OneTime[] = [];

  /**
   * @param onVoid called with a session key that no longer counts
   * @param now milliseconds of a clock that only goes forward
   * @param kept those of the lab before
   * @param onChange called with what is to be kept from now on
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

  /** A session key that opens WebSockets, and that the caller knows by something else. */
  find(isIt: (session: string) => boolean): string | null {
    return [this.#session, ...this.#issued].find(isIt) ?? null;
  }

  #keep(issued: readonly string[]): void {
    this.#issued = issued;
    this.#onChange({ printed: this.printed, session: this.#session, issued });
  }
}
