import type { ChartTable } from '../../../shared/charts/csv.ts';
import { type Axis, byteAxis, percentAxis } from '../../../shared/charts/axis.ts';
import { THIN } from '../../../shared/format/numbers.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import {
  formatMeasure,
  type Measure,
  type NetworkRow,
  figureOf,
} from '../../../state/comparison/networks-matrix.ts';

export interface BarGroup {
  readonly id: string;
  readonly title: string;
  /** By strategy; absent where there is no figure. */
  readonly values: Readonly<Record<string, number>>;
}

export interface BarSeries {
  readonly name: string;
  readonly title: string;
  readonly color: string;
  readonly dash: string | undefined;
}

export interface NetworkBars {
  readonly groups: readonly BarGroup[];
  readonly series: readonly BarSeries[];
  readonly axis: Axis;
}

/** A group of bars a network, a bar a strategy. Regular is drawn for bytes only: the others are shares of it. */
export function networkBars(networks: readonly NetworkRow[], measure: Measure): NetworkBars {
  const isDrawn = (name: string): boolean => measure === 'peak' || name !== 'regular';
  const series = (networks[0]?.rows ?? [])
    .filter(({ identity }) => isDrawn(identity.name))
    .map(({ identity }) => ({
      name: identity.name,
      title: identity.title,
      color: colorOf(identity),
      dash: identity.dash,
    }));
  const groups = networks.map(({ place, title, rows }) => ({
    id: `${place} ${title}`,
    title,
    values: Object.fromEntries(
      rows.flatMap((row) => {
        const value = figureOf(row, measure);
        return value === null || !isDrawn(row.identity.name) ? [] : [[row.identity.name, value]];
      }),
    ),
  }));
  const all = groups.flatMap(({ values }) => Object.values(values));
  if (measure !== 'peak')
    return { groups, series, axis: percentAxis(Math.min(0, ...all), Math.max(0.05, ...all)) };
  const axis = byteAxis(Math.max(0, ...all), 4);
  return { groups, series, axis: { ...axis, format: (bytes) => `${axis.format(bytes)}${THIN}${axis.unit}` } };
}

export function barsTable(networks: readonly NetworkRow[], measure: Measure, caption: string): ChartTable {
  const names = (networks[0]?.rows ?? []).map(({ identity }) => identity.title);
  return {
    caption,
    columns: ['Network', ...names],
    rows: networks.map(({ title, single, rows }) => [
      `${title}, batch ${single.batch}`,
      ...rows.map((row) => {
        const value = figureOf(row, measure);
        return value === null ? null : formatMeasure(value, measure);
      }),
    ]),
  };
}
