import type { Checkpointing } from '../../engine/schedule/checkpointing.ts';
import type { JsonRow } from './compared.ts';

/** A line that says whose segments run as was asked for, where they do not by default; none where nothing was asked. */
export function segmentsRun(
  asked: Checkpointing | undefined,
  rows: readonly Pick<JsonRow, 'strategy' | 'applicable' | 'checkpointing'>[],
): readonly string[] {
  if (asked !== 'reentrant') return [];
  const applied = rows.filter(({ applicable }) => applicable);
  const names = (made: boolean): string =>
    applied
      .filter(({ checkpointing }) => (checkpointing === asked) === made)
      .map(({ strategy }) => strategy)
      .join(', ');
  const [made, others] = [names(true), names(false)];
  return [
    ...(made === '' ? [] : [`segments run        reentrant: ${made}`]),
    ...(others === '' ? [] : [`no segments         ${others}: --checkpointing changes nothing there`]),
  ];
}
