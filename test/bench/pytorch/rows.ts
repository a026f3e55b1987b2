/** Output of test/bench/torch_table.py for a model without plans. Bytes; coverage is a share of 1. */
export interface Facts {
  readonly savedBytes: number;
  readonly parameters: number;
  readonly plain: Measured & { readonly forwardFlops: number };
  readonly coverage?: number;
  readonly vertices?: number;
  readonly refused?: string;
  readonly failed?: string;
}

interface Measured {
  readonly peakBytes: number;
  readonly flops: number;
}

export interface PeerRow extends Partial<Measured> {
  /** FLOPs of products and convolutions beyond those of a plain step, over those of a forward. */
  readonly recompute?: number;
  readonly failed?: string;
}

/** A plan of a model: what it promised, and how training under it went. */
export interface PlanRow extends PeerRow {
  readonly promisedPeak?: number;
  readonly promisedRecompute?: number;
  /** Largest relative differences from training without, 0 to the bit. */
  readonly losses?: number;
  readonly gradients?: number;
  readonly parameters?: number;
  readonly buffers?: number;
  readonly random?: number;
  /** Step at which the forward left the plan; plain training follows. */
  readonly left?: string | null;
  readonly refused?: string;
  readonly unsolved?: string;
}

export interface PyTorchRow {
  readonly family: string;
  readonly name: string;
  readonly facts?: Facts;
  readonly failed?: string;
  /** True when plain training gives the same result twice. */
  readonly steady?: boolean;
  readonly regularBytes?: number;
  readonly documentSavedBytes?: number;
  readonly solveMs?: number;
  readonly plans?: Readonly<Record<string, PlanRow>>;
  readonly peers?: Readonly<Record<string, PeerRow>>;
}

/** The goals, of sixty models; more models scale them. */
const GOAL_COVERAGE = 0.95;
const GOAL_CAPTURED = 57 / 60;
const GOAL_PEERS = 55 / 60;
const GOAL_RATIO = [0.97, 1.03] as const;
/** Another order of additions shows in the last digits; more is another result. */
const WRONG = 1e-4;
/** A promise of less than this share of regular training's peak is too small to be measured. */
const LEAST_PROMISE = 0.03;
const EQUAL_MEMORY = 1.02;
const EQUAL_WORK = 0.005;
const STRATEGIES = ['optimal', 'live', 'budget'];

export function isCaptured({ facts }: PyTorchRow): boolean {
  return facts?.coverage !== undefined && facts.coverage > GOAL_COVERAGE;
}

/** Largest difference of any kind; null where it did not train. */
export function differenceOf(plan: PlanRow): number | null {
  const all = [plan.losses, plan.gradients, plan.parameters, plan.buffers, plan.random];
  return all.some((value) => value === undefined) ? null : Math.max(...all.map((value) => value ?? 0));
}

export function ratioOf({ facts, regularBytes }: PyTorchRow, plan: PlanRow | undefined): number | null {
  if (facts === undefined || regularBytes === undefined) return null;
  if (plan?.promisedPeak === undefined || plan.peakBytes === undefined) return null;
  const promised = regularBytes - plan.promisedPeak;
  if (promised < LEAST_PROMISE * regularBytes) return null;
  return (facts.plain.peakBytes - plan.peakBytes) / promised;
}

/** True when some plan needs neither more memory nor more work than a peer; null when the peer fails. */
export function peerVerdict({ facts, plans = {} }: PyTorchRow, peer: PeerRow): boolean | null {
  const { peakBytes, recompute } = peer;
  if (facts === undefined || peakBytes === undefined || recompute === undefined) return null;
  if (peakBytes >= facts.plain.peakBytes) return true;
  return Object.values(plans).some(
    (plan) =>
      (plan.peakBytes ?? Number.POSITIVE_INFINITY) <= peakBytes * EQUAL_MEMORY &&
      (plan.recompute ?? Number.POSITIVE_INFINITY) <= Math.max(0, recompute) + EQUAL_WORK,
  );
}

const percent = (value: number | undefined): string =>
  value === undefined ? '-' : `${(value * 100).toFixed(value > 0.9995 || value === 0 ? 0 : 1)} %`;

function bytesCell({ facts, documentSavedBytes }: PyTorchRow): string {
  if (facts === undefined || documentSavedBytes === undefined) return '-';
  if (facts.savedBytes === documentSavedBytes) return 'equal';
  return `${(documentSavedBytes / facts.savedBytes).toFixed(4)}`;
}

function planCell(row: PyTorchRow, label: string): string {
  const plan = row.plans?.[label];
  if (plan === undefined) return '-';
  if (plan.unsolved !== undefined) return 'no plan';
  if (plan.refused !== undefined) return 'refused';
  if (plan.failed !== undefined) return 'fails';
  const difference = differenceOf(plan);
  const same = difference === 0 ? (plan.left ? 'same, left' : 'same') : (difference ?? 0).toExponential(0);
  const ratio = ratioOf(row, plan);
  return `${same}, ${ratio === null ? '-' : ratio.toFixed(2)}, ${percent(plan.recompute)}`;
}

