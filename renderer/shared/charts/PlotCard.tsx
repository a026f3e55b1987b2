import { type ReactNode, Suspense, useMemo } from 'react';
import layout from '../layout/layout.module.css';
import { useSize } from '../use-size.ts';
import { ChartCard, type ChartCardProps, type VerticalControls } from './ChartCard.tsx';
import { type Margin, type PlotArea, plotArea } from './plot-area.ts';

export interface PlotCardProps extends Omit<ChartCardProps, 'children' | 'overlay' | 'vertical'> {
  readonly testId?: string;
  /** Room around the plot where it is not the usual; keeps its identity. */
  readonly margin?: Partial<Margin>;
  readonly vertical?: Omit<VerticalControls, 'area'>;
  /** The picture, once it is known how large it is; its file may come later. */
  readonly plot: (area: PlotArea) => ReactNode;
  readonly overlay?: (area: PlotArea) => ReactNode;
}

export function PlotCard({ testId, margin, vertical, plot, overlay, ...card }: PlotCardProps) {
  const [ref, { width, height }] = useSize<HTMLDivElement>();
  const { narrow } = card;
  const isNarrow = narrow !== undefined && width > 0 && width < narrow.below;
  const area = useMemo(() => plotArea(width, height, margin), [width, height, margin]);
  return (
    <ChartCard
      {...card}
      {...(isNarrow && { height: narrow.height })}
      vertical={vertical && { ...vertical, area }}
      overlay={width > 0 && overlay?.(area)}
    >
      <div ref={ref} className={layout['fill']} data-testid={testId}>
        <Suspense fallback={null}>{width > 0 && plot(area)}</Suspense>
      </div>
    </ChartCard>
  );
}
