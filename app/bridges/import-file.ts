import { BadInputError } from '../../engine/errors.ts';
import { coverageOf } from '../../engine/exchange/coverage.ts';
import { parseJson, readGraphDocument, samplesOf } from '../../engine/exchange/graph-file.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import { isPlanDocument, readPlanDocument } from '../../engine/exchange/read-plan.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { buildFromConfig } from '../../engine/zoo/language/build.ts';
import { type ConfigDocument, isLanguageConfig } from '../../engine/zoo/language/fields.ts';
import { configNotices } from '../../engine/zoo/language/notices.ts';
import { refuseLanguageSettings } from '../../engine/zoo/language/settings.ts';
import { fileNotices } from '../report/file-notices.ts';
import { type ByteSource, bytesSource } from '../../engine/exchange/byte-source.ts';
import { isOnnx } from '../../engine/exchange/onnx/skim.ts';
import type { Imported, ImportOptions } from './imported.ts';
import { jsonText } from './json-guard.ts';
import { importKeras, isKeras } from './keras/import-keras.ts';
import { importOnnx, onnxNotices } from './onnx/import-onnx.ts';
import { readOnnxModel } from './onnx/model.ts';
import { type ImportSummary, summarise } from './summary.ts';
import { MAX_GRAPH_FILE_BYTES } from '../../engine/exchange/read-limits.ts';

export type { ImportOptions } from './imported.ts';
export type { ImportSummary } from './summary.ts';

export interface ImportedFile {
  readonly graph: Graph;
  readonly summary: ImportSummary;
}

/** Facts in a file beside its network. */
export type AboutFile = Pick<Imported, 'samples' | 'coverage' | 'notices'>;

const aboutConfig = (document: ConfigDocument): AboutFile => ({
  samples: 1,
  coverage: null,
  notices: configNotices(document),
});

const IS_PLAN =
  'the file is a plan, not a network. Name its network, and give the plan with --plan; or open both in the lab';

/**
 * Reads a network from a file of any format that Zigzag knows, which its content tells, not its name:
 * zigzag-graph/1 (also what `capture` of zigzag_torch.py writes), ONNX, Keras and TensorFlow.js layers
 * models, and the config.json of a Hugging Face language model.
 *
 * @param file its bytes, or where they are read in parts, which reads an ONNX file of any size without its weights; closed
 * @throws BadInputError in one sentence, within a second and bounded memory, for anything else
 */
export function importFile(file: Uint8Array | ByteSource, options: ImportOptions = {}): ImportedFile {
  const source = sourceOf(file);
  try {
    const imported = read(source, options);
    return { graph: imported.graph, summary: summarise(imported) };
  } finally {
    source.close();
  }
}

const sourceOf = (file: Uint8Array | ByteSource): ByteSource =>
  file instanceof Uint8Array ? bytesSource(file) : file;

/**
 * Reads what a file says about itself, without its network.
 * @throws BadInputError in one sentence where it says nonsense, or is no network
 */
export function aboutFile(source: ByteSource): AboutFile {
  try {
    if (startsAsJson(source)) return aboutDocument(readDocument(source));
    requireOnnx(source);
    return { samples: 1, coverage: null, notices: onnxNotices(readOnnxModel(source)) };
  } finally {
    source.close();
  }
}

const hasSamples = (document: unknown): boolean =>
  typeof document === 'object' && document !== null && 'samples' in document;

function aboutDocument(document: unknown): AboutFile {
  if (isLanguageConfig(document)) return aboutConfig(document);
  const coverage = coverageOf(document);
  const samples = samplesOf(document);
  const isGraph = !isKeras(document);
  const notices = fileNotices({
    format: isGraph ? 'zigzag-graph' : 'keras',
    samples: isGraph && !hasSamples(document) ? null : samples,
    isCaptured: coverage !== null,
    onnx: null,
  });
  return { samples, coverage, notices };
}

