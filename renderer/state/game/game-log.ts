/** The sets that a player went through, the first with nothing kept or what was there when the game began. */
export interface GameLog {
  readonly sets: readonly (readonly string[])[];
  readonly at: number;
}

const MAX_MOVES = 500;

export const newLog = (ids: readonly string[]): GameLog => ({ sets: [ids], at: 0 });

/**
 * The log after the checkpoints have become these: a step back or forward in it where they are what was there, however
 * they were changed, else a move that takes the place of what was ahead.
 */
export function follow(log: GameLog, ids: readonly string[]): GameLog {
  const isAt = (place: number): boolean => {
    const set = log.sets[place];
    return set !== undefined && isSame(set, ids);
  };
  if (isAt(log.at)) return log;
  if (isAt(log.at - 1)) return { ...log, at: log.at - 1 };
  if (isAt(log.at + 1)) return { ...log, at: log.at + 1 };
  const sets = [...log.sets.slice(0, log.at + 1), ids].slice(-MAX_MOVES);
  return { sets, at: sets.length - 1 };
}

export const goTo = (log: GameLog, at: number): GameLog =>
  log.sets[at] === undefined ? log : { ...log, at };

export function moveAt(
  { sets }: GameLog,
  at: number,
): { readonly kept: string[]; readonly dropped: string[] } {
  const before = new Set(sets[at - 1]);
  const after = new Set(sets[at]);
  return {
    kept: [...after].filter((id) => !before.has(id)),
    dropped: [...before].filter((id) => !after.has(id)),
  };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  const all = new Set(a);
  return a.length === b.length && b.every((id) => all.has(id));
}
