import { describe, expect, it } from 'vitest';
import { GAMES, gameOf } from '../../../../renderer/screens/learn/model/games.ts';
import {
  KEPT,
  NO_PEBBLE,
  type Play,
  playOf,
  RECOMPUTED,
} from '../../../../renderer/screens/learn/model/play.ts';
import { chainPlay, PLAYERS, playedBy } from '../../../../renderer/screens/learn/model/plays.ts';

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

  it.each(plays)('%s places what it runs, and removes only what the next frame lacks', (_name, play) => {
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

  it('distinguishes kept pebbles from recomputed ones', () => {
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
