import { Box, Button, Flex, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useId } from 'react';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import layout from '../../../shared/layout/layout.module.css';
import type { Exercise, Unit } from '../model/exercises/question.ts';
import classes from './exercises.module.css';
import { GraphDrawing } from './GraphDrawing.tsx';
import { type ExerciseState, type Said, useExercise } from './use-exercise.ts';

export interface ExerciseCardProps {
  readonly exercise: Exercise;
  readonly number: number;
  /** Solved on this device before; null hides that. */
  readonly isSolved: boolean | null;
}

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
      <Flex component="header" align="baseline" justify="space-between" gap={16}>
        <Box component="h3" fz={14}>
          {number}. {exercise.title}
        </Box>
        <Flex flex="none" align="baseline" gap={16} fz={12} className={classes['tools']}>
          {isSolved === true && <span className={classes['solved']}>solved</span>}
          <LinkButton onClick={state.another}>Another one like it</LinkButton>
        </Flex>
      </Flex>
      <Box component="p" id={questionId} maw="72ch">
        {question.text}
      </Box>
      {question.kind !== 'placing' && question.drawing !== undefined && (
        <GraphDrawing drawing={question.drawing} />
      )}
      <ReplyField state={state} saidId={saidId} questionId={questionId} />
      <Group gap={8} className={classes['buttons']}>
        <Button type="submit">Check</Button>
        <Button variant="default" disabled={hint !== null} onClick={state.showHint}>
          Give a hint
        </Button>
        <Button variant="default" disabled={said.kind === 'shown'} onClick={state.showAnswer}>
          Show the answer
        </Button>
      </Group>
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

const LABELS: Readonly<Record<Unit, string>> = {
  pebbles: 'Your answer, in pebbles',
  forwards: 'Your answer, in forwards',
  layers: 'Your answer, in layers',
  elements: 'Your answer, in elements',
  bytes: 'Your answer, with its unit',
  percent: 'Your answer, in percent',
  plain: 'Your answer',
};

interface ReplyFieldProps {
  readonly state: ExerciseState;
  readonly saidId: string;
  readonly questionId: string;
}

function ReplyField({ state, saidId, questionId }: ReplyFieldProps) {
  const { question, draft, said, change } = state;
  const isFault = said.kind === 'unread' || (said.kind === 'judged' && !said.isRight);
  if (question.kind === 'number') {
    return (
      <TextInput
        w={224}
        label={LABELS[question.unit]}
        placeholder={question.unit === 'bytes' ? 'as in 1.5 GiB' : undefined}
        autoComplete="off"
        value={draft.text}
        error={isFault}
        aria-invalid={isFault}
        aria-describedby={saidId}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    );
  }
  if (question.kind === 'choice') {
    return (
      <Radio.Group
        aria-labelledby={questionId}
        aria-describedby={saidId}
        value={draft.option === null ? null : String(draft.option)}
        onChange={(value) => change({ option: Number(value) })}
      >
        <Stack gap={8}>
          {question.options.map((text, i) => (
            <Radio key={text} value={String(i)} label={text} size="sm" />
          ))}
        </Stack>
      </Radio.Group>
    );
  }
  const { marked } = draft;
  const toggle = (v: number): void =>
    change({ marked: marked.includes(v) ? marked.filter((one) => one !== v) : [...marked, v] });
  return (
    <fieldset className={classes['placing']} aria-labelledby={questionId} aria-describedby={saidId}>
      <GraphDrawing
        drawing={question.drawing}
        marking={{ open: question.open, marked, isOrdered: question.isOrdered, onToggle: toggle }}
      />
      <LinkButton disabled={marked.length === 0} onClick={() => change({ marked: [] })}>
        Remove all marks
      </LinkButton>
    </fieldset>
  );
}
