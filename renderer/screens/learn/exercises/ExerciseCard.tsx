import { Button } from '@mantine/core';
import { useId } from 'react';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import layout from '../../../shared/layout/layout.module.css';
import type { Exercise } from '../model/exercises/question.ts';
import classes from './exercises.module.css';
import { GraphDrawing } from './GraphDrawing.tsx';
import { ReplyField } from './ReplyField.tsx';
import { type Said, useExercise } from './use-exercise.ts';

export interface ExerciseCardProps {
  readonly exercise: Exercise;
  readonly number: number;
  /** Whether it was solved on this device before; null where that is nobody's business. */
  readonly isSolved: boolean | null;
}

/** One exercise: the question, where to reply, and what is said of the reply. The answer is made when it is asked for. */
export function ExerciseCard({ exercise, number, isSolved }: ExerciseCardProps) {
  const id = useId();
  const state = useExercise(exercise);
  const { question, said, hint } = state;
  const questionId = `${id}-question`;
  const saidId = `${id}-said`;
  return (
    <form
      className={`${layout['card']} ${classes['exercise']}`}
      aria-label={`Exercise ${number}: ${exercise.title}`}
      data-exercise={exercise.id}
      data-section=""
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.check();
      }}
    >
      <header className={classes['head']}>
        <h3>
          {number}. {exercise.title}
        </h3>
        <div className={classes['tools']}>
          {isSolved === true && <span className={classes['solved']}>solved</span>}
          <LinkButton onClick={state.another}>Another one like it</LinkButton>
        </div>
      </header>
      <p id={questionId} className={classes['question']}>
        {question.text}
      </p>
      {question.kind !== 'placing' && question.drawing !== undefined && (
        <GraphDrawing drawing={question.drawing} />
      )}
      <ReplyField state={state} saidId={saidId} questionId={questionId} />
      <div className={classes['buttons']}>
        <Button size="compact-sm" type="submit">
          Check
        </Button>
        <Button size="compact-sm" variant="default" disabled={hint !== null} onClick={state.showHint}>
          Give a hint
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={said.kind === 'shown'}
          onClick={state.showAnswer}
        >
          Show the answer
        </Button>
      </div>
      <div role="status" className={classes['said']}>
        {hint !== null && <p className={layout['muted']}>Hint: {hint}</p>}
        <p id={saidId} data-said={toneOf(said)}>
          {said.kind === 'nothing' ? '' : said.text}
        </p>
      </div>
    </form>
  );
}

function toneOf(said: Said): string | undefined {
  if (said.kind === 'judged') return said.isRight ? 'right' : 'wrong';
  return said.kind === 'nothing' ? undefined : said.kind;
}
