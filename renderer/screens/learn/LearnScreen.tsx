import { Button, Flex } from '@mantine/core';
import { type ComponentType, useEffect, useRef } from 'react';
import { Exercises } from './exercises/Exercises.tsx';
import { GamePage } from './game/GamePage.tsx';
import { GlossaryPage } from './contents/GlossaryPage.tsx';
import { LessonList } from './contents/LessonList.tsx';
import layout from '../../shared/layout/layout.module.css';
import classes from './parts/learn.module.css';
import {
  isLesson,
  LESSONS,
  type LessonId,
  lessonNumber,
  type PageId,
  pageTitle,
} from '../../state/learn/lessons.ts';
import { BranchesLesson } from './lessons/BranchesLesson.tsx';
import { BudgetLesson } from './lessons/BudgetLesson.tsx';
import { MistakesLesson } from './lessons/MistakesLesson.tsx';
import { OrdersLesson } from './lessons/OrdersLesson.tsx';
import { PebblesLesson } from './lessons/PebblesLesson.tsx';
import { PoorLesson } from './lessons/PoorLesson.tsx';
import { RegularLesson } from './lessons/RegularLesson.tsx';
import { SqrtLesson } from './lessons/SqrtLesson.tsx';
import { TheoryLesson } from './lessons/TheoryLesson.tsx';
import { UnequalLesson } from './lessons/UnequalLesson.tsx';
import { LectureBar } from './lecture/LectureBar.tsx';
import { useLecture } from './lecture/use-lecture.ts';
import { PageTools } from './print/PageTools.tsx';
import { PrintedFoot } from './print/PrintedFoot.tsx';
import { usePrinting } from './parts/use-printing.ts';
import { isEmbedded } from '../../state/page/embedded.ts';
import { PresetLine } from '../../state/parts/PresetLine.tsx';
import { usePage } from '../../state/parts/use-page.ts';

const PAGES: Readonly<Record<PageId, ComponentType>> = {
  regular: RegularLesson,
  pebbles: PebblesLesson,
  poor: PoorLesson,
  sqrt: SqrtLesson,
  unequal: UnequalLesson,
  branches: BranchesLesson,
  budget: BudgetLesson,
  theory: TheoryLesson,
  mistakes: MistakesLesson,
  orders: OrdersLesson,
  game: GamePage,
  glossary: GlossaryPage,
};

export function LearnScreen() {
  const { page } = usePage();
  const title = useRef<HTMLHeadingElement>(null);
  const enter = useRef<HTMLButtonElement>(null);
  const article = useRef<HTMLElement>(null);
  const shown = useRef(page);

  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    article.current?.closest('main')?.scrollTo({ top: 0 });
    title.current?.focus({ preventScroll: true });
  }, [page]);

  const lecture = useLecture(article);
  const wasLecture = useRef(lecture.isOn);
  useEffect(() => {
    if (wasLecture.current === lecture.isOn) return;
    wasLecture.current = lecture.isOn;
    // The focused element is gone: focus moves to the title, or back to the button that led away.
    (lecture.isOn ? title : enter).current?.focus();
  }, [lecture.isOn]);
  const isPrinting = usePrinting();

  const Page = PAGES[page];
  const number = lessonNumber(page);
  const isAlone = isEmbedded();
  return (
    <div className={lecture.isOn ? classes['lecture'] : isAlone ? undefined : classes['screen']}>
      {!isAlone && !lecture.isOn && <LessonList />}
      <article ref={article} className={`${layout['screen']} ${classes['page']}`}>
        <Flex
          component="header"
          wrap="wrap"
          align="flex-end"
          justify="space-between"
          gap="8px 16px"
          className={classes['head']}
        >
          <div>
            <p className={layout['note']}>
              {number > 0
                ? `Lesson ${number} of ${LESSONS.length}`
                : page === 'game'
                  ? 'To play'
                  : 'Reference'}
            </p>
            <h1 ref={title} tabIndex={-1}>
              {pageTitle(page)}
            </h1>
          </div>
          {!lecture.isOn && <PageTools enter={enter} onLecture={() => lecture.set(true)} />}
        </Flex>
        <PresetLine />
        <Page key={page} />
        {isLesson(page) && <Exercises key={`${page} exercises`} lesson={page} isPublic={lecture.isOn} />}
        {number > 0 && !isAlone && !lecture.isOn && <Neighbours number={number} />}
        {lecture.isOn && <LectureBar page={page} lecture={lecture} />}
        {isPrinting && <PrintedFoot page={page} />}
      </article>
    </div>
  );
}

function Neighbours({ number }: { readonly number: number }) {
  const { open } = usePage();
  const before = LESSONS[number - 2];
  const after = LESSONS[number];
  const go = (id: LessonId) => () => open(id);
  return (
    <Flex
      component="nav"
      wrap="wrap"
      gap="8px 16px"
      className={classes['neighbours']}
      aria-label="Neighbouring lessons"
    >
      {before !== undefined && (
        <Button variant="default" size="sm" onClick={go(before.id)}>
          Go back to {number - 1}: {before.short}
        </Button>
      )}
      {after !== undefined && (
        <Button variant="default" size="sm" ml="auto" onClick={go(after.id)}>
          Go on to {number + 1}: {after.short}
        </Button>
      )}
    </Flex>
  );
}
