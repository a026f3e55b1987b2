import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { Holder } from '../../../state/comparison/sized-timeline.ts';
import type { LiveTensor } from './tensor-list.ts';

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Tile extends Rectangle {
  readonly key: string;
  readonly holder: Holder;
  readonly label: string;
  readonly title: string;
  readonly bytes: number;
  readonly filter: string;
}

export interface TileGroup extends Rectangle {
  /** A layer or block; empty if none exists. */
  readonly name: string;
  readonly bytes: number;
  readonly hasHead: boolean;
  readonly tiles: readonly Tile[];
}

export const HEAD = 16;
const MAX_GROUPS = 24;
const MAX_TILES = 400;
const RATIO = 1.3;

interface Node {
  readonly name: string;
  readonly bytes: number;
  readonly tensor?: LiveTensor;
  readonly rest?: number;
  readonly children?: readonly Node[];
}

/**
 * Live tensors as areas, by layer in the network's order; every tile's area is its share of the bytes. Layers are as
 * fine as a drawing can name, and tensors too small to be seen are summed for their layer.
 */
export function treeMap(live: readonly LiveTensor[], width: number, height: number): TileGroup[] {
  if (live.length === 0 || width <= 0 || height <= 0) return [];
  const depth = groupDepth(live);
  const shown = new Set(live.slice(0, MAX_TILES));
  const groups = new Map<string, LiveTensor[]>();
  for (const tensor of [...live].sort((a, b) => a.vertex - b.vertex)) {
    const name = prefixOf(tensor.layer, depth);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [tensor]);
    else known.push(tensor);
  }
  const nodes = [...groups].map(
    ([name, tensors]): Node => ({ name, bytes: 0, children: nodesOf(tensors, shown) }),
  );
  const hasHeads = groups.size > 1;
  const root = hierarchy<Node>({ name: '', bytes: 0, children: nodes }).sum(({ bytes }) => bytes);
  root.each((node) => {
    if (node.depth === 1) node.children?.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  });
  const laid = treemap<Node>()
    .tile(treemapSquarify.ratio(RATIO))
    .size([width, height])
    .paddingInner(1)
    .paddingTop((node) => (hasHeads && node.depth === 1 ? HEAD : 0))(root);
  return (laid.children ?? []).map((group): TileGroup => {
    const area = rectangle(group);
    return {
      ...area,
      name: group.data.name,
      bytes: group.value ?? 0,
      hasHead: hasHeads && area.height >= HEAD,
      tiles: (group.children ?? []).map((leaf) => tileOf(leaf.data, group.data.name, rectangle(leaf))),
    };
  });
}

function nodesOf(tensors: readonly LiveTensor[], shown: ReadonlySet<LiveTensor>): Node[] {
  const large = tensors.filter((tensor) => shown.has(tensor));
  const small = tensors.filter((tensor) => !shown.has(tensor));
  const rest = small.reduce((bytes, tensor) => bytes + tensor.bytes, 0);
  const nodes = large.map((tensor): Node => ({ name: tensor.label, bytes: tensor.bytes, tensor }));
  const [first] = small;
  if (first !== undefined) nodes.push({ name: '', bytes: rest, tensor: first, rest: small.length });
  return nodes;
}

function tileOf({ bytes, tensor, rest }: Node, group: string, area: Rectangle): Tile {
  const { key = '', holder = 'checkpoints', label = '', id = '', what = '' } = tensor ?? {};
  if (rest !== undefined) {
    return {
      ...area,
      key: `rest ${group}`,
      holder,
      label: `${rest} more`,
      title: `${rest} small ones`,
      bytes,
      filter: group,
    };
  }
  return { ...area, key, holder, label, title: `${id}, ${what}`, bytes, filter: id };
}

interface Laid {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

const rectangle = ({ x0, x1, y0, y1 }: Laid): Rectangle => ({
  left: x0,
  top: y0,
  width: x1 - x0,
  height: y1 - y0,
});

/** How many parts of a layer's name make groups: as many as leave few enough of them. */
function groupDepth(live: readonly LiveTensor[]): number {
  const deepest = Math.max(0, ...live.map(({ layer }) => layer.split('.').length));
  for (let depth = deepest; depth > 1; depth--) {
    if (new Set(live.map(({ layer }) => prefixOf(layer, depth))).size <= MAX_GROUPS) return depth;
  }
  return 1;
}

const prefixOf = (layer: string, depth: number): string => layer.split('.').slice(0, depth).join('.');
