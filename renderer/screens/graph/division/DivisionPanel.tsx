import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { useLabView } from '../../../state/workspace/use-workspace.ts';
import { DivisionTreeView } from './DivisionTreeView.tsx';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../graph.module.css';
import { MaxTermSlider } from './MaxTermSlider.tsx';
import type { PanelProps } from '../state/panel-props.ts';
import { cutNodes } from './tree-rows.ts';

export function DivisionPanel({ model, onChange, onSegment }: PanelProps) {
  const { batch } = useLabView().experiment;
  const { network, stop: at, underC, view } = model;
  const { scale, paper } = network;
  const stop = scale.stops[at]!;
  const cut = useMemo(() => cutNodes(paper.tree, underC), [paper, underC]);
  const over = stop.cost / Math.max(1, scale.stops[scale.best]!.cost) - 1;
  return (
    <>
      <div className={classes['panelHead']}>
        <h2>No segment above C</h2>
        <Button
          variant="default"
          size="compact-xs"
          disabled={at === scale.best}
          onClick={() => onChange({ maxTerm: null })}
        >
          Go to the optimum
        </Button>
      </div>
      <MaxTermSlider
        scale={scale}
        at={at}
        batch={batch}
        onMove={(next) => onChange({ maxTerm: next === scale.best ? null : scale.stops[next]!.maxTerm })}
      />
      <dl className={classes['figures']}>
        <Figure
          name="Checkpoints"
          value={formatCount(stop.count)}
          note={formatBytes(stop.checkpointCost * batch)}
        />
        <Figure name="Largest segment" value={formatBytes(stop.maxTerm * batch)} note="" />
        <Figure
          name="Eq. 2"
          value={formatBytes(stop.cost * batch)}
          note={
            over > 0
              ? `+${Math.round(over * 100)}\u202f% above the optimum`
              : at === scale.best
                ? 'the optimum'
                : 'equal to the optimum'
          }
        />
      </dl>
      <DivisionTreeView
        paper={paper}
        cut={cut}
        batch={batch}
        selected={view.node}
        onSelect={(node) => {
          onChange({ node });
          if (node !== null) onSegment(node);
        }}
      />
    </>
  );
}

function Figure({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        <span className={layout['muted']}>{note}</span>
      </dd>
    </div>
  );
}
