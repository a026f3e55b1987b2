import { basename } from 'node:path';
import { MAX_FILE_RUNS, MAX_RUN_BYTES, runsFileSchema } from '../../app/contract/history.ts';
import { inputFault } from '../../app/contract/input-fault.ts';
import { type RecordedRun, recordedRunSchema } from '../../app/contract/recorded-run.ts';
import { BadInputError } from '../../engine/errors.ts';
import { type CutDocument, cutElements } from './json-elements.ts';
import { MAX_RUNS_FILE_BYTES } from '../../engine/exchange/read-limits.ts';

const MIB = 1024 * 1024;

/**
 * Runs as the text of a file in the format `zigzag-runs/1`. Of a folder of data only its name is told:
 * the rest of the path is about the machine, not about the run.
 *
 * @param runs read one after the other
 * @throws BadInputError when the file would be larger than what a lab takes
 */
export function writeRunsFile(runs: Iterable<RecordedRun>): string {
  const parts: string[] = [];
  let length = 0;
  for (const run of runs) {
    const { dataFolder, ...request } = run.request;
    const shown = dataFolder === undefined ? request : { ...request, dataFolder: basename(dataFolder) };
    const text = JSON.stringify({ ...run, request: shown });
    if (text.length > MAX_RUN_BYTES) {
      throw new BadInputError(
        `run ${run.id} needs more than the ${MAX_RUN_BYTES / MIB} MiB that a run may have in a file; leave it out`,
      );
    }
    length += text.length + 2;
    if (length > MAX_RUNS_FILE_BYTES - 1000) {
      throw new BadInputError(
        `these runs need more than the ${MAX_RUNS_FILE_BYTES / MIB} MiB that one file may have; save fewer at a time`,
      );
    }
    parts.push(text);
  }
  return `{"format":"zigzag-runs","version":1,"runs":[\n${parts.join(',\n')}\n]}\n`;
}

/**
 * The runs of a file, each parsed when it is asked for: what is held is the file and one run.
 *
 * @throws BadInputError with the place of the fault, at the run that has it
 */
export function* runsInFile(bytes: Uint8Array): Generator<RecordedRun, void, void> {
  const { raw, pieces, longest } = cutFile(bytes);
  const { format, version, runs } = isRecord(raw) ? raw : {};
  if (format !== 'zigzag-runs') {
    throw new BadInputError(
      'the file holds no runs: its format is not "zigzag-runs"; choose a saved history',
    );
  }
  if (version !== 1) {
    throw new BadInputError(
      `the file is zigzag-runs/${String(version)}, and this lab reads zigzag-runs/1; update Zigzag`,
    );
  }
  if (!Array.isArray(runs)) {
    const { error } = runsFileSchema.safeParse(raw);
    throw new BadInputError(inputFault(runsFileSchema, error?.issues ?? [], raw).message);
  }
  if (longest > MAX_FILE_RUNS) {
    throw new BadInputError(`the file holds ${longest} runs, and the history keeps ${MAX_FILE_RUNS}`);
  }
  for (const [place, index] of runs.entries()) {
    const { from, to } = pieces[Number(index)] ?? { from: 0, to: 0 };
    if (to - from > MAX_RUN_BYTES) {
      throw new BadInputError(
        `runs[${place}] has ${Math.ceil((to - from) / MIB)} MiB, and the history takes at most ${MAX_RUN_BYTES / MIB} MiB a run; leave it out`,
      );
    }
    const run = parseJson(bytes.subarray(from, to));
    const parsed = recordedRunSchema.safeParse(run);
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => ({
        ...issue,
        path: ['runs', place, ...issue.path],
      }));
      const sparse = { runs: { [place]: run } };
      throw new BadInputError(inputFault(runsFileSchema, issues, sparse).message);
    }
    yield parsed.data;
  }
}

/** What is no list of runs would be parsed as a whole. */
const MAX_SKELETON = 4 * MIB;

function cutFile(bytes: Uint8Array): Omit<CutDocument, 'skeleton'> & { readonly raw: unknown } {
  let cut: CutDocument;
  try {
    cut = cutElements(bytes, MAX_FILE_RUNS);
  } catch {
    throw notJson();
  }
  if (cut.skeleton.length > MAX_SKELETON) throw notJson();
  return { ...cut, raw: parseJson(Buffer.from(cut.skeleton)) };
}

const notJson = (): BadInputError =>
  new BadInputError('the file is not JSON of saved runs; choose a history that was saved from this screen');

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw notJson();
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
