import { describe, expect, it } from 'vitest';
import { segmentsOf } from '../../../../engine/paper/segments.ts';
import { createTensorGraph } from '../../../../engine/paper/tensor-graph.ts';
import {
  EXERCISES,
  MAX_SEED,
  nextSeed,
} from '../../../../renderer/screens/learn/model/exercises/exercises.ts';
import type {
  ChoiceQuestion,
  Exercise,
  NumberQuestion,
  PlacingQuestion,
  Question,
} from '../../../../renderer/screens/learn/model/exercises/question.ts';
import { readNumber } from '../../../../renderer/screens/learn/model/exercises/read-number.ts';
import { LESSONS } from '../../../../renderer/state/learn/lessons.ts';
import { createSolved, isSolved } from '../../../../renderer/state/learn/solved.ts';

const SEEDS = Array.from({ length: 25 }, (_, i) => i + 1);
const ALL = Object.entries(EXERCISES).flatMap(([lesson, list]) =>
  list.map((exercise): [string, Exercise] => [`${lesson}.${exercise.id}`, exercise]),
);

function make(name: string, seed: number): Question {
  const [lesson = '', id = ''] = name.split('.');
  const list = Object.entries(EXERCISES).find(([one]) => one === lesson)?.[1] ?? [];
  return list.find((exercise) => exercise.id === id)!.make(seed);
}

const numbers = (text: string): number[] => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);

/** Every subset of a few things. */
function subsets<T>(things: readonly T[]): T[][] {
  return Array.from({ length: 2 ** things.length }, (_, mask) =>
    things.filter((_thing, i) => (mask >> i) % 2 === 1),
  );
}

/** Checks that the number is accepted, and that its neighbours are not. */
function expectOnly(question: Question, value: number): void {
  const { judge } = question as NumberQuestion;
  expect(judge(value), `${question.text} ${value}`).toMatchObject({ isRight: true });
  expect(judge(value + 1).isRight).toBe(false);
  expect(judge(value - 1).isRight).toBe(false);
}

describe('exercises', () => {
  it('every lesson has two to four, with names that fit in links', () => {
    for (const { id } of LESSONS) {
      expect(EXERCISES[id].length).toBeGreaterThanOrEqual(2);
      expect(EXERCISES[id].length).toBeLessThanOrEqual(4);
      expect(new Set(EXERCISES[id].map((exercise) => exercise.id)).size).toBe(EXERCISES[id].length);
    }
  });

  it.each(ALL)(
    '%s asks the same question for a seed, another for the next, and never shows its answer first',
    (_, exercise) => {
      for (const seed of SEEDS) {
        const question = exercise.make(seed);
        expect(JSON.stringify(exercise.make(seed))).toBe(JSON.stringify(question));
        const next = exercise.make(nextSeed(exercise, seed));
        expect(JSON.stringify([next.text, next.drawing])).not.toBe(
          JSON.stringify([question.text, question.drawing]),
        );
        for (const text of [question.text, question.hint, question.solution()]) {
          expect(text).not.toMatch(/NaN|undefined|Infinity|null/);
          expect(text).toMatch(/[.?]$/);
        }
      }
      expect(nextSeed(exercise, MAX_SEED)).toBeLessThan(50);
    },
  );

  it.each(ALL)(
    '%s accepts only right replies, and hints at a wrong one without the answer',
    (name, exercise) => {
      for (const seed of SEEDS) {
        const question = exercise.make(seed);
        if (question.kind === 'choice') {
          const verdicts = question.options.map((_, i) => question.judge(i));
          expect(new Set(question.options).size, name).toBe(question.options.length);
          expect(
            verdicts.filter(({ isRight }) => isRight),
            `${name} ${seed}`,
          ).toHaveLength(1);
          for (const { text } of verdicts) expect(text).toMatch(/[a-z].*[.!]$/i);
          const right = question.options[verdicts.findIndex(({ isRight }) => isRight)]!;
          expect(question.solution()).toContain(right);
        }
        if (question.kind === 'placing') {
          const { judge, open } = question;
          expect(judge(open).text).not.toBe('');
          const solved = question.isOrdered
            ? question
                .solution()
                .replace(/^.*?example |\.$/g, '')
                .split(', ')
                .map((id) => question.drawing.names.indexOf(id))
            : subsets(open).find((marked) => judge(marked).isRight);
          expect(judge(solved ?? []).isRight, `${name} ${seed}`).toBe(true);
        }
        if (question.kind === 'number') {
          expect(question.judge(-1).isRight).toBe(false);
          expect(question.judge(1e15).isRight).toBe(false);
          expect(question.judge(-1).text).toMatch(/\.$/);
        }
      }
    },
  );
});

