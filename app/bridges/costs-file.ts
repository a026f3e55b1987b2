import { z } from 'zod';
import { BadInputError } from '../../engine/errors.ts';
import { type Graph, idOf } from '../../engine/graph/graph.ts';
import type { OperationTimes } from '../../engine/graph/timed-graph.ts';

const MAX_OPERATIONS = 1_000_000;
const milliseconds = z.number().nonnegative().max(1e9);

/** zigzag-costs/1 (SPEC.md, file formats): how long every operation of a network takes on a device. */
export const costsFileSchema = z.object({
  format: z.literal('zigzag-costs'),
  version: z.literal(1),
  model: z.string().max(1000),
  /** Pixels a side. */
  input: z.number().int().nonnegative(),
  batch: z.number().int().positive(),
  backend: z.string().max(100),
  device: z.string().max(1000),
  /** Training steps that each time is the median of. */
  iterations: z.number().int().positive(),
  /** All but the source. */
  operations: z
    .array(
      z.object({
        id: z.string(),
        /** One more forward in the same step. */
        forwardMs: milliseconds,
        /** The first forward of a step; as long as any other when absent. */
        firstForwardMs: milliseconds.optional(),
        backwardMs: milliseconds,
      }),
    )
    .max(MAX_OPERATIONS),
});

export type CostsFile = z.infer<typeof costsFileSchema>;

/** @throws BadInputError with the path of the fault */
export function parseCostsFile(text: string): CostsFile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new BadInputError(`the costs are not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const { operations } = (document ?? {}) as { readonly operations?: unknown };
  // The schema would look at each, and collect what is wrong with it.
  if (Array.isArray(operations) && operations.length > MAX_OPERATIONS)
    throw new BadInputError(`not a zigzag-costs/1 file: more than ${MAX_OPERATIONS} operations`);
  const parsed = costsFileSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map((part) =>
    typeof part === 'number' ? `[${part}]` : `.${String(part)}`,
  );
  const message = (issue?.message ?? 'it has a different structure')
    .replace(/^Invalid input: /, '')
    .replace(/, received undefined$/, ', got nothing');
  throw new BadInputError(`not a zigzag-costs/1 file: ${message}`, path.join('').replace(/^\./, ''));
}

/**
 * The times of a file by the vertices of a graph. Batch and input may differ: what counts is how the
 * operations compare.
 *
 * @throws BadInputError when the file is of another network
 */
export function timesOfGraph(file: CostsFile, graph: Graph): OperationTimes {
  const entries = new Map(file.operations.map((entry) => [entry.id, entry]));
  const size = graph.size - 1;
  const missing = graph.ids.findIndex((id, v) => v > 0 && !entries.has(id));
  if (file.model !== graph.name || missing >= 0 || entries.size !== size || file.operations.length !== size) {
    throw new BadInputError(
      file.model !== graph.name
        ? `the costs are of ${file.model}, not of ${graph.name}; measure them with zigzag train --save-costs`
        : missing >= 0
          ? `the costs are of another ${graph.name}: they have no time of ${idOf(graph, missing)}; measure them again`
          : `the costs are of another ${graph.name}: it has ${size} operations, they have ${file.operations.length}; measure them again`,
    );
  }
  if (file.operations.every(({ forwardMs }) => forwardMs === 0)) {
    throw new BadInputError('all costs are 0; measure them again');
  }
  const by = (ms: (entry: CostsFile['operations'][number]) => number): Float64Array =>
    Float64Array.from(graph.ids, (id) => {
      const entry = entries.get(id);
      return entry === undefined ? 0 : ms(entry);
    });
  return {
    firstMs: by(({ firstForwardMs, forwardMs }) => Math.max(firstForwardMs ?? 0, forwardMs)),
    againMs: by(({ forwardMs }) => forwardMs),
    backwardMs: by(({ backwardMs }) => backwardMs),
  };
}
