import type { LiveTensors } from '../../../../app/contract/live-tensors.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { type Holder, HOLDERS } from '../../../state/comparison/sized-timeline.ts';

export interface LiveTensor {
  readonly key: string;
  readonly vertex: number;
  /** Id of the operation, and its two parts: `layer1.0.conv1` is `conv1` of `layer1.0`. */
  readonly id: string;
  readonly label: string;
  readonly layer: string;
  readonly holder: Holder;
  /** `checkpoint`, `kept`, `recomputed`, `gradient`, … */
  readonly what: string;
  readonly bytes: number;
  /** First and last step that it is live in, from one. */
  readonly since: number;
  readonly until: number;
}

export interface TensorPlace {
  readonly tensors: LiveTensors;
  readonly step: number;
  readonly batch: number;
  readonly ids: readonly string[];
  readonly checkpoints: ReadonlySet<string>;
}

const WHAT: Readonly<Record<Holder, string>> = {
  input: 'input batch',
  checkpoints: 'kept',
  recomputed: 'recomputed',
  gradients: 'gradient',
  auxiliaries: 'auxiliary',
};

/** Live tensors of a step, the largest first. Time O(tensors of the whole schedule). */
export function tensorsAt({ tensors, step, batch, ids, checkpoints }: TensorPlace): LiveTensor[] {
  const { vertices, holders, first, last, perSample, fixed } = tensors;
  const live: LiveTensor[] = [];
  for (let i = 0; i < vertices.length; i++) {
    const since = first[i] ?? 0;
    const until = last[i] ?? 0;
    if (since > step || until < step) continue;
    const vertex = vertices[i] ?? 0;
    const id = ids[vertex] ?? `#${vertex}`;
    const holder = HOLDERS[holders[i] ?? 0] ?? 'checkpoints';
    live.push({
      key: String(i),
      vertex,
      id,
      ...splitId(id),
      holder,
      what: holder === 'checkpoints' && checkpoints.has(id) ? 'checkpoint' : WHAT[holder],
      bytes: (fixed[i] ?? 0) + batch * (perSample[i] ?? 0),
      since: since + 1,
      until: until + 1,
    });
  }
  return live.sort((a, b) => b.bytes - a.bytes || a.vertex - b.vertex);
}

function splitId(id: string): { label: string; layer: string } {
  const dot = id.lastIndexOf('.');
  return dot <= 0 ? { label: id, layer: '' } : { label: id.slice(dot + 1), layer: id.slice(0, dot) };
}

export const sumBytes = (live: readonly LiveTensor[]): number =>
  live.reduce((bytes, tensor) => bytes + tensor.bytes, 0);

/** The tensors whose id has all words of a filter; a layer alone finds everything in it. */
export function matching(live: readonly LiveTensor[], filter: string): readonly LiveTensor[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return live;
  return live.filter(({ id, what }) => {
    const text = `${id} ${what}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function liveTable(live: readonly LiveTensor[], caption: string): ChartTable {
  return {
    caption,
    columns: ['tensor', 'layer', 'what', 'bytes', 'first_step', 'last_step'],
    rows: live.map(({ id, layer, what, bytes, since, until }) => [id, layer, what, bytes, since, until]),
  };
}
