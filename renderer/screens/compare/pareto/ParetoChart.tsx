import { Button } from '@mantine/core';
import { shallowEqual } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { withStrategy } from '../../../state/experiment/experiment.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import { byteAxis } from '../../../shared/charts/axis.ts';
import type { LegendEntry } from '../../../shared/charts/export-chart.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { ValueCard } from '../../../shared/charts/ValueCard.tsx';
import layout from '../../../shared/layout/layout.module.css';
import { formatPercent } from '../../../shared/format/numbers.ts';
import { TimeLeft } from '../../../shared/progress/TimeLeft.tsx';
import { type Store, useStore } from '../../../shared/store.ts';
import { AXIS_NAMES, type ShownMemory } from '../../../state/comparison/shown-memory.ts';
import { useSameList } from '../../../shared/use-same-list.ts';
import { useAtRest } from '../../../shared/use-at-rest.ts';
import { useEscape } from '../../../shared/use-escape.ts';
import { useCatalog, useKept, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { limitSession } from './limit-session.ts';
import { planWithin } from './limit-range.ts';
import classes from './pareto.module.css';
import { ParetoPicker } from './ParetoPicker.tsx';
import {
  knownFront,
  paretoTable,
  type PlanPoint,
  recomputeAxis,
  sayPoint,
  strategyPoints,
  comparisonTable,
  withProof,
} from './pareto-plot.ts';
import { type ParetoView, useParetoFront } from './use-pareto-front.ts';
import { lazyPart } from '../../../shared/lazy-part.ts';

/** Its library is the largest part of the page, and the zigzag need not wait for it. */
const ParetoPlot = lazyPart(() => import('./ParetoPlot.tsx').then((file) => file.ParetoPlot));

const FRONT = identityOf('budget');
const FRONT_ENTRY: LegendEntry = {
  title: 'The front',
  color: colorOf(FRONT),
  dash: FRONT.dash,
  width: FRONT.width,
};

const PROOF_ENTRY: LegendEntry = {
  title: 'Lower bound on recompute',
  color: 'var(--zz-muted)',
  dash: '2 3',
  width: 1.25,
};

const REST_MS = 120;
const SOLVING_REST_MS = 1000;
const MAX_MS = 1500;
const TITLE = 'Memory against recompute';
const IDLE =
  'The line shows the least recompute known for each memory budget. Click a point to use it as the budget.';

const NO_LINE: readonly PlanPoint[] = [];
const PROOF = ' No schedule can lie below or left of the shaded region; this is proved.';

export interface ParetoChartProps {
  readonly view: CompareView;
  readonly memory: Store<ShownMemory>;
}

export function ParetoChart({ view, memory: shownMemory }: ParetoChartProps) {
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const { strategies } = useCatalog();
  const memory = useStore(shownMemory);
  const paretoFront = useParetoFront(view, memory);
  useEscape(paretoFront.store.cancel);
  const [chosen, setChosen] = useState<string | null>(null);
  const own = useSameList(strategyPoints(view.rows, memory), shallowEqual);
  const knownLine = useMemo(() => knownFront(paretoFront.points, own), [paretoFront.points, own]);
  const line = paretoFront.points.length === 0 ? NO_LINE : knownLine;
  const front = useMemo(() => line.filter(({ strategy }) => strategy === null), [line]);
  const bound = view.stale ? null : paretoFront.bound;
  const all = useMemo(() => withProof([...own, ...front], bound), [own, front, bound]);
  const bytes = useMemo(() => byteAxis(Math.max(0, ...all.map((point) => point.bytes)), 4), [all]);
  const axis = useMemo(() => recomputeAxis(all), [all]);
  // Its library draws for longer than a batch stays while a key is held, or than the next strategy's answer takes.
  const latest = useMemo(
    () => ({ own, line, all, bytes, axis, bound }),
    [own, line, all, bytes, axis, bound],
  );
  const drawn = useAtRest(latest, view.state.running === null ? REST_MS : SOLVING_REST_MS, MAX_MS);
  const table = useMemo(() => paretoTable(all), [all]);
  const limit = useStore(useKept(limitSession).limit);
  const wanted = chosen ?? (limit === null ? null : (planWithin(knownLine, limit)?.id ?? null));
  const at = all.find(({ id }) => id === wanted) ?? null;
  const { shown } = view.state;

  const take = (point: PlanPoint): void => {
    const now = store.get().experiment;
    if (point.strategy !== null) {
      store.select(point.strategy);
      return;
    }
    const order = strategies.map(({ name }) => name);
    if (!order.includes('budget')) return;
    store.change({ ...withStrategy(now, 'budget', true, order), budgetBytes: Math.ceil(point.peakBytes) });
    store.select('budget');
  };

  return (
    <ValueCard
      title={TITLE}
      axis={drawn.axis}
      least={Math.min(...drawn.all.map(({ recompute }) => recompute))}
      testId="pareto"
      summary={`${AXIS_NAMES[memory]} against recompute. ${all
        .filter(({ strategy }) => strategy !== null)
        .map(sayPoint)
        .join('. ')}. The front has ${line.length} points.${bound === null ? '' : PROOF}`}
      fileName={`pareto-${experiment.model}-batch-${experiment.batch}`}
      height="clamp(240px, calc(100vh - 560px), 392px)"
      data={() =>
        shown === null
          ? table
          : comparisonTable(
              { ...shown.head, batch: experiment.batch },
              view.rows,
              front,
              paretoFront.activationBound,
            )
      }
      table={table}
      legend={[
        ...own.map(({ id, title, color }) => ({ title, color, mark: 'disc' as const, label: id })),
        ...(line.length > 0 ? [FRONT_ENTRY] : []),
        ...(bound === null ? [] : [PROOF_ENTRY]),
      ]}
      axisTitles={{ x: `${AXIS_NAMES[memory]} (${bytes.unit})`, y: 'Recompute (% of a forward)' }}
      tools={<Searching paretoFront={paretoFront} />}
      empty={
        drawn.all.length === 0
          ? all.length === 0 && view.state.running === null
            ? 'Nothing to draw.'
            : 'Solving…'
          : undefined
      }
      plot={(area, y) => (
        <ParetoPlot
          area={area}
          own={drawn.own}
          line={drawn.line}
          bytes={drawn.bytes}
          axis={y}
          bound={drawn.bound}
        />
      )}
      overlay={(area, y) => (
        <ParetoPicker
          area={area}
          points={drawn.all}
          end={drawn.bytes.top}
          axis={y}
          chosen={at}
          onChoose={setChosen}
          onTake={take}
        />
      )}
      footer={
        <p className={`${layout['note']} ${classes['readout']}`} aria-hidden="true">
          {at === null
            ? `${IDLE}${bound === null ? '' : PROOF}`
            : `${sayPoint(at)}.${at.strategy === null ? ' Click to use it as the budget.' : ''}`}
        </p>
      }
    />
  );
}

function Searching({ paretoFront }: { readonly paretoFront: ParetoView }) {
  const { state, store } = paretoFront;
  if (state.running !== null) {
    return (
      <span className={`${layout['note']} ${layout['named']}`} role="status">
        <span>
          Searching the front, {formatPercent(state.running.done)}
          <TimeLeft {...state.running} />
        </span>
        <Button variant="default" size="compact-xs" onClick={store.cancel}>
          Cancel
        </Button>
      </span>
    );
  }
  if (state.cancelled || state.failure !== null) {
    return (
      <span
        className={`${layout['note']} ${layout['named']}`}
        role={state.failure === null ? 'status' : 'alert'}
      >
        {state.failure === null
          ? 'The search was stopped. The points found stay.'
          : asSentence(state.failure.message)}
        <Button variant="default" size="compact-xs" onClick={() => void store.again()}>
          {state.failure === null ? 'Continue' : 'Try again'}
        </Button>
      </span>
    );
  }
  return (
    <span className={`${layout['note']} ${layout['named']}`}>
      {paretoFront.points.length > 0 ? 'predicted' : ''}
    </span>
  );
}
