import { readMemory, type ShownMemory } from '../../../state/comparison/shown-memory.ts';
import type { StepScale } from '../../../shared/charts/step-axis.ts';
import { createStepSession, type StepSession } from '../../../shared/charts/step-session.ts';
import { readWindow, type StepWindow, writeWindow } from '../../../shared/charts/step-window.ts';
import { readHeight, type VerticalView, writeHeight } from '../../../shared/charts/vertical-view.ts';
import { partOf, type Store } from '../../../shared/store.ts';
import type { View } from '../../../state/experiment/experiment-store.ts';
import { createViewPart } from '../../../state/experiment/view-part.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';

export interface ZigzagSession extends StepSession {
  readonly memory: Store<ShownMemory>;
  /** True where the constant part at the foot of the device's memory is left out; null while nobody has said. */
  readonly isFolded: Store<boolean | null>;
  readonly lists: Store<boolean>;
}

/** State of the zigzag in a link; the cursor is in it once it is held. */
export interface ZigzagView {
  readonly scale: StepScale;
  readonly window: StepWindow | null;
  readonly height: VerticalView;
  readonly held: number | null;
  readonly lists: boolean;
  readonly memory: ShownMemory;
  readonly isFolded: boolean | null;
}

const SCALES: readonly StepScale[] = ['pass', 'operations', 'time'];
/** The address need not follow every turn of the wheel. */
const WRITE_MS = 250;

export function readZigzag(view: View): ZigzagView {
  const place = view['at'] === undefined || view['at'] === '' ? Number.NaN : Number(view['at']);
  return {
    scale: SCALES.find((scale) => scale === view['axis']) ?? 'pass',
    window: readWindow(view['zoom']),
    height: readHeight(view['height']),
    held: place >= 0 && Number.isFinite(place) ? place : null,
    lists: view['list'] === '1',
    memory: readMemory(view),
    isFolded: view['base'] === 'folded' ? true : view['base'] === 'open' ? false : null,
  };
}

export function writeZigzag(state: ZigzagView): View {
  const { scale, window, height, held, lists, memory, isFolded } = state;
  const tall = writeHeight(height);
  return {
    ...(scale === 'pass' ? {} : { axis: scale }),
    ...(window === null ? {} : { zoom: writeWindow(window) }),
    ...(tall === null ? {} : { height: tall }),
    ...(held === null ? {} : { at: String(Number(held.toPrecision(7))) }),
    ...(lists ? { list: '1' } : {}),
    ...(memory === 'device' ? {} : { memory }),
    ...(isFolded === null ? {} : { base: isFolded ? 'folded' : 'open' }),
  };
}

export function zigzagSession({ experiment }: Pick<Workspace, 'experiment'>): ZigzagSession {
  const words = {
    names: ['axis', 'zoom', 'height', 'at', 'list', 'memory', 'base'],
    read: readZigzag,
    write: writeZigzag,
  };
  const view = createViewPart<ZigzagView>(experiment, 'compare', words, WRITE_MS);
  const session = createStepSession({
    scale: partOf(view, 'scale'),
    window: partOf(view, 'window'),
    height: partOf(view, 'height'),
    held: partOf(view, 'held'),
  });
  return {
    ...session,
    lists: partOf(view, 'lists'),
    memory: partOf(view, 'memory'),
    isFolded: partOf(view, 'isFolded'),
  };
}
