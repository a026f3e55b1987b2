/**
 * The names nearest to one that nobody knows, for "did you mean": at most three, within a third of the
 * name's length in edits (insert, delete, replace), nearest first, then in the order given.
 * Time O(names x length^2).
 */
export function nearest(name: string, names: readonly string[]): string[] {
  const most = Math.max(2, Math.ceil(name.length / 3));
  const wanted = name.toLowerCase();
  return names
    .map((candidate) => ({ candidate, distance: edits(wanted, candidate.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Levenshtein distance, or anything above `most` once it must be larger. */
function edits(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
