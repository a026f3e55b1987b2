import { blockKey, vertexKey } from './drawing.ts';
import type { Network } from './graph-store.ts';
import type { ViewWords } from '../../../state/experiment/view-part.ts';
import { openAtFirst, revealing } from './blocks.ts';
import { GAME_PANEL } from '../../../state/game/open-game.ts';

export const PANELS = ['strategies', 'division', 'bags', 'yours', GAME_PANEL] as const;
export type PanelName = (typeof PANELS)[number];
export const PANEL_TITLES: Readonly<Record<PanelName, string>> = {
  strategies: 'Strategies',
  division: 'Division tree',
  bags: 'Tree of bags',
  yours: 'Place it yourself',
  game: 'Play the checkpoint game on this network',
};

/** Short titles, for little room. */
export const PANEL_LABELS: Readonly<Record<PanelName, string>> = {
  strategies: 'Strategies',
  division: 'Division',
  bags: 'Bags',
  yours: 'Place yours',
  game: 'Game',
};

export const COLORINGS = ['bytes', 'flops', 'segments'] as const;
export type Coloring = (typeof COLORINGS)[number];

/** Limit of one value in an address. */
const MAX_OPEN = 200;

export interface ViewState {
  readonly panel: PanelName;
  readonly coloring: Readonly<Partial<Record<PanelName, Coloring>>>;
  /** Open blocks; null as at first. */
  readonly open: ReadonlySet<string> | null;
  /** Key of the box in front: `v12`, `b:layer1`. */
  readonly current: string | null;
  /** C in bytes per sample; null at the optimum. */
  readonly maxTerm: number | null;
  readonly node: number | null;
  readonly bag: number | null;
  readonly hidden: ReadonlySet<string>;
  /** Set of the sender of a challenge, as in the link (state/game/set-text.ts). */
  readonly rival: string | null;
  readonly showsOptimum: boolean;
}

export const FIRST_VIEW: ViewState = {
  panel: 'strategies',
  coloring: {},
  open: null,
  current: null,
  maxTerm: null,
  node: null,
  bag: null,
  hidden: new Set(),
  rival: null,
  showsOptimum: false,
};

/** Another network: what belonged to the previous one is forgotten. */
function forNetwork(view: ViewState): ViewState {
  return { ...view, open: null, current: null, maxTerm: null, node: null, bag: null, rival: null };
}

export const placesOwn = ({ panel }: Pick<ViewState, 'panel'>): boolean =>
  panel === 'yours' || panel === GAME_PANEL;

export function coloringOf({ panel, coloring }: ViewState): Coloring {
  return coloring[panel] ?? (panel === 'strategies' ? 'bytes' : 'segments');
}

/** The view as names and values of the address; only what differs from a first visit. */
export function writeView(view: ViewState, network: Network): Record<string, string> {
  const coloring = view.coloring[view.panel];
  const vertex = vertexOfKey(view.current);
  const id = vertex === null ? undefined : network.paper.view.vertices[vertex]?.id;
  return {
    ...(view.panel === FIRST_VIEW.panel ? {} : { panel: view.panel }),
    ...(coloring === undefined ? {} : { color: coloring }),
    ...(id === undefined ? {} : { at: id }),
    ...(view.maxTerm === null ? {} : { c: String(Math.round(view.maxTerm)) }),
    ...(view.node === null ? {} : { node: String(view.node) }),
    ...(view.bag === null ? {} : { bag: String(view.bag) }),
    ...(view.hidden.size === 0 ? {} : { hide: [...view.hidden].join(',') }),
    ...(view.rival === null ? {} : { rival: view.rival }),
    ...(view.showsOptimum ? { optimum: '1' } : {}),
    ...writeOpen(view.open, network),
  };
}

/** Blocks opened and closed by hand, as far as they fit into a link. */
function writeOpen(open: ViewState['open'], { blocks }: Network): Record<string, string> {
  if (open === null) return {};
  const first = openAtFirst(blocks);
  const changed = [...open].filter((path) => !first.has(path)).map((path) => `+${path}`);
  changed.push(...[...first].filter((path) => !open.has(path)).map((path) => `-${path}`));
  const text = changed.join(',');
  return text === '' || text.length > MAX_OPEN ? {} : { open: text };
}

function readOpen(text: string, { blocks }: Network, firstOpen: ReadonlySet<string>): ReadonlySet<string> {
  const open = new Set(firstOpen);
  for (const part of text.split(',')) {
    const path = part.slice(1);
    if (!blocks.byPath.has(path)) continue;
    if (part.startsWith('+')) open.add(path);
    else open.delete(path);
  }
  return open;
}

/** The view that an address describes on a network; what does not fit is left as at first. */
export function readView(
  address: Readonly<Record<string, string>>,
  network: Network,
  firstOpen: ReadonlySet<string>,
): ViewState {
  const panel = PANELS.find((name) => name === address['panel']) ?? FIRST_VIEW.panel;
  const color = COLORINGS.find((name) => name === address['color']);
  const vertex = vertexNamed(network, address['at'] ?? '');
  const maxTerm = Number(address['c'] ?? Number.NaN);
  const node = Number(address['node'] ?? Number.NaN);
  const isNode = Number.isInteger(node) && node >= 0 && node < network.paper.tree.nodeCount;
  const bag = Number(address['bag'] ?? Number.NaN);
  const isBag = Number.isInteger(bag) && network.paper.view.decomposition.bags[bag] !== undefined;
  const hidden = (address['hide'] ?? '').split(',').filter((name) => name !== '');
  const changed = address['open'];
  const open = changed === undefined ? firstOpen : readOpen(changed, network, firstOpen);
  return {
    ...FIRST_VIEW,
    panel,
    coloring: color === undefined ? {} : { [panel]: color },
    current: vertex < 0 ? null : vertexKey(vertex),
    open: vertex < 0 ? (changed === undefined ? null : open) : revealing(network.blocks, open, vertex),
    maxTerm: maxTerm >= 0 ? maxTerm : null,
    node: isNode ? node : null,
    bag: isBag ? bag : null,
    hidden: new Set(hidden),
    rival: address['rival'] ?? null,
    showsOptimum: address['optimum'] === '1',
  };
}

/** The view in the link. A network that comes in place of another one keeps what is not about single tensors. */
export const VIEW_WORDS: ViewWords<ViewState, Network | null> = {
  names: ['panel', 'color', 'at', 'c', 'node', 'bag', 'hide', 'rival', 'optimum', 'open'],
  read: (view, network, previous) => {
    if (network === null) return FIRST_VIEW;
    return previous === null ? readView(view, network, openAtFirst(network.blocks)) : forNetwork(previous);
  },
  write: (view, network) => (network === null ? {} : writeView(view, network)),
};

/** The vertex of an id: its own, or that of an operation which shares the tensor or lies on the way to it. */
function vertexNamed({ paper }: Network, named: string): number {
  const { vertices, edges } = paper.view;
  const isNamed = ({ id }: { readonly id: string }): boolean => id === named;
  const own = vertices.findIndex(isNamed);
  if (own >= 0) return own;
  const shared = vertices.findIndex(({ operations }) => operations.some(isNamed));
  if (shared >= 0) return shared;
  return edges.find(({ operations }) => operations.some(isNamed))?.to ?? -1;
}

export function vertexOfKey(key: string | null): number | null {
  return key?.startsWith('v') ? Number(key.slice(1)) : null;
}

export function pathOfKey(key: string | null): string | null {
  const prefix = blockKey('');
  return key?.startsWith(prefix) ? key.slice(prefix.length) : null;
}
