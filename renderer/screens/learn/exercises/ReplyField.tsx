import { Radio, Stack, TextInput } from '@mantine/core';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import type { Unit } from '../model/exercises/question.ts';
import classes from './exercises.module.css';
import { GraphDrawing } from './GraphDrawing.tsx';
import type { ExerciseState } from './use-exercise.ts';

const LABELS: Readonly<Record<Unit, string>> = {
  pebbles: 'Your answer, in pebbles',
  forwards: 'Your answer, in forwards',
  layers: 'Your answer, in layers',
  elements: 'Your answer, in elements',
  bytes: 'Your answer, with its unit',
  percent: 'Your answer, in percent',
  plain: 'Your answer',
};

export interface ReplyFieldProps {
  readonly state: ExerciseState;
  /** Id of the sentence that judges. */
  readonly saidId: string;
  readonly questionId: string;
}

/** Where the reply is entered: a number, one of several options, or vertices of the drawing. */
export function ReplyField({ state, saidId, questionId }: ReplyFieldProps) {
  const { question, draft, said, change } = state;
  const isFault = said.kind === 'unread' || (said.kind === 'judged' && !said.isRight);
  if (question.kind === 'number') {
    return (
      <TextInput
        size="sm"
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
        Take all marks away
      </LinkButton>
    </fieldset>
  );
}
