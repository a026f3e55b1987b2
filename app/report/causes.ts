import {
  type Cause,
  type DifferenceCause,
  type DifferenceColumn,
  EXPLAINED_ABOVE_PCT,
  EXPLAINED_ABOVE_POINTS,
} from '../../engine/tables/causes.ts';

/** A cause, and the columns that it moves with the amount (empty where it needs no saying). */
export interface CauseWords {
  readonly cause: string;
  readonly sizes: string;
}

/** Each cause once, with all that it moves. Small unexplained differences are left out. */
export function causeWords(causes: readonly Cause[]): CauseWords[] {
  const sizes = new Map<string, string[]>();
  for (const cause of causes.filter(isTold)) {
    const words = wordsOf(cause);
    sizes.set(words, [...(sizes.get(words) ?? []), ...sizeOf(cause)]);
  }
  return [...sizes].map(([cause, own]) => ({ cause, sizes: own.join('; ') }));
}

/** The causes of a row in one text: `cause (sizes). cause (sizes)`. */
export function causesText(causes: readonly Cause[]): string {
  return causeWords(causes)
    .map(({ cause, sizes }) => (sizes === '' ? cause : `${cause} (${sizes})`))
    .join('. ');
}

/** The causes and what is left of each column, for scripts: MB of 2^20 bytes. */
export interface CausesJson {
  readonly causes: readonly {
    readonly what: string;
    readonly column: DifferenceColumn;
    readonly MB: number;
  }[];
  readonly unexplainedMB: Readonly<Partial<Record<DifferenceColumn, number>>>;
  readonly unexplainedOverheadPoints: number | null;
}

export function causesJson(causes: readonly Cause[]): CausesJson {
  const unexplainedMB: Partial<Record<DifferenceColumn, number>> = {};
  let unexplainedOverheadPoints: number | null = null;
  const named: { what: string; column: DifferenceColumn; MB: number }[] = [];
  for (const cause of causes) {
    if (cause.kind === 'unexplained') unexplainedMB[cause.column] = tenths(cause.megabytes);
    else if (cause.kind === 'unexplained-time') unexplainedOverheadPoints = tenths(cause.points);
    else if ('megabytes' in cause)
      named.push({ what: cause.kind, column: cause.column, MB: tenths(cause.megabytes) });
  }
  return { causes: named, unexplainedMB, unexplainedOverheadPoints };
}

const tenths = (figure: number): number => Math.round(figure * 10) / 10;

function isTold(cause: Cause): boolean {
  if (cause.kind === 'unexplained') return Math.abs(cause.percent) > EXPLAINED_ABOVE_PCT;
  return cause.kind !== 'unexplained-time' || Math.abs(cause.points) > EXPLAINED_ABOVE_POINTS;
}

const TITLES: Readonly<Record<DifferenceColumn, string>> = {
  regular: 'Regular',
  random: 'Random',
  chen: 'Chen greedy',
  ours: 'Optimal',
};

function sizeOf(cause: Cause): string[] {
  if (cause.kind === 'unexplained-time') return [`time overhead: ${signed(cause.points)} points`];
  if (cause.kind === 'unexplained-cutoff') return [`cut-off: ${signed(cause.points)} points`];
  if (!('megabytes' in cause)) return [];
  const share = cause.kind === 'unexplained' ? `, ${Math.abs(cause.percent).toFixed(1)} %` : '';
  return [`${TITLES[cause.column]}: ${signed(cause.megabytes)} MB${share}`];
}

const signed = (figure: number): string =>
  `${figure < 0 ? '-' : '+'}${Math.abs(figure).toFixed(Math.abs(figure) < 10 ? 1 : 0)}`;

const WORDS: Readonly<Record<DifferenceCause, string>> = {
  'saved-inputs':
    'counted: PyTorch 1.5 saves the input of a ReLU that is not in place, and copies of cropped inputs',
  'every-edge': 'counted: every edge of the division is checkpointed',
  dictionary: "counted: a dictionary holds a segment's tensors until its forward has ended",
  'shared-gradients': 'counted: sums and concatenations hand on their gradient without a copy',
  'added-gradients': 'counted: two gradients are added into a third tensor',
  'weight-gradients': 'counted: new gradients of weights beside the accumulated ones',
  workspace: 'counted: workspace in which cuDNN forms weight gradients of 3 x 3 convolutions',
  blocks: 'counted: a tensor takes a whole block of the CUDA allocator',
  reentrant: 'counted: segments run reentrant',
  'drawn-sets': 'another seed, within our range',
  'few-budgets': "memonger's few budgets instead of all",
  'two-batches': 'the difference of two batch sizes instead of the peak',
};

function wordsOf(cause: Cause): string {
  switch (cause.kind) {
    case 'unexplained':
    case 'unexplained-time':
    case 'unexplained-cutoff':
      return 'unexplained';
    case 'own-design':
      return 'our own design: the paper prints this network as a figure only';
    default:
      return WORDS[cause.kind];
  }
}
