import type { Bound, Sample } from './bounds.ts';
import { childrenOf, factsOf, folderBytes } from '../support/processes.ts';

const MIB = 2 ** 20;
const NAMES = ['serve', 'history', 'trainer'] as const;

/** Bounds of a lab of any age. */
export const LAB_BOUNDS: readonly Bound[] = [
  ...NAMES.flatMap((name): Bound[] => [
    { name: `${name}: memory`, unit: 'bytes', level: { share: 0.15, slack: 32 * MIB } },
    { name: `${name}: descriptors`, unit: 'count', level: { share: 0, slack: 6 } },
    { name: `${name}: threads`, unit: 'count', level: { share: 0, slack: 4 } },
  ]),
  { name: 'serve: memory', unit: 'bytes', most: 1024 * MIB },
  // The lab, its history, its trainer, and a trainer that is just being ended.
  { name: 'processes', unit: 'count', most: 4 },
  { name: 'database', unit: 'bytes', level: { share: 0.1, slack: 4 * MIB } },
];

export const PAGE_BOUND: Bound = {
  name: 'page: script memory',
  unit: 'bytes',
  level: { share: 0.15, slack: 16 * MIB },
};

/** One look at a lab that runs. */
export function sampleLab(pid: number, folder: string): Sample['values'] {
  const children = childrenOf(pid);
  const values: Record<string, number> = { processes: children.length + 1, database: folderBytes(folder) };
  for (const { pid: one, command } of [{ pid, command: 'serve' }, ...children]) {
    const facts = factsOf(one);
    if (facts === null) continue;
    const name = NAMES.find((what) => command.endsWith(what) || command.endsWith(`${what}.js`)) ?? 'other';
    const add = (what: string, value: number): void => {
      values[`${name}: ${what}`] = (values[`${name}: ${what}`] ?? 0) + value;
    };
    add('memory', facts.rssBytes);
    add('descriptors', facts.descriptors);
    add('threads', facts.threads);
  }
  return values;
}
