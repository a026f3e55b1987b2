import { WaterfallChart } from '../../../shared/charts/WaterfallChart.tsx';
import { formatExactBytes } from '../../../shared/format/bytes.ts';
import classes from './learn.module.css';
import type { BarName, Waterfall } from '../model/waterfall.ts';

export interface WaterfallPictureProps {
  readonly title: string;
  readonly fileName: string;
  readonly waterfall: Waterfall;
}

const BARS: Readonly<Record<BarName, readonly [title: string, color: string]>> = {
  theory: ['Eq. 2', 'neutral'],
  source: ['Input batch', 'hold-input'],
  checkpoints: ['Checkpoints freed by then', 'hold-checkpoints'],
  segment: ['Segment at the peak, against the largest', 'hold-recomputed'],
  undrawn: ['Outputs missing in the theory', 'hold-recomputed'],
  gradients: ['Gradients', 'hold-gradients'],
  statistics: ['Batch statistics', 'hold-auxiliaries'],
  indices: ['Indices of max pools', 'hold-auxiliaries'],
  masks: ['Dropout masks', 'hold-auxiliaries'],
  others: ['Other auxiliaries', 'hold-auxiliaries'],
  sharing: ['In-place and views', 'hold-checkpoints'],
};

/** From Eq. 2 to the peak, one bar a row. What adds nothing has no row. */
export function WaterfallPicture({ title, fileName, waterfall }: WaterfallPictureProps) {
  const { bars, peakBytes } = waterfall;
  const drawn = bars.filter(({ name, bytes }) => bytes !== 0 || name === 'theory');
  const absent = bars.filter((bar) => !drawn.includes(bar)).map(({ name }) => lowerFirst(BARS[name][0]));
  const table = {
    caption: title,
    columns: ['Part', 'Bytes', 'Sum so far'],
    rows: [
      ...bars.map(({ name, bytes, from }) => [BARS[name][0], bytes, from + bytes]),
      ['Peak', peakBytes, peakBytes],
    ],
  };
  return (
    <WaterfallChart
      title={title}
      fileName={fileName}
      className={classes['picture']}
      data={() => table}
      table={table}
      rows={[
        ...drawn.map(({ name, bytes, from }) => ({
          id: name,
          title: BARS[name][0],
          bytes,
          from,
          fill: `var(--zz-${BARS[name][1]})`,
          isTotal: name === 'theory',
        })),
        { id: 'peak', title: 'Peak', bytes: peakBytes, from: 0, fill: 'var(--zz-ink)', isTotal: true },
      ]}
      footer={
        <p className={classes['reading']}>
          Sum of all bars: {formatExactBytes(peakBytes)}, exactly the peak.
          {absent.length > 0 && ` Nothing at this instant: ${absent.join(', ')}.`}
        </p>
      }
    />
  );
}

/** As inside of a sentence; "Eq. 2" is always drawn. */
const lowerFirst = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1);
