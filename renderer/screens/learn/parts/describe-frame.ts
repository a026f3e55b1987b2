import { counted } from '../model/exercises/question.ts';
import type { Frame, Play } from '../model/play.ts';

export function moveText({ kind, vertex }: Pick<Frame, 'kind' | 'vertex'>): string {
  if (kind === 'backward') return `Backward b${vertex}`;
  return kind === 'forward' ? `Forward f${vertex}` : `Recompute f${vertex}`;
}

export function frameSentence({ frames }: Play, at: number): string {
  const frame = frames[at]!;
  const again = frame.recomputes === 0 ? 'nothing recomputed' : `${frame.recomputes} recomputed`;
  return `Step ${at + 1} of ${frames.length}. ${moveText(frame)}: ${counted(frame.live, 'pebble')}, ${again}.`;
}

export function peakUpTo({ frames }: Play, at: number): number {
  return frames.slice(0, at + 1).reduce((most, { live }) => Math.max(most, live), 0);
}
