import { BadInputError } from '../errors.ts';
import { shown } from './operation-fields.ts';

/** Coverage of a model by its capture (optional in zigzag-graph/1). */
export interface Coverage {
  /** Share of the bytes that operations hold which were seen as they ran, from 0 to 1. */
  readonly share: number;
  /** Ids of the others, which are known from outside only. */
  readonly opaque: readonly string[];
}

/**
 * Reads `coverage` of a graph document; null if none exists.
 * @throws BadInputError with the path of the field at fault
 */
export function coverageOf(document: unknown): Coverage | null {
  const coverage = fieldOf(document, 'coverage');
  if (coverage === undefined) return null;
  const share = fieldOf(coverage, 'share');
  if (typeof share !== 'number' || !(share >= 0 && share <= 1)) {
    throw new BadInputError(`expected a number from 0 to 1, got ${shown(share)}`, 'coverage.share');
  }
  const opaque = fieldOf(coverage, 'opaque');
  if (!Array.isArray(opaque)) {
    throw new BadInputError(`expected a list, got ${shown(opaque)}`, 'coverage.opaque');
  }
  const ids = opaque.map((entry: unknown, i) => {
    const id = fieldOf(entry, 'id');
    if (typeof id !== 'string') {
      throw new BadInputError(`expected an id, got ${shown(id)}`, `coverage.opaque[${i}].id`);
    }
    return id;
  });
  return { share, opaque: ids };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
