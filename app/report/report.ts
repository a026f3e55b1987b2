import { formatBytes } from '../../engine/bytes.ts';
import type { Verdict } from '../../engine/training-memory/verdict.ts';
import { savedText } from './claims.ts';
import { html, Markup } from './markup.ts';
import { markOf, overheadPicture, type PicturedStrategy, zigzagPicture } from './pictures.ts';
import { reportStyle } from './style.ts';
import { termsText } from './terms.ts';
import { batchText, count, percent, signedPercent } from './words.ts';

/** One strategy on one network; null where nothing is known. Shares are of 1. */
export interface ReportStrategy extends PicturedStrategy {
  /** Why there is no plan. */
  readonly reason: string | null;
  readonly cut: number | null;
  /** On the experiment's device; absent where it has none. */
  readonly verdict?: Verdict | null | undefined;
  /** True if it recomputes for a peak that regular training has without. */
  readonly savesNothing: boolean;
  readonly lowerBoundBytes: number | null;
  readonly paperCostBytes: number | null;
  readonly recomputeFraction: number | null;
  /** By name. */
  readonly checkpoints: readonly string[];
}

export interface ReportNetwork {
  readonly title: string;
  /** One line: size, parameters, what is stationary. */
  readonly facts: string;
  readonly strategies: readonly ReportStrategy[];
  /** Name of the strategy in front, or none. */
  readonly front: string | null;
}

export interface Report {
  readonly headline: string;
  /** Settings by name and value. */
  readonly experiment: readonly (readonly [string, string])[];
  readonly networks: readonly ReportNetwork[];
  /** Fragment of the lab's address; null if none exists. */
  readonly link: string | null;
  readonly commands: readonly string[];
  readonly version: string;
  readonly madeAt: Date;
}

