import { memo } from 'react';
import { predecessorsOf } from '../../../../engine/graph/graph.ts';
import { needsOf } from '../../../../engine/ops/memory-model.ts';
import { colorOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import type { Game } from '../model/games.ts';
import { type Frame, KEPT, NO_PEBBLE } from '../model/play.ts';
import type { BoardLayout } from './board-layout.ts';
import { Disc, isBent, Link, Ring, type Spot } from './SmallGraph.tsx';

export interface BoardProps {
  readonly game: Game;
  readonly layout: BoardLayout;
  readonly frame: Frame;
  readonly identity: StrategyIdentity;
}

/** The graph twice: activations as discs above, their gradients as squares below; filled is in memory. */
export const Board = memo(function Board({ game, layout, frame, identity }: BoardProps) {
  const { graph } = game.problem;
  const { forward, backward, radius } = layout;
  const vertices = Array.from({ length: graph.size }, (_, v) => v);
  const isBackward = frame.kind === 'backward';
  const current = (isBackward ? backward : forward)[frame.vertex]!;
  return (
    <g>
      <BoardLines game={game} layout={layout} />
      {usedBy(game, frame).map(({ row, vertex }) => (
        <Link
          key={`${row} ${vertex}`}
          from={layout[row][vertex]!}
          to={current}
          bent={isBent(game.places, vertex, frame.vertex)}
          stroke="var(--zz-ink)"
          width={2}
        />
      ))}
      {vertices.map((v) => (
        <Pebble key={v} at={forward[v]!} radius={radius} frame={frame} vertex={v} color={colorOf(identity)} />
      ))}
      {vertices.slice(1).map((v) => {
        const isHeld = frame.gradients[v] === 1;
        return (
          <Disc
            key={v}
            at={backward[v]!}
            radius={radius - 1}
            corner={3}
            fill={isHeld ? 'var(--zz-hold-gradients)' : 'var(--zz-card)'}
            stroke={isHeld ? 'var(--zz-ink)' : 'var(--zz-border)'}
            strokeWidth={isHeld ? 1.5 : 2}
            data={{ 'data-gradient': isHeld ? 'held' : 'none' }}
          />
        );
      })}
      <Ring at={current} radius={radius} kind={frame.kind} />
    </g>
  );
});

interface PebbleProps {
  readonly at: Spot;
  readonly radius: number;
  readonly frame: Frame;
  readonly vertex: number;
  readonly color: string;
}

function Pebble({ at, radius, frame, vertex, color }: PebbleProps) {
  const state = frame.pebbles[vertex]!;
  const times = frame.forwards[vertex]!;
  const isKept = state === KEPT;
  const name = state === NO_PEBBLE ? 'none' : isKept ? 'kept' : 'recomputed';
  return (
    <Disc
      at={at}
      radius={radius}
      fill={{ none: 'var(--zz-card)', kept: color, recomputed: 'var(--zz-hold-recomputed)' }[name]}
      stroke={state === NO_PEBBLE ? 'var(--zz-border)' : color}
      opacity={frame.leaving[vertex] === 1 ? 0.5 : 1}
      text={times > 1 && radius >= 8 ? `${times}×` : undefined}
      textFill={isKept ? 'var(--zz-card)' : 'var(--zz-ink)'}
      data={{ 'data-pebble': name }}
    />
  );
}

/** Never changes while a game is played. */
const BoardLines = memo(function BoardLines({ game, layout }: Pick<BoardProps, 'game' | 'layout'>) {
  const { graph } = game.problem;
  const { forward, backward, split } = layout;
  const edges = Array.from({ length: graph.size }, (_, v) =>
    Array.from(predecessorsOf(graph, v), (u): [number, number] => [u, v]),
  ).flat();
  const rows = [
    { name: 'f', spots: forward, edges, first: 0, noteAt: -layout.radius - 8 },
    { name: 'b', spots: backward, edges: edges.filter(([u]) => u > 0), first: 1, noteAt: layout.radius + 18 },
  ];
  return (
    <g>
      {rows.map((row) =>
        row.edges.map(([u, v]) => (
          <Link
            key={`${row.name} ${u} ${v}`}
            from={row.spots[u]!}
            to={row.spots[v]!}
            bent={isBent(game.places, u, v)}
            stroke="var(--zz-border)"
          />
        )),
      )}
      <line x1={8} x2="100%" y1={split} y2={split} stroke="var(--zz-hairline)" />
      <text x={8} y={split - 12} fill="var(--zz-muted)">
        forward →
      </text>
      <text x={8} y={split + 22} fill="var(--zz-muted)">
        ← backward
      </text>
      {layout.hasNames &&
        rows.map(({ name, spots, first, noteAt }) =>
          spots.slice(first).map(({ x, y }, i) => (
            <text key={`${name} ${x} ${y}`} x={x} y={y + noteAt} textAnchor="middle" fill="var(--zz-muted)">
              {first + i === 0 ? 'input' : `${name}${first + i}`}
            </text>
          )),
        )}
    </g>
  );
});

interface Used {
  readonly row: 'forward' | 'backward';
  readonly vertex: number;
}

function usedBy({ problem }: Game, { kind, vertex }: Frame): Used[] {
  const inputs = [...predecessorsOf(problem.graph, vertex)];
  if (kind !== 'backward') return inputs.map((u) => ({ row: 'forward', vertex: u }));
  return [
    ...[...needsOf(problem.memory, vertex)].map((u): Used => ({ row: 'forward', vertex: u })),
    ...inputs.filter((u) => u > 0).map((u): Used => ({ row: 'backward', vertex: u })),
  ];
}
