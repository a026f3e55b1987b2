import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/**
 * A part of a screen in a file of its own. One that cannot be fetched is tried again until it can be, behind what stands
 * in for it: the lab is being started again, and an error would take the whole page away.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  firstPauseMs = FIRST_PAUSE_MS,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return { default: await load() };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  });
}
