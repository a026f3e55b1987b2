import { memo, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../lazy-part.ts';
import layout from '../layout/layout.module.css';
import classes from './charts.module.css';
import type { ChartTable } from './csv.ts';
import {
  type AxisTitles,
  chartSvg,
  csvBlob,
  download,
  type LegendEntry,
  pngBlob,
  svgBlob,
} from './export-chart.ts';
import type { FigureChoice } from './FigureDialog.tsx';
import { pixelsOf } from './figure-size.ts';
import { HeightAxis, type HeightAxisProps } from './HeightAxis.tsx';
import { HeightMenu, type HeightMenuProps } from './HeightMenu.tsx';
import { HiddenTable } from './HiddenTable.tsx';
import { titleInView } from './vertical-view.ts';
import { Menu } from '@mantine/core';
import { DotsMenu } from '../layout/DotsMenu.tsx';

export interface VerticalControls extends HeightMenuProps, HeightAxisProps {}

export interface ChartCardProps {
  readonly title: string;
  /** Said in place of the picture. */
  readonly summary: string;
  readonly fileName: string;
  /** Title of the saved picture where it differs from the chart's own. */
  readonly pictureTitle?: string;
  /** CSS height of the picture; it never depends on what is drawn. */
  readonly height: number | string;
  /** All that the chart shows, for CSV; computed when asked for. */
  readonly data: () => ChartTable;
  /** The same, short enough to be read out. */
  readonly table: ChartTable | null;
  readonly legend?: readonly LegendEntry[];
  /** Areas of the chart, for the key of saved pictures. */
  readonly areas?: readonly LegendEntry[];
  /** On fewer pixels, on a phone or in a column, its bars lie on their side at a height of their own. */
  readonly narrow?: { readonly below: number; readonly height: number };
  /** Axis titles of saved pictures: on screen the card's title and tools say them. */
  readonly axisTitles?: AxisTitles | undefined;
  readonly vertical?: VerticalControls | undefined;
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

const FigureDialog = lazyPart(() => import('./FigureDialog.tsx').then((file) => file.FigureDialog));

export function ChartCard(props: ChartCardProps) {
  const { title, summary, height, table, vertical, tools, empty, overlay, footer } = props;
  const figure = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const save = useCallback((kind: ImageKind) => {
    if (figure.current !== null) void saveChart(kind, figure.current, latest.current);
  }, []);
  const [isPrinting, setPrinting] = useState<boolean | null>(null);
  const print = useCallback(() => setPrinting(true), []);
  const onPrint = (choice: FigureChoice): Promise<string | null> =>
    figure.current === null ? Promise.resolve(null) : printChart(choice, figure.current, latest.current);

  return (
    <section
      className={`${layout['card']} ${layout['padded']} ${classes['card']} ${props.className ?? ''}`}
      aria-label={title}
    >
      <header className={layout['head']}>
        <h2>{title}</h2>
        <div className={classes['cardTools']}>
          {vertical !== undefined && <HeightMenu {...vertical} />}
          <ExportMenu title={title} disabled={Boolean(empty)} onSave={save} onPrint={print} />
          {tools}
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
            {vertical !== undefined && vertical.area.width > 0 && <HeightAxis {...vertical} />}
          </>
        )}
      </div>
      {footer}
      {isPrinting !== null && (
        <Suspense fallback={null}>
          <FigureDialog
            title={props.pictureTitle ?? title}
            opened={isPrinting}
            onClose={() => setPrinting(false)}
            onSave={onPrint}
            keyed={keyOf(props).length > 0}
          />
        </Suspense>
      )}
      {table !== null && !empty && <HiddenTable table={table} />}
    </section>
  );
}

function axesOf({ axisTitles, vertical, narrow }: ChartCardProps, width: number): AxisTitles | undefined {
  if (axisTitles === undefined) return undefined;
  if (narrow !== undefined && width < narrow.below) return { x: axisTitles.y };
  if (vertical === undefined) return axisTitles;
  return { ...axisTitles, y: titleInView(axisTitles.y, vertical.view) };
}

const keyOf = ({ legend = [], areas = [] }: ChartCardProps): LegendEntry[] => [...legend, ...areas];

async function saveChart(kind: ImageKind, figure: HTMLElement, props: ChartCardProps): Promise<void> {
  const { fileName, data } = props;
  const title = props.pictureTitle ?? props.title;
  const name = `${fileName}.${kind}`;
  if (kind === 'csv') {
    download(csvBlob(data()), name);
    return;
  }
  const svg = chartSvg({ figure, title, legend: keyOf(props), axes: axesOf(props, figure.clientWidth) });
  download(kind === 'svg' ? svgBlob(svg) : await pngBlob(svg), name);
}

async function printChart(
  { size, format, hasTitle, hasKey }: FigureChoice,
  figure: HTMLElement,
  props: ChartCardProps,
): Promise<string | null> {
  const { saveFigure } = await import('./save-figure.ts');
  const name = props.pictureTitle ?? props.title;
  const { height, narrow } = props;
  const width = size.widthMm === null ? figure.clientWidth : pixelsOf(size.widthMm, size);
  const ownHeight = narrow !== undefined && width < narrow.below ? narrow.height : height;
  try {
    await saveFigure(
      {
        figure,
        title: hasTitle ? name : null,
        legend: hasKey ? keyOf(props) : [],
        axes: axesOf(props, width),
        height: typeof ownHeight === 'number' ? ownHeight : null,
        name,
        fileName: props.fileName,
      },
      { size, format },
    );
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type ImageKind = 'svg' | 'png' | 'csv';

interface ExportMenuProps {
  readonly title: string;
  readonly disabled: boolean;
  readonly onSave: (kind: ImageKind) => void;
  readonly onPrint: () => void;
}

const ExportMenu = memo(function ExportMenu({ title, disabled, onSave, onPrint }: ExportMenuProps) {
  return (
    <DotsMenu label={`Save the chart ${title}`} disabled={disabled} className={classes['atHand']}>
      <Menu.Item onClick={onPrint}>Figure for print (PDF, SVG, PNG)…</Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={() => onSave('svg')}>Save as SVG</Menu.Item>
      <Menu.Item onClick={() => onSave('png')}>Save as PNG</Menu.Item>
      <Menu.Item onClick={() => onSave('csv')}>Save data as CSV</Menu.Item>
    </DotsMenu>
  );
});
