import type { Experiment } from '../../../app/contract/experiment.ts';
import { optionFacts } from '../../../app/report/option-facts.ts';
import { withinSentence } from '../../shared/format/sentence.ts';
import { type OptionName, optionOf, optionsThatChange } from '../../../engine/options/options.ts';

/** Options that have a field of their own outside the list, or are set on a screen. */
const ELSEWHERE = ['batch', 'input', 'dtype', 'budgetBytes', 'checkpoints', 'plan', 'seed'];
const LISTED = optionsThatChange('graph', 'memory', 'plan', 'link').filter(
  (name) => !ELSEWHERE.includes(name),
);

/**
 * The rarer settings that are not as on a first visit, in words, so that a closed list of them hides nothing.
 *
 * @param isRead by a strategy that is compared, or by its graph
 */
export function fieldsSet(
  experiment: Partial<Experiment>,
  isRead: (name: OptionName) => boolean = () => true,
): string[] {
  const isShown = (name: OptionName): boolean => optionOf(name).field !== 'where-read' || isRead(name);
  const listed = Object.fromEntries(LISTED.filter(isShown).map((name) => [name, experiment[name]]));
  return optionFacts(listed).map(([label, value]) => `${withinSentence(label)} ${value}`);
}
