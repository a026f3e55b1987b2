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
    'contains',
    'however',
    'in between',
    'it is',
    'require',
    'there are',
    'there is',
  ],
];

const linter = retext().use(retextRepeatedWords).use(retextSimplify, { ignore: TERMS });

interface Tree {
  readonly type: string;
  readonly children?: readonly Tree[];
  readonly position?: { readonly start: { readonly offset?: number } };
}

const sentencesOf = (tree: Tree): Tree[] =>
  tree.type === 'SentenceNode' ? [tree] : (tree.children ?? []).flatMap(sentencesOf);

const isWord = ({ type }: Tree): boolean => type === 'WordNode';

/** Repeated words, long-winded expressions and sentences of more than 35 words. */
export async function englishFaults(text: string): Promise<string[]> {
  const { messages } = await linter.process(text);
  const long = sentencesOf(linter.parse(text)).flatMap(({ children = [], position }) => {
    const words = children.filter(isWord).length;
    return words > MAX_WORDS ? [`${words} words: ${text.slice(position?.start.offset).slice(0, 60)}`] : [];
  });
  return [...messages.map(({ line, reason }) => `${line ?? 0}: ${reason}`), ...long];
}
