import { torchModels } from '../../app/bridges/torch/torch-models.ts';
import type { ExportForm } from '../../app/contract/export-file.ts';
import { NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';
import { buildModel, MODELS } from '../../engine/zoo/zoo.ts';
import { exportText } from '../../main/solver/export-file.ts';
import { SolverMemory } from '../../main/solver/memory.ts';

/** Samples of a step of a network of the zoo in PyTorch; test/reference/torch_zoo.py draws as many. */
export const BATCH = 4;
/** Pixels of a side: the least that leave every convolution something to do. */
export const sizeOf = (model: string): number => (model === 'inceptionv3' ? 96 : 64);

export interface PlanOptions {
  readonly dropout?: number;
  readonly precision?: 'amp-bf16';
}

/** Prediction of a plan for a regular step and for a step under it. Bytes. */
export interface Promised {
  readonly peakBytes: number;
  readonly regularPeakBytes: number;
}

/** Output of test/reference/torch_zoo.py for a model and a plan. */
export interface ZooAnswer extends Partial<Promised> {
  readonly refused?: string;
  readonly absent?: string;
  readonly matched?: true;
  readonly exact?: boolean;
  readonly left?: string | null;
  readonly recomputed?: number;
  readonly parameters?: number;
}

const memory = new SolverMemory();

/** A plan of a network of the zoo, as `zigzag export MODEL --to torch-plan` prints it. */
export function zooPlan(
  model: string,
  strategy: string,
  form: ExportForm = 'torch-plan',
  options: PlanOptions = {},
): string {
  const experiment = {
    model,
    batch: BATCH,
    input: sizeOf(model),
    strategies: [strategy],
    profile: 'pytorch' as const,
    dtype: 'float32' as const,
    seed: 1,
    ...options,
  };
  return exportText({ experiment, strategy, form }, { memory, control: NO_CONTROL });
}

/** Page on the networks of the zoo in PyTorch: their models, or why they are refused. */
export function zooPage(): string {
  const there: string[] = [];
  const own: string[] = [];
  const replanned: string[] = [];
  const refused = new Map<string, string[]>();
  for (const { name } of MODELS) {
    const same = torchModels(buildModel(name, { batch: 1 }), { model: name });
    if ('reason' in same) refused.set(same.reason, [...(refused.get(same.reason) ?? []), name]);
    else if (same.isReplanned) replanned.push(name);
    else if (same.models.length === 0) own.push(name);
    else there.push(`| ${name} | ${same.models.map(({ make }) => `\`${make}\``).join(', ')} |`);
  }
  return `<!-- Written from app/bridges/torch/torch-models.ts: npx vitest run test/app/bridges/torch-zoo.test.ts -u -->

# Models in PyTorch

[A plan of the zoo](./guides/pytorch.md#a-network-of-the-zoo) fits these models without a capture. \`npm run bench torch-zoo\`
measures every one; its results are in \`test/bench/results\`.

## Found in torchvision's or timm's own model

| network | model (the dropout is that of the plan) |
| --- | --- |
${there.join('\n')}

## In neither library

Their plans fit your own model if it runs the same operations: ${own.join(', ')}.

## Planned again

PyTorch computes these networks with other operations than Zigzag draws. \`zigzag_lab.plan_model\` of the Python package
captures your model at its first training step and plans it within the plan's own peak: ${replanned.join(', ')}.

## Refused

Capture your model with \`zigzag.capture\`, and make the plan from that file.

| networks | why |
| --- | --- |
${[...refused].map(([reason, names]) => `| ${names.join(', ')} | ${reason} |`).join('\n')}
`;
}