describe('answers, against an independent count', () => {
  it('regular: all tensors, the input and two gradients', () => {
    for (const seed of SEEDS) {
      const question = make('regular.peak', seed);
      const [layers = 0] = numbers(question.text);
      expectOnly(question, layers + 1 + 2);
      expect((question as NumberQuestion).judge(layers + 1).text).toContain('gradients');
    }
  });

  it('bytes: shapes multiplied out, with common slips named', () => {
    for (const seed of SEEDS) {
      const question = make('regular.bytes', seed) as NumberQuestion;
      const [filters = 0, batch = 0, before = 0, side = 0] =
        /with (\d+) filters.*batch of (\d+) images of (\d+) × (\d+)/
          .exec(question.text)!
          .slice(1)
          .map(Number);
      const value = 4 * batch * filters * side * side;
      expect(question.judge(value).isRight).toBe(true);
      expect(question.judge(value / batch).text).toContain('one image');
      expect(question.judge(value / 4).text).toContain('number of elements');
      expect(question.judge(value / 2).text).toContain('float16');
      if (before !== filters) expect(question.judge((value / filters) * before).isRight).toBe(false);
    }
  });

  it('poor: the forward pass and sweeps of every length', () => {
    for (const seed of SEEDS) {
      const question = make('poor.total', seed);
      const [layers = 0] = numbers(question.text);
      let forwards = layers;
      for (let sweep = 1; sweep <= layers; sweep++) forwards += sweep;
      expectOnly(question, forwards);
    }
  });

  it('pebbles: with one checkpoint everything except it and the output runs twice', () => {
    for (const seed of SEEDS) {
      const question = make('pebbles.again', seed);
      const [layers = 0, kept = 0] = numbers(question.text);
      expect(kept).toBeLessThan(layers);
      expectOnly(question, layers - 2);
    }
  });

  it('unequal: the least Eq. 1 of all choices, and the sum of a given one', () => {
    for (const seed of SEEDS.slice(0, 12)) {
      const question = make('unequal.place', seed) as PlacingQuestion;
      const costs = question.drawing.notes.map(Number);
      const cost = (kept: readonly number[]): number => eq1(costs, kept);
      const all = subsets(question.open);
      const least = Math.min(...all.map(cost));
      for (const marked of all) expect(question.judge(marked).isRight).toBe(cost(marked) === least);
      const given = make('unequal.eq1', seed);
      const sizes = given.drawing!.notes.map(Number);
      expectOnly(given, eq1(sizes, given.drawing!.pebbles!));
    }
  });

  it('unequal: the furthest tensor whose distance fits', () => {
    for (const seed of SEEDS) {
      const question = make('unequal.reach', seed) as ChoiceQuestion;
      const [, limit = 0, from = 0] = /C = (\d+).*v(\d+) reaches/.exec(question.text)!.map(Number);
      const costs = question.drawing!.notes.map(Number);
      let to = from + 1;
      let between = 0;
      while (to + 1 < costs.length && between + costs[to]! <= limit) between += costs[to++]!;
      const right = question.options.indexOf(`v${to}`);
      expect(question.judge(right), question.text).toMatchObject({ isRight: true });
    }
  });

  it('sqrt: no set of this many checkpoints has a lower peak, and forgotten gradients are named', () => {
    for (const seed of SEEDS.slice(0, 6)) {
      const question = make('sqrt.place', seed) as PlacingQuestion;
      const most = question.text.startsWith('Keep one') ? 1 : 2;
      const layers = question.drawing.names.length - 1;
      const allowed = subsets(question.open).filter(({ length }) => length <= most);
      const least = Math.min(...allowed.map((kept) => chainPeak(layers, kept)));
      for (const kept of allowed) {
        expect(question.judge(kept).isRight, `${layers}: ${kept}`).toBe(chainPeak(layers, kept) === least);
      }
      const peak = make('sqrt.peak', seed) as NumberQuestion;
      const [n = 0, k = 0] = numbers(peak.text);
      const kept = Array.from({ length: Math.ceil(n / k) - 1 }, (_, i) => (i + 1) * k);
      expectOnly(peak, chainPeak(n, kept));
      expect(peak.judge(chainPeak(n, kept) - 2).text).toMatch(/gradients/);
    }
  });

  it('theory: three or four numbers per weight, eight bytes per index', () => {
    for (const seed of SEEDS) {
      const stationary = make('theory.stationary', seed) as NumberQuestion;
      const features = Number(/from ([\d\s]+?) to/.exec(stationary.text)![1]!.replaceAll(/\s/g, ''));
      const copies = stationary.text.includes('momentum') ? 3 : 4;
      expect(stationary.judge(4 * copies * features ** 2).isRight, stationary.text).toBe(true);
      expect(stationary.judge(4 * features ** 2).text).toContain('only the weights');
      const indices = make('theory.indices', seed) as NumberQuestion;
      const [batch = 0, channels = 0, side = 0] = /reads (\d+) × (\d+) × (\d+)/
        .exec(indices.text)!
        .slice(1)
        .map(Number);
      expect(indices.judge(8 * batch * channels * (side / 2) ** 2).isRight).toBe(true);
      expect(indices.judge(4 * batch * channels * (side / 2) ** 2).text).toContain('eight');
    }
  });

  it('branches: the same options for every answer, right if the engine cuts so', () => {
    const answers = new Set<number>();
    for (const seed of SEEDS) {
      const question = make('branches.cut', seed) as ChoiceQuestion;
      const { notes, edges, pebbles } = question.drawing!;
      const tensors = createTensorGraph(
        notes.map(() => 1),
        edges,
      );
      expect(question.options).toHaveLength(4);
      const answer = question.options.findIndex((_, i) => question.judge(i).isRight);
      const found = segmentsOf(tensors, pebbles!);
      expect(answer === 0, question.text).toBe(found.ok);
      if (!found.ok && found.sources.length > 1) expect([1, 3]).toContain(answer);
      if (!found.ok && found.targets.length > 1) expect([2, 3]).toContain(answer);
      answers.add(answer);
    }
    expect(answers.size).toBeGreaterThan(1);
  });

  it('mistakes: the mean moved twice, and the masks compared place by place', () => {
    for (const seed of SEEDS) {
      const twice = make('mistakes.twice', seed) as NumberQuestion;
      const [, momentum = 0, mean = 0] = /momentum ([\d.]+?)\. A batch with mean (\d+)/
        .exec(twice.text)!
        .map(Number);
      expect(twice.judge(mean * (1 - (1 - momentum) ** 2)).isRight).toBe(true);
      expect(twice.judge(mean * momentum).text).toContain('one count');
      const masks = make('mistakes.masks', seed) as NumberQuestion;
      const [first = '', again = ''] = masks.text.match(/(?:[01] ){11}[01]/g) ?? [];
      expectOnly(masks, [...first].filter((one, i) => one !== again[i]).length);
    }
  });

  it('orders: no order of the tree takes fewer, and every order is judged by its pebbles', () => {
    for (const seed of SEEDS.slice(0, 10)) {
      const question = make('orders.least', seed);
      expectOnly(question, Math.min(...orderPeaks(question)));
      const order = make('orders.order', seed) as PlacingQuestion;
      const least = Math.min(...orderPeaks(order));
      expect(order.text).toContain(`with ${least} pebbles`);
      expect(order.judge([...order.open].reverse()).isRight).toBe(false);
    }
  });
});

