import { deviceOf, speedOf } from '../../engine/devices/devices.ts';
import type { LinkedDevice } from '../../engine/offload/link.ts';
import { stepTimes } from '../../engine/offload/step-times.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Schedule } from '../../engine/schedule/schedule.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import { chooseGaps, RULES } from '../../engine/strategies/offload/choose.ts';
import { computingOf } from '../../engine/strategies/offload/idle-gaps.ts';
import { withTransfers } from '../../engine/strategies/offload/transfers.ts';
import { regularSchedule } from '../../engine/strategies/regular.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { NO_CONTROL, type Problem } from '../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { orNull } from '../support/plans.ts';

/**
 * The predicted time of a step within a budget on an RTX 2080 Ti and its link: recomputing alone (`budget`), sending
 * alone (the fastest of our rules), and both (`offload`), beside regular training and `save-on-cpu` without a budget.
 * As Markdown. Seconds of solving are processor time at the default limit. Exits 1 where both together are slower than
 * either alone.
 */
const NETWORKS = [
  ['resnet50', 64],
  ['unet', 8],
  ['vit-b-16', 32],
] as const;
const SHARES = [0.7, 0.5, 0.3];
const DEVICE = 'rtx-2080-ti';

/** Milliseconds of the processor. */
const now = (): number => process.cpuUsage().user / 1000;

function linkedDevice(overlaps: boolean): LinkedDevice {
  const device = deviceOf(DEVICE)!;
  return { speed: speedOf(device), link: { bytesPerSecond: 1e9 * (device.hostGBps ?? 0), overlaps } };
}

function planOf(problem: Problem, name: string, budgetBytes: number, link: LinkedDevice): Schedule | null {
  const options = { seed: 0, budgetBytes, link, now };
  const plan = orNull(() => strategyOf(name).plan(problem, options, NO_CONTROL));
  return plan?.applicable ? plan.schedule : null;
}

let missed = 0;
const link = linkedDevice(true);
const percentOf = (share: number): string => `${(100 * share).toFixed(1)} %`;
const gib = (bytes: number): string => (bytes / 2 ** 30).toFixed(2);
console.log(`Predicted, ${DEVICE}: ${(link.speed.flopsPerSecond / 1e12).toFixed(2)} TFLOP/s sustained,`);
console.log(`${link.link.bytesPerSecond / 1e9} GB/s each way. Overheads are over regular training's step.\n`);
console.log(
  '| network | budget GiB | budget | sending alone | offload | sent GiB | recompute | stalled | solved in |',
);
console.log('| --- | --: | --: | --: | --: | --: | --: | --: | --: |');
for (const [name, batch] of NETWORKS) {
  const problem = createProblem(buildModel(name, { batch }), 'pytorch');
  const { graph, memory } = problem;
  const seconds = (schedule: Schedule, by = link): number => stepTimes(graph, memory, schedule, by).seconds;
  const regular = regularSchedule(problem);
  const peak = simulate(graph, memory, regular).peakBytes;
  const base = seconds(regular);
  const over = (one: number | null): string => (one === null ? 'does not fit' : percentOf(one / base - 1));
  const saved = planOf(problem, 'save-on-cpu', peak, link)!;
  const savedPeak = simulate(graph, memory, saved).peakBytes;
  const computing = computingOf(problem, regular);
  for (const share of SHARES) {
    const budgetBytes = Math.floor(share * peak);
    const recomputed = planOf(problem, 'budget', budgetBytes, link);
    const alone = RULES.flatMap((rule) => {
      const chosen = chooseGaps(computing, budgetBytes, rule);
      return chosen === null ? [] : [seconds(withTransfers(problem, computing, chosen, budgetBytes))];
    });
    const sent = alone.length === 0 ? null : Math.min(...alone);
    const start = now();
    const both = planOf(problem, 'offload', budgetBytes, link);
    const solved = (now() - start) / 1000;
    const times = both === null ? null : stepTimes(graph, memory, both, link);
    const timeline = both === null ? null : simulate(graph, memory, both);
    const least = Math.min(sent ?? Number.POSITIVE_INFINITY, recomputed ? seconds(recomputed) : Infinity);
    if (times === null || times.seconds > least * (1 + 1e-9)) missed++;
    const cells = [
      `${name}, batch ${batch}`,
      gib(budgetBytes),
      over(recomputed === null ? null : seconds(recomputed)),
      over(sent),
      over(times?.seconds ?? null),
      gib(timeline?.host?.sentBytes ?? 0),
      percentOf(timeline?.recomputeFraction ?? 0),
      percentOf((times?.stalledSeconds ?? 0) / (times?.seconds ?? 1)),
      `${solved.toFixed(1)} s`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log(
    `| ${name}, save-on-cpu | ${gib(savedPeak)} | | ${over(seconds(saved))}; without overlap ` +
      `${over(seconds(saved, linkedDevice(false)))} | | | 0.0 % | | |`,
  );
}
if (missed > 0) process.exitCode = 1;