/**
 * Reads a zigzag-plan file.
 * @throws BadInputError in one sentence, within a second and bounded memory, for anything else
 */
export function importPlan(file: Uint8Array | ByteSource): PlanFile {
  const source = sourceOf(file);
  try {
    if (!startsAsJson(source)) throw new BadInputError('the file is not a zigzag-plan, which is JSON');
    return readPlanDocument(readDocument(source));
  } finally {
    source.close();
  }
}

/** True when a file is a plan and not a network, judged by its first bytes. */
export function isPlanFile(bytes: Uint8Array): boolean {
  const source = bytesSource(bytes);
  // A document that is incomplete is somebody else's to refuse.
  if (!startsAsJson(source) || !/"format"\s*:\s*"zigzag-plan"/.test(new TextDecoder().decode(bytes)))
    return false;
  return isPlanDocument(readDocument(source));
}

function startsAsJson(source: ByteSource): boolean {
  return /^\uFEFF?\s*[{[]/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(source.read(0, 64)));
}

function read(source: ByteSource, options: ImportOptions): Imported {
  if (startsAsJson(source)) return readJson(source, options);
  refuseLanguageSettings(options, 'this file');
  requireOnnx(source);
  return importOnnx(source, options);
}

/** @throws BadInputError that says what a file is whose first bytes are no ONNX */
function requireOnnx(source: ByteSource): void {
  const start = source.read(0, 64);
  if (start.length === 0) throw new BadInputError('the file is empty');
  if (isOnnx(start)) return;
  const text = new TextDecoder().decode(start);
  const known: readonly (readonly [string, string])[] = [
    [
      'PK',
      'a zip archive, such as a PyTorch checkpoint or a .keras file, which holds weights. Capture the model with zigzag_torch.py, or save its model.json',
    ],
    ['\x89HDF', 'an HDF5 file: save the model as JSON (model.to_json()) instead'],
    ['TFL3', 'a TensorFlow Lite file, which has no training form. Import the Keras model it was made from'],
  ];
  const found = known.find(
    ([magic]) => text.startsWith(magic) || (text.includes(magic.slice(1)) && magic === 'TFL3'),
  );
  if (found !== undefined) throw new BadInputError(`the file is ${found[1]}`);
  if (isText(start)) throw new BadInputError('the file is text, not a network');
  if (source.size < 4 || start[0] === undefined || start[0] % 8 > 2)
    throw new BadInputError('the file is neither JSON (zigzag-graph/1, Keras) nor ONNX');
}

/** Letters, spaces and line ends alone: ONNX has lengths and tags below them within its first bytes. */
const isText = (start: Uint8Array): boolean =>
  start.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));

function readDocument(source: ByteSource): unknown {
  const tooLarge = `the file is larger than the limit for a network in JSON (${MAX_GRAPH_FILE_BYTES} bytes)`;
  return parseJson(jsonText(source, MAX_GRAPH_FILE_BYTES, tooLarge));
}

function readJson(source: ByteSource, options: ImportOptions): Imported {
  const document = readDocument(source);
  if (isPlanDocument(document)) throw new BadInputError(IS_PLAN);
  if (isLanguageConfig(document)) return importConfig(document, options);
  refuseLanguageSettings(options, 'this file');
  if (isKeras(document)) return importKeras(document, options);
  if (options.input !== undefined) {
    throw new BadInputError('--input: the graph file fixes the sizes of its tensors');
  }
  const { batch } = options;
  const graph = readGraphDocument(document, batch === undefined ? {} : { batch });
  return { graph, format: 'zigzag-graph', ...aboutDocument(document), folded: 0, unknown: [] };
}

function importConfig(document: ConfigDocument, options: ImportOptions): Imported {
  const { batch = 1, input: length, bytesPerElement: element = 4, ...settings } = options;
  const graph = buildFromConfig(document, { ...settings, batch, length, element });
  return { graph, format: 'hugging-face', ...aboutConfig(document), folded: 0, unknown: [] };
}
