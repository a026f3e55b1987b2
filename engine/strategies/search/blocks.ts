import { runsOnce } from '../../ops/runs-once.ts';
import { type LiveModel, membersOf } from './live-model.ts';
import { nearHull } from './near-hull.ts';

/**
 * Some items of a block that are kept, its end among them or not, and backward through it. Peaks are beside what is kept
 * of the blocks before it.
 */
export interface BlockChoice {
  /** By item of the block, its end apart: 1 where it is kept. */
  readonly keeps: Uint8Array;
  /** Bytes of the block that are kept, its end apart. */
  readonly bytes: number;
  /** Forward work done again. */
  readonly work: number;
  /** The most with the end of the block before kept, whose own bytes count as kept before. */
  readonly afterKept: number;
  /** With that end recomputed: the most until it is, and from then on, beside what else is recomputed for it. */
  readonly unreached: number;
  readonly reached: number;
  /** With its own end recomputed: other bytes that live from then until the block's own backward, and the most on the way. */
  readonly lockedBytes: number;
  readonly onTheWay: number;
  /** With its own end recomputed: whether that asks for the end of the block before. */
  readonly reachesEntry: boolean;
  /** True where anything asks for the end of the block before. */
  readonly usesEntry: boolean;
}

/** A block's end: kept; recomputed before the block's backward, for what comes after; or used by nothing after it. */
export type EndState = 'kept' | 'recomputed' | 'unused';

/** Choices worth having, by rising bytes. */
type BlockChoices = Readonly<Record<EndState, readonly BlockChoice[]>>;

/** A stretch of an order between two positions over which one item alone is used again. */
export interface Block {
  readonly choices: BlockChoices;
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
}

/** An order as blocks one after another. */
export interface BlockChain {
  readonly blocks: readonly Block[];
  /** Bytes of what is used over much of the network, which no block counts: it is kept. */
  readonly spanningBytes: number;
}

/** All subsets of so many parts of a block are looked at: its largest items, and the others in groups of like price. */
const MAX_PARTS = 10;
const GROUPS = 3;
/** Blocks with more items keep everything. */
const MAX_ITEMS = 48;
/** Choices of each sort that are kept of a block. */
const MAX_CHOICES = 32;

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
  /** True if backward of a later block needs the end. */
  readonly isEndNeeded: boolean;
  /** Items that run once. */
  readonly isOnce: readonly boolean[];
}

const ENTRY = -1;
/** Fewer blocks are no chain: other searches are as good. */
const MIN_BLOCKS = 8;
/** An item used over more than this share of an order spans it. */
const SPAN = 1 / 3;
const NONE: BlockChain = { blocks: [], spanningBytes: 0 };
const NEVER = -1;

/**
 * An order as a chain of blocks, each with what is worth keeping of it; no blocks where there are few. Blocks of the same bytes,
 * costs and edges, as repeated layers are, share their choices. O(V + E), and up to 2^10 subsets for each kind of block.
 */
