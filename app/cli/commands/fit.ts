import Table from 'cli-table3';
import { BadInputError, InfeasibleError } from '../../../engine/errors.ts';
import { given } from '../../../engine/given.ts';
import { totalParameters, trainedParameters } from '../../../engine/graph/graph.ts';
import { WITHIN_BUDGET } from '../../../engine/strategies/default-strategy.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { type Held, TERMS } from '../../../engine/training-memory/held.ts';
import { setupText } from '../../../engine/training-memory/setup.ts';
import type { Room } from '../../../engine/training-memory/verdict.ts';
import { isCaptured, torchModels } from '../../bridges/torch/torch-models.ts';
import { commandLine, scriptLine } from '../../report/command-line.ts';
import { cheapestThatFits, verdictSentence } from '../../report/verdict-sentence.ts';
import { TERM_TITLES } from '../../report/terms.ts';
import { NO_WAY, wayList } from '../../report/ways.ts';
import { batchText, THIN } from '../../report/words.ts';
import { hasProgram } from '../../../main/solver/training-script.ts';
import { setupOf } from '../../contract/training-setup.ts';
import { told } from '../compared.ts';
import { AnsweredInfeasibleError } from '../failures.ts';
import { bargainOf, type FitRow, type Fitting, fitting } from '../fitting.ts';
import { bytes, count, percent } from '../format.ts';
import { linkText } from '../link.ts';
import {
  type Asked,
  atUsualBatch,
  isFile,
  type MemoryFlags,
  memoryOf,
  type NetworkFlags,
  openNetwork,
} from '../network.ts';
import { plainName } from '../plain-text.ts';
import { EVERY_STRATEGY } from '../strategies.ts';
import { printJson, type Terminal } from '../terminal.ts';

export interface FitFlags extends NetworkFlags, MemoryFlags {
  readonly memory: string;
}

/** Memory that no figure here includes. */
const NOT_COUNTED = 'extra workspace of cuDNN, and fragmentation of the allocator';

/**
 * `zigzag fit MODEL|FILE --memory 11GiB`: whether it fits, under every strategy, and at what cost in time.
 *
 * @throws AnsweredInfeasibleError where nothing fits, with what would
 */
export async function fitCommand(target: string, flags: FitFlags, terminal: Terminal): Promise<void> {
  const room = memoryOf(flags);
  const asked = openNetwork('fit', target, atUsualBatch(target, flags), EVERY_STRATEGY);
  const say = (what: string): void => {
    if (terminal.progressVisible && flags.json !== true) terminal.err(`solving ${what} ...`);
  };
  const found = await fitting(asked, room, say);
  const { setup, rows } = found;
  const chosen = cheapestThatFits(planned(rows));
  // Its search takes half of the time, and the sentence that nothing fits does not name it.
  const isTold = chosen !== null || flags.json === true;
  if (isTold) say('the front of memory and recompute');
  const bargain = isTold ? await bargainOf(asked, room) : null;
  const { batch } = asked.network;
  const { graph } = asked.problem();
  const unknownBytes = graph.unknownElementBytes ?? 0;
  const [parameters, trained] = [totalParameters(graph), trainedParameters(graph)];
  const head = {
    model: asked.title,
    batch,
    samplesAnUpdate: batch * setup.accumulate,
    ...room,
    ...setup,
    ...(trained === parameters ? {} : { parameters, trainedParameters: trained }),
    ...(asked.link === undefined ? {} : { link: { ...asked.link.link, ...asked.link.speed } }),
    ...(unknownBytes > 0 ? { unknownPrecisionBytes: unknownBytes } : {}),
    ...told(asked.notices),
  };
  const needsWay = chosen?.strategy !== 'regular';
  if (needsWay) say('the ways to fit');
  const ways = needsWay
    ? await asked.solver.answer('ways', { ...asked.network, room }, NO_CONTROL, () => undefined)
    : [];
  if (chosen === null) {
    const answer = { ...head, fits: false, rows, bargain, wouldFit: ways };
    const advice = ways.length === 0 ? NO_WAY : wayList(ways);
    throw new AnsweredInfeasibleError(sayVerdict(asked, found, room), answer, advice);
  }
  const next = nextStep(target, asked, flags, chosen, bargain, await titanLine(target, asked, chosen, rows));
  if (flags.json === true) {
    printJson(terminal, {
      ...head,
      fits: true,
      rows,
      bargain,
      ...(needsWay ? { wouldFit: ways } : {}),
      next,
    });
    return;
  }
  terminal.out(sayVerdict(asked, found, room));
  terminal.out(`Trained with ${setupText(setup)}.`);
  if (trained !== parameters)
    terminal.out(`Trains ${count(trained)} of ${count(parameters)} parameters; the rest is frozen.`);
  if (asked.link !== undefined)
    terminal.out(`link: ${linkText({ ...asked.link.link, ...asked.link.speed })}`);
  terminal.out(tableOf(rows, bargain));
  terminal.out(termsOf(chosen));
  terminal.out(`Not counted: ${NOT_COUNTED}.`);
  if (unknownBytes > 0)
    terminal.out(
      `${bytes(unknownBytes)} of the activations keep their captured precision: autocast's lists do not name them.`,
    );
  for (const notice of asked.notices) terminal.out(`File: ${plainName(notice)}.`);
  if (bargain !== null) terminal.out(bargainText(bargain, rows));
  if (ways.length > 0) terminal.out(wayList(ways));
  terminal.out(next);
}

