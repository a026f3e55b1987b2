import { Box, Checkbox, SegmentedControl } from '@mantine/core';
import { BagsPanel } from '../bags/BagsPanel.tsx';
import { DivisionPanel } from '../division/DivisionPanel.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../graph.module.css';
import type { PanelProps } from '../state/panel-props.ts';
import { VertexCard } from '../vertices/VertexCard.tsx';
import { PANEL_LABELS, PANELS } from '../state/view-state.ts';
import { YoursPanel } from '../yours/YoursPanel.tsx';
import { GamePanel } from '../game/GamePanel.tsx';
import { GAME_PANEL } from '../../../state/game/open-game.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import { refusal } from '../../../state/strategies/refusal.ts';
import { StrategyName } from '../../../state/strategies/StrategyName.tsx';

/** The game has the panel for itself: the others would give the answer away. */
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
          aria-label="View"
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

function StrategiesPanel({ model, onChange }: PanelProps) {
  const { strategies, view } = model;
  const toggle = (name: string): void => {
    const hidden = new Set(view.hidden);
    if (!hidden.delete(name)) hidden.add(name);
    onChange({ hidden });
  };
  return (
    <>
      <h2>Checkpoints of each strategy</h2>
      <p className={layout['note']}>
        A ring marks a tensor kept from the forward pass. A dot counts further outputs at its place or on an
        edge. Choose other strategies in the bar above.
      </p>
      {strategies.length === 0 ? (
        <p className={layout['note']}>Regular training keeps every tensor and has no checkpoints.</p>
      ) : (
        <ul className={classes['strategies']}>
          {strategies.map(({ row, vertices }) => {
            const { name } = row.identity;
            const elsewhere = row.checkpoints.length - vertices.length;
            return (
              <li key={name}>
                <Checkbox
                  checked={row.state === 'solved' && !view.hidden.has(name)}
                  disabled={row.state !== 'solved'}
                  onChange={() => toggle(name)}
                  label={<StrategyName identity={row.identity} />}
                />
                <Box component="span" fz={12} lh="18px">
                  {row.state === 'solved'
                    ? row.recomputeFraction === 0
                      ? 'all kept'
                      : `${formatCount(vertices.length)} kept`
                    : row.state === 'waiting'
                      ? 'Solving…'
                      : ''}
                </Box>
                <span className={`${layout['note']} ${classes['strategyFacts']}`}>
                  {row.state === 'refused' && refusal(row.reason)}
                  {row.state === 'solved' &&
                    `Peak ${formatBytes(row.peakBytes ?? 0)}${
                      row.paperCostBytes === null ? '' : `, Eq. 2 ${formatBytes(row.paperCostBytes)}`
                    }`}
                  {elsewhere > 0 && (
                    <>
                      ; <i className={classes['dot']} style={{ background: colorOf(row.identity) }} />
                      {formatCount(elsewhere)} more within tensors or on edges
                    </>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
