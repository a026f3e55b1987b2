import { isCollective } from '../../ops/collectives.ts';
import type { LiveModel } from './live-model.ts';

/** Backward through a block, with its end kept or recomputed. Peaks are beside what is kept of the blocks before it. */
export interface Turn {
  /** Bytes of the block that are kept, its end apart. */
  readonly bytes: number;
  /** Forward work done again. */
  readonly work: number;
  /** The most with the end of the block before kept, whose own bytes count as kept before. */
  readonly afterKept: number;
  /** With that end recomputed: the most until it is, and from then on, beside what else is recomputed for it. */
  readonly unreached: number;
  readonly reached: number;
}

/** Some items of a block, its end apart, that are kept. */
export interface BlockChoice {
  /** By item of the block: 1 where it is kept. */
  readonly keeps: Uint8Array;
  readonly kept: Turn;
  readonly recomputed: Turn;
  /** With the end recomputed: other bytes that live from then until the block's own backward, and the most on the way. */
  readonly lockedBytes: number;
  readonly onTheWay: number;
  /** With the end recomputed: whether that asks for the end of the block before. */
  readonly reachesEntry: boolean;
}

/** A stretch of an order between two positions over which one item alone is used again. */
export interface Block {
  /** Positions after `from` up to `at`. */
  readonly from: number;
  readonly at: number;
  /** The first of its items, which follow one on the other. */
  readonly first: number;
  readonly end: number;
  readonly endBytes: number;
  /** Bytes of the end's auxiliary, which live until its own backward. */
  readonly endAux: number;
  readonly entryBytes: number;
  readonly choices: readonly BlockChoice[];
}

/** Items of a block of which all subsets are looked at, the largest; the others are kept. */
const MAX_CHOSEN = 10;
/** Blocks with more items keep everything. */
const MAX_ITEMS = 16;

/** Blocks with the same of all these are equal. Items by their place in the block, positions by that after its beginning; -1 none. */
interface Inside {
  readonly bytes: readonly number[];
  readonly work: readonly number[];
  readonly auxBytes: readonly number[];
  readonly auxSteps: readonly number[];
  /** Inputs of each item, and items that each backward step needs; -1 the end of the block before. */
  readonly inputs: readonly (readonly number[])[];
  readonly needs: readonly (readonly number[])[];
  /** Auxiliaries that do not grow with the batch. */
  readonly fixedBytes: readonly number[];
  readonly fixedSteps: readonly number[];
  /** By backward step: bytes of gradients before and after its allocations. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly end: number;
  readonly entryBytes: number;
  /** True if the entry's own block needs it in backward. */
  readonly isEntryPinned: boolean;
  /** Items that run once. */
  readonly runsOnce: readonly boolean[];
}

const ENTRY = -1;
/** Fewer blocks are no chain: other searches are as good. */
const MIN_BLOCKS = 8;
const NEVER = -1;

/**
 * An order as a chain of blocks, each with what is worth keeping of it; none where there are few. Blocks of the same bytes,
 * costs and edges, as repeated layers are, share their choices. O(V + E), and up to 2^10 choices for each kind of block.
 */
export function blocksOf(model: LiveModel): readonly Block[] {
  const known = new Map<string, readonly BlockChoice[]>();
  const ends = endsOf(model);
  if (ends.length < MIN_BLOCKS) return [];
  let [from, first, entry] = [0, 1, 0];
  return ends.map(({ at, item }): Block => {
    let next = first;
    while (next < model.items && model.final[next]! <= at) next++;
    const inside = insideOf(model, { from, at, first, next, entry, end: item });
    const key = JSON.stringify(inside);
    const choices = known.get(key) ?? choicesOf(inside);
    known.set(key, choices);
    const { bytes, auxBytes, end, entryBytes } = inside;
    const block = {
      from,
      at,
      first,
      end: item,
      endBytes: bytes[end]!,
      endAux: auxBytes[end]!,
      entryBytes,
      choices,
    };
    [from, first, entry] = [at, next, item];
    return block;
  });
}

/** Positions at which one item alone is used again, each with that item; at last the target. */
function endsOf({
  order,
  items,
  created,
  final,
  lastForward,
  maxNeed,
}: LiveModel): { at: number; item: number }[] {
  const size = order.length;
  const count = new Int32Array(size + 1);
  const sum = new Float64Array(size + 1);
  for (let item = 1; item < items; item++) {
    const last = Math.max(lastForward[item]!, maxNeed[item]!);
    count[created[item]!]!++;
    sum[created[item]!]! += item;
    count[last]!--;
    sum[last]! -= item;
  }
  const ends: { at: number; item: number }[] = [];
  let [open, which] = [0, 0];
  for (let p = 1; p < size - 1; p++) {
    open += count[p]!;
    which += sum[p]!;
    // One that nothing needs in backward is no better kept than what it is made of.
    if (open !== 1 || final[which]! > p || maxNeed[which]! <= p || ends.at(-1)?.item === which) continue;
    ends.push({ at: p, item: which });
  }
  return [...ends, { at: size - 1, item: items - 1 }];
}

