import { retext } from 'retext';
import retextRepeatedWords from 'retext-repeated-words';
import retextSimplify from 'retext-simplify';

/** Words of the sentence that has to be read twice. */
const MAX_WORDS = 35;

/** Terms of the field, for which the linter knows a simpler word that means another thing. */
const TERMS = [
  ...['accelerate', 'address', 'allocate', 'component', 'delete', 'effect', 'forward', 'function'],
  ...['inception', 'initial', 'remain', 'remainder'],
  ...['maximum', 'minimise', 'minimum', 'multiple', 'optimum', 'option', 'parameters', 'previous'],
  ...['request', 'type'],
  ...[
    'a number of',
    'all of',
    'combined',
    'contains',
    'however',
    'in between',
    'it is',
    'relative to',
    'require',
    'there are',
    'there is',
  ],
];

interface Message {
  readonly line?: number;
  readonly reason: string;
}

interface Tree {
  readonly type: string;
  readonly children?: readonly Tree[];
}

const sentencesOf = (tree: Tree): Tree[] =>
  tree.type === 'SentenceNode' ? [tree] : (tree.children ?? []).flatMap(sentencesOf);

const isWord = ({ type }: Tree): boolean => type === 'WordNode';

/** A rule of the linter: each sentence of more than 35 words. */
const shortSentences =
  () =>
  (tree: Tree, file: { message(reason: string, place: Tree): void }): void => {
    for (const sentence of sentencesOf(tree)) {
      const words = (sentence.children ?? []).filter(isWord).length;
      if (words > MAX_WORDS) file.message(`a sentence of ${words} words`, sentence);
    }
  };

const linter = retext().use(retextRepeatedWords).use(retextSimplify, { ignore: TERMS }).use(shortSentences);

/** Repeated words, long-winded expressions and sentences of more than 35 words, each with its line. */
export async function englishFaults(text: string): Promise<string[]> {
  const { messages } = await linter.process(text);
  return messages.map(({ line, reason }: Message) => `${line ?? 0}: ${reason}`);
}
