import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { StrategyName } from '../../../state/strategies/StrategyName.tsx';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { formatFlops } from '../state/figure-text.ts';
import layout from '../../../shared/layout/layout.module.css';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import classes from '../graph.module.css';
import { idOfVertex } from '../state/paper-graph.ts';
import type { PanelProps } from '../state/panel-props.ts';
import { pathOfKey, placesOwn, vertexOfKey } from '../state/view-state.ts';

/** The tensor or block in front. Its place is always there, so that nothing jumps. */
export function VertexCard(props: PanelProps) {
  const { model } = props;
  const vertex = vertexOfKey(model.view.current);
  const path = pathOfKey(model.view.current);
  const block = path === null ? undefined : model.network.blocks.byPath.get(path);
  return (
    <section className={classes['card']} aria-label="Chosen tensor">
      {vertex !== null && model.network.paper.view.vertices[vertex] !== undefined ? (
        <Facts {...props} vertex={vertex} />
      ) : block !== undefined ? (
        <>
          <h2 className={layout['cut']}>{block.path}</h2>
          <p className={layout['note']}>
            A block of {formatCount(block.vertices.length)} tensors. Press Enter to open it.
          </p>
        </>
      ) : (
        <p className={layout['note']}>
          Choose a tensor to see its size, its inputs and the strategies that keep it.
        </p>
      )}
    </section>
  );
}

function Facts({ model, vertex, onShow, onToggle }: PanelProps & { readonly vertex: number }) {
  const { batch } = useLabView().experiment;
  const { paper } = model.network;
  const { tensors, view } = paper;
  const data = view.vertices[vertex]!;
  const ends = (side: 'in' | 'out'): number[] => {
    const found = new Set<number>();
    for (let e = 0; e < tensors.edgeCount; e++) {
      if (side === 'in' && tensors.edgeTo[e] === vertex) found.add(tensors.edgeFrom[e]!);
      if (side === 'out' && tensors.edgeFrom[e] === vertex) found.add(tensors.edgeTo[e]!);
    }
    return [...found];
  };
  const isEnd = vertex === 0 || vertex === tensors.size - 1;
  const keepers = model.strategies.filter(({ vertices }) => vertices.includes(vertex));
  const isOwn = model.own.includes(vertex);
  return (
    <>
      <h2 className={layout['cut']} title={data.id}>
        {data.id}
      </h2>
      <dl className={classes['pairs']}>
        <Pair name="Tensor">
          {formatBytes(data.bytesPerSample * batch)}
          {data.shape.length > 0 && (
            <span className={layout['muted']}> {data.shape.join(' × ')} a sample</span>
          )}
        </Pair>
        <Pair name="Operations">
          {data.operations.map(({ id, kind }) => (
            <span key={id} title={id}>
              {kind}
            </span>
          ))}
        </Pair>
        <Pair name="Work">{formatFlops(data.flopsPerSample * batch)}</Pair>
        <Pair name="Needs">
          <Links vertices={ends('in')} {...{ paper, onShow }} />
        </Pair>
        <Pair name="Feeds">
          <Links vertices={ends('out')} {...{ paper, onShow }} />
        </Pair>
        <Pair name="Kept by">
          {keepers.length === 0 && !isOwn && (
            <span className={layout['muted']}>{isEnd ? 'everyone' : 'none of them'}</span>
          )}
          {keepers.map(({ row, hidden }) => (
            <StrategyName key={row.identity.name} identity={row.identity}>
              {hidden.ofVertex.has(vertex) && (
                <span className={layout['muted']}>and {hidden.ofVertex.get(vertex)?.join(', ')}</span>
              )}
            </StrategyName>
          ))}
          {isOwn && <span>you</span>}
        </Pair>
      </dl>
      {placesOwn(model.view) && !isEnd && (
        <Button variant="default" onClick={() => onToggle(vertex)}>
          {isOwn ? 'Remove the checkpoint' : 'Make it a checkpoint'}
        </Button>
      )}
    </>
  );
}

function Pair({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const MAX_LINKS = 4;

interface LinksProps {
  readonly vertices: readonly number[];
  readonly paper: PanelProps['model']['network']['paper'];
  readonly onShow: (vertex: number) => void;
}

function Links({ vertices, paper, onShow }: LinksProps) {
  if (vertices.length === 0) return <span className={layout['muted']}>nothing</span>;
  const rest = vertices.length - MAX_LINKS;
  return (
    <>
      {vertices.slice(0, MAX_LINKS).map((v) => (
        <LinkButton key={v} onClick={() => onShow(v)}>
          {idOfVertex(paper, v)}
        </LinkButton>
      ))}
      {rest > 0 && <span className={layout['muted']}>and {formatCount(rest)} more</span>}
    </>
  );
}
