import { WaterfallChart } from '../../../shared/charts/WaterfallChart.tsx';
import { formatExactBytes } from '../../../shared/format/bytes.ts';
import classes from './learn.module.css';
import type { BarName, Waterfall } from '../model/waterfall.ts';

export interface WaterfallPictureProps {
  readonly title: string;
  readonly fileName: string;
  readonly waterfall: Waterfall;
}

const BAR_TITLES: Readonly<Record<BarName, string>> = {
  theory: 'Eq. 2',
  source: 'Input batch',
  checkpoints: 'Checkpoints not held now',
  segment: 'Segment, now against largest',
  undrawn: 'Outputs that theory does not draw',
  gradients: 'Gradients',
  statistics: 'Batch statistics',
  indices: 'Indices of max pools',
  masks: 'Dropout masks',
  others: 'Other auxiliaries',
  sharing: 'In place and shared',
};

const FILLS: Readonly<Record<BarName, string>> = {
  theory: 'var(--zz-neutral)',
  source: 'var(--zz-hold-input)',
  checkpoints: 'var(--zz-hold-checkpoints)',
  segment: 'var(--zz-hold-recomputed)',
  undrawn: 'var(--zz-hold-recomputed)',
  gradients: 'var(--zz-hold-gradients)',
  statistics: 'var(--zz-hold-auxiliaries)',
  indices: 'var(--zz-hold-auxiliaries)',
  masks: 'var(--zz-hold-auxiliaries)',
  others: 'var(--zz-hold-auxiliaries)',
  sharing: 'var(--zz-hold-checkpoints)',
};

/** From Eq. 2 to the peak, one bar a row. What adds nothing has no row. */
export function WaterfallPicture({ title, fileName, waterfall }: WaterfallPictureProps) {
  const { bars, peakBytes } = waterfall;
  const drawn = bars.filter(({ name, bytes }) => bytes !== 0 || name === 'theory');
  const absent = bars.filter((bar) => !drawn.includes(bar)).map(({ name }) => lowerFirst(BAR_TITLES[name]));
  const table = {
    caption: title,
    columns: ['Part', 'Bytes', 'Sum so far'],
    rows: [
      ...bars.map(({ name, bytes, from }) => [BAR_TITLES[name], bytes, from + bytes]),
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
          title: BAR_TITLES[name],
          bytes,
          from,
          fill: FILLS[name],
          isTotal: name === 'theory',
        })),
        { id: 'peak', title: 'Peak', bytes: peakBytes, from: 0, fill: 'var(--zz-ink)', isTotal: true },
      ]}
      footer={
        <p className={classes['reading']}>
          All bars together: {formatExactBytes(peakBytes)}, the peak to the byte.
          {absent.length > 0 && ` Nothing at this instant: ${absent.join(', ')}.`}
        </p>
      }
    />
  );
}

/** As inside of a sentence; "Eq. 2" is always drawn. */
const lowerFirst = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1);
