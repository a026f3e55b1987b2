import { useMemo, useState } from 'react';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { learnSession } from '../../../state/learn/learn-session.ts';
import { usePage } from '../../../state/parts/use-page.ts';
import { useKept } from '../../../state/workspace/use-workspace.ts';
import { FIRST_SEED, MAX_SEED, nextSeed } from '../model/exercises/exercises.ts';
import type { Exercise, Judgement, Question } from '../model/exercises/question.ts';
import { readNumber } from '../model/exercises/read-number.ts';

export interface Draft {
  readonly text: string;
  readonly option: number | null;
  readonly marked: readonly number[];
}

export type Said =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unread'; readonly text: string }
  | ({ readonly kind: 'judged' } & Judgement)
  | { readonly kind: 'shown'; readonly text: string };

export interface ExerciseState {
  readonly question: Question;
  readonly seed: number;
  readonly draft: Draft;
  readonly said: Said;
  readonly hint: string | null;
  readonly change: (part: Partial<Draft>) => void;
  readonly check: () => void;
  readonly showHint: () => void;
  readonly showAnswer: () => void;
  readonly another: () => void;
}

const EMPTY: Draft = { text: '', option: null, marked: [] };
const NOTHING: Said = { kind: 'nothing' };

const seedName = (exercise: Exercise): string => `seed-${exercise.id}`;

export function useExercise(exercise: Exercise): ExerciseState {
  const { page, params, set } = usePage();
  const { solved } = useKept(learnSession);
  const seed = wholeNumber(params[seedName(exercise)], FIRST_SEED, MAX_SEED, FIRST_SEED);
  const question = useMemo(() => exercise.make(seed), [exercise, seed]);
  const [draft, setDraft] = useState(EMPTY);
  const [said, setSaid] = useState(NOTHING);
  const [hasHint, setHint] = useState(false);
  const [asked, setAsked] = useState(question);
  if (asked !== question) {
    setAsked(question);
    setDraft(EMPTY);
    setSaid(NOTHING);
    setHint(false);
  }
  return {
    question,
    seed,
    draft,
    said,
    hint: hasHint ? question.hint : null,
    change: (part) => {
      setDraft({ ...draft, ...part });
      // The judgement belonged to another reply; an answer that was shown stays.
      if (said.kind !== 'shown') setSaid(NOTHING);
    },
    check: () => {
      const next = judged(question, draft);
      // An answer that was shown does not count as found.
      if (next.kind === 'judged' && next.isRight && said.kind !== 'shown')
        solved.solve(page, exercise.id, seed);
      setSaid(next);
    },
    showHint: () => setHint(true),
    showAnswer: () => setSaid({ kind: 'shown', text: question.solution() }),
    another: () => set({ [seedName(exercise)]: nextSeed(exercise, seed) }),
  };
}

export function judged(question: Question, { text, option, marked }: Draft): Said {
  if (question.kind === 'number') {
    const read = readNumber(text, question.unit);
    if ('error' in read) return { kind: 'unread', text: read.error };
    return { kind: 'judged', ...question.judge(read.value) };
  }
  if (question.kind === 'choice') {
    if (option === null) return { kind: 'unread', text: 'Choose an answer first.' };
    return { kind: 'judged', ...question.judge(option) };
  }
  const vertices = question.isOrdered ? marked : [...marked].sort((a, b) => a - b);
  return { kind: 'judged', ...question.judge(vertices) };
}
