import type { Box, CompoundDrawing } from './compound.ts';
import type { Edge } from './levels.ts';

export interface LayoutRequest {
  readonly id: number;
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
  readonly aspect: number;
}

export interface LayoutReply {
  readonly id: number;
  readonly drawing: CompoundDrawing;
}

export type Layouter = (request: Omit<LayoutRequest, 'id'>) => Promise<CompoundDrawing>;

/** Lays out in a thread of the page that is started at the first request. */
export function createLayouter(start: () => Worker): Layouter {
  const waiting = new Map<
    number,
    { resolve: (drawing: CompoundDrawing) => void; reject: (e: Error) => void }
  >();
  let worker: Worker | null = null;
  let lastId = 0;
  const thread = (): Worker => {
    if (worker !== null) return worker;
    const started = start();
    started.addEventListener('message', ({ data }: MessageEvent<LayoutReply>) => {
      waiting.get(data.id)?.resolve(data.drawing);
      waiting.delete(data.id);
    });
    started.addEventListener('error', () => {
      worker = null;
      for (const { reject } of waiting.values()) reject(new Error('The graph could not be drawn.'));
      waiting.clear();
    });
    worker = started;
    return started;
  };
  return (request) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      thread().postMessage({ id, ...request } satisfies LayoutRequest);
    });
}
