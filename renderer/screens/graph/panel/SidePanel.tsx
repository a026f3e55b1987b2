import { SegmentedControl } from '@mantine/core';
import { BagsPanel } from '../bags/BagsPanel.tsx';
import { DivisionPanel } from '../division/DivisionPanel.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../graph.module.css';
import { StrategiesPanel } from './StrategiesPanel.tsx';
import type { PanelProps } from '../state/panel-props.ts';
import { VertexCard } from '../vertices/VertexCard.tsx';
import { PANEL_LABELS, PANELS } from '../state/view-state.ts';
import { YoursPanel } from '../yours/YoursPanel.tsx';
import { GamePanel } from '../game/GamePanel.tsx';
import { GAME_PANEL } from '../../../state/game/open-game.ts';

/** The game has the panel for itself: what the others show would give the answer away. */
const CHOICES = PANELS.filter((name) => name !== GAME_PANEL);

export function SidePanel(props: PanelProps) {
  const { model, onChange } = props;
  const { panel } = model.view;
  return (
    <aside
      className={`${layout['card']} ${classes['stage']} ${classes['side']}`}
      aria-label="About the drawing"
    >
      {panel !== GAME_PANEL && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="What the drawing shows"
          value={panel}
          onChange={(value) => onChange({ panel: PANELS.find((name) => name === value) ?? panel })}
          data={CHOICES.map((value) => ({ value, label: PANEL_LABELS[value] }))}
        />
      )}
      <div className={classes['panel']}>
        {panel === 'strategies' && <StrategiesPanel {...props} />}
        {panel === 'division' && <DivisionPanel {...props} />}
        {panel === 'bags' && <BagsPanel {...props} />}
        {panel === 'yours' && <YoursPanel {...props} />}
        {panel === GAME_PANEL && <GamePanel {...props} />}
      </div>
      {panel !== GAME_PANEL && <VertexCard {...props} />}
    </aside>
  );
}
