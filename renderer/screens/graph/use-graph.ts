import { useEffect, useMemo, useState } from 'react';
import { evaluateUnderMaxTerm } from '../../../engine/paper/solve-optimal.ts';
import { segmentsOf } from '../../../engine/paper/segments.ts';
import type { StrategyRow } from '../../state/comparison/rows.ts';
import { useCompareView } from '../../state/parts/use-compare-view.ts';
import { useStore } from '../../shared/store.ts';
import { usePhone } from '../../shared/use-narrow.ts';
import { identityOf } from '../../state/strategies/identity.ts';
import { useCatalog, useKept, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { GAME_PANEL } from '../../state/game/open-game.ts';
import { bagTones } from './bags/bag-rows.ts';
import { openAtFirst } from './state/blocks.ts';
import { type Drawing, drawingOf, edgeEnds } from './state/drawing.ts';
import type { Network } from './state/graph-store.ts';
import { type HiddenKept, hiddenKept } from './state/hidden-kept.ts';
import type { CompoundDrawing } from './layout/compound.ts';
import { stopAt } from './state/max-term.ts';
import { ownVertices, type Verdict, verdictOn } from './yours/own-checkpoints.ts';
import { type CheckpointSet, faultTones, paintOf, type Tone, tonesOf } from './state/paint.ts';
import { verticesOf } from './state/paper-graph.ts';
import { type GraphSession, graphSession, setPaint } from './state/session.ts';
import { verticesInside } from './division/tree-rows.ts';
import { coloringOf, placesOwn, type ViewState } from './state/view-state.ts';

/** A layout and the drawing that it belongs to; the next one replaces both at once. */
export interface Picture {
  readonly network: Network;
  readonly drawing: Drawing;
  readonly layout: CompoundDrawing;
}

/** Width by height of the page that the drawing is made for, and on a phone. */
const ASPECT = 1.55;
const UPRIGHT = 0.75;

export function useSession(): GraphSession {
  return useKept(graphSession);
}

/** The batch size alone: boxes must not be drawn again when anything else of the experiment changes. */
export function useBatch(): number {
  return useStore(useWorkspace().experiment, (lab) => lab.experiment.batch);
}

/** The drawing of a network with the blocks that are open; the previous one until it is laid out. */
export function usePicture(network: Network | null, view: ViewState): Picture | null {
  const session = useSession();
  const [picture, setPicture] = useState<Picture | null>(null);
  const firstOpen = useMemo(() => (network === null ? null : openAtFirst(network.blocks)), [network]);
  const open = view.open ?? firstOpen;
  const aspect = usePhone() ? UPRIGHT : ASPECT;
  useEffect(() => {
    if (network === null || open === null) return undefined;
    let isCurrent = true;
    const drawing = drawingOf(network.paper.view, network.blocks, open);
    session.layout({ boxes: drawing.boxes, edges: edgeEnds(drawing.edges), aspect }).then(
      (layout) => {
        if (isCurrent) setPicture({ network, drawing, layout });
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [network, open, session, aspect]);
  return picture;
}

export interface StrategyMarks {
  readonly row: StrategyRow;
  readonly vertices: readonly number[];
  readonly hidden: HiddenKept;
}

export interface GraphModel {
  readonly network: Network;
  readonly view: ViewState;
  readonly strategies: readonly StrategyMarks[];
  readonly stop: number;
  readonly underC: readonly number[];
  readonly own: readonly number[];
  readonly verdict: Verdict;
}

export function useGraphModel(network: Network | null, view: ViewState): GraphModel | null {
  const { experiment } = useLabView();
  const compare = useCompareView();
  const ids = experiment.checkpoints;
  const strategies = useMemo(() => {
    // Players must not see what others keep.
    if (network === null || compare.stale || view.panel === GAME_PANEL) return [];
    const rows = compare.rows.filter(
      ({ identity }) => identity.name !== 'regular' && identity.name !== 'manual',
    );
    return rows.map((row) => ({
      row,
      vertices: verticesOf(network.paper, row.checkpoints),
      hidden: hiddenKept(network.paper, row.checkpoints),
    }));
  }, [network, compare, view.panel]);
  const stop =
    network === null ? 0 : view.maxTerm === null ? network.scale.best : stopAt(network.scale, view.maxTerm);
  const underC = useMemo(() => {
    if (network === null) return [];
    const { tree } = network.paper;
    return evaluateUnderMaxTerm(tree, network.scale.stops[stop]?.maxTerm ?? 0).checkpoints;
  }, [network, stop]);
  const own = useMemo(() => (network === null ? [] : ownVertices(network.paper, ids)), [network, ids]);
  const verdict = useMemo<Verdict>(
    () => (network === null ? { state: 'none' } : verdictOn(network.paper, own)),
    [network, own],
  );
  return useMemo(
    () => (network === null ? null : { network, view, strategies, stop, underC, own, verdict }),
    [network, view, strategies, stop, underC, own, verdict],
  );
}

/** Paints the boxes of the picture for the panel in front; returns it once that is done, so that no box is drawn twice. */
export function usePaint(picture: Picture | null, model: GraphModel | null): Picture | null {
  const [painted, setPainted] = useState<Picture | null>(null);
  const session = useSession();
  const { titles } = useCatalog();
  const answers = useStore(session.answers);
  useEffect(() => {
    if (picture === null || model === null || picture.network !== model.network) return;
    const { network, view } = model;
    const sets = setsOf(model, titles, answers);
    const paint = paintOf(picture.drawing.items, {
      paper: network.paper,
      blocks: network.blocks,
      coloring: coloringOf(view),
      sets,
      tones: tonesFor(model, sets),
      bright: brightOf(network, view),
    });
    setPaint(session.paint, paint);
    setPainted(picture);
  }, [picture, model, session, titles, answers]);
  return painted;
}

function brightOf({ paper }: Network, { panel, node, bag }: ViewState): ReadonlySet<number> | null {
  const { tree, view } = paper;
  if (panel === 'bags' && bag !== null) return new Set(view.decomposition.bags[bag]);
  if (panel !== 'division' || node === null || node === 0) return null;
  return new Set([...verticesInside(tree, node), tree.source[node]!, tree.target[node]!]);
}

export function seenOf(strategies: readonly StrategyMarks[], view: ViewState): readonly StrategyMarks[] {
  if (view.panel !== 'strategies') return [];
  return strategies.filter(({ row }) => row.state === 'solved' && !view.hidden.has(row.identity.name));
}

function setsOf(
  model: GraphModel,
  titles: ReadonlyMap<string, string>,
  answers: readonly CheckpointSet[],
): CheckpointSet[] {
  const { network, view, strategies } = model;
  const set = (name: string, vertices: readonly number[]): CheckpointSet => ({
    identity: identityOf(name, titles.get(name)),
    vertices,
  });
  if (view.panel === 'bags') return [];
  if (view.panel === GAME_PANEL) return [set('manual', model.own), ...answers];
  if (view.panel === 'division') return [set('optimal', model.underC)];
  if (view.panel === 'yours') {
    const optimum = view.showsOptimum ? [set('optimal', network.paper.optimum.checkpoints)] : [];
    return [set('manual', model.own), ...optimum];
  }
  return seenOf(strategies, view).map(({ row, vertices, hidden }) => ({
    identity: row.identity,
    vertices,
    hidden,
  }));
}

/** Segments of the set that the panel is about, where it cuts the graph into independent ones. */
function tonesFor(model: GraphModel, sets: readonly CheckpointSet[]): Tone[] | null {
  const { network, view, verdict } = model;
  const { tensors } = network.paper;
  if (view.panel === 'bags') return bagTones(tensors.size, network.paper.view.decomposition);
  if (placesOwn(view) && verdict.state === 'unpriced')
    return faultTones(tensors.size, verdict.fault.vertices);
  const chosen =
    view.panel === 'strategies' ? sets.find(({ identity }) => identity.name === 'optimal') : sets[0];
  if (chosen === undefined) return null;
  const cut = segmentsOf(tensors, chosen.vertices);
  return cut.ok ? tonesOf(tensors.size, cut.segments) : null;
}
