import { useEffect, useState } from 'react';

const TICK_MS = 100;

/** The clock of `performance.now` while something runs; zero before. */
export function useNow(running: boolean): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (!running) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  return running ? now : 0;
}
