import { useEffect } from 'react';
import { createThrottle } from '../../../shared/throttle.ts';
import { useWorkspace } from '../../../state/workspace/use-workspace.ts';
import {
  readSession,
  sessionPart,
  withSession,
  writeSession,
  type ZigzagSession,
  zigzagSession,
} from './zigzag-session.ts';

/** The address need not follow every turn of the wheel. */
const WRITE_MS = 250;

/** The zigzag's session, kept in step with the address while its screen is in front. */
export function useZigzagSession(): ZigzagSession {
  const workspace = useWorkspace();
  const session = zigzagSession(workspace);
  useEffect(() => {
    const { experiment: store } = workspace;
    const now = (): Readonly<Record<string, string>> => store.get().view ?? {};
    const text = (part: Readonly<Record<string, string>>): string => JSON.stringify(sessionPart(part));
    let seen = text({});
    const write = createThrottle(() => {
      const part = writeSession(session);
      seen = text(part);
      if (seen !== text(now())) store.setView(withSession(now(), part));
    }, WRITE_MS);
    const read = (): void => {
      if (text(now()) === seen) return;
      seen = text(now());
      readSession(session, now());
    };
    read();
    write.poke();
    const stops = [
      store.subscribe(read),
      ...[session.scale, session.window, session.cursor, session.cursor.held, session.lists].map((part) =>
        part.subscribe(write.poke),
      ),
    ];
    return () => {
      for (const stop of stops) stop();
      write.cancel();
    };
  }, [workspace, session]);
  return session;
}