interface Place {
  readonly from: number;
  readonly at: number;
  /** Items from `first` up to `next`, which is not among them. */
  readonly first: number;
  readonly next: number;
  readonly entry: number;
  readonly end: number;
}

function insideOf(model: LiveModel, { from, at, first, next, entry, end }: Place): Inside {
  const { bytes, work, ins, inOffsets, needOffsets, needPositions, auxBytes, auxPosition } = model;
  const { fixedBytes, fixedPosition, graph, members } = model;
  const needs: number[][] = Array.from({ length: at - from }, () => []);
  const needed = (item: number, n: number): void => {
    for (let k = needOffsets[item]!; k < needOffsets[item + 1]!; k++) {
      const step = needPositions[k]! - from - 1;
      if (step >= 0 && step < needs.length) needs[step]!.push(n);
    }
  };
  if (entry > 0) needed(entry, ENTRY);
  const numbers = Array.from({ length: next - first }, (_, n) => n);
  for (const n of numbers) needed(first + n, n);
  const stepsOf = (positions: Int32Array): number[] =>
    numbers.map((n) => (positions[first + n]! < 0 ? NEVER : positions[first + n]! - from - 1));
  return {
    bytes: numbers.map((n) => bytes[first + n]!),
    work: numbers.map((n) => work[first + n]!),
    auxBytes: numbers.map((n) => auxBytes[first + n]!),
    auxSteps: stepsOf(auxPosition),
    fixedBytes: numbers.map((n) => fixedBytes[first + n]!),
    fixedSteps: stepsOf(fixedPosition),
    inputs: numbers.map((n) =>
      [...ins.subarray(inOffsets[first + n]!, inOffsets[first + n + 1]!)].flatMap((input) =>
        input >= first ? [input - first] : input === entry && entry > 0 ? [ENTRY] : [],
      ),
    ),
    needs,
    before: [...model.gradientsBefore.subarray(from + 1, at + 1)],
    after: [...model.gradientsAfter.subarray(from + 1, at + 1)],
    end: end - first,
    entryBytes: entry > 0 ? bytes[entry]! : 0,
    isEntryPinned: model.minNeed[entry]! <= from,
    runsOnce: numbers.map((n) => members[first + n]!.some((v) => isCollective(graph.operations[v]!))),
  };
}

/** Every choice that no other is at least as good as in all. */
function choicesOf(inside: Inside): BlockChoice[] {
  const { bytes, auxBytes, end, runsOnce } = inside;
  const held = (n: number): number => bytes[n]! + auxBytes[n]!;
  const chosen = [...bytes.keys()]
    .slice(0, bytes.length > MAX_ITEMS ? 0 : bytes.length)
    .filter((n) => n !== end && held(n) > 0 && runsOnce[n] !== true)
    .sort((a, b) => held(b) - held(a) || a - b)
    .slice(0, MAX_CHOSEN);
  const all = Array.from({ length: 2 ** chosen.length }, (_, mask) => {
    const keeps = new Uint8Array(bytes.length).fill(1);
    chosen.forEach((n, bit) => {
      keeps[n] = (mask >> bit) & 1;
    });
    return choiceOf(inside, keeps);
  });
  all.sort((a, b) => a.kept.bytes - b.kept.bytes || a.kept.work - b.kept.work);
  const best: BlockChoice[] = [];
  for (const one of all) if (!best.some((other) => isNoWorse(other, one))) best.push(one);
  return best;
}

function choiceOf(inside: Inside, keeps: Uint8Array): BlockChoice {
  const { turn: kept } = turnOf(inside, keeps, true);
  const { turn, ...way } = turnOf(inside, keeps, false);
  const recomputed =
    inside.runsOnce[inside.end] === true ? { ...turn, unreached: Number.POSITIVE_INFINITY } : turn;
  return { keeps, kept, recomputed, ...way };
}