function peerCell(row: PyTorchRow, peer: string): string {
  const theirs = row.peers?.[peer];
  if (theirs === undefined || theirs.failed !== undefined) return 'n/a';
  const verdict = peerVerdict(row, theirs);
  const ours = row.plans?.[`peer-${peer}`];
  const mine = ours?.recompute !== undefined ? percent(ours.recompute) : ours === undefined ? '0 %' : 'none';
  return `${percent(theirs.recompute)} / ${mine}${verdict === false ? ' (missed)' : ''}`;
}

function sentenceOf(row: PyTorchRow): string {
  const said = row.failed ?? row.facts?.refused ?? row.facts?.failed;
  if (said !== undefined) return said;
  const plans = Object.entries(row.plans ?? {});
  const found = plans
    .filter(([label]) => STRATEGIES.includes(label))
    .find(([, plan]) => plan.refused ?? plan.failed ?? plan.left);
  return found === undefined ? '' : `${found[0]}: ${found[1].refused ?? found[1].failed ?? found[1].left}`;
}

/** Cells of plans: differences, saved over promised bytes, recompute; cells of peers: theirs / ours at equal memory. */
export function toMarkdown(rows: readonly PyTorchRow[]): string {
  const peers = [...new Set(rows.flatMap((row) => Object.keys(row.peers ?? {})))].filter(
    (p) => p !== 'others',
  );
  const head = ['family', 'model', 'coverage', 'bytes', ...STRATEGIES, ...peers, 'says'];
  const body = rows.map((row) => [
    row.family,
    row.name,
    row.facts?.coverage === undefined ? 'no' : percent(row.facts.coverage),
    bytesCell(row),
    ...STRATEGIES.map((label) => planCell(row, label)),
    ...peers.map((peer) => peerCell(row, peer)),
    sentenceOf(row).replaceAll('|', '/'),
  ]);
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function line(title: string, isMet: boolean, missing: readonly string[]): string {
  return `${title}: ${isMet ? 'met' : 'MISSED'}${missing.length > 0 ? ` (not: ${missing.join(', ')})` : ''}`;
}

/** A line a goal, with the models that miss it. */
export function summary(rows: readonly PyTorchRow[]): string[] {
  const names = (some: readonly PyTorchRow[]): string[] => some.map(({ name }) => name);
  const uncaptured = rows.filter((row) => !isCaptured(row));
  const captured = rows.length - uncaptured.length;
  const planned = rows.map((row) => ({ row, plans: Object.values(row.plans ?? {}) }));
  const wrong = planned.filter(
    ({ row, plans }) =>
      row.steady !== false && plans.some((plan) => (differenceOf(plan) ?? 0) > WRONG && !plan.refused),
  );
  const toTheBit = planned.filter(
    ({ plans }) =>
      plans.length > 0 && plans.every((plan) => plan.unsolved !== undefined || differenceOf(plan) === 0),
  );
  const trained = planned.filter(({ row }) =>
    STRATEGIES.every((label) => {
      const difference = differenceOf(row.plans?.[label] ?? {});
      return difference !== null && difference <= WRONG;
    }),
  );
  const bytes = rows.filter(({ facts, documentSavedBytes }) => facts?.savedBytes === documentSavedBytes);
  const ratios = rows.flatMap((row) =>
    STRATEGIES.map((label) => ratioOf(row, row.plans?.[label])).filter((ratio) => ratio !== null),
  );
  const middle = median(ratios);
  const compared = rows.filter((row) =>
    Object.values(row.peers ?? {}).some((p) => p.peakBytes !== undefined),
  );
  const worse = compared.filter((row) =>
    Object.values(row.peers ?? {}).some((peer) => peerVerdict(row, peer) === false),
  );
  const within = ratios.filter((ratio) => ratio >= GOAL_RATIO[0] && ratio <= GOAL_RATIO[1]).length;
  return [
    line(
      `captured with a coverage above ${percent(GOAL_COVERAGE)}: ${captured} of ${rows.length}`,
      captured >= GOAL_CAPTURED * rows.length,
      names(uncaptured),
    ),
    line(
      `silently wrong: ${wrong.length} of ${rows.length}`,
      wrong.length === 0,
      wrong.map(({ row }) => row.name),
    ),
    `trained under all three plans: ${trained.length}, under every plan to the bit: ${toTheBit.length} of ${rows.length}`,
    `bytes equal to what autograd keeps: ${bytes.length} of ${rows.length} (not: ${names(rows.filter((row) => !bytes.includes(row))).join(', ')})`,
    line(
      `saved over promised, median of ${ratios.length}: ${middle.toFixed(3)}, ${within} of them within ${GOAL_RATIO.join('-')}`,
      middle >= GOAL_RATIO[0] && middle <= GOAL_RATIO[1],
      [],
    ),
    compared.length === 0
      ? 'recompute at or below every peer at equal memory: no peer was measured'
      : line(
          `recompute at or below every peer at equal memory: ${compared.length - worse.length} of ${compared.length} that have one`,
          compared.length - worse.length >= GOAL_PEERS * compared.length,
          names(worse),
        ),
  ];
}
