import { shallowEqual } from '@mantine/hooks';
import { useMemo } from 'react';
import layout from '../../../shared/layout/layout.module.css';
import { PlotCard } from '../../../shared/charts/PlotCard.tsx';
import { useSameList } from '../../../shared/use-same-list.ts';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { AXIS_HEIGHT, marginOf, overheadBars, overheadTable, ROW_HEIGHT } from './overhead-bars.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { lazyPart } from '../../../shared/lazy-part.ts';

const TITLE = 'Time overhead';

/** Its library is the largest part of the page, and the zigzag need not wait for it. */
const OverheadBars = lazyPart(() => import('./OverheadBars.tsx').then((file) => file.OverheadBars));

export function OverheadChart({ view }: { readonly view: CompareView }) {
  const { experiment } = useLabView();
  // Overheads do not depend on the batch size: the chart is drawn anew only when one of them changes.
  const bars = useSameList(overheadBars(view.rows), shallowEqual);
  const table = useMemo(() => overheadTable(bars), [bars]);
  const margin = useMemo(() => marginOf(bars), [bars]);
  const isMeasured = bars.some((bar) => bar.note !== null);
  const height = experiment.strategies.length * ROW_HEIGHT + AXIS_HEIGHT;
  return (
    <PlotCard
      title={TITLE}
      testId="overhead"
      margin={margin}
      summary={`Time overhead against regular training. ${bars.map((bar) => `${bar.title}: ${bar.label}`).join('; ')}.`}
      pictureTitle={`Time overhead, ${experiment.model}`}
      fileName={`overhead-${experiment.model}`}
      height={height}
      axisTitles={{ x: 'Time overhead against regular training (%)' }}
      data={() => table}
      table={table}
      empty={bars.length === 0 ? ' ' : undefined}
      tools={<span className={layout['note']}>{isMeasured ? 'predicted, measured' : 'predicted'}</span>}
      plot={(area) => <OverheadBars bars={bars} area={area} isMeasured={isMeasured} />}
    />
  );
}
