/**
 * A smaller document of which something still holds: pieces are left out and numbers made small, one at a time, as
 * long as it does. Documents are JSON or bytes; `mostTries` bounds the work.
 */
export function shrunk(document: unknown, holds: (smaller: unknown) => boolean, mostTries = 2000): unknown {
  let best = document;
  let tries = 0;
  for (let improved = true; improved && tries < mostTries; ) {
    improved = false;
    for (const smaller of smallerThan(best)) {
      if (++tries > mostTries) break;
      if (!holds(smaller)) continue;
      best = smaller;
      improved = true;
      break;
    }
  }
  return best;
}

/** Documents a step smaller, the boldest steps first. */
function* smallerThan(document: unknown): Generator<unknown> {
  if (document instanceof Uint8Array) {
    for (const [from, to] of pieces(document.length)) {
      yield Uint8Array.of(...document.subarray(0, from), ...document.subarray(to));
    }
  } else if (Array.isArray(document)) {
    for (const [from, to] of pieces(document.length)) yield document.toSpliced(from, to - from);
    for (const [i, part] of document.entries()) {
      for (const smaller of smallerThan(part)) yield document.with(i, smaller);
    }
  } else if (typeof document === 'object' && document !== null) {
    const entries = Object.entries(document);
    for (const [key] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== key));
    for (const [key, part] of entries) {
      for (const smaller of smallerThan(part)) yield { ...document, [key]: smaller };
    }
  } else if (typeof document === 'number' && document !== 0) {
    yield 0;
    if (Math.abs(document) > 1) yield Math.trunc(document / 2);
  } else if (typeof document === 'string' && document.length > 8) {
    yield document.slice(0, document.length >> 1);
  }
}

/** Halves, quarters ... single places of a list. */
function* pieces(length: number): Generator<[number, number]> {
  for (let size = length >> 1; size >= 1; size >>= 1) {
    for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)];
  }
  if (length === 1) yield [0, 1];
}
