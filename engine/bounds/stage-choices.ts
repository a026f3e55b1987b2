import type { Stage } from './stages.ts';

/** A stage as backward finds it at a step, beside what the stages before it hold. */
export interface Held {
  /** By step: bytes of the stage that live. */
  readonly bytes: Float64Array;
  /** By step: 1 where the end of the stage before has been recomputed by then, or is needed itself. */
  readonly reaches: Uint8Array;
}

/** Some values of a stage, its end apart, that live at a moment before its backward. */
export interface Choice {
  /** By value: 1 where it lives, as those do that count as there for nothing. */
  readonly lives: Uint8Array;
  readonly bytes: number;
  /** Bytes with the stage's end live too. */
  readonly withEnd: Held;
  /** Bytes with the stage's end recomputed. */
  readonly without: Held;
  /** Without its end: bytes that live from when the end is there again until the stage's own backward. */
  readonly lockedBytes: number;
  /** Without its end: whether that asks for the end of the stage before. */
  readonly endReaches: boolean;
}

/** Values of a stage of which all subsets are looked at, the largest; the others count as there for nothing. */
const MAX_CHOSEN = 10;
/** Above this number of vertices all count as there. */
const MAX_VERTICES = 100;

/** True if no value of the stage counts as there for nothing. */
export function isWhole(stage: Stage): boolean {
  return stage.vertices.length <= MAX_VERTICES && stage.bytes.length - 1 <= MAX_CHOSEN;
}

/** The choices of each stage; stages of the same shape, as repeated blocks are, share theirs. */
export function choicesOfEach(stages: readonly Stage[]): (readonly Choice[])[] {
  const known = new Map<string, readonly Choice[]>();
  return stages.map((stage) => {
    const { vertices, bytes, inputs, readsEntry, isNeeded, needs, pending, steps } = stage;
    const entries = steps.map(({ needsEntry }) => needsEntry);
    const shape = JSON.stringify([
      vertices.length,
      bytes,
      inputs,
      readsEntry,
      isNeeded,
      needs,
      pending,
      entries,
    ]);
    const choices = known.get(shape) ?? choicesOf(stage);
    known.set(shape, choices);
    return choices;
  });
}

/** Every choice that no other is at least as good as in all. */
function choicesOf(stage: Stage): Choice[] {
  const inner = stage.bytes.length - 1;
  const chosen = stage.vertices.length > MAX_VERTICES ? [] : largest(stage.bytes.slice(0, inner));
  const isFree = new Uint8Array(inner).fill(1);
  for (const n of chosen) isFree[n] = 0;
  const all: Choice[] = [];
  for (let mask = 0; mask < 2 ** chosen.length; mask++) {
    const lives = Uint8Array.from(isFree);
    let bytes = 0;
    chosen.forEach((n, bit) => {
      if (((mask >> bit) & 1) === 0) return;
      lives[n] = 1;
      bytes += stage.bytes[n]!;
    });
    all.push(choice(stage, lives, bytes));
  }
  all.sort((a, b) => a.bytes - b.bytes || a.lockedBytes - b.lockedBytes);
  const best: Choice[] = [];
  for (const one of all) if (!best.some((other) => isNoWorse(other, one))) best.push(one);
  return best;
}

function largest(bytes: readonly number[]): number[] {
  return [...bytes.keys()].sort((a, b) => bytes[b]! - bytes[a]! || a - b).slice(0, MAX_CHOSEN);
}

function choice(stage: Stage, lives: Uint8Array, bytes: number): Choice {
  const end = stage.bytes.length - 1;
  const nothing: Forwarded = { again: new Uint8Array(end + 1), reaches: false };
  const withEnd = Uint8Array.of(...lives, 1);
  const without = Uint8Array.of(...lives, 0);
  const toEnd = forwardedToo(stage, [end], without, nothing);
  let lockedBytes = 0;
  for (let n = 0; n < end; n++) if (toEnd.again[n] === 1 && stage.isNeeded[n]) lockedBytes += stage.bytes[n]!;
  return {
    lives,
    bytes,
    withEnd: held(stage, withEnd, nothing),
    without: held(stage, without, toEnd),
    lockedBytes,
    endReaches: toEnd.reaches,
  };
}

/** By value 1 where it is recomputed, and whether that asks for the end of the stage before. */
interface Forwarded {
  readonly again: Uint8Array;
  readonly reaches: boolean;
}

/** @param before what is recomputed before any step of the stage */
function held(stage: Stage, lives: Uint8Array, before: Forwarded): Held {
  const bytes = new Float64Array(stage.steps.length);
  const reaches = new Uint8Array(stage.steps.length);
  stage.steps.forEach((step, x) => {
    const needs = new Set(stage.needs[x]);
    const own = forwardedToo(stage, needs, lives, before);
    for (const n of needs) bytes[x]! += stage.bytes[n]!;
    for (const n of stage.pending[x]!) if (own.again[n] === 1 && !needs.has(n)) bytes[x]! += stage.bytes[n]!;
    reaches[x] = step.needsEntry || own.reaches ? 1 : 0;
  });
  return { bytes, reaches };
}

/** Vertices to recompute so that some values live too: those that do not, through inputs that do not either. */
function forwardedToo(
  stage: Stage,
  wanted: Iterable<number>,
  lives: Uint8Array,
  before: Forwarded,
): Forwarded {
  const missing = [...wanted].filter((n) => lives[n] === 0 && before.again[n] === 0);
  if (missing.length === 0) return before;
  const again = before.again.slice();
  let { reaches } = before;
  for (const n of missing) again[n] = 1;
  for (let n = missing.pop(); n !== undefined; n = missing.pop()) {
    if (stage.readsEntry[n]) reaches = true;
    for (const m of stage.inputs[n]!) {
      if (lives[m] === 1 || again[m] === 1) continue;
      again[m] = 1;
      missing.push(m);
    }
  }
  return { again, reaches };
}

function isNoWorse(a: Choice, b: Choice): boolean {
  const isBelow = (one: Held, other: Held): boolean =>
    one.bytes.every((bytes, i) => bytes <= other.bytes[i]! && one.reaches[i]! <= other.reaches[i]!);
  return (
    a.bytes <= b.bytes &&
    a.lockedBytes <= b.lockedBytes &&
    Number(a.endReaches) <= Number(b.endReaches) &&
    isBelow(a.withEnd, b.withEnd) &&
    isBelow(a.without, b.without)
  );
}
