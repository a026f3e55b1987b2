import { Suspense, useDeferredValue, useMemo } from 'react';
import { ParetoChart } from './pareto/ParetoChart.tsx';
import { PresetLine } from '../../state/parts/PresetLine.tsx';
import { useStore } from '../../shared/store.ts';
import { useKept, useLabPart, useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { limitSession } from './pareto/limit-session.ts';
import { useDraggedView } from './limit/use-dragged-view.ts';
import classes from './compare.module.css';
import layout from '../../shared/layout/layout.module.css';
import { CompareHeadline } from './headline/CompareHeadline.tsx';
import { Inspector } from './inspector/Inspector.tsx';
import { OverheadChart } from './overhead/OverheadChart.tsx';
import { withDeviceMemory } from '../../state/comparison/device-memory.ts';
import { roomOf } from '../../state/experiment/device.ts';
import { frontRow } from '../../state/comparison/rows.ts';
import { predictedSpeed, withClocks } from './zigzag/predicted-clock.ts';
import { StrategyTable } from './strategies/StrategyTable.tsx';
import { type CompareView, useCompareView } from '../../state/parts/use-compare-view.ts';
import { type ZigzagSession, zigzagSession } from './zigzag/zigzag-session.ts';
import { ZigzagChart } from './zigzag/ZigzagChart.tsx';
import { lazyPart } from '../../shared/lazy-part.ts';

/** Fetched when first shown. */
const TensorsCard = lazyPart(() => import('./tensors/TensorsCard.tsx').then((file) => file.TensorsCard));
const MeasuredCard = lazyPart(() => import('./measured/MeasuredCard.tsx').then((file) => file.MeasuredCard));
const NetworksCard = lazyPart(() => import('./networks/NetworksCard.tsx').then((file) => file.NetworksCard));

export function CompareScreen() {
  const compared = useCompareView();
  const view = useDraggedView(compared);
  const hasSeveral = useLabPart(({ experiment }) => (experiment.also ?? []).length > 0);
  const { measuredFile } = useWorkspace();
  const isMeasured = useStore(measuredFile, (file) => file !== null);
  const session = useKept(zigzagSession);
  const isDragged = useStore(useKept(limitSession).limit, (limit) => limit !== null);
  // A deferred value that changes is a second rendering of the screen.
  const figures = useDeferredValue(isDragged ? view : null) ?? view;
  const timed = useTimedView(view, session);
  const shown = useShownView(timed, session);
  const lists = useStore(session.lists);

  return (
    <div className={layout['screen']} data-stale={view.stale || undefined}>
      <CompareHeadline view={view} />
      <PresetLine />
      <div className={`${layout['beside']} ${classes['evidence']}`}>
        <ZigzagChart view={shown} session={session} compared={compared} />
        <Inspector view={shown} session={session} />
        <ParetoChart view={compared} memory={session.memory} />
      </div>
      <Suspense fallback={null}>{isMeasured && <MeasuredCard view={view} />}</Suspense>
      <Suspense fallback={null}>{lists && <TensorsCard view={timed} session={session} />}</Suspense>
      <Suspense fallback={null}>{hasSeveral && <NetworksCard view={view} />}</Suspense>
      <div className={layout['beside']}>
        <StrategyTable view={isDragged ? figures : view} />
        <OverheadChart view={isDragged ? figures : view} />
      </div>
    </div>
  );
}

/** The view with curves of all that the device holds, unless the activations alone are shown. */
function useShownView(view: CompareView, session: ZigzagSession): CompareView {
  const isWhole = useStore(session.memory) === 'device';
  const { contextBytes } = roomOf(useLabView().experiment);
  return useMemo(() => {
    if (!isWhole) return view;
    const rows = withDeviceMemory(view.rows, contextBytes);
    return { ...view, rows, front: frontRow(rows, view.front?.identity.name ?? null) };
  }, [isWhole, view, contextBytes]);
}

/** The view with predicted times on its axes, while these are shown. */
function useTimedView(view: CompareView, session: ZigzagSession): CompareView {
  const isTimed = useStore(session.scale) === 'time';
  const { experiment } = useLabView();
  const { rows, front, state } = view;
  return useMemo(() => {
    if (!isTimed || state.shown === null) return view;
    const timed = withClocks(rows, state.shown, predictedSpeed(experiment));
    return { ...view, rows: timed, front: frontRow(timed, front?.identity.name ?? null) };
  }, [isTimed, view, rows, front, state.shown, experiment]);
}
