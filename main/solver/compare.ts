import type {
  ComparisonEvent,
  ComparisonHead,
  ComparisonRequest,
  Row,
  SolvedRow,
} from '../../app/contract/results.ts';
import { comparisonHead } from '../../engine/comparison/head.ts';
import { InternalError } from '../../engine/errors.ts';
import { operationTitle } from '../../engine/ops/operation.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { type Control, NO_CONTROL } from '../../engine/strategies/strategy/strategy.ts';
import type { Solving } from './context.ts';
import { planWithin } from './device-budget.ts';
import { heldOf, heldThroughout } from './held.ts';
import { judge, type SolvedPlan } from './judge.ts';
import { type Network, SolverMemory } from './memory.ts';
import { scaledTimeline } from './scale.ts';
import { transfersOf } from './transfers.ts';

/** Interval of progress events: strategies tick more often than a screen needs. */
const PROGRESS_MS = 100;

/**
 * Solves an experiment: emits the head, then progress and row of each strategy, in the requested order. Synchronous and
 * free of Node, so that it runs in a worker, in the command line and in tests.
 *
 * @param control stops between and within strategies; its `tick` gets a share of the whole
 * @throws BadInputError before the first event for an unknown network or strategy or a size that the network does not
 *   admit; CancelledError through control
 */
export function compareEvents(
  experiment: ComparisonRequest,
  { memory, control, emit }: Solving<ComparisonEvent>,
): void {
  const start = performance.now();
  const { strategies, room, ...network } = experiment;
  for (const name of strategies) strategyOf(name);
  emit(headEvent(network, memory));
  strategies.forEach((strategy, i) => {
    let reported = performance.now();
    const tick = (done: number): void => {
      control.tick((i + done) / strategies.length);
      if (performance.now() - reported < PROGRESS_MS) return;
      reported = performance.now();
      emit({ type: 'progress', strategy, done: Math.min(Math.max(done, 0), 1) });
    };
    control.tick(i / strategies.length);
    const { reads } = strategyOf(strategy);
    const isLeft = room !== undefined && reads.budgetBytes === 'needs' && network.budgetBytes === undefined;
    const { solved, ...told } = isLeft
      ? planWithin(network, strategy, room, memory, { tick })
      : { solved: memory.plan(network, strategy, { tick }) };
    const answer = solvedRow(network, solved, memory, control);
    emit({ type: 'row', ...answer, ...told, elapsedMs: performance.now() - start });
  });
}

/** A plan as a row, with everything that a page scales to any batch. */
export function solvedRow(
  network: Network,
  solved: SolvedPlan,
  memory: SolverMemory,
  control: Control,
): SolvedRow {
  const { plan, strategy, leastBytes } = solved;
  const { reads, scalesWithBatch } = strategyOf(strategy);
  const step = plan.applicable ? heldThroughout(network, plan, memory) : null;
  const transfers = transfersOf(network, plan, memory, control);
  return {
    row: judge(memory.problem(network, network.batch), network.batch, solved, memory.link(network)),
    timeline: plan.applicable && step !== null ? scaledTimeline(plan.schedule, ...step.timelines) : null,
    held: network.pipeline === undefined ? (step?.lines ?? []) : heldOf(network, solved, memory),
    heldSteps: step?.steps() ?? null,
    ...(leastBytes === undefined ? {} : { leastBytes }),
    ...(transfers === null ? {} : { transfers }),
    reads,
    scalesWithBatch,
  };
}

/** The whole comparison at once, for callers without a stream. */
export function comparisonOf(experiment: ComparisonRequest): { head: ComparisonHead; rows: Row[] } {
  const heads: ComparisonHead[] = [];
  const rows: Row[] = [];
  const emit = (event: ComparisonEvent): void => {
    if (event.type === 'head') heads.push(event.head);
    if (event.type === 'row') rows.push(event.row);
  };
  compareEvents(experiment, { memory: new SolverMemory(), control: NO_CONTROL, emit });
  const [head] = heads;
  if (head === undefined) throw new InternalError('a comparison has no head');
  return { head, rows };
}

function headEvent(network: Network, memory: SolverMemory): ComparisonEvent {
  const { model, batch } = network;
  const problem = memory.problem(network, batch);
  const { graph } = problem;
  const one = memory.problem(network, 1).graph;
  return {
    type: 'head',
    head: comparisonHead(problem, { model, batch }, memory.setup(network)),
    ids: [...graph.ids],
    operations: graph.operations.map(operationTitle),
    bytesPerSample: Array.from(one.bytes),
    flopsPerSample: Array.from(one.flops),
    backwardFlopsPerSample: Array.from(one.backwardFlops),
  };
}
