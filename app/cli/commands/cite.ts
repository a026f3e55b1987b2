import { BadInputError } from '../../../engine/errors.ts';
import { nearestNames } from '../../../engine/zoo/nearest.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { versionAbove } from '../../../main/host/info.ts';
import { bibtex, ENTRY_KEYS, type EntryKey } from '../../report/bibtex.ts';
import type { Terminal } from '../terminal.ts';

/**
 * `zigzag cite [NAME...]`: BibTeX of the sources by their keys or by the strategies that follow them; of all and of
 * Zigzag itself where nothing is named.
 *
 * @throws BadInputError for a name that is neither
 */
export function citeCommand(names: readonly string[], terminal: Terminal): void {
  const keys = names.length === 0 ? ENTRY_KEYS : names.flatMap(keysOf);
  terminal.out(bibtex(versionAbove(import.meta.url), keys).trimEnd());
}

function keysOf(name: string): readonly EntryKey[] {
  const key = ENTRY_KEYS.find((known) => known === name);
  if (key !== undefined) return [key];
  const strategy = STRATEGIES.find((known) => known.name === name);
  if (strategy !== undefined) return strategy.cites.length > 0 ? strategy.cites : ['zigzag'];
  const near = nearestNames(name, [...ENTRY_KEYS, ...STRATEGIES.map((known) => known.name)]);
  throw new BadInputError(
    `no source or strategy is named "${name}"; ${near.length > 0 ? `did you mean ${near.join(', ')}?` : '"zigzag cite" prints every source with its key'}`,
  );
}
