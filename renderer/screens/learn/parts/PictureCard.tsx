import type { ReactNode } from 'react';
import { ChartCard, type ChartCardProps } from '../../../shared/charts/ChartCard.tsx';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import layout from '../../../shared/layout/layout.module.css';
import type { useSize } from '../../../shared/use-size.ts';
import classes from './learn.module.css';

export interface PictureCardProps extends Omit<ChartCardProps, 'data' | 'height' | 'className'> {
  readonly size: ReturnType<typeof useSize<HTMLDivElement>>;
  readonly height: number;
  /** Names the drawing, for tests and styles. */
  readonly layer: string;
  readonly table: ChartTable;
  /** All rows, where the table that is read out is shortened. */
  readonly whole?: ChartTable;
}

/** A lesson's own drawing in a card: nothing is drawn before its width is known. */
export function PictureCard({
  size,
  layer,
  table,
  whole = table,
  overlay,
  children,
  ...card
}: PictureCardProps) {
  const [ref, { width }] = size;
  return (
    <ChartCard
      {...card}
      className={classes['picture']}
      data={() => whole}
      table={table}
      overlay={width > 0 && overlay}
    >
      <div ref={ref} className={layout['fill']}>
        {width > 0 && (
          <Sheet layer={layer} width={width} height={card.height}>
            {children}
          </Sheet>
        )}
      </div>
    </ChartCard>
  );
}

export interface SheetProps {
  readonly layer: string;
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

export function Sheet({ layer, width, height, children }: SheetProps) {
  return (
    <svg
      data-layer={layer}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      fontSize={12}
    >
      {children}
    </svg>
  );
}
