import { basename } from 'node:path';
import { MAX_FILE_RUNS, MAX_RUN_BYTES, runsFileSchema } from '../../app/contract/history.ts';
import { inputFault } from '../../app/contract/input-fault.ts';
import { type RecordedRun, recordedRunSchema } from '../../app/contract/recorded-run.ts';
import { BadInputError } from '../../engine/errors.ts';
import { MAX_RUNS_FILE_BYTES } from '../../engine/exchange/read-limits.ts';
import { loadLibsql } from './database.ts';

const MIB = 1024 * 1024;

/**
 * Runs as the text of a file in the format `zigzag-runs/1`. Only the name of a data folder is written: the rest of its
 * path describes the machine, not the run.
 *
 * @param runs read one after the other @throws BadInputError if the file would be larger than a lab accepts
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
 * The runs of a file, each parsed on demand. SQLite splits the text with at most 14 times its bytes; parsing a file of
 * numbers at once would take 50 times.
 *
 * @throws BadInputError with the place of the error, when its run is reached
 */
export function* runsInFile(bytes: Uint8Array): Generator<RecordedRun, void, void> {
  const database = loadLibsql()(':memory:');
  try {
    const text = textOf(bytes);
    const [head] = database.prepare(HEAD).all(text) as HeadRow[];
    if (head === undefined) throw notJson();
    const { format, version, type, count } = head;
    if (format !== 'zigzag-runs') {
      throw new BadInputError(
        'the file holds no runs: its format is not "zigzag-runs"; choose a saved history',
      );
    }
    if (version !== 1) {
      throw new BadInputError(
        `the file is zigzag-runs/${version}, and this lab reads zigzag-runs/1; update Zigzag`,
      );
    }
    if (type !== 'array') {
      throw new BadInputError(`runs: expected a list of 0 to ${MAX_FILE_RUNS}, got ${type ?? 'nothing'}`);
    }
    if (count > MAX_FILE_RUNS) {
      throw new BadInputError(
        `the file holds ${count} runs, and the history stores at most ${MAX_FILE_RUNS}`,
      );
    }
    for (const { place, bytes, run } of database
      .prepare(RUNS)
      .iterate(text, MAX_RUN_BYTES) as Iterable<RunRow>) {
      if (run === null) {
        throw new BadInputError(
          `runs[${place}] has ${Math.ceil(bytes / MIB)} MiB, and the history stores at most ${MAX_RUN_BYTES / MIB} MiB a run; leave it out`,
        );
      }
      yield readRun(JSON.parse(run), place);
    }
  } finally {
    database.close();
  }
}

const HEAD = `SELECT text ->> '$.format' AS format, text ->> '$.version' AS version,
  json_type(text, '$.runs') AS type, json_array_length(text, '$.runs') AS count
  FROM (SELECT ? AS text) WHERE json_valid(text)`;
interface HeadRow {
  readonly format: unknown;
  readonly version: unknown;
  readonly type: string | null;
  readonly count: number;
}

const RUNS = `SELECT key AS place, octet_length(value) AS bytes, iif(octet_length(value) > ?2, NULL,
  iif(type IN ('object', 'array'), value, json_quote(atom))) AS run FROM json_each(?1, '$.runs')`;
interface RunRow {
  readonly place: number;
  readonly bytes: number;
  readonly run: string | null;
}

function readRun(run: unknown, place: number): RecordedRun {
  const parsed = recordedRunSchema.safeParse(run);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['runs', place, ...issue.path] }));
  throw new BadInputError(inputFault(runsFileSchema, issues, { runs: { [place]: run } }).message);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notJson();
  }
}

const notJson = (): BadInputError =>
  new BadInputError('the file is not JSON of saved runs; choose a history that was saved from this screen');
