import { formatBytes } from '../../engine/bytes.ts';
import { type Held, TERMS, type Term } from '../../engine/training-memory/held.ts';

/** What a term is called in a table or a sentence. */
export const TERM_TITLES: Readonly<Record<Term, string>> = {
  weights: 'weights',
  copies: 'half copies',
  gradients: 'gradients of weights',
  optimizer: 'optimizer',
  activations: 'activations',
  loss: 'loss',
  workspace: 'workspace',
  rounding: 'rounding',
  context: 'context',
};

/** The terms that are there, in their order: `weights 44.6 MiB, activations 1.20 GiB, context 768 MiB`. */
export function termsText({ terms }: Pick<Held, 'terms'>, space?: string): string {
  return TERMS.filter((term) => terms[term] > 0)
    .map((term) => `${TERM_TITLES[term]} ${formatBytes(terms[term], space)}`)
    .join(', ');
}
