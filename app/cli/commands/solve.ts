import { BadInputError, InfeasibleError } from '../../../engine/errors.ts';
import { savedText } from '../../report/claims.ts';
import { coverageText } from '../../report/words.ts';
import { compared, costsText, type JsonRow, type SolvedRow } from '../compared.ts';
import { AnsweredError } from '../failures.ts';
import { bytes, count, milliseconds, percent } from '../format.ts';
import { provedPeak, provedText } from '../prove.ts';
import { linkText } from '../link.ts';
import { openNetwork, type StrategyFlags } from '../network.ts';
import { plainName } from '../plain-text.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { segmentsRun } from '../segments-run.ts';
import { textZigzag } from '../text-zigzag.ts';

/** A budget, with or without a link, or a plan asks for the strategy that honours it; otherwise the papers' optimum. */
export function chosenStrategy(flags: StrategyFlags): string {
  if (flags.plan !== undefined) {
    if (flags.strategy !== undefined && flags.strategy !== 'plan') {
      throw new BadInputError(
        `a plan says its steps itself; give one of --plan and --strategy ${flags.strategy}`,
      );
    }
    return 'plan';
  }
  const isLinked = flags.link !== undefined || flags.device !== undefined;
  return flags.strategy ?? (flags.budget === undefined ? 'optimal' : isLinked ? 'offload' : 'budget');
}

/** `zigzag solve MODEL|FILE`: one strategy on one network. */
export async function solveCommand(
  target: string,
  flags: StrategyFlags & { readonly prove?: boolean },
  terminal: Terminal,
): Promise<void> {
  const strategy = chosenStrategy(flags);
  const asked = openNetwork(target, flags);
  const { head, rows } = await compared(asked, [strategy]);
  for (const row of rows) {
    checkFeasible(row, asked.network.budgetBytes);
    const proved = flags.prove === true ? await provedPeak(row, asked) : null;
    const extra = proved === null ? {} : { oncePeakBoundBytes: proved.isOnce ? proved.bytes : null };
    const document = { ...head, rows: [{ ...row.json, ...extra }] };
    if (!row.json.applicable) {
      const reason = row.json.reason ?? 'no reason given';
      throw new AnsweredError(`${strategy} does not apply here: ${reason}`, document);
    }
    if (flags.json === true) {
      printJson(terminal, document);
      return;
    }
    const {
      peakBytes,
      paperCostBytes,
      recomputeFraction,
      recomputeBoundFraction,
      predictedOverhead,
      checkpoints,
      claim,
    } = row.json;
    const peak = peakBytes ?? 0;
    terminal.out(
      `${plainName(head.model)}, batch ${count(head.batch)}: ${strategy} peaks at ${bytes(peak)} instead of ` +
        `${bytes(head.regularPeakBytes)} (${lessOrMore(1 - peak / head.regularPeakBytes)}) for ` +
        `${percent(predictedOverhead ?? 0)} more time (predicted).`,
    );
    terminal.out('');
    for (const line of textZigzag(row.live, peak, Math.min(100, terminal.columns - 12), 8)) {
      terminal.out(line);
    }
    terminal.out('');
    if (paperCostBytes !== null) terminal.out(`paper cost (Eq. 2)  ${bytes(paperCostBytes)}`);
    terminal.out(`recompute           ${recomputeText(recomputeFraction ?? 0, recomputeBoundFraction)}`);
    for (const line of transferLines(row.json)) terminal.out(line);
    if (proved !== null) terminal.out(`peak                ${provedText(peak, proved)}`);
    for (const line of segmentsRun(asked.network.checkpointing, [row.json])) terminal.out(line);
    if (claim !== null) terminal.out(`known to be         ${claim}`);
    if (head.costs !== undefined) terminal.out(`costs               ${costsText(head.costs)}`);
    if (head.link !== undefined) terminal.out(`link                ${linkText(head.link)}`);
    if (asked.coverage !== null && asked.coverage.opaque.length > 0) {
      terminal.out(`from outside only   ${plainName(coverageText(asked.coverage))}`);
    }
    for (const notice of asked.notices) terminal.out(`of the file         ${plainName(notice)}`);
    terminal.out(`checkpoints         ${count(checkpoints.length)}: ${checkpoints.map(plainName).join(' ')}`);
    terminal.out(`solved in           ${milliseconds(row.json.solveMs)}`);
  }
}

/** What crosses the link, and how long the step is predicted to take. */
function transferLines({ sentBytes, hostPeakBytes, stepSeconds, stalledSeconds }: JsonRow): string[] {
  const lines: string[] = [];
  if (sentBytes !== undefined) {
    lines.push(
      `sent to the host    ${bytes(sentBytes)}, at most ${bytes(hostPeakBytes ?? 0)} of it there at once`,
    );
  }
  if (stepSeconds !== undefined) {
    const waits = `${milliseconds(1000 * (stalledSeconds ?? 0))} of it waiting for copies`;
    lines.push(`step (predicted)    ${milliseconds(1000 * stepSeconds)}, ${waits}`);
  }
  return lines;
}

/** What is done again, and how far that is from what is proved. */
function recomputeText(fraction: number, bound: number | null): string {
  const done = `${percent(fraction)} of one forward`;
  if (bound === null) return done;
  if (fraction <= bound) return `${done}, proved the least`;
  // Rounded up, so that the sentence is true.
  const points = Math.ceil((fraction - bound) * 1000 - 1e-9) / 10;
  return `${done}, at most ${points} ${points === 1 ? 'point' : 'points'} above the proved least`;
}

const lessOrMore = (cut: number): string => (cut < 0 ? savedText(cut, false) : `${percent(cut)} less`);

/** A budget given beside a strategy that does not know budgets must still be met. */
function checkFeasible({ json, isInfeasible }: SolvedRow, budgetBytes = Number.POSITIVE_INFINITY): void {
  const { strategy, peakBytes, reason } = json;
  if (isInfeasible) throw new InfeasibleError(reason ?? `${strategy} finds no plan`);
  if (peakBytes === null || peakBytes <= budgetBytes) return;
  throw new InfeasibleError(
    `${strategy} needs ${bytes(peakBytes)}, more than the budget of ${bytes(budgetBytes)}; ` +
      'leave out --strategy to get the cheapest plan within it',
  );
}
