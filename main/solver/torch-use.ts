import { torchFile } from '../../app/bridges/torch/torch-file.ts';
import { isCaptured, torchModels } from '../../app/bridges/torch/torch-models.ts';
import { isFileNetwork } from '../../app/contract/opened-file.ts';
import { planFileName, type TorchUse, type TorchUseRequest } from '../../app/contract/torch-use.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import type { Solving } from './context.ts';
import { exportText } from './export-file.ts';
import {
  hasProgram,
  NO_CHUNKED_PROGRAM,
  NO_STAGE_PROGRAM,
  scriptPlan,
  scriptText,
} from './training-script.ts';

const NEEDLESS = 'the plan saves the same tensors as PyTorch without a plan';
const FOR_ALL = ['script'] as const;
const FOR_TRANSFORMERS = ['script', 'trainer-script'] as const;

/**
 * Everything needed to train with a strategy's plan in PyTorch, or the reason why it is impossible.
 *
 * @throws BadInputError for an unknown network; CancelledError through control
 */
export function torchUse(
  request: TorchUseRequest,
  { memory, control }: Pick<Solving, 'memory' | 'control'>,
): TorchUse {
  const { strategies: _, ...network } = request.experiment;
  const { graph } = memory.problem(network, network.batch);
  const captured = isCaptured(graph);
  const same = captured ? null : torchModels(graph, isFileNetwork(network.model) ? null : network);
  const found = same !== null && 'models' in same ? same : { models: [], isReplanned: false };
  const { isReplanned } = found;
  const use = {
    file: torchFile(),
    isCaptured: captured,
    models: [...found.models],
    isReplanned,
    isNeedless: false,
  };
  const { pipeline } = network;
  const isRegular = request.strategy === 'regular';
  const isChunked = graph.chunkedLoss !== undefined;
  const isWritten = pipeline === undefined && hasProgram(graph, memory.setup(network), !isRegular);
  const forms = !isWritten ? [] : graph.transformers === undefined || isChunked ? FOR_ALL : FOR_TRANSFORMERS;
  const scripts = (plan: Parameters<typeof scriptText>[2]): TorchUse['scripts'] => [
    ...forms.map((form) => ({
      form,
      text: scriptText(form, network, graph.transformers === undefined ? null : plan, memory),
    })),
    ...titan(request, { memory, control }),
  ];
  const without = (reason: string) => ({ ...use, plan: null, scripts: scripts(null), reason });
  if (pipeline !== undefined) return without(NO_STAGE_PROGRAM);
  if (isRegular) return { ...without(NEEDLESS), isNeedless: true };
  if (isChunked) return without(NO_CHUNKED_PROGRAM);
  if (same !== null && 'reason' in same) return without(same.reason);
  try {
    const text = exportText({ ...request, form: 'torch-plan' }, { memory, control });
    const file: PlanFile = JSON.parse(text);
    const { peakBytes, regularPeakBytes = peakBytes, recomputeFraction, steps } = file;
    const sends = steps.filter(([kind]) => kind === 'send').length;
    if (peakBytes >= regularPeakBytes) {
      const isNeedless = recomputeFraction === 0;
      const reason = isNeedless ? NEEDLESS : 'the plan recomputes and saves nothing';
      return { ...without(reason), isNeedless };
    }
    const fileName = planFileName(graph.name, request.strategy);
    const plan = {
      fileName,
      text,
      peakBytes,
      regularPeakBytes,
      recomputeFraction,
      ...(sends === 0 ? {} : { sends }),
    };
    const followed = scriptPlan(file, fileName, 'zigzag_lab');
    return { ...use, plan, scripts: scripts(followed), reason: null };
  } catch (error) {
    if (error instanceof BadInputError) return without(error.message);
    throw error;
  }
}

/** A configuration of torchtitan, where it trains so. */
function titan(request: TorchUseRequest, solving: Parameters<typeof exportText>[1]): TorchUse['scripts'] {
  const form = 'torchtitan';
  try {
    return [{ form, text: exportText({ ...request, form }, solving) }];
  } catch (error) {
    if (error instanceof BadInputError) return [];
    throw error;
  }
}
