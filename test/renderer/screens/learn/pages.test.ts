import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from '../../../../renderer/state/experiment/address.ts';
import { SCREENS } from '../../../../renderer/shell/screens.tsx';
import { GLOSSARY, searchGlossary } from '../../../../renderer/state/learn/glossary.ts';
import { learnActions } from '../../../../renderer/screens/learn/contents/learn-actions.ts';
import { isPage, LESSONS, lessonNumber, pageTitle } from '../../../../renderer/state/learn/lessons.ts';
import {
  oneOf,
  readPage,
  wholeNumber,
  withParams,
  writePage,
} from '../../../../renderer/state/learn/page-state.ts';
import { learnSession } from '../../../../renderer/state/learn/learn-session.ts';
import { createProgress } from '../../../../renderer/state/learn/progress.ts';
import { openTrial, withTrial } from '../../../../renderer/screens/learn/parts/trial.ts';
import { openPage } from '../../../../renderer/state/parts/use-page.ts';
import type { Workspace } from '../../../../renderer/state/workspace/workspace.ts';
import { experimentOf, workspaceOf } from '../../support/fake-lab.ts';

const LINK = '#/learn?model=vgg16&batch=32&strategies=regular&v.lesson=sqrt&v.k=7';
const SCREEN_NAMES = ['compare', 'graph', 'learn', 'train'];
const workspaceAt = (link: string): Workspace => workspaceOf(link, SCREEN_NAMES);

describe('pages of the Learn screen', () => {
  it('survive a round trip through a link', () => {
    const address = readAddress(LINK, SCREEN_NAMES);
    expect(readPage(address.view ?? {})).toEqual({ page: 'sqrt', params: { k: '7' } });
    expect(readPage(readAddress(writeAddress(address), SCREEN_NAMES).view ?? {})).toEqual({
      page: 'sqrt',
      params: { k: '7' },
    });
    expect(writePage({ page: 'glossary', params: { q: 'peak' } })).toEqual({ lesson: 'glossary', q: 'peak' });
  });

  it('are empty if a link names none, or an unknown one', () => {
    expect(readPage({})).toBeNull();
    expect(readPage({ lesson: 'cooking', k: '7' })).toBeNull();
  });

  it('read numbers and words of a link within their limits', () => {
    expect(wholeNumber('7', 1, 9, 3)).toBe(7);
    expect(wholeNumber('70', 1, 9, 3)).toBe(9);
    expect(wholeNumber('-4', 1, 9, 3)).toBe(1);
    expect(wholeNumber('6.6', 1, 9, 3)).toBe(7);
    for (const text of [undefined, '', 'seven', 'Infinity']) expect(wholeNumber(text, 1, 9, 3)).toBe(3);
    expect(oneOf('b', ['a', 'b'], 'a')).toBe('b');
    expect(oneOf('c', ['a', 'b'], 'a')).toBe('a');
    expect(withParams({ k: '7', n: '9' }, { k: 8, n: undefined })).toEqual({ k: '8' });
  });

  it('are numbered, named and known to the rail between Limits and Train', () => {
    expect(LESSONS.map(({ id }) => lessonNumber(id))).toEqual(LESSONS.map((_, i) => i + 1));
    expect(lessonNumber('glossary')).toBe(0);
    expect(pageTitle('glossary')).toBe('Glossary');
    const ids = SCREENS.map(({ id }) => id);
    expect(ids.slice(ids.indexOf('limits'))).toEqual(['limits', 'learn', 'train']);
  });
});

describe('progress', () => {
  it('stores which pages were visited and how each was left', () => {
    const kept = new Map<string, string>();
    const shelf = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    const first = createProgress(() => shelf);
    first.remember({ page: 'sqrt', params: { k: '7' } });
    first.remember({ page: 'poor', params: {} });
    expect([...first.get().visited]).toEqual(['sqrt', 'poor']);
    expect(first.get().params.get('sqrt')).toEqual({ k: '7' });
    expect([...createProgress(() => shelf).get().visited]).toEqual(['sqrt', 'poor']);
  });

  it('works without storage, and with foreign data there', () => {
    const refused = createProgress(() => {
      throw new Error('denied');
    });
    refused.remember({ page: 'sqrt', params: {} });
    expect([...refused.get().visited]).toEqual(['sqrt']);
    const odd = createProgress(() => ({ getItem: () => 'sqrt,?,cooking', setItem: () => undefined }));
    expect([...odd.get().visited]).toEqual(['sqrt']);
  });
});

