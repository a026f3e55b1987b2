import type { LegendEntry } from '../../shared/charts/export-chart.ts';
import { use } from 'react';
import { AreasDrawn } from '../../shared/charts/areas-drawn.ts';
import layout from '../../shared/layout/layout.module.css';
import { type DeviceHolder, HOLDER_TITLES, HOLDERS } from '../comparison/sized-timeline.ts';

export const holderAreas = (
  title: string,
  holders: readonly DeviceHolder[] = HOLDERS,
): readonly LegendEntry[] =>
  holders.map((holder) => ({
    title: `${title}: ${HOLDER_TITLES[holder]}`,
    color: `var(--zz-hold-${holder})`,
    mark: 'bar',
  }));

export interface HolderLegendProps {
  readonly title: string;
  readonly holders?: readonly DeviceHolder[];
}

export function HolderLegend({ title, holders = HOLDERS }: HolderLegendProps) {
  if (!use(AreasDrawn)) return <span>No areas on a logarithmic axis, where heights do not add up</span>;
  return (
    <>
      <span>{title} holds</span>
      {holders.map((holder) => (
        <span key={holder}>
          <i className={layout['swatch']} style={{ background: `var(--zz-hold-${holder})` }} />
          {HOLDER_TITLES[holder]}
        </span>
      ))}
    </>
  );
}
