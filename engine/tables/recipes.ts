import type { TableName, TableRecipe } from './table.ts';
import { theoryRecipe } from './theory-table.ts';
import { cvprRecipe, iclrRecipe } from './training-tables.ts';

/**
 * How a table of the papers is reproduced.
 *
 * @param now a clock in milliseconds, for solver times; the engine has none
 */
export function recipeOf(name: TableName, now: () => number): TableRecipe {
  switch (name) {
    case 'cvpr':
      return cvprRecipe();
    case 'iclr':
      return iclrRecipe();
    case 'theory':
      return theoryRecipe(now);
  }
}
