export const LESSONS = [
  { id: 'regular', title: 'Why training stores every activation', short: 'Storing everything' },
  { id: 'pebbles', title: 'The pebble game', short: 'The pebble game' },
  { id: 'poor', title: 'Store nothing, recompute everything', short: 'Storing nothing' },
  { id: 'sqrt', title: 'The square root of N', short: 'Square root of N' },
  { id: 'unequal', title: 'Tensors of unequal size', short: 'Unequal tensors' },
  { id: 'branches', title: 'Branches and independent segments', short: 'Branches' },
  { id: 'budget', title: 'Budgets and dynamic programming', short: 'Budgets' },
  { id: 'theory', title: 'What the theory leaves out', short: 'Theory and peak' },
  { id: 'mistakes', title: 'Two classic mistakes', short: 'Classic mistakes' },
  { id: 'orders', title: 'The order of computing', short: 'Order' },
] as const;

export type LessonId = (typeof LESSONS)[number]['id'];
const REFERENCE = { game: 'The checkpoint game', glossary: 'Glossary' } as const;

const isReference = (name: string): name is keyof typeof REFERENCE => Object.hasOwn(REFERENCE, name);

export type PageId = LessonId | keyof typeof REFERENCE;

/** Place of a lesson in the order, from 1; 0 for the game and the glossary. */
export const lessonNumber = (page: PageId): number => LESSONS.findIndex(({ id }) => id === page) + 1;

export const pageTitle = (page: PageId): string =>
  isReference(page) ? REFERENCE[page] : (LESSONS.find(({ id }) => id === page)?.title ?? '');

export const isPage = (name: string | undefined): name is PageId =>
  name !== undefined && (isReference(name) || LESSONS.some(({ id }) => id === name));

export const isLesson = (page: PageId): page is LessonId => lessonNumber(page) > 0;
