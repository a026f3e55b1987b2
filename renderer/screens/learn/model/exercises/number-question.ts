import { formatBytes } from '../../../../shared/format/bytes.ts';
import { formatCount, THIN } from '../../../../shared/format/numbers.ts';
import { type NumberQuestion, right, type Unit, wrong } from './question.ts';

/** A way to go wrong: what it leads to and what was forgotten; both computed from the exercise's data. */
export interface Slip {
  readonly value: number;
  readonly why: string;
}

export interface NumberAsked {
  readonly text: string;
  readonly hint: string;
  readonly unit: Unit;
  readonly drawing?: NumberQuestion['drawing'];
  readonly value: number;
  /** Relative; 0 for counts. */
  readonly tolerance?: number;
  readonly because: string;
  /** The first that fits is told. */
  readonly slips: readonly Slip[];
}

/** A question with one number for its answer; slips that lead to the answer itself are none. */
export function numberQuestion(asked: NumberAsked): NumberQuestion {
  const { value, tolerance = 0, because, slips, unit, ...rest } = asked;
  const meets = (one: number, other: number): boolean =>
    Math.abs(one - other) <= tolerance * Math.abs(other) + 1e-9;
  const answer = `It is ${written(value, unit)}. ${because}`;
  return {
    ...rest,
    kind: 'number',
    unit,
    solution: () => answer,
    judge: (given) => {
      if (meets(given, value)) return right(because);
      const said = written(given, unit);
      const slip = slips.find((one) => !meets(one.value, value) && meets(given, one.value));
      if (slip !== undefined) return wrong(`${said} is not it: ${slip.why}`);
      return wrong(`${said} is too ${given > value ? 'much' : 'little'}.`);
    },
  };
}

/** A number with its unit: `12 pebbles`, `1.5 GiB`, `24 %`. */
export function written(value: number, unit: Unit): string {
  if (unit === 'bytes') return formatBytes(value);
  const number = Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(4)));
  if (unit === 'plain') return number;
  if (unit === 'percent') return `${number}${THIN}%`;
  return `${number} ${value === 1 ? unit.slice(0, -1) : unit}`;
}
