import { useEffect, useRef, useState } from 'react';

/**
 * The value as it was when it last rested, for what takes longer to draw than the value stays.
 *
 * @param restMs how long it must not have changed
 * @param mostMs after this it is taken although it goes on changing
 */
export function useAtRest<T>(value: T, restMs: number, mostMs: number): T {
  const [rested, setRested] = useState(value);
  const restlessSince = useRef<number | null>(null);
  useEffect(() => {
    const now = performance.now();
    restlessSince.current ??= now;
    const left = restlessSince.current + mostMs - now;
    const timer = setTimeout(
      () => {
        restlessSince.current = null;
        setRested(value);
      },
      Math.max(0, Math.min(restMs, left)),
    );
    return () => clearTimeout(timer);
  }, [value, restMs, mostMs]);
  return rested;
}
