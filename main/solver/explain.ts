import type { ExplainRequest } from '../../app/contract/measured.ts';
import { BadInputError, InfeasibleError, notApplicableText } from '../../engine/errors.ts';
import { explain } from '../../engine/explain/explain.ts';
import type { Explanation } from '../../engine/explain/explanation.ts';
import type { MeasuredDevice } from '../../engine/explain/measured.ts';
import { totalParameters } from '../../engine/graph/graph.ts';
import { heldCurve } from '../../engine/training-memory/held.ts';
import type { Solving } from './context.ts';

/**
 * A measurement beside the plan of a strategy, the same plan as in a comparison at this batch.
 *
 * @throws BadInputError if the strategy has no plan, the snapshot lacks the device, or another network was measured;
 *   CancelledError through control
 */
export function explained(
  request: ExplainRequest,
  { memory, control }: Pick<Solving, 'memory' | 'control'>,
): Explanation {
  const { strategy, measured, cuda, ...network } = request;
  const { plan, batch: solvedAt, isInfeasible } = memory.plan(network, strategy, control);
  if (!plan.applicable) {
    const Refusal = isInfeasible ? InfeasibleError : BadInputError;
    throw new Refusal(notApplicableText(strategy, plan.reason));
  }
  const { batch } = network;
  const problem = memory.problem(network, batch);
  const usual = memory.setup(network);
  if (usual.pipeline !== undefined)
    throw new BadInputError('a measurement is not compared with a pipeline stage; leave the pipeline out');
  // `measure` does not free the gradients of the step before.
  const setup = measured.kind === 'measure' ? { ...usual, freesGradients: false } : usual;
  const device = measured.kind === 'measure' ? undefined : deviceOf(measured.devices, cuda);
  return explain(
    {
      held: heldCurve(problem, plan.schedule, setup),
      paperCostBytes: plan.paperCostBytes === null ? null : (plan.paperCostBytes / solvedAt) * batch,
      setup,
      parameters: totalParameters(problem.graph),
      batch,
    },
    measured,
    device,
  );
}

function deviceOf(devices: readonly MeasuredDevice[], asked: number | undefined): MeasuredDevice {
  const found = asked === undefined ? devices[0] : devices.find(({ device }) => device === asked);
  if (found !== undefined) return found;
  const all = devices.map(({ device }) => device).join(', ');
  throw new BadInputError(`the snapshot has no events of device ${asked}; it has ${all}`);
}
