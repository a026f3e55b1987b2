import type { Run } from '../../../state/runs/run.ts';
import { formatCount, formatPercent } from '../../../shared/format/numbers.ts';
import { looksOf } from '../state/run-look.ts';
import { isNaive } from '../state/visible-runs.ts';

interface Difference {
  readonly title: string;
  readonly common: number;
  /** Largest absolute difference to the reference, and the iteration (from 1) where it is. */
  readonly largest: number;
  readonly at: number;
}

/**
 * Says that losses coincide to the bit only if they do, else the largest difference.
 *
 * @param runs on the same network and data, the one in front last
 */
export function lossSentence(runs: readonly Run[], titles: ReadonlyMap<string, string>): string {
  const measured = looksOf(runs, titles).filter(({ run }) => run.loss.length > 0);
  const front = measured.at(-1);
  if (front === undefined) return '';
  const drift = driftSentence(front.run);
  if (measured.length < 2) {
    return `Run another strategy on the same data to compare the losses.${drift}`;
  }
  const reference =
    measured.find(({ run }) => run.request.strategy === 'regular' && !isNaive(run)) ??
    measured.find(({ run }) => !isNaive(run)) ??
    front;
  const others = measured.filter((look) => look !== reference);
  const differences = others.map(({ title, run }): Difference => {
    const common = Math.min(run.loss.length, reference.run.loss.length);
    return { title, common, ...largestDifference(run.loss, reference.run.loss) };
  });
  const equal = differences.filter(({ largest }) => largest === 0);
  const apart = differences.filter(({ largest }) => largest !== 0);
  const sentences: string[] = [];
  if (equal.length > 0) {
    const common = Math.min(...equal.map((difference) => difference.common));
    const over = `over ${formatCount(common)} ${common === 1 ? 'iteration' : 'iterations'}`;
    const names = listed([reference.title, ...equal.map(({ title }) => title)]);
    sentences.push(`The losses of ${names} are bit-identical ${over}.`);
  }
  for (const { title, largest, at } of apart) {
    const amount = Number.isNaN(largest) ? '(one loss is not a number)' : `by up to ${sayAmount(largest)}`;
    sentences.push(`${title} differs from ${reference.title} ${amount} (iteration ${formatCount(at)}).`);
  }
  return sentences.join(' ') + drift;
}

/** Over iterations that both have; NaN counts as the largest difference there is. */
export function largestDifference(
  a: readonly number[],
  b: readonly number[],
): { readonly largest: number; readonly at: number } {
  let [largest, at] = [0, 0];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (Object.is(a[i], b[i])) continue;
    const difference = Math.abs((a[i] ?? 0) - (b[i] ?? 0));
    if (Number.isNaN(difference)) return { largest: difference, at: i + 1 };
    if (difference > largest) [largest, at] = [difference, i + 1];
  }
  return { largest, at };
}

function driftSentence(run: Run): string {
  const last = run.drift.at(-1);
  if (last === undefined) return '';
  return ` The running statistics are ${formatPercent(last)} away from those of a careful run.`;
}

const sayAmount = (difference: number): string =>
  difference < 1e-3 ? difference.toExponential(1) : difference.toPrecision(2);

const listed = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);