/** Sum of the kept ones and the largest run between them. */
function eq1(costs: readonly number[], kept: readonly number[]): number {
  let sum = 0;
  let run = 0;
  let largest = 0;
  for (let v = 1; v < costs.length - 1; v++) {
    if (kept.includes(v)) {
      sum += costs[v]!;
      run = 0;
    } else run += costs[v]!;
    largest = Math.max(largest, run);
  }
  return sum + largest;
}

/**
 * Counts a chain's pebbles by hand: after the forward the input, the checkpoints and the output are there; each segment,
 * the last one first, is computed again and used up from its end, two gradients meeting at every layer.
 */
function chainPeak(layers: number, kept: readonly number[]): number {
  const ends = [...kept, layers];
  let peak = 0;
  for (let s = ends.length - 1; s >= 0; s--) {
    const from = s === 0 ? 0 : ends[s - 1]!;
    const to = ends[s]!;
    // The input and the checkpoints up to the start of the segment, its own tensors, and two gradients.
    peak = Math.max(peak, 1 + s + (to - from) + (to - from > 0 ? 2 : 0));
  }
  return peak;
}

/** Most pebbles of every order of a drawn tree in which inputs come first. */
function orderPeaks({ drawing }: Question): number[] {
  const { names, edges } = drawing!;
  const inputs = names.map((_, v) => edges.filter(([, to]) => to === v).map(([from]) => from));
  const reader = names.map((_, v) => edges.find(([from]) => from === v)?.[1] ?? -1);
  const peaks: number[] = [];
  const walk = (done: readonly number[], most: number): void => {
    if (done.length === names.length) peaks.push(most);
    for (let v = 0; v < names.length; v++) {
      if (done.includes(v) || !inputs[v]!.every((u) => done.includes(u))) continue;
      const there = done.filter((u) => reader[u] === -1 || !done.includes(reader[u]!)).length + 1;
      walk([...done, v], Math.max(most, there));
    }
  };
  walk([], 0);
  return peaks;
}

