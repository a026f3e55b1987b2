import type { Action } from '../../state/page/actions.ts';
import type { Workspace } from '../../state/workspace/workspace.ts';
import { GLOSSARY } from '../../state/learn/glossary.ts';
import { LESSONS } from '../../state/learn/lessons.ts';
import { openPage } from '../../state/parts/use-page.ts';

/** Every lesson and every term of the glossary by name. */
export function learnActions(workspace: Workspace): Action[] {
  return [
    ...LESSONS.map(({ id, title }, i) => ({
      id: `lesson-${id}`,
      group: 'Lesson',
      title: `${i + 1}. ${title}`,
      words: 'learn teach',
      run: () => openPage(workspace, id),
    })),
    {
      id: 'glossary',
      group: 'Learn',
      title: 'Glossary',
      words: 'terms words dictionary',
      run: () => openPage(workspace, 'glossary', {}),
    },
    ...GLOSSARY.map(({ id, term, also = '' }) => ({
      id: `term-${id}`,
      group: 'Glossary',
      title: `What is meant by ${term}`,
      words: `${also} definition explain`,
      run: () => openPage(workspace, 'glossary', { term: id }),
    })),
  ];
}
