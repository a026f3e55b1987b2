import Table from 'cli-table3';
import { catalogOf } from '../../../main/solver/catalog.ts';
import { count } from '../format.ts';
import { printJson, type Terminal } from '../terminal.ts';

/** `zigzag models`: the zoo, with the sizes of each network at its default input. */
export function modelsCommand(flags: { readonly json?: boolean }, terminal: Terminal): void {
  const { models: rows } = catalogOf();
  if (flags.json === true) {
    printJson(terminal, rows);
    return;
  }
  const table = new Table({
    head: ['name', 'family', 'input', 'parameters', 'operations', 'tensors', 'graph'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push([
      row.name,
      row.family,
      row.defaultInput,
      count(row.parameters),
      count(row.vertices),
      count(row.tensorVertices),
      row.linear ? 'linear' : 'non-linear',
    ]);
  }
  terminal.out(table.toString());
}
