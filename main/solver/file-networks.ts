import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { importFile, importPlan, isPlanFile } from '../../app/bridges/import-file.ts';
import { type Imported, nameOfImported } from '../../app/contract/import-file.ts';
import { fileNetworkName, planName } from '../../app/contract/opened-file.ts';
import { setupOf } from '../../app/contract/training-setup.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import { given } from '../../engine/given.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import { weightBytes } from '../../engine/training-memory/setup.ts';
import { languageSettingsOf } from '../../engine/zoo/language/settings.ts';
import { type KeptFile, KeptFiles } from './kept-files.ts';
import type { Network, SolverFiles } from './memory.ts';

const HASH_DIGITS = 16;

/** Networks and plans from opened files. */
export class FileNetworks implements SolverFiles {
  readonly #files = new KeptFiles();
  readonly #onKeep: (file: KeptFile) => void;

  /**
   * @param files that a previous solver opened
   * @param onKeep called with each file that is opened
   */
  constructor(files: readonly KeptFile[] = [], onKeep: (file: KeptFile) => void = () => undefined) {
    for (const file of files) this.keep(file);
    this.#onKeep = onKeep;
  }

  /** @throws BadInputError in one sentence for a file that is neither network nor plan; it is not kept */
  open(name: string, bytes: Uint8Array): Imported {
    const hash = bytesToHex(sha256(bytes)).slice(0, HASH_DIGITS);
    const imported = isPlanFile(bytes) ? planOf(name, bytes, hash) : networkOf(name, bytes, hash);
    const file = { name: nameOfImported(imported), bytes, imported };
    this.keep(file);
    this.#onKeep(file);
    return imported;
  }

  /** Adds a file that another solver opened. */
  keep(file: KeptFile): void {
    this.#files.keep(file);
  }

  /** Kept files, the oldest first. */
  opened(): Imported[] {
    return this.#files.opened();
  }

  build(network: Network, batch: number): Graph {
    const { model, input, dropout, dtype } = network;
    const bytes = this.#bytesOf(model);
    if (dropout !== undefined) throw new BadInputError('the file fixes its dropout rates', 'dropout');
    if (dtype !== 'float32') throw new BadInputError('the file fixes its data types', 'dtype');
    const bytesPerElement = weightBytes(setupOf(network).precision);
    const settings = languageSettingsOf(network);
    return importFile(bytes, { batch, bytesPerElement, ...settings, ...given({ input }) }).graph;
  }

  plan(name: string): PlanFile {
    return importPlan(this.#bytesOf(name));
  }

  #bytesOf(name: string): Uint8Array {
    const bytes = this.#files.bytesOf(name);
    if (bytes === undefined) throw new BadInputError('the lab no longer has this file; drop the file again');
    return bytes;
  }
}

function networkOf(name: string, bytes: Uint8Array, hash: string): Imported {
  const { graph, summary } = importFile(bytes);
  const isConfig = summary.format === 'hugging-face';
  const { tensors } = createProblem(graph, 'pytorch').view;
  const source = graph.shapes[0] ?? [];
  const isText = isConfig && source.length === 2;
  return {
    kind: 'network',
    model: fileNetworkName(hash),
    title: isConfig && /config/i.test(name) ? graph.name : titleOf(name),
    tensorVertices: tensors.size,
    // A side in pixels for pictures only: batch, channels, height, width.
    input: (isText ? source[1] : source.length === 4 ? source[2] : undefined) ?? 0,
    ...(isText ? { inputUnit: 'tokens' } : {}),
    linear: tensors.edgeCount === tensors.size - 1,
    summary: {
      ...summary,
      coverage: summary.coverage && { ...summary.coverage, opaque: [...summary.coverage.opaque] },
      opaque: [...summary.opaque],
      notices: [...summary.notices],
      largestTensors: summary.largestTensors.map((tensor) => ({ ...tensor, shape: [...tensor.shape] })),
    },
  };
}

function planOf(name: string, bytes: Uint8Array, hash: string): Imported {
  const { model, strategy, steps, checkpoints, version } = importPlan(bytes);
  return {
    kind: 'plan',
    plan: planName(hash),
    version,
    title: titleOf(name),
    model,
    strategy,
    steps: steps.length,
    checkpoints: checkpoints.length,
  };
}

/** `nets/unet.onnx` is `unet`. */
function titleOf(name: string): string {
  const base = name.split(/[\\/]/).pop() ?? '';
  return base.replace(/\.[a-z]{1,5}$/i, '').trim() || 'a file';
}