/** Preferred to equal plans of others, the last one most. The ways to fit name `budget`. */
const PREFERRED: readonly string[] = [WITHIN_BUDGET, 'regular'];

/** The rows that have a plan, the preferred first. */
const planned = (rows: readonly FitRow[]): (FitRow & Held)[] =>
  rows
    .filter((row): row is FitRow & Held => row.totalBytes !== null)
    .sort((a, b) => PREFERRED.indexOf(b.strategy) - PREFERRED.indexOf(a.strategy));

/** The verdict in the lab's own words. */
function sayVerdict({ title, network }: Asked, { rows, tensors }: Fitting, { memoryBytes }: Room): string {
  const plans = planned(rows);
  const [regular] = plans.filter(({ strategy }) => strategy === 'regular');
  if (regular === undefined) throw new InfeasibleError(`no strategy has a plan for ${title}`);
  return verdictSentence({
    network: plainName(title),
    batch: network.batch,
    tensors,
    memoryBytes,
    regular,
    plans: plans
      .filter((plan) => plan !== regular)
      .map((plan) => ({ ...plan, title: plan.strategy, kept: plan.kept ?? 0 })),
    isSearching: false,
  })
    .map(({ text }) => text)
    .join('')
    .replaceAll(THIN, ' ');
}

function tableOf(rows: readonly FitRow[], bargain: FitRow | null): string {
  const table = new Table({
    head: ['strategy', 'fits', 'needs', 'activations', 'largest batch', 'more time (predicted)', ''],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of [...rows, ...(bargain === null ? [] : [bargain])]) {
    if (row.terms === null || row.totalBytes === null) {
      const content = `not applicable: ${plainName(row.reason ?? '')}`;
      table.push([row.strategy, { colSpan: 6, content, hAlign: 'left' }]);
      continue;
    }
    const notes = [
      ...(row.stage === undefined ? [] : [`stage ${row.stage}`]),
      ...(row === bargain ? ['best trade'] : row.budgetBytes === undefined ? [] : ['headroom of the device']),
      ...(row.sentBytes === undefined ? [] : [`sends ${bytes(row.sentBytes)}`]),
    ];
    table.push([
      row.strategy,
      row.fits ? 'yes' : 'no',
      bytes(row.totalBytes),
      bytes(row.terms.activations),
      batchText(row.largestBatch),
      row.overhead === null ? 'unknown' : `+${percent(row.overhead)}`,
      notes.join(', '),
    ]);
  }
  return table.toString();
}

function termsOf({ strategy, terms, stage }: FitRow): string {
  const parts = TERMS.filter((term) => (terms?.[term] ?? 0) > 0);
  const where = stage === undefined ? '' : ` in stage ${stage}`;
  return `${strategy} holds${where} ${parts.map((term) => `${TERM_TITLES[term]} ${bytes(terms![term])}`).join(', ')}.`;
}

function bargainText(bargain: FitRow, rows: readonly FitRow[]): string {
  const regular = rows.find(({ strategy }) => strategy === 'regular');
  const from = regular?.totalBytes == null ? '' : ` (regular training: ${bytes(regular.totalBytes)})`;
  return (
    `Best trade: ${bytes(bargain.totalBytes ?? 0)} for ${percent(bargain.overhead ?? 0)} more time (predicted)${from}; ` +
    'below that, each byte saved costs more time.'
  );
}

/**
 * The command that makes a configuration of torchtitan, where more than one GPU computes each sample: plain PyTorch has no
 * line for that. Null where one is enough, torchtitan does not train so or its one way to need less memory does not fit.
 */
async function titanLine(
  target: string,
  { network, solver }: Asked,
  chosen: FitRow,
  rows: readonly FitRow[],
): Promise<string | null> {
  const { tensor, pipeline, sharding } = setupOf(network);
  if ([tensor, pipeline, sharding?.experts, sharding?.context].every((way) => way === undefined)) return null;
  const row = chosen.strategy === 'regular' ? chosen : rows.find((one) => one.strategy === 'per-block');
  if (row?.fits !== true) return null;
  const { strategy } = row;
  try {
    const experiment = { ...network, strategies: [strategy] };
    const request = { experiment, strategy, form: 'torchtitan' } as const;
    await solver.answer('exportFile', request, NO_CONTROL, () => undefined);
  } catch (error) {
    if (error instanceof BadInputError) return null;
    throw error;
  }
  return scriptLine({ ...network, models: [target] }, strategyOf(strategy), 'torchtitan');
}

/**
 * The command that makes the plan; none where training needs none.
 *
 * @param inTitan that of `titanLine`
 */
function nextStep(
  target: string,
  asked: Asked,
  flags: FitFlags,
  chosen: FitRow,
  bargain: FitRow | null,
  inTitan: string | null,
): string {
  const form = formOf(target, asked);
  const { graph } = asked.problem();
  const exported = ({ strategy, budgetBytes, stage: pipelineStage }: FitRow): string => {
    const input = {
      ...asked.network,
      ...given({ pipelineStage }),
      budgetBytes,
      models: [target],
      costs: flags.costs,
      plan: flags.plan,
    };
    const traits = strategyOf(strategy);
    const plan = `${commandLine(input, traits, 'export')} --to ${form}`;
    if (graph.transformers === undefined) return strategy === 'regular' ? '' : plan;
    return [...(strategy === 'regular' ? [] : [plan]), `its program: ${scriptLine(input, traits)}`].join(
      '; ',
    );
  };
  const isPlanned = chosen.strategy !== 'regular';
  if (!hasProgram(graph, setupOf(asked.network), isPlanned))
    return `Next: train ${isPlanned ? `under ${chosen.strategy}` : 'as before'}, with the loss in chunks in a loop of your own`;
  const each = asked.network.pipeline === undefined ? '' : ', each stage with its own plan';
  if (isPlanned) {
    const blocks = inTitan === null ? '' : `. In torchtitan, which has per-block alone: ${inTitan}`;
    return `Next: train under ${chosen.strategy}${each}: ${exported(chosen)}${blocks}`;
  }
  const saves =
    bargain?.fits === true && graph.chunkedLoss === undefined
      ? `. To save memory anyway: ${exported(bargain)}`
      : '';
  const program = inTitan === null ? exported(chosen) : `its program: ${inTitan}`;
  return `Next: train as before; no plan is needed${program === '' ? '' : `; ${program}`}${saves}`;
}

/** Form of the plan: one that PyTorch runs, if the network is a capture, a file or a model of torchvision or timm. */
function formOf(target: string, { network, problem }: Asked): 'plan' | 'torch-plan' {
  const { graph } = problem();
  if (isFile(target)) return isCaptured(graph) ? 'plan' : 'torch-plan';
  const same = torchModels(graph, network);
  return 'models' in same && same.models.length > 0 ? 'torch-plan' : 'plan';
}
