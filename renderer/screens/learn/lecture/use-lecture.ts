import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { LESSONS, lessonNumber } from '../../../state/learn/lessons.ts';
import { useActions } from '../../../state/parts/use-actions.ts';
import { usePage } from '../../../state/parts/use-page.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import classes from '../parts/learn.module.css';
import { lectureKey } from './lecture-key.ts';
import { sectionAt, sectionStarts } from './sections.ts';

export interface Lecture {
  readonly isOn: boolean;
  readonly section: number;
  readonly sections: number;
  readonly turn: (by: 1 | -1) => void;
  readonly turnLesson: (by: 1 | -1) => void;
  readonly set: (isOn: boolean) => void;
}

const TEXT_FIELDS =
  'input:not([type="range"], [type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"]';
const OPEN_LAYERS = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Pixels left over a section that is turned to. */
const MARGIN = 16;

const isLayered = (): boolean =>
  [...document.querySelectorAll(OPEN_LAYERS)].some((layer) => layer.getClientRects().length > 0);

export function useLecture(article: RefObject<HTMLElement | null>): Lecture {
  const { page: lab } = useWorkspace();
  const { page, lecture, open, setLecture } = usePage();
  const isOn = lecture === true;
  const [place, setPlace] = useState({ section: 0, sections: 1 });

  const starts = useCallback((): readonly Element[] => {
    const parts = article.current === null ? [] : [...article.current.children];
    return sectionStarts(
      parts.filter((part) => !part.matches('nav, footer')),
      (part) => part.matches(`.${classes['fields']}`),
    );
  }, [article]);

  const scroller = article.current?.closest('main') ?? null;
  const look = useCallback(() => {
    const main = article.current?.closest('main');
    if (main == null) return;
    const { top } = main.getBoundingClientRect();
    const tops = starts().map((start) => start.getBoundingClientRect().top - top);
    const isAtEnd = main.scrollTop > 0 && main.scrollTop + main.clientHeight >= main.scrollHeight - 2;
    setPlace({ section: sectionAt(tops, isAtEnd), sections: tops.length });
  }, [article, starts]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other sections
  useEffect(() => {
    const main = article.current?.closest('main');
    if (!isOn || main == null) return undefined;
    look();
    main.addEventListener('scroll', look, { passive: true });
    return () => main.removeEventListener('scroll', look);
  }, [isOn, page, look, article, scroller]);

  const turnLesson = (by: 1 | -1): void => {
    const next = LESSONS[lessonNumber(page) - 1 + by];
    if (next !== undefined) open(next.id);
  };
  const turn = (by: 1 | -1): void => {
    const main = article.current?.closest('main');
    if (main == null) return;
    const { top } = main.getBoundingClientRect();
    const tops = starts().map((start) => start.getBoundingClientRect().top - top);
    const isAtEnd = main.scrollTop + main.clientHeight >= main.scrollHeight - 2;
    if (by > 0 ? isAtEnd : main.scrollTop <= 1) {
      turnLesson(by);
      return;
    }
    // First back to the start of this section, as pages are turned.
    const at = by > 0 ? sectionAt(tops, false) + 1 : tops.findLastIndex((one) => one < -2);
    if (at <= 0) main.scrollTo({ top: 0 });
    else main.scrollBy({ top: (tops[at] ?? main.scrollHeight) - MARGIN });
    look();
  };

  const latest = useRef({ turn, turnLesson, setLecture, isOn });
  useEffect(() => {
    latest.current = { turn, turnLesson, setLecture, isOn };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const now = latest.current;
      const target = event.target instanceof Element ? event.target : null;
      const isTyping = target?.closest(TEXT_FIELDS) != null;
      const meaning = lectureKey(event, now.isOn, isTyping);
      if (meaning === null || lab.get().dialog !== null || isLayered()) return;
      event.preventDefault();
      event.stopPropagation();
      if (meaning === 'leave-field') (target as HTMLElement).blur();
      else if (meaning === 'enter' || meaning === 'leave') now.setLecture(meaning === 'enter');
      else if (meaning.of === 'section') now.turn(meaning.by);
      else now.turnLesson(meaning.by);
    };
    // Before the lab's own shortcuts, whose Escape cancels what is running.
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [lab]);
  useActions([
    {
      id: 'lecture',
      group: 'Learn',
      title: isOn ? 'Leave lecturer’s mode' : 'Lecturer’s mode',
      words: 'projector large type presentation slides beamer',
      shortcut: 'L',
      run: () => setLecture(!isOn),
    },
  ]);
  return { isOn, ...place, turn, turnLesson, set: setLecture };
}
