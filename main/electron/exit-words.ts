import type { RenderProcessGoneDetails } from 'electron';

/** Ends of Chromium's processes, in words that follow the name of one. */
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
