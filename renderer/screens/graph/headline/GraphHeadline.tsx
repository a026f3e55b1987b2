import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { Term } from '../../../state/parts/Term.tsx';
import { useCatalog, useLabView } from '../../../state/workspace/use-workspace.ts';
import { Headline } from '../../../shared/layout/Headline.tsx';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { NotDrawn } from './NotDrawn.tsx';
import type { GraphState } from '../state/graph-store.ts';
import { countKinds } from '../division/tree-rows.ts';
import type { GraphModel } from '../use-graph.ts';

export interface GraphHeadlineProps {
  readonly model: GraphModel | null;
  readonly state: GraphState;
}

export function GraphHeadline({ model, state }: GraphHeadlineProps) {
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const title = models.find(({ name }) => name === experiment.model)?.title ?? experiment.model;
  const { failure } = state;
  if (model === null || model.network.key !== state.wanted) {
    return <NotDrawn title={title} failure={failure} sentence={`No drawing of ${title}`} />;
  }
  const { paper } = model.network;
  const { optima, tensors, view } = paper;
  return (
    <Headline
      sentence={
        <>
          {title} is <b>{formatCount(tensors.size)}</b> tensors joined by{' '}
          <b>{formatCount(tensors.edgeCount)}</b> edges; keeping <b>{countsOf(optima)}</b> is optimal by{' '}
          <Term id="eq2">Eq. 2</Term>, <b>{formatBytes(optima[0]!.cost * experiment.batch)}</b>.
        </>
      }
    >
      <StatusLine>
        <span>
          <Term id="division-tree">Divides</Term> into {partsOf(paper)}
          <span title={`Found by min-fill, ${formatCount(view.decomposition.bags.length)} bags`}>
            ; <Term id="treewidth">treewidth</Term> at most {view.decomposition.width}
          </span>
          .
        </span>
      </StatusLine>
    </Headline>
  );
}

/** "8", "8 or 9", "2, 5 or 6", or with many "3 to 11": sets of equal cost need not be of equal size. */
export function countsOf(optima: readonly { readonly checkpoints: readonly number[] }[]): string {
  const counts = [...new Set(optima.map(({ checkpoints }) => checkpoints.length))].sort((a, b) => a - b);
  const words = counts.map((count) => (count === 0 ? 'none' : formatCount(count)));
  if (words.length > 4) return `${words[0]} to ${words.at(-1)}`;
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}

function partsOf({ tree }: GraphModel['network']['paper']): string {
  const kinds = countKinds(tree);
  const parts = [
    counted(kinds.linear, 'linear segment', 'linear segments'),
    counted(kinds.branch, 'branch', 'branches'),
    counted(kinds.complicate, 'complicate segment', 'complicate segments'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'a single edge' : parts.join(', ');
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${formatCount(count)} ${count === 1 ? one : many}`;
}
