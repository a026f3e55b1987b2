import {
  createRelayClient,
  DisconnectedError,
  type LabClient,
  type LabLink,
  NoAccessError,
} from './client.ts';

/**
 * `connecting` until the first success; `lost` from a drop until the next success; `refused` where the lab answers, but
 * not this page.
 */
export type LabConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

/** One dialled carrier. */
export interface DialledCarrier {
  readonly link: LabLink;
  /** Resolves when the carrier closes, for whatever reason. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Opens a carrier; rejects when it cannot be opened, with NoAccessError where the lab refuses this page. */
export type Dial = () => Promise<DialledCarrier>;

/** Who answers a page: the desktop program, a server, or the site's own worker. */
export type LabPlace = 'desktop' | 'browser' | 'site';

export interface LabConnection {
  readonly place: LabPlace;
  /** Stays the same over reconnects. Calls made while there is no carrier wait for the next one. */
  readonly client: LabClient;
  readonly state: LabConnectionState;
  /** Calls the listener at every change of `state`; returns how to stop. Fits useSyncExternalStore. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Resolves when a carrier is open. @throws DisconnectedError when none opens within the patience. */
  opened(signal?: AbortSignal): Promise<void>;
  /** Closes for good. */
  close(): void;
}

export interface ConnectionTimes {
  /** How long a call waits for a carrier. */
  readonly patienceMs: number;
  /** Pause before the first new attempt; doubles up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Pause after a refusal, which does not mend itself. */
  readonly refusedPauseMs: number;
}

const TIMES: ConnectionTimes = {
  patienceMs: 10_000,
  firstPauseMs: 250,
  longestPauseMs: 4000,
  refusedPauseMs: 30_000,
};

/** Advice when no carrier opens in time, on a served page. */
const START_AGAIN =
  'The lab does not answer. Start it again with "zigzag serve" and open the address that it prints.';

/**
 * Keeps one carrier open: dials, and dials again with growing pauses when the carrier drops.
 *
 * @param noAnswer the sentence for a call that found no carrier in time
 */
export function createLabConnection(
  dial: Dial,
  times: ConnectionTimes = TIMES,
  noAnswer = START_AGAIN,
  place: LabPlace = 'browser',
): LabConnection {
  return new Redialler(dial, times, noAnswer, place);
}

interface Waiting {
  take(carrier: DialledCarrier): void;
  refuse(error: NoAccessError): void;
}

class Redialler implements LabConnection {
  readonly place: LabPlace;
  readonly client: LabClient;
  readonly #dial: Dial;
  readonly #times: ConnectionTimes;
  readonly #noAnswer: string;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Set<Waiting>();
  #state: LabConnectionState = 'connecting';
  #carrier: DialledCarrier | null = null;
  #refusal: NoAccessError | null = null;
  #closed = false;

  constructor(dial: Dial, times: ConnectionTimes, noAnswer: string, place: LabPlace) {
    this.place = place;
    this.#dial = dial;
    this.#times = times;
    this.#noAnswer = noAnswer;
    this.client = createRelayClient(async (signal) => (await this.#current(signal)).link);
    void this.#keepOpen();
  }

  get state(): LabConnectionState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async opened(signal?: AbortSignal): Promise<void> {
    await this.#current(signal);
  }

  close(): void {
    this.#closed = true;
    this.#carrier?.close();
  }

  async #keepOpen(): Promise<void> {
    let pause = this.#times.firstPauseMs;
    while (!this.#closed) {
      const carrier = await this.#dial().catch((error: unknown) => {
        this.#refusal = error instanceof NoAccessError ? error : null;
        return null;
      });
      if (carrier !== null) {
        this.#refusal = null;
        pause = this.#times.firstPauseMs;
        if (this.#closed) carrier.close();
        this.#carrier = carrier;
        for (const { take } of this.#waiting) take(carrier);
        this.#waiting.clear();
        this.#become('open');
        await carrier.closed;
        this.#carrier = null;
        this.#become('lost');
      }
      if (this.#closed) return;
      if (this.#refusal !== null) this.#refuse(this.#refusal);
      else if (this.#state === 'refused') this.#become('lost');
      const { refusedPauseMs, longestPauseMs } = this.#times;
      await new Promise((resolve) => setTimeout(resolve, this.#refusal === null ? pause : refusedPauseMs));
      pause = Math.min(2 * pause, longestPauseMs);
    }
  }

  /** Who waits need not wait any longer. */
  #refuse(error: NoAccessError): void {
    for (const { refuse } of this.#waiting) refuse(error);
    this.#waiting.clear();
    this.#become('refused');
  }

  #become(state: LabConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }

  #current(signal?: AbortSignal): Promise<DialledCarrier> {
    if (this.#carrier !== null) return Promise.resolve(this.#carrier);
    if (this.#refusal !== null) return Promise.reject(this.#refusal);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', abort);
      };
      const waiting: Waiting = {
        take: (carrier) => {
          settle();
          resolve(carrier);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      const abort = (): void => {
        settle();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        settle();
        reject(new DisconnectedError(this.#noAnswer));
      }, this.#times.patienceMs);
      this.#waiting.add(waiting);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
