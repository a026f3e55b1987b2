import type { SweptRow } from '../../../app/cli/sweep/solve-cells.ts';
import { median } from '../../support/bench-results.ts';

export interface Asked {
  /** In the order of the columns. */
  readonly strategies: readonly string[];
  /** Shares of regular's peak. */
  readonly budgets: readonly string[];
  readonly seconds: number;
}

export interface Report {
  /** Markdown. */
  readonly text: string;
  /** Cells in which a peer does better than `budget`. */
  readonly violations: number;
}

const OURS = 'budget';
/** Tolerance for equality, as a share of one forward. */
const SAME = 1e-9;
const NEAR = 0.01;

/** The answers of all strategies at one budget of one network. */
interface Question {
  readonly model: string;
  readonly budget: string;
  readonly rows: ReadonlyMap<string, SweptRow>;
  /** The least recompute of all of them, or null where none answers. */
  readonly best: number | null;
}

/** One table of a sweep's rows, a line a budget of a network, and what it says of each strategy. */
export function peersReport(rows: readonly SweptRow[], asked: Asked): Report {
  const questions = questionsOf(rows, asked);
  const violations = questions.flatMap((question) => violationsOf(question, asked));
  const text = [
    ...introduction(questions, asked),
    '',
    ...summary(questions, asked),
    '',
    ...target(violations),
    '',
    ...table(questions, asked),
  ].join('\n');
  return { text, violations: violations.length };
}

function questionsOf(rows: readonly SweptRow[], { budgets }: Asked): Question[] {
  const models = [...new Set(rows.map(({ model }) => model))];
  return models.flatMap((model) =>
    budgets.map((budget): Question => {
      const own = rows.filter((row) => row.model === model && row.budget === budget);
      const answers = own.flatMap(({ recomputeFraction }) => recomputeFraction ?? []);
      return {
        model,
        budget,
        rows: new Map(own.map((row) => [row.strategy, row])),
        best: answers.length === 0 ? null : Math.min(...answers),
      };
    }),
  );
}

const introduction = (questions: readonly Question[], { budgets, seconds }: Asked): string[] => {
  const models = new Set(questions.map(({ model }) => model)).size;
  return [
    `${models} networks at ${budgets.length} budgets, shares of regular training's peak: one sample, the input of the`,
    `zoo, profile \`pytorch\`, recompute in FLOPs. Who knows a limit has ${seconds} s of the processor a cell;`,
    `\`*\` marks what that ended. ${questions.filter(({ best }) => best !== null).length} of ${questions.length} cells are met by somebody. Every peak is the simulator's. By \`npm run bench peers\`; all figures: peers.csv.`,
  ];
};

function summary(questions: readonly Question[], { strategies }: Asked): string[] {
  const lines = strategies.map((strategy) => {
    const own = questions.map((question) => ({ question, row: question.rows.get(strategy) }));
    const met = own.filter(({ row }) => row?.recomputeFraction != null);
    const isWithin = (slack: number): number =>
      met.filter(({ question, row }) => row!.recomputeFraction! <= question.best! + slack).length;
    const gaps = met.map(({ row }) => row!.recomputeFraction! - row!.recomputeBoundFraction!);
    const times = own.flatMap(({ row }) => row?.processorMs ?? []);
    return [
      strategy,
      met.length,
      isWithin(SAME),
      isWithin(NEAR),
      ratioText(ratiosOf(questions, strategy)),
      gaps.length === 0 ? '' : points(median(gaps)),
      own.filter(({ row }) => row?.stoppedEarly === true).length,
      (median(times) / 1000).toFixed(2),
      (times.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(0),
    ];
  });
  return [
    `| strategy | meets, of ${questions.length} | least recompute of all | within ${100 * NEAR} % of a forward of it | work of a step, of \`budget\`'s: mean, worst, best | above the proof, points (median) | ended by the limit | processor s (median) | in all |`,
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ];
}

/** Forward and recompute of a strategy to that of `budget`, where both answer. */
function ratiosOf(questions: readonly Question[], strategy: string): number[] {
  return questions.flatMap(({ rows }) => {
    const [one, ours] = [rows.get(strategy)?.recomputeFraction, rows.get(OURS)?.recomputeFraction];
    return one == null || ours == null ? [] : [(1 + one) / (1 + ours)];
  });
}

function ratioText(ratios: readonly number[]): string {
  if (ratios.length === 0) return '';
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  return [mean, Math.max(...ratios), Math.min(...ratios)].map((ratio) => ratio.toFixed(3)).join(', ');
}

function violationsOf({ model, budget, rows }: Question, { strategies }: Asked): string[] {
  const ours = rows.get(OURS);
  return strategies.flatMap((strategy) => {
    const row = rows.get(strategy);
    if (strategy === OURS || row?.recomputeFraction == null) return [];
    const own = ours?.recomputeFraction ?? null;
    const at = `${model} at ${budget}: \`${strategy}\` ${percent(row.recomputeFraction)} %`;
    if (own === null) return [`${at}, \`${OURS}\` has no plan`];
    return row.recomputeFraction < own - SAME ? [`${at}, \`${OURS}\` ${percent(own)} %`] : [];
  });
}

const target = (violations: readonly string[]): string[] => [
  `Target: \`${OURS}\` never recomputes more than a peer at the same budget. ${
    violations.length === 0 ? 'No cell where it does.' : `Missed in ${violations.length}:`
  }`,
  ...(violations.length === 0 ? [] : ['', ...violations.map((line) => `- ${line}`)]),
];

/** A line a question; each cell is recompute in per cent of a forward, peak in per cent of regular's, processor seconds. */
function table(questions: readonly Question[], { strategies }: Asked): string[] {
  return [
    'Each cell: recompute in % of a forward; peak in % of regular training; processor seconds. `–`: no plan.',
    '',
    `| network | budget | proved % | ${strategies.join(' | ')} | least above the proof, points |`,
    `| --- | ---: | ---: | ${strategies.map(() => '---:').join(' | ')} | ---: |`,
    ...questions.map(({ model, budget, rows, best }) => {
      const [bound] = [...rows.values()].flatMap((row) => row.recomputeBoundFraction ?? []);
      const gap = best === null || bound === undefined ? '' : points(best - bound);
      const cells = strategies.map((strategy) => cellText(rows.get(strategy)));
      return `| ${[model, budget, bound === undefined ? '' : percent(bound), ...cells, gap].join(' | ')} |`;
    }),
  ];
}

function cellText(row: SweptRow | undefined): string {
  if (row?.recomputeFraction == null || row.peakBytes === null) return '–';
  const peak = (100 * row.peakBytes) / row.regularPeakBytes;
  const seconds = (row.processorMs / 1000).toFixed(1);
  return `${percent(row.recomputeFraction)}${row.stoppedEarly === true ? '*' : ''}; ${peak.toFixed(1)}; ${seconds}`;
}

const percent = (share: number): string => (100 * share).toFixed(2);
const points = (share: number): string => (100 * share).toFixed(2);
