import { memo } from 'react';
import { predecessorsOf } from '../../../../engine/graph/graph.ts';
import { needsOf } from '../../../../engine/ops/memory-model.ts';
import { colorOf, type StrategyIdentity } from '../../../state/strategies/identity.ts';
import classes from './learn.module.css';
import type { Game } from '../model/games.ts';
import { type Frame, KEPT, NO_PEBBLE } from '../model/play.ts';
import { type BoardLayout, linkPath, type Spot } from './board-layout.ts';

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
      {usedBy(game, frame).map((spot) => {
        const from = layout[spot.row][spot.vertex]!;
        return (
          <path
            key={`${spot.row} ${spot.vertex}`}
            d={linkPath(from, current, skips(game, spot.vertex, frame.vertex))}
            fill="none"
            stroke="var(--zz-ink)"
            strokeWidth={2}
          />
        );
      })}
      {vertices.map((v) => (
        <Pebble key={v} spot={forward[v]!} radius={radius} frame={frame} vertex={v} identity={identity} />
      ))}
      {vertices.slice(1).map((v) => (
        <GradientPebble key={v} spot={backward[v]!} radius={radius} held={frame.gradients[v] === 1} />
      ))}
      <circle
        data-ring={frame.kind}
        cx={current.x}
        cy={current.y}
        r={radius + 5}
        fill="none"
        stroke="var(--zz-ink)"
        strokeWidth={2.5}
      />
    </g>
  );
});

interface PebbleProps {
  readonly spot: Spot;
  readonly radius: number;
  readonly frame: Frame;
  readonly vertex: number;
  readonly identity: StrategyIdentity;
}

function Pebble({ spot, radius, frame, vertex, identity }: PebbleProps) {
  const state = frame.pebbles[vertex]!;
  const color = colorOf(identity);
  const times = frame.forwards[vertex]!;
  const fill = state === NO_PEBBLE ? 'var(--zz-card)' : state === KEPT ? color : 'var(--zz-hold-recomputed)';
  const leaves = frame.leaving[vertex] === 1;
  return (
    <g>
      {leaves && <circle cx={spot.x} cy={spot.y} r={radius + 1} fill="var(--zz-card)" />}
      <circle
        className={classes['pebble']}
        data-pebble={state === NO_PEBBLE ? 'none' : state === KEPT ? 'kept' : 'recomputed'}
        cx={spot.x}
        cy={spot.y}
        r={radius}
        fill={fill}
        stroke={state === NO_PEBBLE ? 'var(--zz-border)' : color}
        strokeWidth={2}
        opacity={leaves ? 0.5 : 1}
      />
      {times > 1 && radius >= 8 && (
        <text
          x={spot.x}
          y={spot.y + 4}
          textAnchor="middle"
          fill={state === KEPT ? 'var(--zz-card)' : 'var(--zz-ink)'}
        >
          {times}×
        </text>
      )}
    </g>
  );
}

function GradientPebble({ spot, radius, held }: { spot: Spot; radius: number; held: boolean }) {
  const side = 2 * radius - 2;
  return (
    <rect
      className={classes['pebble']}
      data-gradient={held ? 'held' : 'none'}
      x={spot.x - side / 2}
      y={spot.y - side / 2}
      width={side}
      height={side}
      rx={3}
      fill={held ? 'var(--zz-hold-gradients)' : 'var(--zz-card)'}
      stroke={held ? 'var(--zz-ink)' : 'var(--zz-border)'}
      strokeWidth={held ? 1.5 : 2}
    />
  );
}

/** Never changes while a game is played. */
const BoardLines = memo(function BoardLines({ game, layout }: Pick<BoardProps, 'game' | 'layout'>) {
  const { graph } = game.problem;
  const { forward, backward, split } = layout;
  const lines: { key: string; from: Spot; to: Spot; skip: boolean }[] = [];
  for (let v = 1; v < graph.size; v++) {
    for (const u of predecessorsOf(graph, v)) {
      const skip = skips(game, u, v);
      lines.push({ key: `f ${u} ${v}`, from: forward[u]!, to: forward[v]!, skip });
      if (u > 0) lines.push({ key: `b ${u} ${v}`, from: backward[u]!, to: backward[v]!, skip });
    }
  }
  return (
    <g>
      {lines.map(({ key, from, to, skip }) => (
        <path
          key={key}
          d={linkPath(from, to, skip)}
          fill="none"
          stroke="var(--zz-border)"
          strokeWidth={1.5}
        />
      ))}
      <line x1={8} x2="100%" y1={split} y2={split} stroke="var(--zz-hairline)" />
      <text x={8} y={split - 12} fill="var(--zz-muted)">
        forward →
      </text>
      <text x={8} y={split + 22} fill="var(--zz-muted)">
        ← backward
      </text>
      {layout.hasNames && (
        <>
          {forward.map(({ x, y }, v) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a vertex is its index
            <text key={v} x={x} y={y - layout.radius - 8} textAnchor="middle" fill="var(--zz-muted)">
              {v === 0 ? 'input' : `f${v}`}
            </text>
          ))}
          {backward.slice(1).map(({ x, y }, i) => (
            <text
              // biome-ignore lint/suspicious/noArrayIndexKey: a vertex is its index
              key={i}
              x={x}
              y={y + layout.radius + 18}
              textAnchor="middle"
              fill="var(--zz-muted)"
            >
              b{i + 1}
            </text>
          ))}
        </>
      )}
    </g>
  );
});

/** The line would run through another vertex. */
function skips({ places }: Game, from: number, to: number): boolean {
  const a = places[from]!;
  const b = places[to]!;
  return (
    a.lane === b.lane &&
    places.some(({ lane, column }) => lane === a.lane && column > a.column && column < b.column)
  );
}

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
