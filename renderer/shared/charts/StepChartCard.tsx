import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { createStore, type Store, useStore } from '../store.ts';
import { useSize } from '../use-size.ts';
import { ChartCard, type ChartCardProps } from './ChartCard.tsx';
import layout from '../layout/layout.module.css';
import type { StepCursorStore } from './cursor-store.ts';
import { type CursorTrack, moveCursor } from './move-cursor.ts';
import { Overview } from './Overview.tsx';
import { type PlotArea, plotArea, type Values } from './plot-area.ts';
import { ScaleSwitch, type ScaleSwitchProps } from './ScaleSwitch.tsx';
import { StepChart, type StepDrawing } from './StepChart.tsx';
import { type CursorDot, StepCursor } from './StepCursor.tsx';
import { StepNotes } from './StepNotes.tsx';
import type { StepAxis, StepScale } from './step-axis.ts';
import { leastHeld, stepExtent, type StepFrame } from './step-curves.ts';
import { sayPlace } from './step-ticks.ts';
import { clampWindow, type StepWindow, wholeOf } from './step-window.ts';
import type { StepZoom } from './use-plot-gestures.ts';
import { AreasDrawn } from './areas-drawn.ts';
import { sayHeight, type VerticalView, viewedAxis, WHOLE_HEIGHT } from './vertical-view.ts';
import { ZoomButtons } from './ZoomButtons.tsx';

/** A line is about this wide: finer columns are not seen, but drawn for every frame. */
const LINE_WIDTH = 1.5;

export interface StepChartCardProps extends Omit<ChartCardProps, 'children' | 'overlay' | 'vertical'> {
  readonly testId: string;
  /** Axes of all curves: the longest decides how long the x axis is. Keeps its identity while they are the same. */
  readonly axes: readonly StepAxis[];
  /** Draws a part of the x axis; keeps its identity while the curves are the same. */
  readonly draw: (frame: StepFrame) => StepDrawing;
  /** Name of the vertical axis; its unit alone if none exists. */
  readonly axisName?: string;
  readonly front: CursorTrack | null;
  readonly scale: StepScale;
  /** Choices of the x axis; none where there is one scale only. */
  readonly scales?: ScaleSwitchProps | undefined;
  readonly cursor: StepCursorStore;
  /** The part in view of an x axis that can be zoomed, with an overview under the chart. */
  readonly window?: Store<StepWindow | null>;
  /** The part of the vertical axis in view; the chart has its own where nobody else remembers it. */
  readonly heightView?: Store<VerticalView>;
  readonly dotsAt: (place: number) => readonly CursorDot[];
  readonly describe: (place: number) => string;
  /** Laid over the cursor, with the vertical axis as it is drawn. */
  readonly handle?: ((area: PlotArea, values: Values) => ReactNode) | undefined;
}

export function StepChartCard(props: StepChartCardProps) {
  const {
    testId,
    axes,
    draw,
    axisName,
    front,
    scale,
    scales,
    cursor,
    window: store,
    heightView,
    dotsAt,
    describe,
    handle,
    ...card
  } = props;
  const [ref, size] = useSize<HTMLDivElement>();
  const area = useMemo(() => plotArea(size.width, size.height), [size]);
  const extent = useMemo(() => stepExtent(axes, scale), [axes, scale]);
  const chosen = useStore(store ?? WHOLE);
  const window = useMemo(() => clampWindow(chosen, extent), [chosen, extent]);
  const zoom = useMemo<StepZoom | undefined>(
    () => (store === undefined ? undefined : { window: store, extent }),
    [store, extent],
  );
  const columns = Math.max(1, Math.round((area.right - area.left) / LINE_WIDTH));
  const whole = useMemo(
    () => draw({ scale, window: wholeOf(extent), columns }),
    [draw, scale, extent, columns],
  );
  const drawing = useMemo(
    () => (chosen === null ? whole : draw({ scale, window, columns })),
    [draw, scale, chosen, whole, window, columns],
  );
  const [ownView] = useState(() => createStore(WHOLE_HEIGHT));
  const views = heightView ?? ownView;
  const view = useStore(views);
  const bytes = useMemo(() => viewedAxis(drawing.bytes, view, leastHeld(drawing.curves)), [drawing, view]);
  const values = bytes.range ?? bytes.top;
  useLetGo(cursor);
  const onKey = useCallback(
    (key: string, big: boolean, place: number | null) =>
      front === null ? null : moveCursor(front, scale, key, big, place),
    [front, scale],
  );
  const isDrawn = size.width > 0;
  return (
    <ChartCard
      {...card}
      axisTitles={
        card.axisTitles ?? {
          x: scaleTitle(scale, scales?.timeTitle),
          y: `${axisName ?? 'Live memory'} (${drawing.bytes.unit})`,
        }
      }
      {...(view.isLog ? { areas: [] } : {})}
      vertical={{
        area,
        view,
        onView: views.set,
        says: sayHeight(bytes, ` ${drawing.bytes.unit}`),
        isFromZero: drawing.bytes.range === undefined,
        hasAreas: true,
        refusal: null,
      }}
      tools={
        <>
          {card.tools}
          {zoom !== undefined && <ZoomButtons zoom={zoom} />}
          {scales !== undefined && <ScaleSwitch {...scales} />}
        </>
      }
      overlay={
        isDrawn && (
          <>
            <StepCursor
              area={area}
              end={extent.end}
              topBytes={values}
              cursor={cursor}
              zoom={zoom}
              label="Step of the training step"
              onKey={onKey}
              dotsAt={dotsAt}
              describe={describe}
            />
            {handle?.(area, values)}
          </>
        )
      }
      footer={
        <>
          <AreasDrawn value={!view.isLog}>{card.footer}</AreasDrawn>
          {zoom !== undefined && (
            <Overview zoom={zoom} cursor={cursor} drawing={whole} say={(place) => sayPlace(extent, place)} />
          )}
        </>
      }
    >
      <div ref={ref} className={layout['fill']} data-testid={testId}>
        {isDrawn && (
          <>
            <StepChart
              area={area}
              extent={extent}
              window={window}
              {...drawing}
              bytes={bytes}
              bands={view.isLog ? NO_BANDS : drawing.bands}
            />
            <StepNotes
              area={area}
              extent={extent}
              window={window}
              topBytes={values}
              unit={drawing.bytes.unit}
              axisName={axisName}
              marks={drawing.marks}
              limit={drawing.limit}
              curves={drawing.curves}
            />
          </>
        )}
      </div>
    </ChartCard>
  );
}

function scaleTitle(scale: StepScale, timeTitle = 'Predicted time'): string {
  if (scale === 'operations') return 'Operations run';
  return scale === 'time' ? `${timeTitle} (ms)` : 'Training step (both passes aligned)';
}

const NO_BANDS: StepDrawing['bands'] = [];

const WHOLE: Pick<Store<StepWindow | null>, 'get' | 'subscribe'> = {
  get: () => null,
  subscribe: () => () => undefined,
};

const TYPED = 'input:not([type="radio"], [type="checkbox"]), textarea, select';
const IN_FRONT = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Escape lets a held cursor go from anywhere on the screen, before it cancels work. */
function useLetGo(cursor: StepCursorStore): void {
  const isHeld = useStore(cursor.held);
  useEffect(() => {
    if (!isHeld) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(TYPED) != null) return;
      if ([...document.querySelectorAll(IN_FRONT)].some((layer) => layer.getClientRects().length > 0)) return;
      event.preventDefault();
      cursor.letGo();
    };
    // Before the lab's own shortcuts, for which Escape cancels what is running.
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [cursor, isHeld]);
}
