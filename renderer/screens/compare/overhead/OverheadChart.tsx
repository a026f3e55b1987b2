import { shallowEqual } from '@mantine/hooks';
import { useMemo } from 'react';
import layout from '../../../shared/layout/layout.module.css';
import { PlotCard } from '../../../shared/charts/PlotCard.tsx';
import { useSameList } from '../../../shared/use-same-list.ts';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { overheadBars, overheadTable } from './overhead-bars.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { lazyPart } from '../../../shared/lazy-part.ts';

const ROW_HEIGHT = 36;
const TITLE = 'Time overhead';

/** Its library is the largest part of the page, and the zigzag need not wait for it. */
const ShareBars = lazyPart(() => import('../../../shared/plot/ShareBars.tsx').then((file) => file.ShareBars));

export function OverheadChart({ view }: { readonly view: CompareView }) {
  const { experiment } = useLabView();
  // Overheads do not depend on the batch size: the chart is drawn again only when one of them changes.
  const bars = useSameList(overheadBars(view.rows), shallowEqual);
  const table = useMemo(() => overheadTable(bars), [bars]);
  const isMeasured = bars.some((bar) => bar.note !== null);
  return (
    <PlotCard
      title={TITLE}
      testId="overhead"
      summary={`Time overhead against regular training. ${bars.map((bar) => `${bar.title}: ${bar.label}`).join('; ')}.`}
      pictureTitle={`Time overhead, ${experiment.model}`}
      fileName={`overhead-${experiment.model}`}
      height={experiment.strategies.length * ROW_HEIGHT}
      axisTitles={{ x: 'Time overhead against regular training (%)' }}
      data={() => table}
      table={table}
      empty={bars.length === 0 ? ' ' : undefined}
      tools={<span className={layout['note']}>{isMeasured ? 'predicted, measured' : 'predicted'}</span>}
      plot={({ width, height }) => <ShareBars bars={bars} width={width} height={height} />}
    />
  );
}
