import type { ExportRequest } from '../../app/contract/export-file.ts';
import { torchFile } from '../../app/bridges/torch/torch-file.ts';
import { isCaptured, type TorchModels, torchModels } from '../../app/bridges/torch/torch-models.ts';
import { isFileNetwork } from '../../app/contract/opened-file.ts';
import { planFileName } from '../../app/contract/torch-use.ts';
import { BadInputError, InfeasibleError, notApplicableText } from '../../engine/errors.ts';
import { decompositionFileText } from '../../engine/exchange/decomposition-file.ts';
import { dotFile } from '../../engine/exchange/dot-file.ts';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import { type PlanFile, planFile, planOperations, planOptions } from '../../engine/exchange/plan-file.ts';
import { treeFileText } from '../../engine/exchange/tree-file.ts';
import { HOLD_GRADIENT, hasTransfers } from '../../engine/schedule/schedule.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import type { Solving } from './context.ts';
import { judge } from './judge.ts';
import type { Network } from './memory.ts';
import {
  NO_CHUNKED_PROGRAM,
  NO_STAGE_PROGRAM,
  scriptPlan,
  scriptText,
  torchtitanText,
} from './training-script.ts';

/** The strategy that 001's figures draw beside their own. */
const CHEN = 'chen-greedy';
/** A capture's plan names PyTorch's operations itself. */
const CAPTURED: TorchModels = { models: [], isReplanned: false };

/**
 * Text of `zigzag export` for the current experiment.
 *
 * @throws BadInputError where the strategy has no plan; CancelledError through control
 */
export function exportText(
  request: ExportRequest,
  { memory, control }: Pick<Solving, 'memory' | 'control'>,
): string {
  const { experiment, strategy, form } = request;
  const { strategies: _, ...asked } = experiment;
  if (form === 'torchtitan') return torchtitanText(asked, strategy, memory);
  if (form === 'script' || form === 'trainer-script') {
    if (strategy === 'regular') return scriptText(form, asked, null, memory);
    const file: PlanFile = JSON.parse(exportText({ ...request, form: 'torch-plan' }, { memory, control }));
    const { name } = memory.problem(asked, 1).graph;
    const library = file.operations === undefined ? 'zigzag_lab' : 'zigzag_torch';
    return scriptText(form, asked, scriptPlan(file, planFileName(name, strategy), library), memory);
  }
  const isForTorch = form === 'torch' || form === 'torch-plan';
  if (isForTorch && asked.pipeline !== undefined) throw new BadInputError(NO_STAGE_PROGRAM);
  const isOfZoo = !isFileNetwork(asked.model);
  // PyTorch runs operations in program order; a capture states so itself.
  const network: Network = isForTorch ? { ...asked, profile: 'pytorch', order: 'given' } : asked;
  const { batch } = network;
  const problem = memory.problem(network, batch);
  const { graph } = problem;
  if (isForTorch && graph.chunkedLoss !== undefined) throw new BadInputError(NO_CHUNKED_PROGRAM);
  // A file states the tensors' own types; its reader chooses the training precision.
  if (form === 'graph') {
    const { precision: _precision, ...own } = network;
    return JSON.stringify(graphFile(memory.problem(own, batch).graph));
  }
  if (form === 'tree') return treeFileText(problem);
  if (form === 'decomposition') return decompositionFileText(problem);
  const isNamed = isForTorch && !isCaptured(graph);
  const elsewhere = isNamed ? torchModels(graph, isOfZoo ? network : null) : CAPTURED;
  if ('reason' in elsewhere) {
    if (form === 'torch' && isOfZoo) return torchFile();
    throw new BadInputError(
      `a plan of ${graph.name} cannot run in PyTorch: ${elsewhere.reason}; capture your model with zigzag_torch.py and solve the plan from that file`,
    );
  }
  if (form === 'torch' && elsewhere.isReplanned) {
    if (isOfZoo) return torchFile();
    throw new BadInputError(
      `a plan of ${graph.name} needs the Python package zigzag_lab, which plans your model again within the same peak: export it with --to torch-plan and call zigzag_lab.plan_model`,
    );
  }
  const solved = memory.plan(network, strategy, control);
  const { plan } = solved;
  if (!plan.applicable) {
    const Refusal = solved.isInfeasible ? InfeasibleError : BadInputError;
    throw new Refusal(notApplicableText(strategy, plan.reason));
  }
  if (isForTorch && plan.schedule.kinds.includes(HOLD_GRADIENT)) {
    throw new BadInputError(
      'the file for PyTorch follows a plan operation by operation, without reentrant segments: export the plan with --checkpointing non-reentrant',
    );
  }
  if (elsewhere.isReplanned && hasTransfers(plan.schedule)) {
    throw new BadInputError(
      `PyTorch computes ${graph.name} with other operations than those that the plan sends to host memory: capture your model with zigzag_torch.py and solve the plan from that file`,
    );
  }
  const { checkpoints } = judge(problem, batch, solved);
  if (form === 'dot') {
    const chen = strategy === CHEN ? null : judge(problem, batch, memory.plan(network, CHEN, control));
    const theirs = chen && { title: CHEN, color: 'red', checkpoints: chen.reason ?? chen.checkpoints };
    const ours = { title: strategy, color: 'green', checkpoints };
    return dotFile(graph, problem.view, theirs === null ? [ours] : [ours, theirs]);
  }
  const options = planOptions(problem, { ...network, link: memory.link(network) });
  const { schedule } = plan;
  const timeline = simulate(graph, problem.memory, schedule);
  const { plan: regular } = memory.plan(network, 'regular', control);
  const regularPeakBytes = regular.applicable
    ? simulate(graph, problem.memory, regular.schedule).peakBytes
    : timeline.peakBytes;
  const operations = isNamed && !elsewhere.isReplanned ? { operations: planOperations(graph) } : {};
  const made = { strategy, options, checkpoints, schedule, timeline, regularPeakBytes, ...operations };
  const file = planFile(graph, made);
  return form === 'torch' ? torchFile(file) : JSON.stringify(file);
}
