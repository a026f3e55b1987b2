import { type Experiment, experimentSchema } from '../../../app/contract/experiment.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { gameOf } from './game.ts';
import { gameSession } from './game-session.ts';
import type { Level } from './levels.ts';

export const GAME_PANEL = 'game';

/** Opens a level on the Graph screen as it was left. Nothing but regular training is compared: no answer is in sight. */
export function openGame(
  { experiment: store, keep }: Pick<Workspace, 'experiment' | 'keep'>,
  level: Pick<Level, 'model' | 'batch'>,
): void {
  const { logs, arrival } = keep(gameSession);
  const { device, deviceGiB, contextGiB, seed } = store.get().experiment;
  const fresh = experimentSchema.parse({
    model: level.model,
    batch: level.batch,
    strategies: ['regular'],
    ...{ device, deviceGiB, contextGiB, seed },
  });
  const log = logs.get().get(gameOf(fresh).key);
  const checkpoints = log?.sets[log.at] ?? [];
  const experiment: Experiment = checkpoints.length > 0 ? { ...fresh, checkpoints: [...checkpoints] } : fresh;
  arrival.isNew = true;
  store.open({ screen: 'graph', experiment, selected: null, view: { panel: GAME_PANEL }, faults: [] });
}
