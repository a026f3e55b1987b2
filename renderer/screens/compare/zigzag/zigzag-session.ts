import type { StepScale } from '../../../shared/charts/step-axis.ts';
import { createStepSession, type StepSession } from '../../../shared/charts/step-session.ts';
import { readWindow, writeWindow } from '../../../shared/charts/step-window.ts';
import { perOwner } from '../../../shared/per-owner.ts';
import { createStore, type Store } from '../../../shared/store.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';

/** What the zigzag's charts share. */
export interface ZigzagSession extends StepSession {
  /** Whether every live tensor is listed. */
  readonly lists: Store<boolean>;
}

export const createZigzagSession = (): ZigzagSession => ({
  ...createStepSession(),
  lists: createStore(false),
});

/** One session for each workspace: it is found again after another screen. */
export const zigzagSession: (workspace: Workspace) => ZigzagSession = perOwner(createZigzagSession);

const SCALES: readonly StepScale[] = ['pass', 'operations', 'time'];
const NAMES = ['axis', 'zoom', 'at', 'list'] as const;

type View = Readonly<Record<string, string>>;

/** What a link says of the session; only what differs from a first visit. A step is in it once it is held. */
export function writeSession({ scale, window, cursor, lists }: ZigzagSession): View {
  const shown = window.get();
  const place = cursor.held.get() ? cursor.get() : null;
  return {
    ...(scale.get() === 'pass' ? {} : { axis: scale.get() }),
    ...(shown === null ? {} : { zoom: writeWindow(shown) }),
    ...(place === null ? {} : { at: String(Number(place.toPrecision(7))) }),
    ...(lists.get() ? { list: '1' } : {}),
  };
}

/** The part of a view that is the session's. */
export function sessionPart(view: View): View {
  return Object.fromEntries(NAMES.flatMap((name) => (view[name] === undefined ? [] : [[name, view[name]]])));
}

/** The same view with another part for the session; what others keep there stays. */
export function withSession(view: View, part: View): View {
  const others = Object.entries(view).filter(([name]) => !(NAMES as readonly string[]).includes(name));
  return { ...Object.fromEntries(others), ...part };
}

export function readSession(session: ZigzagSession, view: View): void {
  session.scale.set(SCALES.find((scale) => scale === view['axis']) ?? 'pass');
  session.window.set(readWindow(view['zoom']));
  session.lists.set(view['list'] === '1');
  const place = view['at'] === undefined || view['at'] === '' ? Number.NaN : Number(view['at']);
  if (place >= 0 && Number.isFinite(place)) session.cursor.hold(place);
  else session.cursor.letGo();
}
