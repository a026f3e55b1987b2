import { formatBytes } from '../../engine/bytes.ts';
import type { OptionValues } from '../../engine/options/options.ts';
import { stationaryText, type TrainingSetup } from '../../engine/training-memory/setup.ts';
import { acrossSentence, headline } from './comparison-headline.ts';
import type { Report, ReportNetwork, ReportStrategy } from './report.ts';
import { optionFacts } from './option-facts.ts';
import { count, sizeText, THIN } from './words.ts';

/** Facts of a network: `ComparisonHead` of the contract. */
export interface NetworkHead {
  readonly input: number;
  readonly parameters: number;
  readonly vertices: number;
  readonly tensorVertices: number;
  readonly tensorEdges: number;
  readonly stationaryBytes: number;
  readonly setup: TrainingSetup;
}

export interface ComparedNetwork {
  readonly title: string;
  readonly batch: number;
  /** Null until it is solved. */
  readonly head: NetworkHead | null;
  /** Why it is not. */
  readonly failure: string | null;
  readonly regularBytes: number | null;
  readonly strategies: readonly ReportStrategy[];
  /** Name of the strategy in front, or none. */
  readonly front: string | null;
}

export interface ComparedExperiment extends Omit<OptionValues, 'device'> {
  readonly device?: { readonly title: string; readonly memoryGiB: number } | undefined;
  /** The times that overheads are predicted by, where they are not by FLOPs. */
  readonly costs?: string | undefined;
  /** Budget of several networks, as a share of what regular training of each needs. */
  readonly budgetShare?: string | undefined;
}

export interface ComparisonReportInput extends Pick<Report, 'link' | 'commands' | 'version' | 'madeAt'> {
  readonly experiment: ComparedExperiment;
  /** The one in front first. */
  readonly networks: readonly [ComparedNetwork, ...ComparedNetwork[]];
  /** Name of the strategy that the headline follows from network to network; null where it follows none. */
  readonly followed: string | null;
}

/** The words of a comparison's report; the caller collects the figures. */
export function comparisonReport(input: ComparisonReportInput): Report {
  const { experiment, networks, link, commands, version, madeAt } = input;
  return {
    headline: headlineOf(input),
    experiment: asked(experiment, networks),
    networks: networks.map(networkOf),
    link,
    commands,
    version,
    madeAt,
  };
}

function headlineOf({ networks, followed }: ComparisonReportInput): string {
  if (networks.length > 1) {
    if (followed === null) return `${networks.length} networks under every strategy`;
    const rows = networks.map(({ title, strategies }) => ({ title, rows: strategies }));
    const across = acrossSentence(rows, followed);
    if (across !== '') return across;
  }
  const [{ title, batch, regularBytes, strategies, front }] = networks;
  const named = (name: string | null): ReportStrategy | null =>
    strategies.find(({ identity }) => identity.name === name) ?? null;
  const inFront = named(front);
  // All that a device holds, where there is one.
  const regular = named('regular')?.verdict?.totalBytes;
  const total = inFront?.verdict?.totalBytes;
  const isKnown = regular !== undefined && (inFront === null || total !== undefined);
  return headline({
    network: title,
    batch,
    regularBytes: isKnown ? regular : (regularBytes ?? 0),
    front: inFront && isKnown ? { ...inFront, peakBytes: total ?? inFront.peakBytes } : inFront,
    saysPredicted: true,
  })
    .map(({ text }) => text)
    .join('');
}

/** Options that a reader looks for even where they are as usual. */
const ALWAYS = ['batch', 'dtype', 'profile', 'seed'] as const;

function asked(experiment: ComparedExperiment, networks: readonly ComparedNetwork[]): [string, string][] {
  const { device, costs, budgetShare, plan: _plan, budgetBytes, ...others } = experiment;
  const options = budgetShare === undefined ? { ...others, budgetBytes } : others;
  return [
    [networks.length > 1 ? 'Networks' : 'Network', networks.map(({ title }) => title).join(', ')],
    ...optionFacts(options, ALWAYS),
    ...(budgetShare === undefined
      ? []
      : [['Budget', `${budgetShare} of each network's regular peak`] as [string, string]]),
    ...(device === undefined
      ? []
      : [['Device', `${device.title}, ${device.memoryGiB} GiB`] as [string, string]]),
    ...(costs === undefined ? [] : [['Costs', costs] as [string, string]]),
  ];
}

function networkOf({ title, batch, head, failure, strategies, front }: ComparedNetwork): ReportNetwork {
  return { title, facts: `Batch ${count(batch)}${factsOf(head, failure)}`, strategies, front };
}

function factsOf(head: NetworkHead | null, failure: string | null): string {
  if (head === null) return `. ${failure ?? 'Not solved yet.'}`;
  const size = sizeText(head);
  const { parameters, vertices, tensorVertices, tensorEdges, stationaryBytes, setup } = head;
  return (
    `, ${size === null ? '' : `${size}, `}` +
    `${count(parameters)} parameters, ${count(vertices)} operations; ` +
    `computation graph of ${count(tensorVertices)} vertices and ${count(tensorEdges)} edges; ` +
    `${stationaryText(setup)} take ${formatBytes(stationaryBytes, THIN)} besides.`
  );
}
