import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { asSentence } from '../../../shared/format/sentence.ts';
import { ChartCard } from '../../../shared/charts/ChartCard.tsx';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { HOLDER_TITLES, HOLDERS } from '../../../state/comparison/sized-timeline.ts';
import { useSize } from '../../../shared/use-size.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { doneIn, stepView } from '../zigzag/describe-step.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import type { ZigzagSession } from '../zigzag/zigzag-session.ts';
import { TensorsTable } from './TensorsTable.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from './tensors.module.css';
import { liveTable, matching, sumBytes } from './tensor-list.ts';
import { TreeMap } from './TreeMap.tsx';
import { useTensors } from './use-tensors.ts';

export interface TensorsCardProps {
  readonly view: CompareView;
  readonly session: ZigzagSession;
}

/** Every tensor that is live at the cursor: as areas by layer, and as a list. */
export function TensorsCard({ view, session }: TensorsCardProps) {
  const { experiment: store } = useWorkspace();
  const { state, step, isPeak, live: latest } = useTensors(view, session);
  // The cursor goes on moving while a long list is drawn.
  const live = useDeferredValue(latest);
  const [filter, setFilter] = useState('');
  const [ref, size] = useSize<HTMLDivElement>();
  const matched = useMemo(() => matching(live, filter), [live, filter]);
  const bright = useMemo(
    () => (matched.length === live.length ? null : new Set(matched.map(({ key }) => key))),
    [matched, live],
  );
  const onShow = useCallback(
    (id: string): void => {
      store.goTo('graph');
      store.setView({ at: id });
    },
    [store],
  );
  const { front } = view;
  const { shown } = view.state;
  const sized = front?.sized ?? null;
  const name = front?.identity.title ?? '';
  const at = sized === null || shown === null || step === null ? null : stepView(sized, step, shown);
  const title = isPeak ? `What ${name} holds at its peak` : `What ${name} holds at the cursor`;
  const where = at === null ? '' : `step ${formatCount(at.step + 1)}, ${doneIn(at)}`;

  return (
    <div className={`${layout['beside']} ${classes['row']}`}>
      <ChartCard
        title={title}
        summary={`${title}, ${where}: ${formatCount(live.length)} tensors, ${formatBytes(sumBytes(live))}. The list beside it has them all.`}
        pictureTitle={`${title}, ${where}`}
        fileName={`live-${front?.identity.name ?? 'tensors'}-step-${(step ?? 0) + 1}`}
        height={320}
        axisTitles={{
          x: `Areas: live memory, ${formatBytes(sumBytes(live))} in ${formatCount(live.length)} tensors`,
        }}
        data={() => liveTable(live, title)}
        table={null}
        legend={HOLDERS.map((holder) => ({
          title: HOLDER_TITLES[holder],
          color: `var(--zz-hold-${holder})`,
          mark: 'bar' as const,
        }))}
        tools={<span className={`${layout['note']} ${layout['cut']} ${classes['where']}`}>{where}</span>}
        empty={
          live.length > 0
            ? undefined
            : state.failure === null
              ? 'Listing the tensors…'
              : asSentence(state.failure.message)
        }
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and screen readers use the list beside it */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <div
          ref={ref}
          className={`${layout['fill']} ${classes['picture']}`}
          data-testid="treemap"
          onClick={(event) => {
            const tile = event.target instanceof Element ? event.target.closest('[data-filter]') : null;
            const wanted = tile?.getAttribute('data-filter') ?? '';
            setFilter(wanted === filter ? '' : wanted);
          }}
        >
          {size.width > 0 && <TreeMap live={live} size={size} bright={bright} />}
        </div>
      </ChartCard>
      <div className={`${layout['card']} ${layout['padded']} ${classes['list']}`}>
        <TensorsTable live={live} matched={matched} filter={filter} onFilter={setFilter} onShow={onShow} />
      </div>
    </div>
  );
}
