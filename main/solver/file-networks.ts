import { createHash } from 'node:crypto';
import { importFile } from '../../app/bridges/import-file.ts';
import { fileNetworkName, type ImportedNetwork } from '../../app/contract/import-file.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import { type KeptFile, KeptFiles } from './kept-files.ts';
import type { BuildFileNetwork } from './memory.ts';

const HASH_DIGITS = 16;

/** The networks of the files that the lab was given. */
export class FileNetworks {
  readonly #files = new KeptFiles();

  constructor(files: readonly KeptFile[] = []) {
    for (const file of files) this.#files.keep(file);
  }

  /** @throws BadInputError in one sentence for a file that is not a network, and then does not keep it */
  open(name: string, bytes: Uint8Array): ImportedNetwork {
    const { graph, summary } = importFile(bytes);
    const { tensors } = createProblem(graph, 'pytorch').view;
    const model = fileNetworkName(createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS));
    this.#files.keep({ model, bytes });
    return {
      model,
      title: titleOf(name),
      tensorVertices: tensors.size,
      input: graph.shapes[0]?.[2] ?? 0,
      linear: tensors.edgeCount === tensors.size - 1,
      summary: {
        ...summary,
        opaque: [...summary.opaque],
        largestTensors: summary.largestTensors.map((tensor) => ({ ...tensor, shape: [...tensor.shape] })),
      },
    };
  }

  readonly build: BuildFileNetwork = ({ model, input, dropout, dtype }, batch): Graph => {
    const bytes = this.#files.bytesOf(model);
    if (bytes === undefined) {
      throw new BadInputError('the lab no longer has this file; drop the file again');
    }
    if (dropout !== undefined) throw new BadInputError('the file itself says its dropout rates', 'dropout');
    if (dtype !== 'float32') throw new BadInputError('the file itself says its data types', 'dtype');
    return importFile(bytes, { batch, ...(input === undefined ? {} : { input }) }).graph;
  };
}

/** `nets/unet.onnx` is `unet`. */
function titleOf(name: string): string {
  const base = name.split(/[\\/]/).pop() ?? '';
  return base.replace(/\.[a-z]{1,5}$/i, '').trim() || 'a file';
}
