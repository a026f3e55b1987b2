import type { TableEvent, TableRequest } from '../../app/contract/tables.ts';
import { recipeOf } from '../../engine/tables/recipes.ts';
import type { TableRow } from '../../engine/tables/table.ts';
import type { Solving } from './context.ts';

/** Reproduces a table of the papers: its head, then each row as it is solved. Rows are cached. Stops between rows. */
export function tableEvents(
  { name }: TableRequest,
  { memory, control, emit }: Pick<Solving<TableEvent>, 'control' | 'emit'> & Partial<Solving>,
): void {
  const { head, networks, rowOf } = recipeOf(name, () => performance.now(), memory?.milpSolver);
  emit({
    type: 'head',
    head: { ...head, notes: [...head.notes], columns: [...head.columns] },
    networks: [...networks],
  });
  networks.forEach((_, index) => {
    control.tick(index / networks.length);
    const solved = (): TableRow => rowOf(index);
    const row = memory?.tableRows.get(`${name} ${index}`, solved) ?? solved();
    emit({ type: 'row', index, row: { ...row } });
  });
}
