import { SegmentedControl } from '@mantine/core';
import { DivisionPanel } from './DivisionPanel.tsx';
import layout from '../../shared/layout/layout.module.css';
import classes from './graph.module.css';
import { StrategiesPanel } from './StrategiesPanel.tsx';
import type { GraphModel } from './use-graph.ts';
import { VertexCard } from './VertexCard.tsx';
import { PANEL_TITLES, PANELS, type ViewState } from './view-state.ts';
import { YoursPanel } from './YoursPanel.tsx';

export interface PanelProps {
  readonly model: GraphModel;
  readonly onChange: (part: Partial<ViewState>) => void;
  /** Selects a vertex and brings it into view. */
  readonly onShow: (vertex: number) => void;
  /** Brings an independent segment into view. */
  readonly onSegment: (node: number) => void;
  /** Makes a vertex the user's own checkpoint, or no longer. */
  readonly onToggle: (vertex: number) => void;
}

export function SidePanel(props: PanelProps) {
  const { model, onChange } = props;
  const { panel } = model.view;
  return (
    <aside
      className={`${layout['card']} ${classes['stage']} ${classes['side']}`}
      aria-label="About the drawing"
    >
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="What the drawing shows"
        value={panel}
        onChange={(value) => onChange({ panel: PANELS.find((name) => name === value) ?? panel })}
        data={PANELS.map((value) => ({ value, label: PANEL_TITLES[value] }))}
      />
      <div className={classes['panel']}>
        {panel === 'strategies' && <StrategiesPanel {...props} />}
        {panel === 'division' && <DivisionPanel {...props} />}
        {panel === 'yours' && <YoursPanel {...props} />}
      </div>
      <VertexCard {...props} />
    </aside>
  );
}
