/** What a menu's entry does: begins what is given, unless it still runs. It tells its own faults; others are dropped. */
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
