import { themesOf, tierOfRun } from '../../../app/start/test-tiers.mjs';

/** The colour schemes that this tier runs in. */
export const THEMES = themesOf(tierOfRun());
