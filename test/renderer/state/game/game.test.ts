import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { buildModel, isModelName } from '../../../../engine/zoo/zoo.ts';
import { GAME_NETWORKS } from '../../../../engine/zoo/game-networks.ts';
import { challengeAddress, copyChallenge } from '../../../../renderer/state/game/challenge.ts';
import { gameOf, keyOf } from '../../../../renderer/state/game/game.ts';
import { follow, goTo, moveAt, newLog } from '../../../../renderer/state/game/game-log.ts';
import { gameSession } from '../../../../renderer/state/game/game-session.ts';
import { LEVELS, levelNumber, MAX_SEED, seedLevel, seedOf } from '../../../../renderer/state/game/levels.ts';
import { openGame } from '../../../../renderer/state/game/open-game.ts';
import { createScores, NO_SCORE, type Score, starsOf } from '../../../../renderer/state/game/scores.ts';
import { readSet, writeSet } from '../../../../renderer/state/game/set-text.ts';
import { readAddress } from '../../../../renderer/state/experiment/address.ts';
import { experimentOf, workspaceOf } from '../../support/fake-lab.ts';

const SCREENS = ['graph', 'learn'];

/** A browser's storage, or one that refuses. */
function shelf(text: string | null = null, refuses = false) {
  const held = { text };
  return {
    held,
    getItem: () => held.text,
    setItem: (_: string, next: string) => {
      if (refuses) throw new Error('full');
      held.text = next;
    },
  };
}

describe('levels', () => {
  it('are twelve networks of the zoo, each with one sentence, including all of the game’s own', () => {
    expect(LEVELS).toHaveLength(12);
    for (const level of LEVELS) {
      expect(isModelName(level.model)).toBe(true);
      expect(level.teaches).toMatch(/^[A-Z].*\.$/);
      expect(gameOf(experimentOf({ ...level })).level).toBe(level);
    }
    expect(LEVELS.slice(0, GAME_NETWORKS.length).map(({ model }) => model)).toEqual(
      GAME_NETWORKS.map(({ info }) => info.name),
    );
    expect(LEVELS.map((level) => levelNumber(level))).toEqual(LEVELS.map((_, i) => i + 1));
  });

  it('are separate games at another size, and the same game if no byte changes', () => {
    const chain = experimentOf({ model: 'game-chain', batch: 32 });
    for (const part of [
      { batch: 64 },
      { input: 16 },
      { dtype: 'float16' },
      { precision: 'bf16' },
      { checkpointing: 'reentrant' },
    ] as const) {
      const other = gameOf({ ...chain, ...part });
      expect(other.level).toBeNull();
      expect(other.key).not.toBe(gameOf(chain).key);
      expect(other.request).toMatchObject(part);
    }
    expect(gameOf({ ...chain, seed: 7, budgetBytes: 9, strategies: ['live'] }).key).toBe(gameOf(chain).key);
  });

  it('of a seed are the network drawn from it; others have no seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_SEED }), (seed) => {
        expect(seedOf(seedLevel(seed).model)).toBe(seed);
      }),
    );
    expect(() => buildModel(seedLevel(MAX_SEED).model, { batch: 32 })).not.toThrow();
    for (const model of ['random-', 'random--1', 'random-4294967296', 'random-1.5', 'resnet18']) {
      expect(seedOf(model)).toBeNull();
    }
  });
});

describe('a set as text', () => {
  const sets = fc.integer({ min: 2, max: 1300 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      set: size === 2 ? fc.constant([]) : fc.uniqueArray(fc.integer({ min: 1, max: size - 2 })),
    }),
  );

  it('survives a round trip', () => {
    fc.assert(
      fc.property(sets, ({ size, set }) => {
        expect(readSet(writeSet(set, size), size)).toEqual([...set].sort((a, b) => a - b));
      }),
    );
    expect(writeSet([3], 7)).toBe('IA');
    expect(writeSet([], 1149).length).toBeLessThanOrEqual(200);
  });

  it('is refused if damaged or of another network, and never names an unknown tensor', () => {
    expect(readSet('BA', 7)).toBeNull();
    expect(readSet('AB', 7)).toBeNull();
    expect(readSet('AE', 7)).toBeNull();
    for (const text of ['', 'A', 'AAA', 'A!', '💥']) expect(readSet(text, 7)).toBeNull();
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.integer({ min: 2, max: 40 }), (text, size) => {
        for (const v of readSet(text, size) ?? []) expect(v > 0 && v < size - 1).toBe(true);
      }),
    );
  });
});

