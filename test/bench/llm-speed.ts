import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';
import { paretoRequestSchema } from '../../app/contract/pareto.ts';
import { LANGUAGE_CONFIGS } from '../../engine/zoo/language/models.ts';
import { nameOfImported } from '../../app/contract/import-file.ts';
import { Solver } from '../../main/solver/solver.ts';
import { experiment } from '../main/support/experiment.ts';
import { keepResult, markdownTable } from '../support/bench-results.ts';

const MAX_VERDICT_SECONDS = 1;
const MAX_FRONT_SECONDS = 5;
const MAX_MIB = 1024;

const CASES = [
  { model: 'llama-3.1-70b', sequence: 4096 },
  { model: 'deepseek-v3', sequence: 4096 },
];

interface Cost {
  readonly verdict: number;
  readonly front: number;
  readonly points: number;
  readonly mib: number;
}

/** Cost in a fresh solver: its code has never run, and it has no graph yet. */
async function measured({ model, sequence }: (typeof CASES)[number]): Promise<Cost> {
  const config = LANGUAGE_CONFIGS.find(([name]) => name === model)?.[3];
  const bytes = new TextEncoder().encode(JSON.stringify(config));
  const solver = new Solver();
  const before = process.cpuUsage();
  const seconds = (): number => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const opened = await solver.answer('importFile', { name: 'config.json', bytes }, NO_CONTROL, () => {});
  const network = {
    model: nameOfImported(opened),
    batch: 1,
    input: sequence,
    precision: 'bf16',
    optimizer: 'adamw',
  } as const;
  await solver.answer('compare', experiment({ ...network, strategies: ['regular'] }), NO_CONTROL, () => {});
  const verdict = seconds();
  let points = 0;
  await solver.answer('pareto', paretoRequestSchema.parse(network), NO_CONTROL, (event) => {
    if (event.type === 'front') points = event.points.length;
  });
  return { verdict, front: seconds() - verdict, points, mib: process.resourceUsage().maxRSS / 1024 };
}

/**
 * Processor time from a config.json to the verdict of regular training, and of the front after it, in a process for each
 * model. Writes test/bench/results/llm-speed.md; exits 1 where a target is missed.
 */
function main(): void {
  const rows = CASES.map(({ model, sequence }, i) => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), String(i)],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(stderr);
    const { verdict, front, points, mib } = JSON.parse(stdout) as Cost;
    const holds = verdict < MAX_VERDICT_SECONDS && front < MAX_FRONT_SECONDS && mib < MAX_MIB;
    if (!holds) process.exitCode = 1;
    return {
      model: `${model}, 1 x ${sequence}, bfloat16`,
      'verdict, s': verdict.toFixed(2),
      'front, s': front.toFixed(2),
      'plans of the front': points,
      'memory of the process, MiB': mib.toFixed(0),
      holds: holds ? 'yes' : 'no',
    };
  });
  const lines = [
    `Processor time of a fresh solver, AdamW. Targets: the verdict of regular training within ${MAX_VERDICT_SECONDS} s, then the front within`,
    `${MAX_FRONT_SECONDS} s, in less than ${MAX_MIB} MiB with Node itself.`,
    '',
    ...markdownTable(rows),
  ];
  keepResult('llm-speed', 'From a config.json to a verdict', lines);
  console.log(lines.join('\n'));
}

const [, , index] = process.argv;
if (index === undefined) main();
else console.log(JSON.stringify(await measured(CASES[Number(index)]!)));
