import type { Chance } from './chance.ts';
import { type ChoiceQuestion, right, wrong } from './question.ts';

/** An option and what is said of it; of a right one why it is, of a wrong one why it is not. */
export interface Option {
  readonly text: string;
  readonly isRight: boolean;
  readonly why: string;
}

export interface ChoiceAsked extends Pick<ChoiceQuestion, 'text' | 'hint' | 'drawing'> {
  readonly options: readonly Option[];
}

/** A question with one right option; in the order that chance gives them where `chance` is given. */
export function choiceQuestion(asked: ChoiceAsked, chance?: Chance): ChoiceQuestion {
  const { options: given, ...rest } = asked;
  const options = chance === undefined ? given : chance.shuffled(given);
  return {
    ...rest,
    kind: 'choice',
    options: options.map(({ text }) => text),
    solution: () => {
      const best = options.find(({ isRight }) => isRight);
      return `It is: ${best?.text}. ${best?.why}`;
    },
    judge: (option) => {
      const { isRight = false, why = '' } = options[option] ?? {};
      return isRight ? right(why) : wrong(why);
    },
  };
}
