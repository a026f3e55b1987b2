import { memo } from 'react';
import { ReferenceLine } from 'recharts';
import { type ByteAxis, rangeOf } from '../../../shared/charts/axis.ts';
import { roomBetween, level } from '../../../shared/charts/curve-room.ts';
import { placeLabels } from '../../../shared/charts/place-labels.ts';
import { isShown, type PlotArea, pixelX, pixelY } from '../../../shared/charts/plot-area.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotLine } from '../../../shared/plot/PlotLine.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import { PlotRing } from '../../../shared/plot/PlotRing.tsx';
import type { MeasuredPlot } from './measured-plot.ts';

export interface MeasuredCurvesProps {
  readonly area: PlotArea;
  readonly plot: MeasuredPlot;
  readonly y: ByteAxis;
}

/** Predicted thin, measured solid on top, reserved dotted; hairlines between the phases. */
export const MeasuredCurves = memo(function MeasuredCurves({ area, plot, y }: MeasuredCurvesProps) {
  const { x, borders, curves } = plot;
  const values = rangeOf(y);
  const peaks = plot.peaks.filter((point) => isShown(point.y, values));
  const peak = plot.level !== null && isShown(plot.level.y, values) ? plot.level : null;
  const drawn = [
    ...curves.map(({ points }) => ({ points })),
    ...(peak === null ? [] : [level(peak.y, x.top)]),
  ];
  const room = roomBetween(drawn, { area, end: x.top, top: values });
  const wishes = [
    ...peaks.map((point) => ({
      id: point.id,
      text: point.text,
      x: pixelX(area, point.x, x.top),
      y: pixelY(area, point.y, values),
    })),
    ...(peak === null
      ? []
      : [{ id: 'level', text: peak.text, x: area.left + 80, y: pixelY(area, peak.y, values) }]),
  ];
  const labels = placeLabels(wishes, { ...area, top: 0 }, room);
  return (
    <Plot area={area} x={x} y={y} yTitle={y.unit}>
      {borders.map((place) => (
        <ReferenceLine key={place} x={place} stroke="var(--zz-axis)" />
      ))}
      {peak !== null && <ReferenceLine y={peak.y} stroke="var(--zz-ink)" strokeWidth={2} />}
      {curves.map((curve) => (
        <PlotLine key={curve.id} curve={curve} />
      ))}
      {peaks.map(({ id, text: _text, ...ring }) => (
        <PlotRing key={id} id={id} {...ring} />
      ))}
      <PlotNotes labels={labels} halo="var(--zz-card)" />
    </Plot>
  );
});
