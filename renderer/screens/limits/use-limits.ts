import { useEffect, useMemo } from 'react';
import type { DeviceSpeed } from '../../../engine/limits/throughput.ts';
import { type ChosenDevice, chosenDevice } from '../../state/experiment/device.ts';
import { useStore } from '../../shared/store.ts';
import {
  useCatalog,
  useConnectionState,
  useLabView,
  useWorkspace,
} from '../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../state/workspace/workspace.ts';
import { createLimitsStore, type LimitsState, type LimitsStore } from './state/limits-store.ts';
import { type LimitRow, limitRows } from './state/rows.ts';
import {
  type LimitsSettings,
  limitsRequest,
  memoryFor,
  readSettings,
  speedOf,
  writeSettings,
} from '../../state/experiment/limits-settings.ts';

const limitsOf = ({ connection }: Workspace): LimitsStore => createLimitsStore(connection.client);

export interface LimitsView {
  readonly store: LimitsStore;
  readonly state: LimitsState;
  readonly rows: readonly LimitRow[];
  readonly device: ChosenDevice;
  readonly contextBytes: number;
  readonly totalBytes: number;
  /** For stationary bytes and the step; null where the context leaves nothing. */
  readonly memoryBytes: number | null;
  readonly speed: DeviceSpeed;
  readonly settings: LimitsSettings;
  readonly change: (part: Partial<LimitsSettings>) => void;
  readonly network: string;
}

export function useLimitsView(): LimitsView {
  const workspace = useWorkspace();
  const store = workspace.keep(limitsOf);
  const state = useStore(store);
  const { experiment, view = {} } = useLabView();
  const { titles, models, loaded } = useCatalog();
  const connection = useConnectionState();
  const settings = useMemo(() => readSettings(view), [view]);
  const device = useMemo(() => chosenDevice(experiment), [experiment]);
  const memoryBytes = memoryFor(device);
  const speed = useMemo(() => speedOf(device, settings), [device, settings]);

  const isReady = connection === 'open' && loaded && memoryBytes !== null;
  useEffect(() => {
    if (isReady) void store.show(limitsRequest(experiment, memoryBytes));
  }, [store, isReady, memoryBytes, experiment]);
  useEffect(() => store.pause, [store]);

  // The solver answers one question at a time: that of the screen in front first.
  const isSolving = state.running !== null;
  useEffect(() => {
    if (!isSolving) return;
    const { comparison, networks, experiment: changing } = workspace;
    const hold = (): void => {
      comparison.pause();
      networks.pause();
    };
    hold();
    const stop = changing.subscribe(hold);
    return () => {
      stop();
      comparison.show(changing.get().experiment);
      networks.show(changing.get().experiment);
    };
  }, [isSolving, workspace]);

  const rows = useMemo(
    () =>
      limitRows({ state, strategies: [...new Set(['regular', ...experiment.strategies])], titles, speed }),
    [state, experiment.strategies, titles, speed],
  );
  return {
    store,
    state,
    rows,
    device,
    contextBytes: device.contextBytes,
    totalBytes: device.memoryBytes,
    memoryBytes,
    speed,
    settings,
    change: (part) => workspace.experiment.setView(writeSettings({ ...settings, ...part })),
    network: models.find(({ name }) => name === experiment.model)?.title ?? experiment.model,
  };
}
