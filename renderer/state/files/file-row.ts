import type { ImportedNetwork } from '../../../app/contract/import-file.ts';
import type { ModelInfoRow } from '../../../app/contract/results.ts';

export const YOUR_FILES = 'Your files';

/** A network from a file as a row of the catalogue, so that every screen finds its title and size there. */
export function fileRow({
  model,
  title,
  linear,
  input,
  tensorVertices,
  summary,
}: ImportedNetwork): ModelInfoRow {
  return {
    name: model,
    title,
    family: YOUR_FILES,
    linear,
    defaultInput: input,
    minInput: 1,
    defaultBatch: 1,
    parameters: summary.parameters,
    vertices: summary.vertices,
    tensorVertices,
    note: '',
  };
}
