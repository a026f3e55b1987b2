import { InfeasibleError, notApplicableText } from '../../../engine/errors.ts';
import { savedText } from '../../report/claims.ts';
import { coverageText } from '../../report/words.ts';
import { compared, costsText, type JsonRow } from '../compared.ts';
import { AnsweredError } from '../failures.ts';
import { bytes, count, milliseconds, percent } from '../format.ts';
import { provedPeak, provedText } from '../prove.ts';
import { linkText } from '../link.ts';
import { type NetworkFlags, openNetwork } from '../network.ts';
import { plainName } from '../plain-text.ts';
import { chosenStrategy, type StrategyFlag } from '../strategies.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { segmentsRun } from '../segments-run.ts';
import { textZigzag } from '../text-zigzag.ts';

export interface SolveFlags extends NetworkFlags, StrategyFlag {
  readonly prove?: boolean;
}

/** `zigzag solve MODEL|FILE`: one strategy on one network. */
export async function solveCommand(target: string, flags: SolveFlags, terminal: Terminal): Promise<void> {
  const strategy = chosenStrategy('solve', flags);
  const asked = openNetwork('solve', target, flags);
  const { head, rows } = await compared(asked, [strategy]);
  for (const row of rows) {
    if (row.isInfeasible) throw new InfeasibleError(row.json.reason ?? `${strategy} finds no plan`);
    const proved = flags.prove === true ? await provedPeak(row, asked) : null;
    const extra = proved === null ? {} : { oncePeakBoundBytes: proved.isOnce ? proved.bytes : null };
    const document = { ...head, rows: [{ ...row.json, ...extra }] };
    if (!row.json.applicable) {
      throw new AnsweredError(notApplicableText(strategy, row.json.reason), document);
    }
    if (flags.json === true) {
      printJson(terminal, document);
      return;
    }
    const {
      peakBytes,
      needsBytes,
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
    if (needsBytes !== null)
      terminal.out(`needs               ${bytes(needsBytes)} in all, without the device context`);
    if (paperCostBytes !== null) terminal.out(`paper cost (Eq. 2)  ${bytes(paperCostBytes)}`);
    terminal.out(`recompute           ${recomputeText(recomputeFraction ?? 0, recomputeBoundFraction)}`);
    for (const line of transferLines(row.json)) terminal.out(line);
    if (proved !== null) terminal.out(`peak                ${provedText(peak, proved)}`);
    for (const line of segmentsRun(asked.network.checkpointing, [row.json])) terminal.out(line);
    if (claim !== null) terminal.out(`known to be         ${claim}`);
    if (head.costs !== undefined) terminal.out(`costs               ${costsText(head.costs)}`);
    if (head.link !== undefined) terminal.out(`link                ${linkText(head.link)}`);
    if (asked.coverage !== null && asked.coverage.opaque.length > 0) {
      terminal.out(`size only           ${plainName(coverageText(asked.coverage))}`);
    }
    for (const notice of asked.notices) terminal.out(`of the file         ${plainName(notice)}`);
    terminal.out(`checkpoints         ${count(checkpoints.length)}: ${checkpoints.map(plainName).join(' ')}`);
    terminal.out(`solved in           ${milliseconds(row.json.solveMs)}`);
  }
}

/** Bytes over the link, and the predicted time of the step. */
function transferLines({ sentBytes, hostPeakBytes, stepSeconds, stalledSeconds }: JsonRow): string[] {
  const lines: string[] = [];
  if (sentBytes !== undefined) {
    lines.push(
      `sent to the host    ${bytes(sentBytes)}, at most ${bytes(hostPeakBytes ?? 0)} in host memory at once`,
    );
  }
  if (stepSeconds !== undefined) {
    const waits = `${milliseconds(1000 * (stalledSeconds ?? 0))} of it waiting for copies`;
    lines.push(`step (predicted)    ${milliseconds(1000 * stepSeconds)}, ${waits}`);
  }
  return lines;
}

/** Share that is recomputed, and its distance from the proved bound. */
function recomputeText(fraction: number, bound: number | null): string {
  const done = `${percent(fraction)} of one forward`;
  if (bound === null) return done;
  if (fraction <= bound) return `${done}, proved optimal`;
  // Rounded up, so that the sentence is true.
  const points = Math.ceil((fraction - bound) * 1000 - 1e-9) / 10;
  return `${done}, at most ${points} ${points === 1 ? 'point' : 'points'} above the lower bound`;
}

const lessOrMore = (cut: number): string => (cut < 0 ? savedText(cut, false) : `${percent(cut)} less`);
