import { z } from 'zod';
import { createStore, type Store } from '../../shared/store.ts';

const STORED_AS = 'zigzag-game';
/** Games that are remembered; the ones played longest ago are forgotten first. */
const MAX_GAMES = 400;
const MAX_KEY = 300;
const MAX_SET = 20_000;

const bestSchema = z.object({
  stars: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** The set itself (set-text.ts): what it costs is computed again wherever it is shown. */
  set: z.string().max(MAX_SET),
});

const scoreSchema = z.object({
  cost: bestSchema.nullable(),
  peak: bestSchema.nullable(),
  /** The optimum was looked at: nothing counts until the game is forgotten. */
  revealed: z.boolean(),
});

export type Best = z.infer<typeof bestSchema>;
export type Score = z.infer<typeof scoreSchema>;
export type Scores = ReadonlyMap<string, Score>;

export const NO_SCORE: Score = { cost: null, peak: null, revealed: false };

export const starsOf = ({ cost, peak }: Score): number => (cost?.stars ?? 0) + (peak?.stars ?? 0);

/** The part of a browser's storage that is used; it may be refused or full. */
type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

export interface ScoresStore extends Pick<Store<Scores>, 'get' | 'subscribe'> {
  record(key: string, score: Score): void;
  forget(key: string): void;
  forgetAll(): void;
}

/** Scores on this device, by the key of a game. What is damaged in storage is left out. */
export function createScores(shelf: () => Shelf): ScoresStore {
  const store = createStore<Scores>(readScores(shelf));
  const change = (part: (scores: Map<string, Score>) => void): void => {
    // Another window may have written meanwhile.
    const scores = new Map([...store.get(), ...readScores(shelf)]);
    part(scores);
    const kept = new Map([...scores].slice(-MAX_GAMES));
    store.set(kept);
    writeScores(shelf, kept);
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    record: (key, score) =>
      change((scores) => {
        scores.delete(key);
        scores.set(key, score);
      }),
    forget: (key) => change((scores) => scores.delete(key)),
    forgetAll: () => change((scores) => scores.clear()),
  };
}

function readScores(shelf: () => Shelf): Scores {
  const scores = new Map<string, Score>();
  try {
    const stored: unknown = JSON.parse(shelf().getItem(STORED_AS) ?? '[]');
    for (const entry of Array.isArray(stored) ? stored.slice(-MAX_GAMES) : []) {
      const [key, score] = Array.isArray(entry) ? entry : [];
      const read = scoreSchema.safeParse(score);
      if (typeof key === 'string' && key.length <= MAX_KEY && read.success) scores.set(key, read.data);
    }
  } catch {
    // Unreadable scores count as never played.
  }
  return scores;
}

function writeScores(shelf: () => Shelf, scores: Scores): void {
  try {
    shelf().setItem(STORED_AS, JSON.stringify([...scores]));
  } catch {
    // Without storage the scores last as long as the page.
  }
}