describe('“Try it”', () => {
  it('opens an experiment on another screen, with undo and a way back', () => {
    const workspace = workspaceAt(LINK);
    const before = workspace.experiment.get().experiment;
    openTrial(
      workspace,
      { screen: 'graph', experiment: { model: 'resnet50' }, view: { panel: 'yours' }, selected: 'optimal' },
      { page: 'sqrt', params: { k: '7' } },
    );
    expect(workspace.experiment.get()).toMatchObject({
      screen: 'graph',
      view: { panel: 'yours' },
      selected: 'optimal',
      experiment: { model: 'resnet50', batch: 32 },
    });
    const { wayBack } = workspace.keep(learnSession);
    expect(wayBack.get()).toEqual({ page: 'sqrt', params: { k: '7' } });
    openPage(workspace, 'sqrt', { k: '7' });
    expect(workspace.experiment.get()).toMatchObject({ screen: 'learn', view: { lesson: 'sqrt', k: '7' } });
    workspace.experiment.undo();
    expect(workspace.experiment.get().experiment).toEqual(before);
    expect(wayBack.get()).toBeNull();
  });

  it('ends on every way back, and restores the screen', () => {
    const { experiment, keep } = workspaceAt(LINK);
    const { wayBack, progress } = keep(learnSession);
    expect(progress.get().params.get('sqrt')).toEqual({ k: '7' });
    experiment.goTo('graph');
    wayBack.set({ page: 'sqrt', params: {} });
    experiment.setView({ panel: 'yours' });
    expect(wayBack.get()).not.toBeNull();
    experiment.goTo('learn');
    expect(wayBack.get()).toBeNull();
    expect(experiment.get().view).toEqual({ lesson: 'sqrt', k: '7' });
  });

  it('drops the input size and the checkpoints of another network', () => {
    const experiment = experimentOf({
      model: 'vgg16',
      input: 128,
      dropout: 0.5,
      checkpoints: ['a'],
      batch: 4,
    });
    expect(withTrial(experiment, { model: 'resnet50' })).toEqual(
      experimentOf({ model: 'resnet50', batch: 4 }),
    );
    expect(withTrial(experiment, { batch: 8 })).toEqual({ ...experiment, batch: 8 });
  });
});

describe('glossary', () => {
  it('names every term once, in order, with a lesson that exists', () => {
    const terms = GLOSSARY.map(({ term }) => term);
    expect(new Set(GLOSSARY.map(({ id }) => id)).size).toBe(GLOSSARY.length);
    expect([...terms].sort((a, b) => a.localeCompare(b, 'en'))).toEqual(terms);
    for (const { lesson } of GLOSSARY) if (lesson !== undefined) expect(isPage(lesson)).toBe(true);
  });

  it('is searched by every word, with terms first', () => {
    expect(searchGlossary('')).toHaveLength(GLOSSARY.length);
    expect(searchGlossary('peak')[0]?.id).toBe('peak');
    expect(searchGlossary('Re-Forward')[0]?.id).toBe('recompute');
    expect(searchGlossary('articulation point')[0]?.id).toBe('splitting-vertex');
    expect(searchGlossary('no such thing anywhere')).toEqual([]);
  });

  it('is reached from the palette, as is every lesson', () => {
    const workspace = workspaceAt('#/compare?model=vgg16&batch=1');
    const actions = learnActions(workspace);
    actions.find(({ title }) => title === 'What is meant by lower set')?.run();
    expect(workspace.experiment.get()).toMatchObject({
      screen: 'learn',
      view: { lesson: 'glossary', term: 'lower-set' },
    });
    actions.find(({ title }) => title.includes('square root'))?.run();
    expect(workspace.experiment.get().view).toMatchObject({ lesson: 'sqrt' });
    expect(new Set(actions.map(({ id }) => id)).size).toBe(actions.length);
  });
});
