import { memo, useMemo } from 'react';
import { colorOf } from '../../../state/strategies/identity.ts';
import { arrowPath, edgePath } from './edge-path.ts';
import { edgeMarks } from './edge-marks.ts';
import classes from '../graph.module.css';
import type { Point } from '../layout/geometry.ts';
import { sayHiddenKept } from '../state/hidden-kept.ts';
import type { Picture, StrategyMarks } from '../use-graph.ts';

export interface EdgeLayerProps {
  readonly picture: Picture;
  readonly current: string | null;
  readonly seen: readonly StrategyMarks[];
}

/** All edges in a few paths: a thousand of them cost no more than one. */
export function EdgeLayer({ picture, current, seen }: EdgeLayerProps) {
  const { drawing, layout } = picture;
  const own = useMemo(() => {
    const at = current === null ? undefined : drawing.indexOf.get(current);
    return drawing.edges.flatMap(({ from, to }, e) => (from === at || to === at ? [layout.routes[e]!] : []));
  }, [drawing, layout, current]);
  return (
    <svg
      className={classes['edges']}
      width={layout.width}
      height={layout.height}
      aria-hidden="true"
      data-layer="edges"
    >
      <AllEdges picture={picture} />
      <path className={classes['ownEdge']} d={pathsOf(own)} fill="none" />
      <path className={classes['ownArrow']} d={own.map(arrowPath).join('')} />
      <EdgeMarks picture={picture} seen={seen} />
    </svg>
  );
}

const EdgeMarks = memo(function EdgeMarks({ picture, seen }: Pick<EdgeLayerProps, 'picture' | 'seen'>) {
  const { drawing, layout, network } = picture;
  const marks = useMemo(
    () => edgeMarks(drawing, network.paper.view.edges, network.blocks, seen),
    [drawing, network, seen],
  );
  return marks.map(({ edge, own }) => {
    const at = middleOf(layout.routes[edge]!);
    return own.map(({ identity, ids }, i) => (
      <g key={`${edge} ${identity.name}`} className={classes['edgeMark']} data-edge-mark={identity.name}>
        <title>{sayHiddenKept([{ identity, ids }])}</title>
        <circle cx={at.x - 8 - 22 * i} cy={at.y} r={4} fill={colorOf(identity)} />
        <text x={at.x - 15 - 22 * i} y={at.y + 4} textAnchor="end">
          {ids.length}
        </text>
      </g>
    ));
  });
});

const pathsOf = (routes: readonly (readonly Point[])[]): string => routes.map(edgePath).join('');

const AllEdges = memo(function AllEdges({ picture }: { readonly picture: Picture }) {
  const { drawing, layout, network } = picture;
  const arrows = drawing.edges.map((_, e) => arrowPath(layout.routes[e]!)).join('');
  return (
    <>
      <path className={classes['edge']} d={pathsOf(layout.routes)} fill="none" />
      <path className={classes['arrow']} d={arrows} />
      {drawing.edges.map(({ from, to, count, edge }, e) => {
        const operations = edge === null ? [] : (network.paper.view.edges[edge]?.operations ?? []);
        const text =
          count > 1 && operations.length === 0 ? '' : operations.map(({ kind }) => kind).join(', ');
        const at = middleOf(layout.routes[e]!);
        return text === '' ? null : (
          <text key={`${from} ${to}`} className={classes['edgeText']} x={at.x + 6} y={at.y + 4}>
            {text}
          </text>
        );
      })}
    </>
  );
});

function middleOf(route: readonly Point[]): Point {
  const a = route.at(-2) ?? { x: 0, y: 0 };
  const b = route.at(-1) ?? a;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