describe('typed answers', () => {
  it('are read in common notations', () => {
    const value = (text: string, unit: Parameters<typeof readNumber>[1]): number => {
      const read = readNumber(text, unit);
      return 'value' in read ? read.value : Number.NaN;
    };
    expect(value('12', 'pebbles')).toBe(12);
    expect(value(' 12 pebbles ', 'pebbles')).toBe(12);
    expect(value('1 536', 'forwards')).toBe(1536);
    expect(value('0,25', 'plain')).toBe(0.25);
    expect(value('1/4', 'plain')).toBe(0.25);
    expect(value('24 %', 'percent')).toBe(24);
    expect(value('1.5 GiB', 'bytes')).toBe(1.5 * 1024 ** 3);
    expect(value('1,5gib', 'bytes')).toBe(1.5 * 1024 ** 3);
    expect(value('1 536 MiB', 'bytes')).toBe(1536 * 1024 ** 2);
    expect(value('4096 bytes', 'bytes')).toBe(4096);
  });

  it('are quoted if unreadable, with what to write instead', () => {
    const error = (text: string, unit: Parameters<typeof readNumber>[1]): string => {
      const read = readNumber(text, unit);
      return 'error' in read ? read.error : '';
    };
    expect(error('', 'pebbles')).toBe('Type a number first, for example 12.');
    expect(error('twelve', 'pebbles')).toBe('“twelve” is not a number. Use digits, for example 12.');
    expect(error('12 GiB', 'pebbles')).toBe(
      '“12 GiB” ends in “GiB”, but the answer is a number of pebbles. Write 12.',
    );
    expect(error('12', 'bytes')).toBe('“12” has no unit. Write 12 MiB, for example.');
    expect(error('much', 'bytes')).toBe(
      '“much” is not an amount of memory. Write a number and its unit, for example 1.5 GiB.',
    );
    expect(error('1,536', 'plain')).toBe('“1,536” can mean two numbers. Write 1536 or 1.536.');
    expect(error('1/0', 'plain')).toContain('“1/0” is not a number');
    expect(error('x'.repeat(500), 'plain').length).toBeLessThan(200);
  });
});

describe('solved exercises', () => {
  it('are stored on the device, and foreign data there is ignored', () => {
    let kept = 'sqrt.peak.3,,<b>,sqrt.peak.99999,a.b.c,UPPER.x.1';
    const shelf = {
      getItem: () => kept,
      setItem: (_: string, text: string) => {
        kept = text;
      },
    };
    const solved = createSolved(() => shelf);
    expect([...solved.get()]).toEqual(['sqrt.peak.3']);
    solved.solve('regular', 'bytes', 7);
    solved.solve('regular', 'bytes', 7);
    expect(kept).toBe('sqrt.peak.3,regular.bytes.7');
    expect(isSolved(createSolved(() => shelf).get(), 'regular', 'bytes')).toBe(true);
    expect(isSolved(solved.get(), 'regular', 'byte')).toBe(false);
  });

  it('count without storage until the page closes', () => {
    const solved = createSolved(() => {
      throw new Error('denied');
    });
    solved.solve('poor', 'total', 1);
    expect(isSolved(solved.get(), 'poor', 'total')).toBe(true);
  });
});
