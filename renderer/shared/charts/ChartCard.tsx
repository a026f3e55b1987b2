import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import layout from '../layout/layout.module.css';
import classes from './charts.module.css';
import type { ChartTable } from './csv.ts';
import { chartSvg, csvBlob, download, type LegendEntry, pngBlob, svgBlob } from './export-chart.ts';
import { ExportMenu, type ImageKind } from './ExportMenu.tsx';
import { HiddenTable } from './HiddenTable.tsx';

export interface ChartCardProps {
  readonly title: string;
  /** Said in place of the picture. */
  readonly summary: string;
  readonly fileName: string;
  /** Title of the saved picture, which says what the screen around the chart says; else the chart's own. */
  readonly pictureTitle?: string;
  /** CSS height of the picture; it never depends on what is drawn. */
  readonly height: number | string;
  /** All that the chart shows, for CSV; computed when asked for. */
  readonly data: () => ChartTable;
  /** The same, short enough to be read out. */
  readonly table: ChartTable | null;
  readonly legend?: readonly LegendEntry[];
  readonly tools?: ReactNode;
  /** Between title and picture: what drives a picture that is higher than the window may be. */
  readonly bar?: ReactNode;
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
  const { title, summary, height, table, tools, empty, overlay, footer } = props;
  const figure = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const save = useCallback((kind: ImageKind) => {
    if (figure.current !== null) void saveChart(kind, figure.current, latest.current);
  }, []);

  return (
    <section
      className={`${layout['card']} ${layout['padded']} ${classes['card']} ${props.className ?? ''}`}
      aria-label={title}
    >
      <header className={layout['head']}>
        <h2>{title}</h2>
        <div className={classes['cardTools']}>
          {tools}
          <ExportMenu title={title} disabled={Boolean(empty)} onSave={save} />
        </div>
      </header>
      {props.bar}
      <div className={classes['figureBox']} style={{ height }}>
        {empty ? (
          <div className={layout['empty']}>{empty}</div>
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

async function saveChart(kind: ImageKind, figure: HTMLElement, props: ChartCardProps): Promise<void> {
  const { fileName, data, legend = [] } = props;
  const title = props.pictureTitle ?? props.title;
  const name = `${fileName}.${kind}`;
  if (kind === 'csv') download(csvBlob(data()), name);
  else if (kind === 'svg') download(svgBlob(chartSvg({ figure, title, legend })), name);
  else download(await pngBlob(chartSvg({ figure, title, legend })), name);
}
