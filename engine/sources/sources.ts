import { METHODS } from './methods.ts';
import { NETWORKS } from './networks.ts';
import type { Source } from './source.ts';
import { THEORY } from './theory.ts';
import { TRAINING } from './training.ts';

const ALL = { ...METHODS, ...TRAINING, ...NETWORKS, ...THEORY } as const;

/** By which a source is cited, here and in BibTeX. */
export type SourceKey = keyof typeof ALL;

/** Every source that Zigzag names, once, by its key: what it follows first, then training, networks, theory. */
export const SOURCES: Readonly<Record<SourceKey, Source>> = ALL;

export const SOURCE_KEYS = Object.keys(ALL) as readonly SourceKey[];