describe('the log', () => {
  it('follows undo and redo, and clears redo after a move', () => {
    let log = newLog([]);
    for (const set of [['a'], ['a', 'b'], ['b', 'a', 'c']]) log = follow(log, set);
    expect(log.at).toBe(3);
    expect(moveAt(log, 3)).toEqual({ kept: ['c'], dropped: [] });
    log = follow(log, ['b', 'a']);
    expect(log).toMatchObject({ at: 2, sets: { length: 4 } });
    expect(follow(log, ['a', 'b', 'c'])).toMatchObject({ at: 3 });
    expect(follow(log, ['a', 'b'])).toBe(log);
    const jumped = goTo(log, 0);
    expect(follow(jumped, [])).toBe(jumped);
    expect(goTo(log, 9)).toBe(log);
    expect(follow(jumped, ['z'])).toEqual({ sets: [[], ['z']], at: 1 });
    expect(moveAt(follow(log, []), 3)).toEqual({ kept: [], dropped: ['a', 'b'] });
  });

  it('equals the player’s set after any moves, and undoes them one by one', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 30 }), (moves) => {
        const log = moves.reduce(follow, newLog([]));
        expect([...(log.sets[log.at] ?? [])].sort()).toEqual([...(moves.at(-1) ?? [])].sort());
        for (let at = log.sets.length - 1; at > 0; at--) {
          const { kept, dropped } = moveAt(log, at);
          expect(kept.length + dropped.length).toBeGreaterThan(0);
          const back = [...(log.sets[at] ?? []).filter((id) => !kept.includes(id)), ...dropped];
          expect(back.sort()).toEqual([...(log.sets[at - 1] ?? [])].sort());
        }
      }),
    );
  });
});

describe('scores', () => {
  const won: Score = { cost: { stars: 3, set: 'IA' }, peak: { stars: 1, set: 'IA' }, revealed: false };

  it('are kept across sessions and windows, until they are reset', () => {
    const storage = shelf();
    const first = createScores(() => storage);
    const second = createScores(() => storage);
    first.record('a at 32', won);
    second.record('b at 32', { ...NO_SCORE, revealed: true });
    expect([
      ...createScores(() => storage)
        .get()
        .keys(),
    ]).toEqual(['a at 32', 'b at 32']);
    expect(
      starsOf(
        createScores(() => storage)
          .get()
          .get('a at 32') ?? NO_SCORE,
      ),
    ).toBe(4);
    second.forget('a at 32');
    expect([
      ...createScores(() => storage)
        .get()
        .keys(),
    ]).toEqual(['b at 32']);
    second.forgetAll();
    expect(storage.held.text).toBe('[]');
  });

  it('are skipped if damaged; the others stay', () => {
    const hostile = [
      ['fine', won],
      ['stars', { ...won, cost: { stars: 4, set: '' } }],
      ['fraction', { ...won, cost: { stars: 1.5, set: '' } }],
      ['none', null],
      [7, won],
      ['k'.repeat(400), won],
      'text',
      null,
    ];
    const scores = createScores(() => shelf(JSON.stringify(hostile))).get();
    expect([...scores]).toEqual([['fine', won]]);
    for (const text of ['', 'null', '{}', '[[', '"x"', '[[[]]]']) {
      expect(createScores(() => shelf(text)).get().size).toBe(0);
    }
  });

  it('last as long as the page without storage', () => {
    const scores = createScores(() => {
      throw new Error('refused');
    });
    scores.record('a at 32', won);
    expect(scores.get().get('a at 32')).toEqual(won);
    const full = createScores(() => shelf(null, true));
    full.record('a at 32', won);
    expect(full.get().size).toBe(1);
  });

  it('are limited in number', () => {
    const scores = createScores(() => shelf());
    for (let i = 0; i < 410; i++) scores.record(`random-${i} at 32`, won);
    expect(scores.get().size).toBe(400);
    expect(scores.get().has('random-0 at 32')).toBe(false);
    expect(scores.get().has('random-409 at 32')).toBe(true);
  });
});

