const MAX_OFFERS = 3;

/**
 * The names nearest to what was typed: those that start with it, then by edit distance up to a third
 * of the length. Case, hyphens, underscores and blanks do not count. Time O(names x length^2).
 */
export function nearestNames(typed: string, names: readonly string[]): readonly string[] {
  const wanted = plain(typed);
  if (wanted === '' || wanted.length > 100) return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const scored = names.map((name, position) => {
    const candidate = plain(name);
    const edits = candidate.startsWith(wanted) ? 0.5 : editDistance(wanted, candidate);
    const distance = candidate === wanted ? 0 : edits;
    return { name, position, distance, isNear: distance <= limit || family(candidate) === family(wanted) };
  });
  return scored
    .filter(({ isNear }) => isNear)
    .sort((a, b) => a.distance - b.distance || a.position - b.position)
    .slice(0, MAX_OFFERS)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Letters before the size: `resnet` of `resnet9999`. */
const family = (name: string): string => name.replace(/\d.*$/, '');

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, substitution));
    }
    row = next;
  }
  return row[b.length]!;
}
