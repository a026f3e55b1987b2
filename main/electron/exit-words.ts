import type { RenderProcessGoneDetails } from 'electron';

/** How a Chromium process ended, as words that follow its name. */
export const EXIT_WORDS: Readonly<Record<RenderProcessGoneDetails['reason'], string>> = {
  'clean-exit': 'ended by itself',
  'abnormal-exit': 'ended with an error',
  killed: 'was killed',
  crashed: 'crashed',
  oom: 'ran out of memory',
  'launch-failed': 'could not be started',
  'integrity-failure': 'failed the check of its code',
  'memory-eviction': 'was ended because the machine ran out of memory',
};
