import { Box, Button } from '@mantine/core';
import { LESSONS, lessonNumber, type PageId, pageTitle } from '../../../state/learn/lessons.ts';
import classes from '../parts/learn.module.css';
import type { Lecture } from './use-lecture.ts';

export function LectureBar({ page, lecture }: { readonly page: PageId; readonly lecture: Lecture }) {
  const { section, sections, turn, turnLesson, set } = lecture;
  const number = lessonNumber(page);
  return (
    <nav className={classes['lectureBar']} aria-label="Lecture">
      <Box component="p" role="status" fz={12} c="dimmed">
        {number > 0 ? `${number}. ` : ''}
        {pageTitle(page)}, section {section + 1} of {sections}
      </Box>
      <Turn name="Previous section" short="‹ Section" onClick={() => turn(-1)} />
      <Turn name="Next section" short="Section ›" onClick={() => turn(1)} />
      {number > 0 && (
        <>
          <Turn name="Previous lesson" short="‹ Lesson" isOff={number === 1} onClick={() => turnLesson(-1)} />
          <Turn
            name="Next lesson"
            short="Lesson ›"
            isOff={number === LESSONS.length}
            onClick={() => turnLesson(1)}
          />
        </>
      )}
      <Button onClick={() => set(false)}>Leave (Esc)</Button>
    </nav>
  );
}

interface TurnProps {
  readonly name: string;
  /** Shown in a narrow window. */
  readonly short: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Turn({ name, short, isOff = false, onClick }: TurnProps) {
  return (
    <Button
      variant="default"
      className={classes['turn']}
      aria-label={name}
      disabled={isOff}
      onClick={onClick}
    >
      <span>{name}</span>
      <span>{short}</span>
    </Button>
  );
}
