import { formatBytes } from '../../../../shared/format/bytes.ts';
import { formatCount, THIN } from '../../../../shared/format/numbers.ts';
import { type Chance, chanceOf } from './chance.ts';

export interface Drawing {
  /** Alternative text. */
  readonly summary: string;
  readonly names: readonly string[];
  /** Below each vertex: its size, or what it is. */
  readonly notes: readonly string[];
  /** Columns and lanes from 0; lanes may be halves. */
  readonly places: readonly { readonly column: number; readonly lane: number }[];
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** Vertices with a pebble. */
  readonly pebbles?: readonly number[];
}

/** Made from the reply; a wrong one is never told the answer. */
export interface Judgement {
  readonly isRight: boolean;
  readonly text: string;
}

interface Asked {
  readonly text: string;
  readonly hint: string;
  readonly drawing?: Drawing;
  readonly solution: () => string;
}

export type Unit = 'pebbles' | 'forwards' | 'layers' | 'elements' | 'bytes' | 'percent' | 'plain';

export interface NumberQuestion extends Asked {
  readonly kind: 'number';
  readonly unit: Unit;
  readonly judge: (value: number) => Judgement;
}

export interface ChoiceQuestion extends Asked {
  readonly kind: 'choice';
  readonly options: readonly string[];
  /** @param option index into the options */
  readonly judge: (option: number) => Judgement;
}

export interface PlacingQuestion extends Asked {
  readonly kind: 'placing';
  readonly drawing: Drawing;
  readonly isOrdered: boolean;
  readonly open: readonly number[];
  /** @param marked vertices, ascending or in the order of marking */
  readonly judge: (marked: readonly number[]) => Judgement;
}

export type Question = NumberQuestion | ChoiceQuestion | PlacingQuestion;

/** A kind of question; each seed asks it of other data, the same on every machine. */
export interface Exercise {
  /** In links and in what is kept on the device: never changed. */
  readonly id: string;
  readonly title: string;
  readonly make: (seed: number) => Question;
}

/** A way to go wrong: what it leads to and what was forgotten; both computed from the exercise's data. */
export type Slip = readonly [value: number, why: string];

type Shown = Omit<Asked, 'solution'>;

/** A number as the answer; the first slip that fits is told, and slips that lead to the answer itself are none. */
export interface NumberAsked extends Shown {
  readonly unit: Unit;
  readonly value: number;
  /** Relative; 0 for counts. */
  readonly tolerance?: number;
  readonly because: string;
  readonly slips: readonly Slip[];
}

/** One right option; each says why it is right or wrong. */
export interface ChoiceAsked extends Shown {
  readonly options: readonly { readonly text: string; readonly isRight: boolean; readonly why: string }[];
}

/**
 * An exercise as a line of a table: a number or a choice is data that is judged here, a placing judges itself.
 *
 * @param name lesson and id: exercises of one seed differ from each other by it
 */
export function exercise(
  name: `${string}.${string}`,
  title: string,
  ask: (chance: Chance) => NumberAsked | ChoiceAsked | Question,
): Exercise {
  return {
    id: name.slice(name.indexOf('.') + 1),
    title,
    make: (seed) => {
      const asked = ask(chanceOf(name, seed));
      if ('kind' in asked) return asked;
      return 'value' in asked ? numberQuestion(asked) : choiceQuestion(asked);
    },
  };
}

function choiceQuestion({ options, ...rest }: ChoiceAsked): ChoiceQuestion {
  return {
    ...rest,
    kind: 'choice',
    options: options.map(({ text }) => text),
    solution: () => {
      const best = options.find(({ isRight }) => isRight);
      return `It is: ${best?.text}. ${best?.why}`;
    },
    judge: (option) => {
      const { isRight = false, why = '' } = options[option] ?? {};
      return isRight ? right(why) : wrong(why);
    },
  };
}

const MB = 'MB and MiB differ by 5 %: a MiB has 1024 × 1024 bytes.';
const GB = 'GB and GiB differ by 7 %: a GiB has 1024 × 1024 × 1024 bytes.';
const unitSlips = (value: number): Slip[] => [
  [value * 1.048576, MB],
  [value / 1.048576, MB],
  [value * 1.073741824, GB],
  [value / 1.073741824, GB],
];

function numberQuestion(asked: NumberAsked): NumberQuestion {
  const { value, tolerance = 0, because, slips, unit, ...rest } = asked;
  const all = unit === 'bytes' ? [...slips, ...unitSlips(value)] : slips;
  const meets = (one: number, other: number): boolean =>
    Math.abs(one - other) <= tolerance * Math.abs(other) + 1e-9;
  return {
    ...rest,
    kind: 'number',
    unit,
    solution: () => `It is ${written(value, unit)}. ${because}`,
    judge: (given) => {
      if (meets(given, value)) return right(because);
      const said = written(given, unit);
      const slip = all.find(([led]) => !meets(led, value) && meets(given, led));
      if (slip !== undefined) return wrong(`${said} is not correct: ${slip[1]}`);
      return wrong(`${said} is too ${given > value ? 'much' : 'little'}.`);
    },
  };
}

/** A number with its unit: `12 pebbles`, `1.5 GiB`, `24 %`. */
function written(value: number, unit: Unit): string {
  if (unit === 'bytes') return formatBytes(value);
  const number = Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(4)));
  if (unit === 'plain') return number;
  if (unit === 'percent') return `${number}${THIN}%`;
  return `${number} ${value === 1 ? unit.slice(0, -1) : unit}`;
}

/** A chain from left to right, with a name and a note at each vertex. */
export function chainDrawing(
  summary: string,
  names: readonly string[],
  notes: readonly string[],
  pebbles: readonly number[] = [],
): Drawing {
  const places = names.map((_, column) => ({ column, lane: 0 }));
  return { summary, names, notes, places, edges: names.slice(1).map((_, i) => [i, i + 1]), pebbles };
}

/** `f3`; the first is the input. */
export const layerName = (vertex: number): string => (vertex === 0 ? 'input' : `f${vertex}`);

export const right = (text: string): Judgement => ({ isRight: true, text: `Right. ${text}` });
export const wrong = (text: string): Judgement => ({ isRight: false, text });

/** "a, b and c". */
export const listed = (names: Iterable<string>): string => new Intl.ListFormat('en-GB').format(names);

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
