import type { GraphView } from '../../../../app/contract/graph-view.ts';

/** A part of the network that can be drawn as one box: what shares the beginning of its ids. */
export interface Block {
  /** `layer1.0`. */
  readonly path: string;
  readonly title: string;
  /** The block around it; null at the top level. */
  readonly parent: string | null;
  /** Ascending. */
  readonly vertices: readonly number[];
}

export interface Blocks {
  readonly byPath: ReadonlyMap<string, Block>;
  /** The innermost block of each vertex; null at the top level. */
  readonly blockOf: readonly (string | null)[];
}

type Shape = Pick<GraphView, 'edges'> & {
  readonly vertices: readonly { readonly id: string; readonly block: string }[];
};

/**
 * The blocks of a network from its vertices' ids. Left out are blocks of one vertex, blocks that hold just
 * what one inside of them holds, and blocks that a path leaves and enters again: as one box they would lie
 * on a circle. Time O(V + E) for each level of names and each block.
 */
export function blocksOf(view: Shape): Blocks {
  const members = new Map<string, number[]>();
  view.vertices.forEach(({ block }, v) => {
    for (const path of pathsOf(block)) {
      const known = members.get(path);
      if (known === undefined) members.set(path, [v]);
      else known.push(v);
    }
  });
  const outs: number[][] = view.vertices.map(() => []);
  for (const { from, to } of view.edges) outs[from]?.push(to);
  const kept = new Map<string, readonly number[]>();
  // Deeper names first, so that of two with the same content the more telling one stays.
  for (const path of [...members.keys()].sort((a, b) => b.length - a.length)) {
    const vertices = members.get(path) ?? [];
    const isSame = [...kept].some(
      ([other, inner]) => other.startsWith(`${path}.`) && inner.length === vertices.length,
    );
    if (vertices.length > 1 && !isSame && isConvex(vertices, outs)) kept.set(path, vertices);
  }
  const around = (path: string): string | null =>
    pathsOf(path)
      .reverse()
      .find((outer) => outer !== path && kept.has(outer)) ?? null;
  const byPath = new Map<string, Block>();
  for (const path of [...kept.keys()].sort()) {
    const parent = around(path);
    byPath.set(path, { path, parent, title: shortName(path, parent), vertices: kept.get(path) ?? [] });
  }
  const blockOf = view.vertices.map(
    ({ block }) =>
      pathsOf(block)
        .reverse()
        .find((path) => kept.has(path)) ?? null,
  );
  return { byPath, blockOf };
}

/** `a.b.c` is in `a`, `a.b` and `a.b.c`. */
function pathsOf(block: string): string[] {
  if (block === '') return [];
  const parts = block.split('.');
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'));
}

/** A name inside of a block, without what the block's own name says; a bare number keeps its word. */
export function shortName(id: string, block: string | null): string {
  const rest = block !== null && id.startsWith(`${block}.`) ? id.slice(block.length + 1) : id;
  if (!/^[\d.]+$/.test(rest) || block === null) return rest;
  return `${block.slice(block.lastIndexOf('.') + 1)}.${rest}`;
}

function isConvex(vertices: readonly number[], outs: readonly (readonly number[])[]): boolean {
  const inside = new Set(vertices);
  const last = vertices.at(-1) ?? 0;
  const left = new Set<number>();
  for (let v = vertices[0] ?? 0; v <= last; v++) {
    const isInside = inside.has(v);
    if (!isInside && !left.has(v)) continue;
    for (const w of outs[v] ?? []) {
      if (!inside.has(w)) left.add(w);
      else if (!isInside) return false;
    }
  }
  return true;
}

/** More boxes than this are not shown at first. */
const MAX_AT_FIRST = 40;
/** Networks of up to this many vertices start with everything open. */
const SMALL = 48;

/** Blocks open at first: all of a small network; of a larger one as many levels of names as stay legible. */
export function openAtFirst(blocks: Blocks): ReadonlySet<string> {
  const all = [...blocks.byPath.values()];
  if (blocks.blockOf.length <= SMALL) return new Set(all.map(({ path }) => path));
  let open = new Set<string>();
  for (;;) {
    const next = all.filter(({ path, parent }) => !open.has(path) && (parent === null || open.has(parent)));
    const wider = new Set([...open, ...next.map(({ path }) => path)]);
    if (next.length === 0 || countBoxes(blocks, wider) > MAX_AT_FIRST) return open;
    open = wider;
  }
}

function countBoxes(blocks: Blocks, open: ReadonlySet<string>): number {
  return new Set(blocks.blockOf.map((_, v) => shownAs(blocks, open, v))).size;
}

/** The outermost closed block that hides a vertex, or the vertex itself. */
export function shownAs(blocks: Blocks, open: ReadonlySet<string>, vertex: number): string | number {
  let shown: string | number = vertex;
  for (let at = blocks.blockOf[vertex] ?? null; at !== null; at = blocks.byPath.get(at)?.parent ?? null) {
    if (!open.has(at)) shown = at;
  }
  return shown;
}

export function revealing(blocks: Blocks, open: ReadonlySet<string>, vertex: number): ReadonlySet<string> {
  const next = new Set(open);
  for (let at = blocks.blockOf[vertex] ?? null; at !== null; at = blocks.byPath.get(at)?.parent ?? null) {
    next.add(at);
  }
  return next.size === open.size ? open : next;
}

/** The open set with a block, and all inside of it, closed; or the block opened. */
export function toggled(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  if (!open.has(path)) return new Set([...open, path]);
  return new Set([...open].filter((other) => other !== path && !other.startsWith(`${path}.`)));
}
