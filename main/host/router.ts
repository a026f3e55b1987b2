import { ORPCError } from '@orpc/client';
import { implement, ValidationError } from '@orpc/server';
import type { Calls, ServiceOf } from '../../app/contract/calls.ts';
import { experimentSchema } from '../../app/contract/experiment.ts';
import { historyCalls } from '../../app/contract/history-calls.ts';
import { isFileNetwork } from '../../app/contract/opened-file.ts';
import { inputFault } from '../../app/contract/input-fault.ts';
import { labContract } from '../../app/contract/lab.ts';
import { setupCalls } from '../../app/contract/setup-calls.ts';
import { solverCalls } from '../../app/contract/solver-calls.ts';
import { type TrainerCalls, trainerCalls } from '../../app/contract/trainer-calls.ts';
import type { TrainRequest } from '../../app/contract/training.ts';
import { CancelledError } from '../../engine/errors.ts';
import { historyAnswers } from '../history/answers.ts';
import { failureFrom } from './failure.ts';
import type { LabServices, SolverService } from './services.ts';

export type LabRouter = ReturnType<typeof createLabRouter>;

/**
 * The contract over the services. Every failure becomes one of the contract's typed errors: BAD_INPUT with a sentence
 * and a path for input that the schema refuses, INTERNAL for our own bugs.
 */
export function createLabRouter(services: LabServices) {
  const lab = implement(labContract).use(async ({ next, procedure }, input) => {
    try {
      return await next();
    } catch (error) {
      throw typedError(error, procedure['~orpc'].inputSchema, input);
    }
  });
  return lab.router({
    about: lab.about.handler(() => ({ ...services.info })),
    ...handled(lab, solverCalls, services.solver),
    ...handled(lab, trainerCalls, recordedTrainer(services)),
    ...handled(lab, historyCalls, historyAnswers(services.history)),
    ...handled(lab, setupCalls, services.setup),
  });
}

type Handlers<Lab, C extends Calls> = {
  [Name in keyof C & keyof Lab]: Lab[Name] extends { handler(...args: never): infer Procedure }
    ? Procedure
    : never;
};

/** Calls answered by their service. */
function handled<Lab, C extends Calls>(lab: Lab, calls: C, service: ServiceOf<C>): Handlers<Lab, C> {
  const handlers = Object.entries(calls).map(([name, { kind }]) => {
    const implementer = lab[name as keyof Lab] as AnyImplementer;
    const ask = ({ input, signal }: Asked) => service[name as keyof C](input as never, signal);
    const answer = kind === 'events' ? (asked: Asked) => begun(ask(asked) as AsyncIterable<unknown>) : ask;
    return [name, implementer.handler(answer)];
  });
  return Object.fromEntries(handlers);
}

interface Asked {
  readonly input: unknown;
  readonly signal?: AbortSignal;
}

/** The part of the library's type that every call shares. */
interface AnyImplementer {
  handler(answer: (asked: Asked) => unknown): unknown;
}

/** The trainer as a page sees it: it also trains networks from files, and stores every run. */
function recordedTrainer({ solver, trainer, history }: LabServices): ServiceOf<TrainerCalls> {
  return {
    async *train(input, signal) {
      const request = await withGraph(solver, input, signal);
      yield* history.record(input, trainer.train(request, signal));
    },
    steerTraining: (input) => trainer.steerTraining(input),
  };
}

/** The trainer reads no other file formats, so it receives the network that the solver parsed. */
async function withGraph(
  solver: SolverService,
  request: TrainRequest,
  signal?: AbortSignal,
): Promise<TrainRequest> {
  const { model, input, dropout } = request;
  if (!isFileNetwork(model)) return request;
  const experiment = experimentSchema.parse({
    model,
    batch: 1,
    strategies: ['regular'],
    ...(input === undefined ? {} : { input }),
    ...(dropout === undefined ? {} : { dropout }),
  });
  const { text } = await solver.exportFile({ experiment, strategy: 'regular', form: 'graph' }, signal);
  return { ...request, graph: text };
}

/** Waits for the first event, so that a request refused at once rejects the call instead of its stream. */
async function begun<T>(events: AsyncIterable<T>): Promise<AsyncGenerator<T, void, void>> {
  const iterator = events[Symbol.asyncIterator]();
  return stream(await iterator.next(), iterator);
}

async function* stream<T>(
  first: IteratorResult<T>,
  iterator: AsyncIterator<T>,
): AsyncGenerator<T, void, void> {
  try {
    for (let step = first; step.done !== true; step = await iterator.next()) yield step.value;
  } catch (error) {
    throw typedError(error);
  } finally {
    await iterator.return?.();
  }
}

function typedError(error: unknown, schema?: unknown, input?: unknown): unknown {
  if (error instanceof ORPCError) {
    const { cause } = error;
    if (error.code !== 'BAD_REQUEST' || !(cause instanceof ValidationError)) return error;
    const { path, message } = inputFault(schema, cause.issues, input);
    return new ORPCError('BAD_INPUT', { message, data: { path } });
  }
  // The caller left, so nobody reads further events.
  if (error instanceof CancelledError) return error;
  const { code, message, data } = failureFrom(error);
  return new ORPCError(code, { message, data });
}
