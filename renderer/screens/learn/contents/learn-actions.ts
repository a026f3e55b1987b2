import type { Action } from '../../../state/page/actions.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import { GLOSSARY } from '../../../state/learn/glossary.ts';
import { LEVELS } from '../../../state/game/levels.ts';
import { openGame } from '../../../state/game/open-game.ts';
import { LESSONS } from '../../../state/learn/lessons.ts';
import { openPage } from '../../../state/parts/use-page.ts';

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
      id: 'game',
      group: 'Learn',
      title: 'The checkpoint game: all levels',
      words: 'play challenge score stars place it yourself',
      run: () => openPage(workspace, 'game', {}),
    },
    ...LEVELS.map((level, i) => ({
      id: `level-${i + 1}`,
      group: 'Play',
      title: `Level ${i + 1}: ${level.title}`,
      words: 'checkpoint game challenge',
      run: () => openGame(workspace, level),
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
