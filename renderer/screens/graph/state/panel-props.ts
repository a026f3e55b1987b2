import type { GraphModel } from '../use-graph.ts';
import type { ViewState } from './view-state.ts';

export interface PanelProps {
  readonly model: GraphModel;
  readonly onChange: (part: Partial<ViewState>) => void;
  readonly onShow: (vertex: number) => void;
  readonly onSegment: (node: number) => void;
  readonly onBag: (vertices: readonly number[]) => void;
  readonly onToggle: (vertex: number) => void;
}
