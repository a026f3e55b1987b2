/**
 * Tiers of `npm test`: each runs everything that the one before it runs, and more. ZIGZAG_TIER names the tier of a run;
 * without it everything runs, as for files that are named.
 */
export const TIERS = /** @type {const} */ (['fast', 'usual', 'all']);

/** @typedef {typeof TIERS[number]} Tier */

/** The option of `npm test` for a tier. */
export const COMMANDS = { fast: 'npm test -- --fast', usual: 'npm test', all: 'npm test -- --all' };

/** Share of the drawn cases (graphs, schedules, files) that a property tries. */
export const SHARES = { fast: 0.1, usual: 0.1, all: 1 };

/**
 * Unit tests that take longest, by the first tier that runs them.
 *
 * @type {Readonly<Record<Exclude<Tier, 'fast'>, readonly string[]>>}
 */
const SLOW_FILES = {
  usual: [],
  all: [],
};

/** @type {Readonly<Record<Tier, readonly string[]>>} */
const ADDS = {
  fast: [],
  usual: ['end-to-end tests in the light theme', "the desktop program's own end-to-end tests"],
  all: [
    'ten times as many drawn cases',
    'end-to-end tests in the dark theme',
    'a selection of end-to-end tests through the desktop program',
  ],
};

/** @returns {Tier} */
export function tierOfRun() {
  return TIERS.find((tier) => tier === process.env['ZIGZAG_TIER']) ?? 'all';
}

/** @param {Tier} tier @returns {readonly Exclude<Tier, 'fast'>[]} */
const laterThan = (tier) => /** @type {Exclude<Tier, 'fast'>[]} */ (TIERS.slice(TIERS.indexOf(tier) + 1));

/** Files of unit tests that a tier leaves out. @param {Tier} tier */
export const filesLeftOut = (tier) => laterThan(tier).flatMap((later) => SLOW_FILES[later]);

/** Colour schemes that the end-to-end tests run in. @param {Tier} tier */
export const themesOf = (tier) =>
  tier === 'all' ? /** @type {const} */ (['light', 'dark']) : /** @type {const} */ (['light']);

/** Which tier ran, and what each later one would add. @param {Tier} tier */
export function tierLines(tier) {
  const later = laterThan(tier).map((other) => {
    const files = SLOW_FILES[other];
    const slow = files.length === 0 ? [] : [`${files.length} slow files (${files.join(', ')})`];
    return `${COMMANDS[other]} adds ${[...slow, ...ADDS[other]].join('; ')}.`;
  });
  return [`This was ${COMMANDS[tier]}.`, ...later];
}
