import { type ContractProcedure, eventIterator, oc } from '@orpc/contract';
import type { z } from 'zod';
import type { Call, Calls } from './calls.ts';
import { labErrors } from './errors.ts';

export const procedure = oc.errors(labErrors);

type Events<S extends z.ZodType> = ReturnType<typeof eventIterator<z.input<S>, z.output<S>>>;

type ProcedureOf<C extends Call> = ContractProcedure<
  C['input'],
  C['kind'] extends 'events' ? Events<C['output']> : C['output'],
  typeof labErrors,
  Record<never, never>
>;

/** Calls as the contract's procedures. */
export function proceduresOf<C extends Calls>(calls: C): { [Name in keyof C]: ProcedureOf<C[Name]> } {
  const procedures = Object.entries(calls).map(([name, { kind, input, output }]) => [
    name,
    procedure.input(input).output(kind === 'events' ? eventIterator(output) : output),
  ]);
  return Object.fromEntries(procedures);
}