describe('a challenge', () => {
  it('is the game without the sender’s checkpoints, with the score as a set', () => {
    const mine = experimentOf({
      model: 'random-7',
      batch: 32,
      strategies: ['optimal', 'live'],
      checkpoints: ['f2', 'f5'],
      budgetBytes: 5,
      also: [{ model: 'vgg16' }],
    });
    const link = challengeAddress(mine, writeSet([2, 5], 12));
    expect(link).not.toMatch(/f2|f5|optimal|live|vgg16|budget/);
    const read = readAddress(link, SCREENS);
    expect(read.faults).toEqual([]);
    expect(gameOf(read.experiment).key).toBe(gameOf(mine).key);
    expect(read.experiment.checkpoints).toBeUndefined();
    expect(read.view).toEqual({ panel: 'game', rival: writeSet([2, 5], 12) });
  });

  it('has no score if none exists, or if it is too long for a link', () => {
    const mine = experimentOf({ model: 'game-chain', batch: 32 });
    expect(readAddress(challengeAddress(mine, null), SCREENS).view).toEqual({ panel: 'game' });
    expect(readAddress(challengeAddress(mine, 'A'.repeat(201)), SCREENS).view).toEqual({ panel: 'game' });
  });

  it('contains a network from a file', () => {
    const model = `file:${'0'.repeat(16)}`;
    const link = challengeAddress(experimentOf({ model, batch: 8 }), null, { [model]: 'abc_-1' });
    expect(link).toMatch(/model=file%3Alink-1&.*&net=abc_-1$/);
    expect(readAddress(link, SCREENS).carried).toEqual({ 'file:link-1': 'abc_-1' });
  });
});

describe('copying a challenge', () => {
  const copied = async (place: 'site' | 'browser' | 'desktop', site: string | null) => {
    const workspace = workspaceOf(
      '#/graph?model=game-chain&batch=32&strategies=regular&v.panel=game',
      SCREENS,
    );
    const links: string[] = [];
    vi.stubGlobal('window', { location: { href: 'http://here/#/graph' } });
    vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void links.push(text) } });
    const client = { about: async () => ({ site }) };
    const desk = { ...workspace, connection: { client, place } } as unknown as typeof workspace;
    const said = await copyChallenge(desk, 'IA');
    vi.unstubAllGlobals();
    return { said, link: links[0] };
  };

  it('leads to the static site if known, else says who can open it', async () => {
    const own = await copied('site', null);
    expect(own.link).toMatch(/^http:\/\/here\/#\/graph\?model=game-chain&.*v\.rival=IA$/);
    expect(own.said).toBe('Challenge copied. It carries your score; the lab that opens it checks the score.');
    expect((await copied('browser', 'https://course.example/')).link).toMatch(
      /^https:\/\/course\.example\/#/,
    );
    expect((await copied('browser', null)).said).toContain('works only on this computer');
    expect((await copied('desktop', null)).said).toContain('opens in the desktop app');
  });
});

it('opening a game shows the level as it was left, compared with regular training only', () => {
  const workspace = workspaceOf(
    '#/learn?model=vgg16&batch=8&input=64&strategies=optimal,live&v.lesson=game',
    SCREENS,
  );
  const [level] = LEVELS;
  if (level === undefined) throw new Error('no level');
  openGame(workspace, level);
  const { screen, experiment, view } = workspace.experiment.get();
  expect({ screen, view }).toEqual({ screen: 'graph', view: { panel: 'game' } });
  expect(experiment).toMatchObject({ model: 'game-chain', batch: 32, strategies: ['regular'] });
  expect(experiment).not.toHaveProperty('input');
  expect(gameOf(experiment).level).toBe(level);
  const { logs } = workspace.keep(gameSession);
  logs.set(new Map([[keyOf(level), follow(newLog([]), ['f3'])]]));
  openGame(workspace, level);
  expect(workspace.experiment.get().experiment.checkpoints).toEqual(['f3']);
});

describe('leaving a game', () => {
  const played = (link: string) => {
    const workspace = workspaceOf(link, [...SCREENS, 'compare']);
    const { experiment: store } = workspace;
    const before = store.get().experiment;
    openGame(workspace, LEVELS[0]!);
    openGame(workspace, LEVELS[1]!);
    store.change({ ...store.get().experiment, checkpoints: ['a'] });
    return { store, before };
  };
  const LINK = '#/compare?model=resnet50&batch=64&strategies=regular,live';

  it('restores the previous experiment, by its button and by another screen', () => {
    const byButton = played(LINK);
    byButton.store.setView({ panel: 'yours' });
    expect(byButton.store.get().experiment).toEqual(byButton.before);
    const byRail = played(LINK);
    byRail.store.goTo('learn');
    expect(byRail.store.get().experiment.model).toBe(LEVELS[1]!.model);
    byRail.store.goTo('compare');
    expect(byRail.store.get()).toMatchObject({ screen: 'compare', experiment: byRail.before });
  });

  it('keeps a file that was opened during the game', () => {
    const { store } = played(LINK);
    const opened = readAddress('#/compare?model=vgg11&batch=8', [...SCREENS, 'compare']);
    store.open(opened);
    expect(store.get().experiment).toEqual(opened.experiment);
  });
});
