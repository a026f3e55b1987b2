import { Box, Flex, Group, Stack } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import layout from '../../../shared/layout/layout.module.css';
import { useSize } from '../../../shared/use-size.ts';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { usePage } from '../../../state/parts/use-page.ts';
import classes from './learn.module.css';
import { PictureCard } from './PictureCard.tsx';
import { PlayerBar } from './PlayerBar.tsx';
import { PlotSlider } from './PlotSlider.tsx';
import { printedFrames } from './printed-frames.ts';
import { Trace, TRACE_HEIGHT, traceArea, type Traced, traceEnd } from './Trace.tsx';
import { frameAt } from './trace.ts';
import { usePlayer } from './use-player.ts';
import { usePrinting } from './use-printing.ts';

/** A board that fits into a width. */
export interface BoardView {
  readonly height: number;
  readonly draw: (at: number) => ReactNode;
}

export interface PlayerCardProps {
  readonly layer: string;
  readonly title: string;
  readonly fileName: string;
  readonly table: ChartTable;
  /** Said after the sentence of the move in place of the picture. */
  readonly summary: string;
  readonly sentence: (at: number) => string;
  readonly counters: (at: number) => Readonly<Record<string, number>>;
  /** Keeps its identity while the play is the same. */
  readonly board: (width: number) => BoardView;
  readonly trace: Traced;
  readonly legend: ReactNode;
  /** Frame that is shown until the reader moves. */
  readonly first?: number;
  /** Words below a printed step. */
  readonly caption: (at: number) => string;
  /** Frames that a printed page must not leave out. */
  readonly marks: readonly number[];
}

/** A longer table helps nobody; the file has all rows. */
const MAX_ROWS = 200;
const PRINTED_WIDTH = 400;

/** A board that is played move by move over the curve of its pebbles. The link keeps the move. */
export function PlayerCard(props: PlayerCardProps) {
  const { layer, title, fileName, table, board, trace, legend, first = 0 } = props;
  const frames = trace.live.length;
  const { params, set } = usePage();
  const player = usePlayer({
    frames,
    at: wholeNumber(params['at'], 0, frames - 1, first),
    onRest: (at) => set({ at }),
  });
  const { at, playing } = player;
  const isPrinting = usePrinting();
  const size = useSize<HTMLDivElement>();
  const [, { width }] = size;
  const { height, draw } = useMemo(() => board(width), [board, width]);
  const shortTable = useMemo(() => ({ ...table, rows: table.rows.slice(0, MAX_ROWS) }), [table]);
  const sentence = props.sentence(at);
  return (
    <PictureCard
      layer={layer}
      size={size}
      title={title}
      summary={`${sentence} ${props.summary}`}
      fileName={fileName}
      height={height + TRACE_HEIGHT}
      table={shortTable}
      whole={table}
      overlay={
        <PlotSlider
          area={traceArea(width)}
          above={height}
          label="Step"
          text={sentence}
          at={at + 1}
          min={1}
          max={frames}
          valueAt={(pixel) => 1 + frameAt(traceArea(width), pixel, traceEnd(trace))}
          onMove={(step) => player.seek(step - 1)}
          onToggle={player.toggle}
        />
      }
      bar={
        <Group justify="space-between" gap="8px 24px" pb={8} className={classes['playRow']}>
          <PlayerBar player={player} last={frames - 1} />
          <Flex component="dl" wrap="wrap" gap="0 16px">
            {Object.entries(props.counters(at)).map(([name, value]) => (
              <Flex key={name} align="baseline" gap={8}>
                <dt className={layout['note']}>{name}</dt>
                <Box component="dd" miw="3ch" fz={16} lh="24px" fw={600}>
                  {value}
                </Box>
              </Flex>
            ))}
          </Flex>
        </Group>
      }
      footer={
        <Stack gap={8} pt={8}>
          <p className={classes['reading']} role="status" aria-live={playing ? 'off' : 'polite'}>
            {sentence}
          </p>
          {legend}
          {isPrinting && <PrintedSteps {...props} />}
        </Stack>
      }
    >
      {draw(at)}
      <g transform={`translate(0 ${height})`}>
        <Trace width={width} at={at} trace={trace} />
      </g>
    </PictureCard>
  );
}

function PrintedSteps({ board, trace, marks, caption }: PlayerCardProps) {
  const all = trace.live.length;
  const steps = printedFrames(all, marks);
  const { height, draw } = board(PRINTED_WIDTH);
  return (
    <div className={classes['steps']} data-printed={steps.length}>
      {steps.map((at) => (
        <figure key={at}>
          <svg viewBox={`0 0 ${PRINTED_WIDTH} ${height}`} aria-hidden="true" fontSize={12}>
            {draw(at)}
          </svg>
          <figcaption>
            {at + 1} of {all}. {caption(at)}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
