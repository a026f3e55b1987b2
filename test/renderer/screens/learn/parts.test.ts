import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GLOSSARY } from '../../../../renderer/state/learn/glossary.ts';
import { GAMES, gameOf } from '../../../../renderer/screens/learn/model/games.ts';
import { chainPlay } from '../../../../renderer/screens/learn/model/plays.ts';
import { boardLayout } from '../../../../renderer/screens/learn/parts/board-layout.ts';
import {
  frameSentence,
  moveText,
  peakUpTo,
} from '../../../../renderer/screens/learn/parts/describe-frame.ts';
import { playerKey } from '../../../../renderer/screens/learn/parts/player-key.ts';
import {
  frameAt,
  playBands,
  TRACE_HOLDERS,
  traceAreas,
} from '../../../../renderer/screens/learn/parts/trace.ts';
import { plotArea } from '../../../../renderer/shared/charts/plot-area.ts';

describe('player', () => {
  it('responds to its keys', () => {
    expect(playerKey(' ', false)).toBe('toggle');
    expect(playerKey('ArrowRight', false)).toBe(1);
    expect(playerKey('ArrowLeft', true)).toBe(-10);
    expect(playerKey('Home', false)).toBe('first');
    expect(playerKey('End', false)).toBe('last');
    expect(playerKey('x', false)).toBeNull();
  });

  it('says each step in one sentence', () => {
    const play = chainPlay(4, 'chen-sqrt');
    expect(frameSentence(play, 0)).toBe(
      `Step 1 of ${play.frames.length}. Forward f1: 2 pebbles, nothing recomputed.`,
    );
    const again = play.frames.findIndex(({ kind }) => kind === 'recompute');
    expect(frameSentence(play, again)).toMatch(/Recompute f\d: \d pebbles, 1 recomputed\.$/);
    expect(moveText({ kind: 'backward', vertex: 3 })).toBe('Backward b3');
    expect(peakUpTo(play, play.frames.length - 1)).toBe(play.timeline.peakBytes);
    expect(peakUpTo(play, 0)).toBe(2);
  });
});

it.each(GAMES)('board draws no overlapping vertices of %s, at any width', (name) => {
  const game = gameOf(name, 24);
  for (const width of [400, 600, 1200]) {
    const { forward, backward, radius, height } = boardLayout(game, width);
    const spots = [...forward, ...backward];
    spots.forEach((a, i) => {
      expect(a.y + radius).toBeLessThan(height);
      for (const b of spots.slice(i + 1))
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(2 * radius);
    });
  }
});

describe('trace', () => {
  it('finds the frame under a pixel', () => {
    const area = plotArea(500, 200);
    expect(frameAt(area, area.left, 10)).toBe(0);
    expect(frameAt(area, area.right, 10)).toBe(9);
    expect(frameAt(area, area.left - 50, 10)).toBe(0);
    expect(frameAt(area, (area.left + area.right) / 2 + 1, 10)).toBe(5);
  });

  it('draws an area for each kind of pebble, which add up to the live bytes', () => {
    const play = chainPlay(6, 'chen-sqrt');
    const scale = { area: plotArea(500, 200), end: play.frames.length, top: 10 };
    expect(traceAreas(playBands(play), 3, scale).map(({ fill }) => fill)).toEqual(
      TRACE_HOLDERS.map(({ fill }) => fill),
    );
    for (const { held, live } of play.frames) {
      expect(TRACE_HOLDERS.reduce((sum, { of }) => sum + held[of], 0)).toBe(live);
    }
  });
});

describe('terms in the lessons', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', 'renderer', 'screens', 'learn', 'lessons');
  it.each(readdirSync(folder))('of %s are in the glossary', (file) => {
    const known = new Set(GLOSSARY.map(({ id }) => id));
    const ids = [...readFileSync(join(folder, file), 'utf8').matchAll(/\[[^\]\n]+\]\(([a-z][\w-]*)\)/g)];
    if (file !== 'MistakesLesson.tsx') expect(ids.length).toBeGreaterThan(0);
    for (const [, id] of ids) expect(known).toContain(id);
  });
});
