import type { ImportedNetwork } from '../../../app/contract/import-file.ts';
import type { ModelInfoRow } from '../../../app/contract/results.ts';
import { asSentence } from '../../shared/format/sentence.ts';

export const YOUR_FILES = 'Your files';

/** A network from a file as a row of the catalogue, so that every screen finds its title and size there. */
export function fileRow({
  model,
  title,
  linear,
  input,
  inputUnit,
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
    ...(inputUnit === undefined ? {} : { inputUnit }),
    defaultBatch: summary.samples,
    parameters: summary.parameters,
    vertices: summary.vertices,
    tensorVertices,
    note: summary.notices.map(asSentence).join(' '),
  };
}