/** A comparison as one HTML file that needs nothing else: no scripts, nothing from elsewhere. */
export function reportHtml(report: Report): string {
  const { headline, experiment, networks } = report;
  const several = networks.length > 1;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${headline}</title>
<style>${new Markup(reportStyle())}</style>
</head>
<body>
<main>
<h1>${headline}</h1>
<section aria-label="Experiment">
<dl>${experiment.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>
${several ? matrixOf(networks) : null}
${networks.map(networkOf)}
${reproduceOf(report)}
</main>
</body>
</html>
`.text;
}

function matrixOf(networks: readonly ReportNetwork[]): Markup {
  const least = networks.map(({ strategies }) =>
    Math.min(...strategies.map(({ peakBytes }) => peakBytes ?? Number.POSITIVE_INFINITY)),
  );
  const cell = (one: ReportStrategy | undefined, best: number | undefined): Markup => {
    if (one?.peakBytes == null) return html`<td title="${one?.reason ?? 'Not solved'}">–</td>`;
    const saved = one.cut === null || one.cut === 0 ? '' : ` (${savedText(one.cut, one.savesNothing)})`;
    return html`<td class="${one.peakBytes === best ? 'best' : ''}">${formatBytes(one.peakBytes)}${saved}</td>`;
  };
  return html`<section aria-label="Networks">
<h2>Networks</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Peak of every network under every strategy">
<table>
<caption>Peak of one training step, and the share of the regular peak that is saved; the lowest stands out</caption>
<thead><tr><th scope="col">Strategy</th>${networks.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${(networks[0]?.strategies ?? []).map(
    (one, i) =>
      html`<tr><th scope="row">${markOf(one)}${one.identity.title}</th>${networks.map(({ strategies }, n) => cell(strategies[i], least[n]))}</tr>`,
  )}</tbody>
</table>
</div>
</section>`;
}

function networkOf({ title, facts, strategies, front }: ReportNetwork): Markup {
  const drawn = strategies.filter(({ curve }) => curve.length > 0);
  const overheads = overheadPicture(title, strategies);
  const isMeasured = strategies.some(({ measuredNote }) => measuredNote !== null);
  const isJudged = strategies.some(({ verdict }) => verdict != null);
  const named = strategies.filter(({ checkpoints }) => checkpoints.length > 0);
  return html`<section aria-label="${title}">
<h2>${title}</h2>
<p class="muted">${facts}</p>
${
  drawn.length === 0
    ? null
    : html`<figure>${zigzagPicture(title, drawn)}
<div class="legend">${drawn.map((one) => html`<span>${markOf(one)}${one.identity.title}</span>`)}</div>
<figcaption>Live memory over one training step. Both passes are drawn equally long; recomputed operations are in backward.</figcaption></figure>`
}
<div class="scroll" tabindex="0" role="region" aria-label="${`Figures of ${title}`}">
<table>
<caption>Figures of every strategy</caption>
<thead><tr><th scope="col">Strategy</th><th scope="col">Peak</th>${isJudged ? html`<th scope="col">Needs in total</th><th scope="col">Fits</th><th scope="col">Largest batch</th>` : null}<th scope="col">Saved</th><th scope="col">Lower bound</th><th scope="col">Paper cost</th><th scope="col">Checkpoints</th><th scope="col">Recompute</th><th scope="col">Time, predicted</th>${isMeasured ? html`<th scope="col">Time, measured</th>` : null}</tr></thead>
<tbody>${strategies.map((one) => rowOf(one, one.identity.name === front, isMeasured, isJudged))}</tbody>
</table>
</div>
${overheads === null ? null : html`<h3>Time overhead against regular training</h3><figure>${overheads}</figure>`}
${
  named.length === 0
    ? null
    : html`<h3>Checkpoints</h3>${named.map(
        (one) =>
          html`<p class="ids">${markOf(one)}<strong>${one.identity.title}</strong> keeps ${count(one.checkpoints.length)}: ${one.checkpoints.join(', ')}</p>`,
      )}`
}
</section>`;
}

function rowOf(one: ReportStrategy, isFront: boolean, isMeasured: boolean, isJudged: boolean): Markup {
  const name = html`<th scope="row">${markOf(one)}${one.identity.title}</th>`;
  const kind = isFront ? 'front' : '';
  if (one.peakBytes === null) {
    return html`<tr class="${kind}">${name}<td class="reason" colspan="${7 + Number(isMeasured) + 3 * Number(isJudged)}">${one.reason ?? 'Not solved'}</td></tr>`;
  }
  const cell = (value: number | null, format: (value: number) => string): Markup =>
    html`<td>${value === null ? '–' : format(value)}</td>`;
  const saved = (cut: number): string => savedText(cut, one.savesNothing);
  return html`<tr class="${kind}">${name}${cell(one.peakBytes, formatBytes)}${isJudged ? verdictOf(one) : null}${cell(one.identity.name === 'regular' ? null : one.cut, saved)}${cell(one.lowerBoundBytes, formatBytes)}${cell(one.paperCostBytes, formatBytes)}${cell(one.checkpoints.length, count)}${cell(one.recomputeFraction, percent)}${cell(one.predictedOverhead, signedPercent)}${isMeasured ? html`<td>${one.measuredNote ?? '–'}</td>` : null}</tr>`;
}

function verdictOf({ verdict = null }: ReportStrategy): Markup {
  if (verdict === null) return html`<td>–</td><td>–</td><td>–</td>`;
  const { totalBytes, fits, overBytes, largestBatch } = verdict;
  return html`<td title="${termsText(verdict)}">${formatBytes(totalBytes)}</td><td>${fits ? 'yes' : `over by ${formatBytes(overBytes)}`}</td><td>${batchText(largestBatch)}</td>`;
}

function reproduceOf({ link, commands, version, madeAt }: Report): Markup {
  return html`<section aria-label="How to reproduce">
<h2>How to reproduce</h2>
<p>With Zigzag’s command line:</p>
<pre>${commands.join('\n')}</pre>
${link === null ? null : html`<p>In the lab, after its address:</p><pre>${link}</pre>`}
<p class="muted">Made by Zigzag ${version} on ${madeAt.toISOString().slice(0, 16).replace('T', ' ')} UTC. The peak is the largest sum of live bytes at any instant of one training step; weights, their gradients and the optimizer’s state are not in it. Paper cost is Eq. 2 of the paper, which counts no gradients. Predicted times are computed from the recomputed work; measured ones were timed.</p>
</section>`;
}
