import type { Segment } from '../../../../engine/paper/segments.ts';
import type { StrategyIdentity } from '../../../state/strategies/identity.ts';
import type { Blocks } from './blocks.ts';
import type { Item } from './drawing.ts';
import type { HiddenKept } from './hidden-kept.ts';
import type { PaperGraph } from './paper-graph.ts';
import type { Coloring } from './view-state.ts';

/** A strategy's mark on a box: how many of its vertices it keeps, and what else within them and between. */
export interface Ring {
  readonly identity: StrategyIdentity;
  readonly count: number;
  readonly hidden: readonly string[];
}

/** `even` and `odd` tell neighbouring segments apart. */
export type Tone = 'plain' | 'kept' | 'even' | 'odd' | 'largest' | 'fault' | 'mixed';

export interface ItemPaint {
  /** 0 to 5, by bytes or FLOPs. */
  readonly heat: number;
  readonly tone: Tone;
  readonly rings: readonly Ring[];
  readonly figure: number;
  readonly isDim: boolean;
}

export interface CheckpointSet {
  readonly identity: StrategyIdentity;
  readonly vertices: readonly number[];
  readonly hidden?: HiddenKept;
}

export interface PaintInput {
  readonly paper: PaperGraph;
  readonly blocks: Blocks;
  readonly coloring: Coloring;
  readonly sets: readonly CheckpointSet[];
  readonly tones: readonly Tone[] | null;
  /** Vertices in front; null for all. */
  readonly bright: ReadonlySet<number> | null;
}

export const HEAT_LEVELS = 5;

/** How every box looks. Time O(V x sets). */
export function paintOf(items: readonly Item[], input: PaintInput): Map<string, ItemPaint> {
  const { paper, blocks, coloring, sets, tones, bright } = input;
  const { vertices } = paper.view;
  const figures = vertices.map((v) => (coloring === 'flops' ? v.flopsPerSample : v.bytesPerSample));
  const most = figures.reduce((a, b) => Math.max(a, b), 0);
  const kept = sets.map(({ identity, vertices: own, hidden }) => ({ identity, own: new Set(own), hidden }));
  const paint = new Map<string, ItemPaint>();
  for (const item of items) {
    const inside = item.kind === 'vertex' ? [item.vertex] : (blocks.byPath.get(item.path)?.vertices ?? []);
    const rings = kept
      .map(({ identity, own, hidden }) => ({
        identity,
        count: inside.reduce((n, v) => n + (own.has(v) ? 1 : 0), 0),
        hidden: hidden === undefined ? [] : hiddenIn(inside, hidden, paper),
      }))
      .filter(({ count, hidden }) => count + hidden.length > 0);
    const largest = inside.reduce((a, v) => Math.max(a, figures[v] ?? 0), 0);
    const isDim = bright !== null && item.kind !== 'frame' && !inside.some((v) => bright.has(v));
    paint.set(item.key, {
      heat: isDim || coloring === 'segments' ? 0 : heatOf(largest, most),
      tone: !isDim && coloring === 'segments' && tones !== null ? commonTone(inside, tones) : 'plain',
      rings: item.kind === 'frame' ? [] : rings,
      figure: inside.reduce((sum, v) => sum + (figures[v] ?? 0), 0),
      isDim,
    });
  }
  return paint;
}

function hiddenIn(
  inside: readonly number[],
  { ofVertex, ofEdge }: HiddenKept,
  { view }: PaperGraph,
): string[] {
  const within = inside.flatMap((v) => ofVertex.get(v) ?? []);
  if (inside.length === 1 || ofEdge.size === 0) return within;
  const own = new Set(inside);
  for (const [e, ids] of ofEdge) {
    const { from, to } = view.edges[e]!;
    if (own.has(from) && own.has(to)) within.push(...ids);
  }
  return within;
}

/** Five steps; the root spreads the many small tensors out. */
export function heatOf(value: number, most: number): number {
  return most <= 0 || value <= 0 ? 0 : Math.max(1, Math.ceil(HEAT_LEVELS * Math.sqrt(value / most)));
}

function commonTone(inside: readonly number[], tones: readonly Tone[]): Tone {
  const found = new Set(inside.map((v) => tones[v] ?? 'plain'));
  const [first = 'plain'] = found;
  return found.size > 1 ? 'mixed' : first;
}

/** Segments between checkpoints as tones: neighbours differ, the largest stands out. */
export function tonesOf(size: number, segments: readonly Segment[]): Tone[] {
  const tones = new Array<Tone>(size).fill('kept');
  const largest = segments.reduce<Segment | null>(
    (most, segment) => (most === null || segment.cost > most.cost ? segment : most),
    null,
  );
  segments.forEach((segment, i) => {
    const tone: Tone = segment === largest ? 'largest' : i % 2 === 0 ? 'even' : 'odd';
    for (const v of segment.vertices) tones[v] = tone;
  });
  return tones;
}

export function faultTones(size: number, vertices: readonly number[]): Tone[] {
  const tones = new Array<Tone>(size).fill('plain');
  for (const v of vertices) tones[v] = 'fault';
  return tones;
}
