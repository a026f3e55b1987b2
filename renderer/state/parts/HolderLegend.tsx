import type { LegendEntry } from '../../shared/charts/export-chart.ts';
import { use } from 'react';
import { AreasDrawn } from '../../shared/charts/areas-drawn.ts';
import layout from '../../shared/layout/layout.module.css';
import { HOLDER_TITLES, HOLDERS } from '../comparison/sized-timeline.ts';

export const holderAreas = (title: string): readonly LegendEntry[] =>
  HOLDERS.map((holder) => ({
    title: `${title}: ${HOLDER_TITLES[holder]}`,
    color: `var(--zz-hold-${holder})`,
    mark: 'bar',
  }));

export function HolderLegend({ title }: { readonly title: string }) {
  if (!use(AreasDrawn)) return <span>No areas on a logarithmic axis: their heights would not add up</span>;
  return (
    <>
      <span>{title} holds</span>
      {HOLDERS.map((holder) => (
        <span key={holder}>
          <i className={layout['swatch']} style={{ background: `var(--zz-hold-${holder})` }} />
          {HOLDER_TITLES[holder]}
        </span>
      ))}
    </>
  );
}
