import { type ScriptForm, trainingScript } from '../../app/bridges/torch/training-script.ts';
import { torchtitanConfig } from '../../app/bridges/torch/torchtitan-config.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import { type Graph, totalParameters } from '../../engine/graph/graph.ts';
import { ranksOf, type TrainingSetup } from '../../engine/training-memory/setup.ts';
import { fineTuningOf } from '../../engine/zoo/language/fine-tuning.ts';
import type { Network, SolverMemory } from './memory.ts';
import { samplesOf } from './ways.ts';

export const NO_STAGE_PROGRAM =
  'no program in plain PyTorch is made for pipeline stages: use torchtitan, split the model with torch.distributed.pipelining, or leave the pipeline out';

export const NO_CHUNKED_PROGRAM =
  'a loss in chunks has a program in plain PyTorch on one GPU without a plan; use --to script with the strategy regular, or leave the chunk out';

/** True for training that a program can follow: one with a loss in chunks runs without a plan, on one GPU. */
export const hasProgram = (
  { chunkedLoss }: Pick<Graph, 'chunkedLoss'>,
  setup: TrainingSetup,
  isPlanned: boolean,
): boolean => chunkedLoss === undefined || (!isPlanned && ranksOf(setup) === 1);

type ScriptPlan = NonNullable<Parameters<typeof trainingScript>[1]['plan']>;

/** A plan as a script follows it: its file lies next to the program. */
export const scriptPlan = (
  { peakBytes, regularPeakBytes = peakBytes }: PlanFile,
  fileName: string,
  library: ScriptPlan['library'],
): ScriptPlan => ({ fileName, share: peakBytes / regularPeakBytes, library });

/**
 * A program that trains as an experiment says.
 *
 * @param plan null where none is needed
 * @throws BadInputError for the Trainer of a network that transformers does not build
 */
export function scriptText(
  form: ScriptForm,
  network: Network,
  plan: ScriptPlan | null,
  memory: SolverMemory,
): string {
  if (network.pipeline !== undefined) throw new BadInputError(NO_STAGE_PROGRAM);
  const { graph } = memory.problem(network, network.batch);
  const { transformers, shapes } = graph;
  const lossTokens = graph.chunkedLoss?.tokens;
  if (form === 'trainer-script' && transformers === undefined)
    throw new BadInputError(
      `trainer-script needs a language model by its name or its config.json, and ${graph.name} is another network; use script`,
    );
  const [setup, tuning] = [memory.setup(network), fineTuningOf(network)];
  if (!hasProgram(graph, setup, plan !== null) || (form === 'trainer-script' && lossTokens !== undefined))
    throw new BadInputError(NO_CHUNKED_PROGRAM);
  const isMasked = network.attentionMask === 'on';
  const shape = shapes[0] ?? [];
  return trainingScript(form, { setup, tuning, transformers, shape, plan, lossTokens, isMasked });
}

/**
 * A configuration of torchtitan that trains as an experiment says.
 *
 * @throws BadInputError for training that torchtitan lacks
 */
export function torchtitanText(network: Network, strategy: string, memory: SolverMemory): string {
  const { model, batch, input, profile, dtype, seed } = network;
  // One GPU of several has a part of the model; its size tells which one it is.
  const { graph } = memory.problem({ model, batch, input, profile, dtype, seed }, batch);
  const setup = memory.setup(network);
  const lacks: readonly (readonly [boolean, string])[] = [
    [fineTuningOf(network) !== undefined, 'adapters of peft'],
    [memory.problem(network, batch).graph.chunkedLoss !== undefined, 'loss in chunks of tokens'],
    [network.attentionMask === 'on', 'attention mask'],
    [setup.pipeline?.stage !== undefined, 'training of one stage alone'],
  ];
  return torchtitanConfig({
    name: graph.name,
    setup,
    transformers: graph.transformers,
    parameters: totalParameters(graph),
    batch,
    samplesAnUpdate: samplesOf(network),
    sequence: graph.shapes[0]?.[1] ?? 0,
    isSequenceParallel: network.sequenceParallel === 'on',
    lacks: lacks.find(([holds]) => holds)?.[1],
    strategy,
  });
}
