/** A menu's entry: begins the given work unless it still runs. The work reports its own faults; others are dropped. */
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
