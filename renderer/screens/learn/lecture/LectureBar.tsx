import { Box, Button } from '@mantine/core';
import { LESSONS, lessonNumber, type PageId, pageTitle } from '../../../state/learn/lessons.ts';
import classes from '../parts/learn.module.css';
import type { Lecture } from './use-lecture.ts';

export function LectureBar({ page, lecture }: { readonly page: PageId; readonly lecture: Lecture }) {
  const { section, sections, turn, turnLesson, set } = lecture;
  const number = lessonNumber(page);
  return (
    <nav className={classes['lectureBar']} aria-label="Lecture">
      <Box component="p" role="status" flex="1 1 auto" fz={12} c="dimmed">
        {number > 0 ? `${number}. ` : ''}
        {pageTitle(page)}, section {section + 1} of {sections}
      </Box>
      <Button size="compact-sm" variant="default" onClick={() => turn(-1)}>
        Previous section
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => turn(1)}>
        Next section
      </Button>
      {number > 0 && (
        <>
          <Button size="compact-sm" variant="default" disabled={number === 1} onClick={() => turnLesson(-1)}>
            Previous lesson
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={number === LESSONS.length}
            onClick={() => turnLesson(1)}
          >
            Next lesson
          </Button>
        </>
      )}
      <Button size="compact-sm" onClick={() => set(false)}>
        Leave (Esc)
      </Button>
    </nav>
  );
}
