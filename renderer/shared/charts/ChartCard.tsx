import { ActionIcon, Menu } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { DotsIcon } from '../icons.tsx';
import classes from './charts.module.css';
import type { ChartTable } from './csv.ts';
import {
  type ExportRequest,
  chartSvg,
  csvBlob,
  download,
  type LegendEntry,
  pngBlob,
  svgBlob,
} from './export-chart.ts';
import { HiddenTable } from './HiddenTable.tsx';

export interface ChartCardProps {
  readonly title: string;
  /** Said in place of the picture. */
  readonly summary: string;
  readonly fileName: string;
  /** CSS height of the picture; it never depends on what is drawn. */
  readonly height: number | string;
  /** All that the chart shows, for CSV; computed when asked for. */
  readonly data: () => ChartTable;
  /** The same, short enough to be read out. */
  readonly table: ChartTable | null;
  readonly legend?: readonly LegendEntry[];
  readonly tools?: ReactNode;
  /** Shown in the figure's place while there is nothing to draw; the space stays the same. */
  readonly empty?: ReactNode;
  /** Laid over the picture, interactive; not part of the image. */
  readonly overlay?: ReactNode;
  readonly footer?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The frame of every chart: title, tools, export, the picture with its text alternative. */
export function ChartCard(props: ChartCardProps) {
  const { title, summary, fileName, height, data, table, legend = [], tools, empty, overlay, footer } = props;
  const figure = useRef<HTMLDivElement>(null);
  const picture = (): ExportRequest | null =>
    figure.current === null ? null : { figure: figure.current, title, legend };

  const save = async (kind: 'svg' | 'png' | 'csv'): Promise<void> => {
    const request = picture();
    if (request === null) return;
    const name = `${fileName}.${kind}`;
    if (kind === 'csv') download(csvBlob(data()), name);
    else if (kind === 'svg') download(svgBlob(chartSvg(request)), name);
    else download(await pngBlob(chartSvg(request)), name);
  };

  return (
    <section className={`${classes['card']} ${props.className ?? ''}`} aria-label={title}>
      <header className={classes['cardHead']}>
        <h2 className={classes['cardTitle']}>{title}</h2>
        <div className={classes['cardTools']}>
          {tools}
          <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                aria-label={`Save the chart ${title}`}
                disabled={Boolean(empty)}
              >
                <DotsIcon />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => save('svg')}>Save as SVG</Menu.Item>
              <Menu.Item onClick={() => save('png')}>Save as PNG</Menu.Item>
              <Menu.Item onClick={() => save('csv')}>Save data as CSV</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </header>
      <div className={classes['figureBox']} style={{ height }}>
        {empty ? (
          <div className={classes['empty']}>{empty}</div>
        ) : (
          <>
            <div ref={figure} className={classes['figure']} role="img" aria-label={summary}>
              {props.children}
            </div>
            {overlay}
          </>
        )}
      </div>
      {footer}
      {table !== null && !empty && <HiddenTable table={table} />}
    </section>
  );
}
