import { useCallback, useMemo } from 'react';
import { Legend } from '../../../shared/charts/Legend.tsx';
import { PlotCard } from '../../../shared/charts/PlotCard.tsx';
import { useCatalog } from '../../../state/workspace/use-workspace.ts';
import { CutoffBars } from './CutoffBars.tsx';
import { BARS, cutoffPairs, cutoffTable } from './cutoff-bars.ts';
import { SHORT_TITLES } from '../state/layout.ts';
import type { NetworkTableView } from '../use-table.ts';

const MARGIN = { left: 48, right: 0, top: 20, bottom: 44 } as const;

/** The table as a picture: the paper's cut-off beside ours, a pair of bars a network. */
export function CutoffChart({ view }: { readonly view: NetworkTableView }) {
  const { name, table } = view;
  const { models } = useCatalog();
  const titles = useMemo(() => new Map(models.map((model) => [model.name, model.title])), [models]);
  const pairs = useMemo(() => cutoffPairs(name, table, titles), [name, table, titles]);
  const hidden = useMemo(() => cutoffTable(pairs, SHORT_TITLES[name]), [pairs, name]);
  const titleOf = useCallback((network: string) => titles.get(network) ?? network, [titles]);
  const legend = BARS.map(({ key, title, color }) => ({
    title: key === 'paper' ? SHORT_TITLES[name] : title,
    color,
    mark: 'bar' as const,
  }));
  const what = name === 'theory' ? 'Theoretical memory cut-off' : 'Memory cut-off';

  return (
    <PlotCard
      title={`${what}, paper and ours`}
      summary={`${what} of ${pairs.length} networks: the paper’s beside ours. ${pairs
        .filter(({ ours }) => ours !== null)
        .map(
          ({ network, paper, ours }) => `${titleOf(network)}: ${paper} and ${Math.round(ours ?? 0)} percent`,
        )
        .join('; ')}.`}
      fileName={`cutoff-${name}`}
      height="clamp(184px, 26vh, 280px)"
      leastWidth={640}
      axisTitles={{ y: `${what} (%)` }}
      data={() => hidden}
      table={hidden}
      legend={legend}
      tools={<Legend entries={legend} />}
      empty={pairs.length === 0 ? 'The picture comes with the first rows.' : undefined}
      testId="cutoff"
      margin={MARGIN}
      plot={(area) => <CutoffBars pairs={pairs} area={area} titleOf={titleOf} />}
    />
  );
}
