import { describe, expect, it } from 'vitest';
import { createRng } from '../../../../engine/rng.ts';
import { hasTransfers, type Schedule } from '../../../../engine/schedule/schedule.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { live } from '../../../../engine/strategies/live/live.ts';
import { memoryPoor } from '../../../../engine/strategies/memory-poor.ts';
import { optimal } from '../../../../engine/strategies/optimal/optimal.ts';
import { regular } from '../../../../engine/strategies/regular.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { GAMES, gameOf } from '../../../../renderer/screens/learn/model/games.ts';
import {
  KEPT,
  NO_PEBBLE,
  type Play,
  playOf,
  RECOMPUTED,
} from '../../../../renderer/screens/learn/model/play.ts';
import { chainPlay, PLAYERS, playedBy } from '../../../../renderer/screens/learn/model/plays.ts';
import { Replay } from '../../../../renderer/screens/learn/model/replay.ts';
import { fewest } from '../../../support/draws.ts';
import { randomProblems } from '../../../support/problems.ts';
import { randomSchedule, withTransfers } from '../../../support/random-schedules.ts';

const STRATEGIES = [regular, memoryPoor, optimal, live];

function expectTheSimulatorsBytes(problem: Problem, strategy: (typeof STRATEGIES)[number]): void {
  const plan = strategy.plan(problem, { seed: 0 }, NO_CONTROL);
  if (plan.applicable) expectThatOf(problem, plan.schedule);
}

function expectThatOf(problem: Problem, schedule: Schedule): void {
  const { graph, memory } = problem;
  const timeline = simulate(graph, memory, schedule);
  const replay = new Replay(graph, memory, schedule);
  for (let t = 0; replay.advance(); t++) {
    expect(replay.step).toBe(t);
    expect(replay.held()).toEqual({
      source: timeline.source,
      kept: timeline.checkpoints[t],
      recomputed: timeline.recomputed[t],
      gradients: timeline.gradients[t],
      auxiliaries: timeline.auxiliaries[t],
    });
  }
}

describe('replay', () => {
  it('holds at every step of random problems what the simulator counts, by what holds it', () => {
    for (const [, problem] of randomProblems(60, 21)) {
      for (const strategy of STRATEGIES) expectTheSimulatorsBytes(problem, strategy);
    }
  });

  it('and so where something is sent to host memory and fetched', () => {
    const rng = createRng(22);
    let transfers = 0;
    for (const [, problem] of randomProblems(40, 22)) {
      const schedule = withTransfers(rng, problem, randomSchedule(rng, problem));
      if (hasTransfers(schedule)) transfers++;
      expectThatOf(problem, schedule);
    }
    expect(transfers).toBeGreaterThan(fewest(20));
  });
});

describe('pebble play', () => {
  const plays = GAMES.flatMap((game) =>
    PLAYERS.flatMap(({ name }): [string, Play][] => {
      const play = playedBy(game, 9, name);
      return typeof play === 'string' ? [] : [[`${name} on ${game}`, play]];
    }),
  );

  it.each(plays)('%s shows as many pebbles as the simulator counts bytes', (_name, play) => {
    for (const frame of play.frames) {
      const pebbles = frame.pebbles.filter((pebble) => pebble !== NO_PEBBLE).length;
      const gradients = frame.gradients.filter((held) => held === 1).length;
      expect(pebbles + gradients).toBe(play.timeline.live[frame.step]);
      expect(frame.live).toBe(play.timeline.live[frame.step]);
    }
  });

  it.each(plays)('%s places what it runs, and takes away only what the next frame lacks', (_name, play) => {
    play.frames.forEach((frame, i) => {
      if (frame.kind !== 'backward') expect(frame.pebbles[frame.vertex]).not.toBe(NO_PEBBLE);
      else expect(frame.gradients[frame.vertex]).toBe(1);
      const next = play.frames[i + 1];
      frame.leaving.forEach((leaves, v) => {
        if (leaves === 1) expect(frame.pebbles[v]).not.toBe(NO_PEBBLE);
        if (leaves === 1 && next !== undefined && next.vertex !== v) expect(next.pebbles[v]).toBe(NO_PEBBLE);
      });
    });
    expect(play.frames[play.peakFrame]?.live).toBe(play.timeline.peakBytes);
    expect(play.frames.at(-1)?.recomputes).toBe(play.recomputes);
    expect(play.recomputes).toBe(play.timeline.recomputedVertices);
  });

  it('tells kept pebbles from recomputed ones', () => {
    const kinds = (play: Play): Set<number> => new Set(play.frames.flatMap(({ pebbles }) => [...pebbles]));
    expect(kinds(chainPlay(9, 'regular'))).toEqual(new Set([NO_PEBBLE, KEPT]));
    expect(kinds(chainPlay(9, 'chen-sqrt'))).toEqual(new Set([NO_PEBBLE, KEPT, RECOMPUTED]));
  });

  it('stores all N + 1 tensors of a chain and two gradients under regular training', () => {
    for (const layers of [2, 7, 30]) expect(chainPlay(layers, 'regular').timeline.peakBytes).toBe(layers + 3);
  });

  it('refuses a schedule that the simulator refuses', () => {
    const { problem } = gameOf('chain', 3);
    const schedule = { kinds: Uint8Array.of(1), vertices: Int32Array.of(3) };
    expect(() => playOf(problem, schedule)).toThrow(/backward starts before/);
  });
});
