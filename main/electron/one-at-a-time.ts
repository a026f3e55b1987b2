/**
 * Menu entry that starts the given work unless it is still running. The work reports its own errors; others are
 * dropped.
 */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    void run()
      .catch(() => undefined)
      .finally(() => {
        isRunning = false;
      });
  };
}
