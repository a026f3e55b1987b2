import type { GraphModel } from '../use-graph.ts';
import type { ViewState } from './view-state.ts';

/** What every panel beside the drawing gets. */
export interface PanelProps {
  readonly model: GraphModel;
  readonly onChange: (part: Partial<ViewState>) => void;
  /** Selects a vertex and brings it into view. */
  readonly onShow: (vertex: number) => void;
  /** Brings an independent segment into view. */
  readonly onSegment: (node: number) => void;
  /** Brings tensors into view. */
  readonly onBag: (vertices: readonly number[]) => void;
  /** Makes a vertex the user's own checkpoint, or no longer. */
  readonly onToggle: (vertex: number) => void;
}
