/**
 * Look of a strategy, everywhere: one colour, one line style, one short name (UI.md). Colours are
 * names of CSS variables (`styles.css` gives each a value for the light and the dark theme), taken from
 * the Okabe-Ito set; together with the dashes they hold for colour-blind eyes and in grey print.
 */
export type StrategyColor =
  | 'neutral'
  | 'vermilion'
  | 'sky'
  | 'green'
  | 'blue'
  | 'purple'
  | 'orange'
  | 'yellow'
  | 'black';

export interface StrategyIdentity {
  readonly name: string;
  /** Short name, as catalogued; the strategy's own name if none exists. */
  readonly title: string;
  readonly color: StrategyColor;
  /** `stroke-dasharray`, or none for a solid line. */
  readonly dash: string | undefined;
  readonly width: number;
}

type Look = Pick<StrategyIdentity, 'color' | 'dash' | 'width'>;

const look = (color: StrategyColor, dash?: string, width = 1.75): Look => ({ color, dash, width });

const LOOKS: Readonly<Record<string, Look>> = {
  regular: look('neutral'),
  'chen-sqrt': look('vermilion', '7 4'),
  'chen-greedy': look('vermilion', '3 3'),
  'chen-memonger': look('vermilion', '9 3 2 3'),
  random: look('sky', '1.5 3'),
  optimal: look('green'),
  live: look('blue', undefined, 2.25),
  budget: look('purple', '9 3 2 3'),
  'linear-optimal': look('black', '4 4'),
  articulation: look('orange', '10 4'),
  speed: look('orange', '5 2 1 2'),
  'memory-poor': look('yellow', '6 2'),
  manual: look('black', '1.5 3'),
  plan: look('purple', '1.5 3', 2.25),
  revolve: look('orange', '2 3'),
  bptt: look('yellow', '2 4'),
  milp: look('black', '9 3 2 3'),
  sequential: look('purple', '3 3'),
  'per-block': look('orange', '12 3'),
  'chain-dp': look('black', '12 3'),
  dtr: look('sky', '9 3 2 3'),
  knapsack: look('green', '3 3'),
  'checkmate-rounding': look('vermilion', '12 3'),
  'save-on-cpu': look('yellow', '1.5 3', 2.25),
  offload: look('vermilion', '1.5 3', 2.25),
};

const REST: readonly Look[] = [
  look('orange', '6 2 2 2 2 2'),
  look('yellow', '8 2 2 2 2 2'),
  look('black', '6 2 2 2 2 2'),
];

/** @param fullTitle as catalogued; what stands in parentheses is left to tooltips */
export function identityOf(name: string, fullTitle = name): StrategyIdentity {
  const title = fullTitle.replace(/\s*\(.*\)$/, '');
  const known = LOOKS[name];
  if (known !== undefined) return { name, title, ...known };
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return { name, title, ...(REST[hash % REST.length] ?? look('orange')) };
}
