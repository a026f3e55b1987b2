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

export const right = (text: string): Judgement => ({ isRight: true, text: `Right. ${text}` });
export const wrong = (text: string): Judgement => ({ isRight: false, text });

/** "a, b and c". */
export const listed = (names: Iterable<string>): string => new Intl.ListFormat('en-GB').format(names);

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