/** Backward through a block step by step: what is recomputed, just before it is needed, and what is held of it. */
function turnOf(
  inside: Inside,
  keeps: Uint8Array,
  isEndKept: boolean,
): Pick<BlockChoice, 'lockedBytes' | 'onTheWay' | 'reachesEntry'> & { turn: Turn } {
  const { bytes, work, auxBytes, auxSteps, fixedBytes, fixedSteps, inputs, needs, before, after } = inside;
  const { end, entryBytes } = inside;
  const count = bytes.length;
  const steps = needs.length;
  const isKept = (n: number): boolean => (n === end ? isEndKept : keeps[n] === 1);
  /** By item: before which step it is recomputed (`steps`: before all), and the last step that uses it. */
  const event = new Int32Array(count).fill(NEVER);
  const last = new Int32Array(count).fill(steps + 1);
  let [entryFirst, entryLast] = [NEVER, steps + 1];
  const reachEntry = (step: number): void => {
    entryFirst = Math.max(entryFirst, step);
    entryLast = step;
  };
  let done = 0;
  const forward = (wanted: number, step: number): void => {
    const open = [wanted];
    for (let n = open.pop(); n !== undefined; n = open.pop()) {
      if (isKept(n) || event[n] !== NEVER) continue;
      event[n] = step;
      done += work[n]!;
      for (const input of inputs[n]!) {
        if (input === ENTRY) reachEntry(step);
        else {
          last[input] = step;
          open.push(input);
        }
      }
    }
  };
  if (!isEndKept) forward(end, steps);
  const reachesEntry = entryFirst === steps;
  for (let step = steps - 1; step >= 0; step--) {
    for (const n of needs[step]!) {
      if (n === ENTRY) reachEntry(step);
      else {
        last[n] = step;
        forward(n, step);
      }
    }
    for (let n = 0; n < count; n++) if (auxSteps[n] === step && auxBytes[n]! > 0) forward(n, step);
  }
  /** Fixed auxiliaries stay from the first forward on where none comes before their backward. */
  const staysFixed = (n: number): boolean => event[n]! < fixedSteps[n]!;
  const auxOf = (n: number, step: number): number =>
    (auxSteps[n]! >= 0 && auxSteps[n]! <= step ? auxBytes[n]! : 0) +
    (fixedSteps[n]! >= 0 && fixedSteps[n]! <= step && !staysFixed(n) ? fixedBytes[n]! : 0);
  /** The most that is held while items are recomputed before a step, above what is there. */
  const risesTo = (step: number, isHeld: (n: number) => boolean): number => {
    let [run, most] = [0, 0];
    for (let n = 0; n < count; n++) {
      if (event[n] !== step) continue;
      run += bytes[n]! + auxBytes[n]! + fixedBytes[n]!;
      most = Math.max(most, run);
      // Its inputs of the same step that nothing else uses.
      for (const input of inputs[n]!)
        if (input !== ENTRY && event[input] === step && !isHeld(input) && isLastUser(input, n, step))
          run -= bytes[input]!;
    }
    return most;
  };
  const isLastUser = (input: number, user: number, step: number): boolean =>
    !inputs.some((own, n) => n > user && event[n] === step && own.includes(input));
  const turn = { bytes: 0, work: done, afterKept: 0, unreached: 0, reached: 0 };
  const own = new Set<number>();
  for (let step = steps - 1; step >= 0; step--) {
    own.clear();
    for (const n of needs[step]!) own.add(n);
    let [there, held] = [0, 0];
    for (let n = 0; n < count; n++) {
      if (staysFixed(n) && fixedSteps[n]! <= step) there += fixedBytes[n]!;
      const isThere = isKept(n) || event[n]! > step;
      if (isThere && last[n]! <= step) there += bytes[n]!;
      if (isThere) there += auxOf(n, step);
      if (event[n] !== step) continue;
      if (last[n]! < step || own.has(n)) held += bytes[n]!;
      held += auxOf(n, step);
    }
    const rise = risesTo(step, (n) => last[n]! < step || own.has(n));
    const most = there + Math.max(held + after[step]!, rise > 0 ? rise + before[step]! : 0);
    const hasEntry = entryLast <= step || inside.isEntryPinned;
    turn.afterKept = Math.max(turn.afterKept, most - (hasEntry ? 0 : entryBytes));
    if (step > entryFirst) turn.unreached = Math.max(turn.unreached, most);
    else turn.reached = Math.max(turn.reached, most + (hasEntry ? entryBytes : 0));
  }
  let lockedBytes = 0;
  for (let n = 0; n < count; n++) {
    if (staysFixed(n)) turn.bytes += fixedBytes[n]!;
    // A value that nothing uses in backward is freed in forward.
    if (n !== end && isKept(n)) turn.bytes += (last[n]! <= steps ? bytes[n]! : 0) + auxBytes[n]!;
    if (event[n] === steps) lockedBytes += (n !== end && last[n]! < steps ? bytes[n]! : 0) + auxOf(n, steps);
  }
  const onTheWay = isEndKept ? 0 : risesTo(steps, (n) => n === end || last[n]! < steps);
  return { turn, lockedBytes, onTheWay, reachesEntry };
}

function isNoWorse(a: BlockChoice, b: BlockChoice): boolean {
  const isBelow = (one: Turn, other: Turn): boolean =>
    one.bytes <= other.bytes &&
    one.work <= other.work &&
    one.afterKept <= other.afterKept &&
    one.unreached <= other.unreached &&
    one.reached <= other.reached;
  return (
    a.lockedBytes <= b.lockedBytes &&
    a.onTheWay <= b.onTheWay &&
    Number(a.reachesEntry) <= Number(b.reachesEntry) &&
    isBelow(a.kept, b.kept) &&
    isBelow(a.recomputed, b.recomputed)
  );
}
