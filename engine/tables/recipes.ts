import type { MilpSolver } from '../strategies/milp/milp-solver.ts';
import { capabilitiesRecipe } from './capabilities.ts';
import { claimsRecipe } from './claims-table.ts';
import { depthRecipe } from './depth-table.ts';
import { figureOneRecipe } from './figure-one.ts';
import { layersRecipe } from './layers-table.ts';
import type { TableName, TableRecipe } from './table.ts';
import { theoryRecipe } from './theory-table.ts';
import { cvprRecipe, iclrRecipe } from './training-tables.ts';
import { widthRecipe } from './width-table.ts';

/**
 * Recipe of a table of the papers.
 *
 * @param now a clock in milliseconds, for solver times; the engine has none
 * @param milpSolver for the matrix of strategies, where `milp` is left out without it
 */
export function recipeOf(name: TableName, now: () => number, milpSolver?: MilpSolver): TableRecipe {
  switch (name) {
    case 'cvpr':
      return cvprRecipe();
    case 'iclr':
      return iclrRecipe();
    case 'theory':
      return theoryRecipe(now);
    case 'capabilities':
      return capabilitiesRecipe(milpSolver);
    case 'figure1':
      return figureOneRecipe();
    case 'depth':
      return depthRecipe();
    case 'layers':
      return layersRecipe();
    case 'treewidth':
      return widthRecipe();
    case 'claims':
      return claimsRecipe();
  }
}
