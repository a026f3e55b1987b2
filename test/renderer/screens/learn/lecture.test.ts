import { describe, expect, it } from 'vitest';
import { lectureKey } from '../../../../renderer/screens/learn/lecture/lecture-key.ts';
import { sectionAt } from '../../../../renderer/screens/learn/lecture/sections.ts';
import { MAX_PRINTED, printedFrames } from '../../../../renderer/screens/learn/parts/printed-frames.ts';
import { sourcesOf } from '../../../../renderer/screens/learn/print/sources.ts';
import { LESSONS } from '../../../../renderer/state/learn/lessons.ts';
import { isLecture, readPage, writePage } from '../../../../renderer/state/learn/page-state.ts';
import { learnSession } from '../../../../renderer/state/learn/learn-session.ts';
import { openPage } from '../../../../renderer/state/parts/use-page.ts';
import { workspaceOf } from '../../support/fake-lab.ts';

const press = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('lecturer’s mode', () => {
  it('is in the link, continues across pages and “Try it”, and is not a parameter of a page', () => {
    const view = { lesson: 'sqrt', k: '7', lecture: '1' };
    expect(readPage(view)).toEqual({ page: 'sqrt', params: { k: '7' }, lecture: true });
    expect(writePage({ page: 'sqrt', params: { k: '7' }, lecture: true })).toEqual(view);
    expect(isLecture({ lesson: 'sqrt', lecture: '0' })).toBe(false);
    const workspace = workspaceOf('#/learn?model=vgg16&batch=1&v.lesson=sqrt&v.lecture=1', [
      'compare',
      'learn',
    ]);
    openPage(workspace, 'poor');
    expect(workspace.experiment.get().view).toEqual({ lesson: 'poor', lecture: '1' });
    expect(workspace.keep(learnSession).progress.get().params.get('poor') ?? {}).toEqual({});
    openPage(workspace, 'poor', {}, undefined);
    expect(isLecture(workspace.experiment.get().view)).toBe(true);
    openPage(workspace, 'poor', {}, false);
    expect(isLecture(workspace.experiment.get().view)).toBe(false);
  });

  it('has keys that a presenter’s remote sends, and leaves typing in fields alone', () => {
    expect(lectureKey(press('l'), false, false)).toBe('enter');
    expect(lectureKey(press('L'), true, false)).toBe('leave');
    expect(lectureKey(press('l'), false, true)).toBeNull();
    expect(lectureKey(press('l', { ctrlKey: true }), false, false)).toBeNull();
    expect(lectureKey(press('Escape'), true, false)).toBe('leave');
    expect(lectureKey(press('Escape'), true, true)).toBe('leave-field');
    expect(lectureKey(press('Escape'), false, false)).toBeNull();
    expect(lectureKey(press('PageDown'), true, false)).toEqual({ of: 'section', by: 1 });
    expect(lectureKey(press('PageUp', { shiftKey: true }), true, false)).toEqual({ of: 'lesson', by: -1 });
    for (const key of ['PageDown', 'PageUp']) expect(lectureKey(press(key), false, false)).toBeNull();
    for (const key of ['ArrowRight', ' ', '1', '?']) expect(lectureKey(press(key), true, false)).toBeNull();
  });

  it('finds the current section', () => {
    expect(sectionAt([0, 300, 600], false)).toBe(0);
    expect(sectionAt([-300, 12, 300], false)).toBe(1);
    expect(sectionAt([-900, -600, 200], false)).toBe(1);
    expect(sectionAt([-900, -600, 200], true)).toBe(2);
    expect(sectionAt([], false)).toBe(0);
  });
});

describe('a printed lesson', () => {
  it('shows all steps of a short play, and the main ones of a long play without large gaps', () => {
    expect(printedFrames(5, [3])).toEqual([0, 1, 2, 3, 4]);
    const frames = printedFrames(500, [123, 321]);
    expect(frames.length).toBeLessThanOrEqual(MAX_PRINTED);
    expect(frames).toEqual(expect.arrayContaining([0, 123, 321, 499]));
    expect([...frames].sort((a, b) => a - b)).toEqual(frames);
    const gaps = frames.slice(1).map((frame, i) => frame - frames[i]!);
    expect(Math.max(...gaps)).toBeLessThan(3 * (500 / MAX_PRINTED));
  });

  it('has the citation on every page', () => {
    for (const { id } of LESSONS) expect(sourcesOf(id).length).toBeGreaterThan(0);
  });
});
