import { createProblem } from '../../engine/problem.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { simulate } from '../../engine/simulate/simulate.ts';
import { underAutocast } from '../../engine/training-memory/autocast.ts';
import { CUBLAS_WORKSPACE_BYTES } from '../../engine/training-memory/allocator.ts';
import { heldAt, heldLines } from '../../engine/training-memory/held.ts';
import { lossOf } from '../../engine/training-memory/loss.ts';
import type { OptimizerName } from '../../engine/training-memory/optimizers.ts';
import { isMixed, type Precision, USUAL_SETUP, weightBytes } from '../../engine/training-memory/setup.ts';
import { weightsOf } from '../../engine/training-memory/weights.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import { planOf } from './plans.ts';

/** A row of test/reference/torch_training_memory.py; bytes. */
export interface TorchRow {
  readonly name: string;
  readonly batch: number;
  readonly input: number;
  readonly device: 'cpu' | 'cuda';
  readonly precision: Precision;
  readonly weights: number;
  readonly copies: number;
  readonly saved: number;
  readonly output: number;
  readonly lossSaved: number;
  readonly gradients?: number;
  readonly optimizers?: Readonly<Record<string, number>>;
  readonly peaks?: Readonly<Record<string, number>>;
}

export interface Figure {
  readonly what: string;
  readonly ours: number;
  readonly torch: number;
}

/** Our figures of a row beside those of PyTorch. */
export function figuresOf(row: TorchRow): readonly Figure[] {
  const { precision, device, batch, input } = row;
  const built = buildModel(row.name, { batch, input, bytesPerElement: weightBytes(precision) });
  const graph = isMixed(precision) ? underAutocast(built, device) : built;
  const problem = createProblem(graph, 'pytorch');
  const plan = planOf(strategyOf('regular'), problem);
  const { weights, copies, gradients } = weightsOf(graph, { ...USUAL_SETUP, precision });
  const loss = lossOf(graph, precision, device);
  const { savedBytes } = simulate(graph, problem.memory, plan.schedule);
  return [
    { what: 'weights', ours: weights, torch: row.weights },
    { what: 'half copies', ours: copies, torch: row.copies },
    { what: 'saved', ours: savedBytes, torch: row.saved },
    { what: 'output', ours: loss.outputBytes, torch: row.output },
    { what: 'loss', ours: loss.keptBytes + loss.labelBytes, torch: row.lossSaved },
    ...(row.gradients === undefined ? [] : [{ what: 'gradients', ours: gradients, torch: row.gradients }]),
    ...Object.entries(row.optimizers ?? {}).map(([name, torch]) => ({
      what: `state of ${name}`,
      ours: weightsOf(graph, { ...USUAL_SETUP, precision, optimizer: name as OptimizerName }).optimizer,
      torch,
    })),
    ...Object.entries(row.peaks ?? {}).map(([name, torch]) => {
      const setup = { ...USUAL_SETUP, precision, optimizer: name as OptimizerName };
      const { terms, totalBytes } = heldAt(heldLines(problem, problem, plan.schedule, setup, device), 1, 0);
      // The tracker counts tensors alone.
      return { what: `peak with ${name}`, ours: totalBytes - CUBLAS_WORKSPACE_BYTES - terms.rounding, torch };
    }),
  ];
}
