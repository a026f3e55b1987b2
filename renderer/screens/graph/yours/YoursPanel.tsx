import { Button, Checkbox, Flex } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { strategyRows } from '../../../state/comparison/rows.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatChange, formatCount } from '../../../shared/format/numbers.ts';
import { useStore } from '../../../shared/store.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import layout from '../../../shared/layout/layout.module.css';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import { GAME_PANEL } from '../../../state/game/open-game.ts';
import classes from '../graph.module.css';
import { idOfVertex } from '../state/paper-graph.ts';
import { OwnZigzagChart } from './OwnZigzagChart.tsx';
import type { PanelProps } from '../state/panel-props.ts';
import { useSession } from '../use-graph.ts';

const RIVALS = ['optimal', 'live'] as const;

export function YoursPanel({ model, onChange, onShow }: PanelProps) {
  const { experiment: store } = useWorkspace();
  const { ownComparison } = useSession();
  const { experiment } = useLabView();
  const { titles } = useCatalog();
  const state = useStore(ownComparison);
  const { own, verdict, network } = model;
  const { paper } = network;
  const { optimum } = paper;
  const isPlaced = verdict.state !== 'none';

  useEffect(() => {
    const { checkpoints: _checkpoints, ...rest } = experiment;
    const named = own.map((v) => idOfVertex(paper, v));
    ownComparison.show(
      isPlaced
        ? { ...rest, checkpoints: named, strategies: [...RIVALS, 'manual'] }
        : { ...rest, strategies: [...RIVALS] },
    );
  }, [ownComparison, experiment, own, paper, isPlaced]);

  const rows = useMemo(() => {
    const results = state.shown !== null && state.shown.key === state.wanted ? state.shown : null;
    const strategies = isPlaced ? ['manual', ...RIVALS] : [...RIVALS];
    const all = strategyRows({ results, experiment: { batch: experiment.batch, strategies }, titles });
    return all.map((row) =>
      row.identity.name === 'manual' ? { ...row, identity: { ...row.identity, title: 'Yours' } } : row,
    );
  }, [state, isPlaced, experiment.batch, titles]);

  const place = (vertices: readonly number[]): void => {
    const ids = vertices.map((v) => idOfVertex(paper, v));
    store.change({ ...store.get().experiment, checkpoints: ids });
  };
  const { past } = useLabView();
  return (
    <>
      <div className={classes['panelHead']}>
        <h2>Your checkpoints{own.length === 0 ? '' : `: ${formatCount(own.length)}`}</h2>
        <Flex align="center" gap={4} ml="auto">
          <Button variant="default" size="compact-xs" disabled={past.length === 0} onClick={store.undo}>
            Undo
          </Button>
          <Button variant="default" size="compact-xs" disabled={own.length === 0} onClick={() => place([])}>
            Clear
          </Button>
        </Flex>
      </div>
      <div className={classes['verdict']} data-state={verdict.state} role="status">
        {verdict.state === 'none' && (
          <>
            Click tensors in the drawing, or press Enter on them, to keep them. How close can you get to the
            optimum?{' '}
            <LinkButton onClick={() => place(optimum.checkpoints)}>Start from the optimum</LinkButton> or{' '}
            <LinkButton onClick={() => onChange({ panel: GAME_PANEL })}>play it as a game</LinkButton>
          </>
        )}
        {verdict.state === 'unpriced' && (
          <>
            Eq. 2 does not apply to this set: {verdict.message} It can still run; the simulator shows its
            peak. <LinkButton onClick={() => onShow(verdict.fault.from)}>Show it</LinkButton>
          </>
        )}
        {verdict.state === 'valid' && (
          <>
            Eq. 2: <b>{formatBytes(verdict.cost.cost * experiment.batch)}</b>,{' '}
            {verdict.cost.cost === optimum.cost
              ? 'the optimum. No set costs less.'
              : `${formatChange(verdict.cost.cost / optimum.cost - 1)} against the optimum’s ${formatBytes(optimum.cost * experiment.batch)}; largest segment ${formatBytes(verdict.cost.maxTerm * experiment.batch)}.`}
          </>
        )}
      </div>
      <Checkbox
        label="Show the optimum’s checkpoints too"
        checked={model.view.showsOptimum}
        onChange={(event) => onChange({ showsOptimum: event.currentTarget.checked })}
      />
      <OwnZigzagChart
        title="Your zigzag beside Optimal and Live"
        rows={rows}
        ids={state.shown?.ids ?? []}
        isBusy={state.running !== null}
      />
      <dl className={`${layout['figures']} ${classes['ownRows']}`}>
        {rows.map((row) => (
          <div key={row.identity.name} data-front={row.identity.name === 'manual' || undefined}>
            <dt>
              <StrategyMark identity={row.identity} />
              {row.identity.title}
            </dt>
            <dd>{row.peakBytes === null ? (row.reason ?? 'Solving…') : formatBytes(row.peakBytes)}</dd>
            <dd>{row.recomputeFraction === null ? '' : `${formatChange(row.recomputeFraction)} work`}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
