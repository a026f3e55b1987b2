import { basename } from 'node:path';
import { MAX_FILE_RUNS, MAX_RUNS_FILE_BYTES, runsFileSchema } from '../../app/contract/history.ts';
import { inputFault } from '../../app/contract/input-fault.ts';
import type { RecordedRun } from '../../app/contract/recorded-run.ts';
import { BadInputError } from '../../engine/errors.ts';

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

/** @throws BadInputError with the place of the fault */
export function readRunsFile(bytes: Uint8Array): RecordedRun[] {
  const raw = parseJson(bytes);
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
  if (Array.isArray(runs) && runs.length > MAX_FILE_RUNS) {
    throw new BadInputError(`the file holds ${runs.length} runs, and the history keeps ${MAX_FILE_RUNS}`);
  }
  const parsed = runsFileSchema.safeParse(raw);
  if (parsed.success) return parsed.data.runs;
  throw new BadInputError(inputFault(runsFileSchema, parsed.error.issues, raw).message);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadInputError('the file is not JSON; choose a history that was saved from this screen');
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