export function blocksOf(model: LiveModel): BlockChain {
  const known = new Map<string, BlockChoices>();
  const spanning = spanningOf(model);
  const ends = endsOf(model, spanning);
  if (ends.length < MIN_BLOCKS) return NONE;
  let [from, first, entry] = [0, 1, 0];
  const blocks = ends.map(({ at, item }): Block => {
    let next = first;
    while (next < model.items && model.final[next]! <= at) next++;
    const inside = insideOf(model, { from, at, first, next, entry, end: item, spanning });
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
  const { bytes, auxBytes, fixedBytes } = model;
  const spanningBytes = bytes.reduce(
    (sum, own, item) => sum + (spanning[item] === 1 ? own + auxBytes[item]! + fixedBytes[item]! : 0),
    0,
  );
  return { blocks, spanningBytes };
}

/** By item: 1 where it is used over much of the network, as what all layers read. */
function spanningOf({ order, items, created, lastForward, maxNeed }: LiveModel): Uint8Array {
  const most = SPAN * order.length;
  return Uint8Array.from({ length: items }, (_, item) =>
    item > 0 && Math.max(lastForward[item]!, maxNeed[item]!) - created[item]! > most ? 1 : 0,
  );
}

/** Positions at which one item alone is used again, each with that item; at last the target. */
function endsOf(
  { order, items, created, final, lastForward, maxNeed }: LiveModel,
  spanning: Uint8Array,
): { at: number; item: number }[] {
  const size = order.length;
  const count = new Int32Array(size + 1);
  const sum = new Float64Array(size + 1);
  for (let item = 1; item < items; item++) {
    if (spanning[item] === 1) continue;
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
    if (open !== 1 || final[which]! > p || ends.at(-1)?.item === which) continue;
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
  readonly spanning: Uint8Array;
}

function insideOf(model: LiveModel, { from, at, first, next, entry, end, spanning }: Place): Inside {
  const { bytes, work, ins, inOffsets, needOffsets, needPositions, auxBytes, auxPosition } = model;
  const { fixedBytes, fixedPosition, graph } = model;
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
  // Always there, and counted apart.
  const own = (values: Float64Array): number[] =>
    numbers.map((n) => (spanning[first + n] === 1 ? 0 : values[first + n]!));
  const stepsOf = (positions: Int32Array): number[] =>
    numbers.map((n) => (positions[first + n]! < 0 ? NEVER : positions[first + n]! - from - 1));
  return {
    bytes: own(bytes),
    work: numbers.map((n) => work[first + n]!),
    auxBytes: own(auxBytes),
    auxSteps: stepsOf(auxPosition),
    fixedBytes: own(fixedBytes),
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
    isEndNeeded: model.maxNeed[end]! > at,
    isOnce: numbers.map((n) => membersOf(model, first + n).some((v) => runsOnce(graph.operations[v]!))),
  };
}

/** Every choice that no other is at least as good as in all; of many those near the lower hull of work over bytes. */
function choicesOf(inside: Inside): BlockChoices {
  const { end, isEndNeeded, isOnce } = inside;
  const { length } = inside.bytes;
  const parts = length > MAX_ITEMS ? [] : partsOf(inside);
  const subsets = Array.from({ length: 2 ** parts.length }, (_, mask) => {
    const keeps = new Uint8Array(length).fill(1);
    parts.forEach((part, bit) => {
      for (const n of part) keeps[n] = (mask >> bit) & 1;
    });
    return keeps;
  });
  const best = (state: EndState): readonly BlockChoice[] => {
    const all = subsets.map((keeps) => choiceOf(inside, keeps, state));
    all.sort((a, b) => a.bytes - b.bytes || a.work - b.work);
    const found: BlockChoice[] = [];
    for (const one of all) if (!found.some((other) => isNoWorse(other, one))) found.push(one);
    if (found.length <= MAX_CHOICES) return found;
    const [bytes, work] = [found.map((one) => one.bytes), found.map((one) => one.work)];
    return nearHull([...found.keys()], bytes, work, MAX_CHOICES).map((i) => found[i]!);
  };
  return {
    kept: best('kept'),
    recomputed: isOnce[end] === true ? [] : best('recomputed'),
    unused: isOnce[end] === true || isEndNeeded ? [] : best('unused'),
  };
}

/** Items of a block that may go, each alone or in groups that go together. */
function partsOf({ bytes, auxBytes, work, end, isOnce }: Inside): readonly (readonly number[])[] {
  const held = (n: number): number => bytes[n]! + auxBytes[n]!;
  const items = [...bytes.keys()]
    .filter((n) => n !== end && held(n) > 0 && isOnce[n] !== true)
    .sort((a, b) => held(b) - held(a) || a - b);
  if (items.length <= MAX_PARTS) return items.map((n) => [n]);
  const rest = items
    .splice(MAX_PARTS - GROUPS)
    .sort((a, b) => work[a]! / held(a) - work[b]! / held(b) || a - b);
  const groups = Array.from({ length: GROUPS }, (_, k) =>
    rest.slice((k * rest.length) / GROUPS, ((k + 1) * rest.length) / GROUPS),
  );
  return [...items.map((n) => [n]), ...groups];
}

/** Backward through a block step by step: what is recomputed, just before it is needed, and what is held of it. */
function choiceOf(inside: Inside, keeps: Uint8Array, state: EndState): BlockChoice {
  const { bytes, work, auxBytes, auxSteps, fixedBytes, fixedSteps, inputs, needs, before, after } = inside;
  const { end, entryBytes } = inside;
  const count = bytes.length;
  const steps = needs.length;
  const isKept = (n: number): boolean => (n === end ? state === 'kept' : keeps[n] === 1);
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
  if (state === 'recomputed') forward(end, steps);
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
  const onTheWay = risesTo(steps, (n) => n === end || last[n]! < steps);
  return { keeps, ...turn, lockedBytes, onTheWay, reachesEntry, usesEntry: entryFirst !== NEVER };
}

function isNoWorse(a: BlockChoice, b: BlockChoice): boolean {
  return (
    a.bytes <= b.bytes &&
    a.work <= b.work &&
    a.afterKept <= b.afterKept &&
    a.unreached <= b.unreached &&
    a.reached <= b.reached &&
    a.lockedBytes <= b.lockedBytes &&
    a.onTheWay <= b.onTheWay &&
    Number(a.reachesEntry) <= Number(b.reachesEntry) &&
    Number(a.usesEntry) <= Number(b.usesEntry)
  );
}
