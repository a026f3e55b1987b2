import { BadInputError } from '../../../engine/errors.ts';
import { parseJson } from '../../../engine/exchange/graph-file.ts';
import { type Measured, type MeasuredResult, SNAPSHOT_TOO_LARGE } from '../../../engine/explain/measured.ts';
import { type ByteSource, bytesSource } from '../../../engine/exchange/byte-source.ts';
import { jsonText } from '../json-guard.ts';
import { readPickle } from './pickle.ts';
import { readSnapshot } from './snapshot-file.ts';
import { summariseDevice } from './summarise.ts';
import { MAX_RESULT_BYTES, MAX_SNAPSHOT_BYTES, ReadBudget } from '../../../engine/exchange/read-limits.ts';

const PICKLE = 0x80;

/**
 * Reads what was measured: a memory snapshot of PyTorch (a pickle, of which nothing is ever run), or what `measure` of
 * the bridge returned, as JSON.
 *
 * @param source closed
 * @throws BadInputError in one sentence for anything else
 */
export function readMeasured(file: Uint8Array | ByteSource): Measured {
  const source = file instanceof Uint8Array ? bytesSource(file) : file;
  try {
    if (source.size > MAX_SNAPSHOT_BYTES) throw new BadInputError(SNAPSHOT_TOO_LARGE);
    const start = source.read(0, 64).slice();
    if (start[0] === PICKLE) {
      const budget = new ReadBudget('record a step or two (max_entries) and open that');
      const recordings = readSnapshot(readPickle(source, budget), budget);
      const devices = recordings.map((recording) => summariseDevice(recording, budget));
      return { kind: 'snapshot', devices };
    }
    const text = new TextDecoder().decode(start);
    if (/^\uFEFF?\s*\{/.test(text)) return readResult(source);
    if (text.startsWith('PK'))
      throw new BadInputError(
        'the file is a zip archive from torch.save; write a memory snapshot with torch.cuda.memory._dump_snapshot("snapshot.pickle")',
      );
    if (start.length === 0) throw new BadInputError('the file is empty');
    throw new BadInputError(
      'the file is neither a memory snapshot of PyTorch (a pickle of protocol 2 to 5) nor the JSON that measure(..., path=) writes',
    );
  } finally {
    source.close();
  }
}

function readResult(source: ByteSource): MeasuredResult {
  const document = parseJson(
    jsonText(source, MAX_RESULT_BYTES, 'the file is larger than any result of measure'),
  );
  const fields: Readonly<Record<string, unknown>> =
    typeof document === 'object' && document !== null && !Array.isArray(document) ? { ...document } : {};
  const { device, peakBytes } = fields;
  if ((device !== 'cpu' && device !== 'cuda') || peakBytes === undefined)
    throw new BadInputError(
      'the file is not a result of measure: it has no device ("cpu" or "cuda") and peakBytes',
    );
  return {
    kind: 'measure',
    device,
    peakBytes: whole(peakBytes, 'peakBytes', Number.MAX_SAFE_INTEGER),
    parameters:
      fields['parameters'] === undefined
        ? null
        : whole(fields['parameters'], 'parameters', Number.MAX_SAFE_INTEGER),
    batch: fields['batch'] == null ? null : whole(fields['batch'], 'batch', 2 ** 31),
  };
}

function whole(value: unknown, path: string, most: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > most)
    throw new BadInputError(`${path}: expected a whole number`);
  return value;
}
