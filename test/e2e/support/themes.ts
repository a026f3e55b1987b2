import { themesOf, tierOfRun } from '../../../app/start/test-tiers.mjs';

/** Colour schemes that this tier looks at. */
export const THEMES = themesOf(tierOfRun());
