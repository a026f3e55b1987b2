import type { ModelInfoRow } from '../../../app/contract/results.ts';
import { YOUR_FILES } from '../../state/files/file-row.ts';
import { formatCount, formatShortCount } from '../../shared/format/numbers.ts';
import { bestMatches } from '../palette-rows.ts';

export interface NetworkOption {
  readonly value: string;
  readonly label: string;
  readonly facts: string;
  /** Words besides the label that a search may match. */
  readonly words: string;
}

export interface NetworkGroup {
  readonly group: string;
  readonly items: readonly NetworkOption[];
}

/** `25.6 M parameters, 106 vertices`. */
export function networkFacts(model: ModelInfoRow): string {
  return `${formatShortCount(model.parameters)} parameters, ${formatCount(model.tensorVertices)} vertices`;
}

/** The catalogue by family: the user's own files, then families in the order in which they first appear. */
export function networkGroups(models: readonly ModelInfoRow[]): NetworkGroup[] {
  const groups = new Map<string, NetworkOption[]>();
  for (const model of models) {
    const option: NetworkOption = {
      value: model.name,
      label: model.title,
      facts: networkFacts(model),
      words: `${model.name} ${model.family} ${model.note}`,
    };
    const group = groups.get(model.family);
    if (group === undefined) groups.set(model.family, [option]);
    else group.push(option);
  }
  return [...groups]
    .sort(([a], [b]) => Number(b === YOUR_FILES) - Number(a === YOUR_FILES))
    .map(([group, items]) => ({ group, items }));
}

/** Networks that contain every word typed, in their groups; those of the best matches come first. */
export function searchNetworks(groups: readonly NetworkGroup[], query: string): NetworkGroup[] {
  const all = groups.flatMap(({ group, items }) => items.map((item) => ({ group, item })));
  const found = new Map<string, NetworkOption[]>();
  for (const { group, item } of bestMatches(all, query, ({ item: { label, words } }) => [label, words]))
    found.set(group, [...(found.get(group) ?? []), item]);
  return [...found].map(([group, items]) => ({ group, items }));
}
