import { readFileSync } from 'node:fs';
import { builtFiles } from '../../../main/host/info.ts';
import { BadInputError } from '../../../engine/errors.ts';
import type { Terminal } from '../terminal.ts';

/**
 * `zigzag licenses`: what the build wrote of the packages that ship.
 *
 * @throws BadInputError where it was built in part only
 */
export function licensesCommand(terminal: Terminal): void {
  const { licenses } = builtFiles(import.meta.url);
  try {
    terminal.out(readFileSync(licenses, 'utf8').trimEnd());
  } catch {
    throw new BadInputError('the licences are not built yet; run "npm run build" first');
  }
}
