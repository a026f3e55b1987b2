import { Flex } from '@mantine/core';
import { useId } from 'react';
import { useStore } from '../../../shared/store.ts';
import layout from '../../../shared/layout/layout.module.css';
import { learnSession } from '../../../state/learn/learn-session.ts';
import type { LessonId } from '../../../state/learn/lessons.ts';
import { isSolved } from '../../../state/learn/solved.ts';
import { useKept } from '../../../state/workspace/use-workspace.ts';
import { EXERCISES } from '../model/exercises/exercises.ts';
import { ExerciseCard } from './ExerciseCard.tsx';
import classes from './exercises.module.css';

export interface ExercisesProps {
  readonly lesson: LessonId;
  /** Leaves out what was solved on this device: a class looks on. */
  readonly isPublic: boolean;
}

/** Seeds are in the link, so that a class solves the same exercises. */
export function Exercises({ lesson, isPublic }: ExercisesProps) {
  const title = useId();
  const solved = useStore(useKept(learnSession).solved);
  const exercises = EXERCISES[lesson];
  const done = exercises.filter(({ id }) => isSolved(solved, lesson, id)).length;
  return (
    <section className={classes['exercises']} aria-labelledby={title}>
      <Flex component="header" align="baseline" justify="space-between" gap={16} className={classes['head']}>
        <h2 id={title}>Exercises</h2>
        {!isPublic && (
          <span className={layout['muted']}>
            {done} of {exercises.length} solved on this device
          </span>
        )}
      </Flex>
      <div className={classes['grid']}>
        {exercises.map((exercise, i) => (
          <ExerciseCard
            key={exercise.id}
            exercise={exercise}
            number={i + 1}
            isSolved={isPublic ? null : isSolved(solved, lesson, exercise.id)}
          />
        ))}
      </div>
    </section>
  );
}
