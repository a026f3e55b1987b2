import { useEffect, useMemo } from 'react';
import { strategyRows } from '../../../state/comparison/rows.ts';
import type { MeasuredOverhead } from '../../../state/strategies/measured-overhead.ts';
import { useStore } from '../../../shared/store.ts';
import { useCatalog, useLabView } from '../../../state/workspace/use-workspace.ts';
import { OwnZigzagChart } from '../yours/OwnZigzagChart.tsx';
import { idOfVertex } from '../state/paper-graph.ts';
import type { PanelProps } from '../state/panel-props.ts';
import { useSession } from '../use-graph.ts';

const NONE: ReadonlyMap<string, MeasuredOverhead> = new Map();

/** The player's zigzag over regular training's: no other, which would give the answer away. */
export function GameZigzag({ model }: Pick<PanelProps, 'model'>) {
  const { ownComparison } = useSession();
  const { experiment } = useLabView();
  const { titles } = useCatalog();
  const state = useStore(ownComparison);
  const { own, network } = model;
  const isPlaced = own.length > 0;
  const strategies = useMemo(() => (isPlaced ? ['manual', 'regular'] : ['regular']), [isPlaced]);

  useEffect(() => {
    const { checkpoints: _checkpoints, ...rest } = experiment;
    const named = own.map((v) => idOfVertex(network.paper, v));
    ownComparison.show({ ...rest, ...(isPlaced ? { checkpoints: named } : {}), strategies });
  }, [ownComparison, experiment, own, network, isPlaced, strategies]);

  const rows = useMemo(() => {
    const results = state.shown !== null && state.shown.key === state.wanted ? state.shown : null;
    const all = strategyRows({
      results,
      experiment: { batch: experiment.batch, strategies },
      titles,
      measured: NONE,
    });
    return all.map((row) =>
      row.identity.name === 'manual' ? { ...row, identity: { ...row.identity, title: 'Yours' } } : row,
    );
  }, [state, strategies, experiment.batch, titles]);
  return (
    <OwnZigzagChart
      title="Your zigzag beside Regular"
      rows={rows}
      ids={state.shown?.ids ?? []}
      isBusy={state.running !== null}
    />
  );
}
