/**
 * Suffix of the titles of tests that cannot run here; the last lines of `npm test` count them by the reason, which
 * tells what to install.
 */
export const skippedFor = (reason: string): string => (reason === '' ? '' : ` (skipped: ${reason})`);

/** @param fullName titles from the outermost inwards, with Vitest's ` > ` in between */
export const reasonOf = (fullName: string): string | undefined =>
  /\(skipped: (.*?)\)(?= > |$)/.exec(fullName)?.[1];
