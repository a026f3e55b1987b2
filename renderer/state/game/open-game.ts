import { type Experiment, experimentSchema } from '../../../app/contract/experiment.ts';
import type { ExperimentStore } from '../experiment/experiment-store.ts';
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
  const { logs, arrival, until } = keep(gameSession);
  until.stop ??= restoreAfter(store, until);
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

/** Puts the experiment of before back once the game is left; one that was opened meanwhile stays. */
function restoreAfter(store: ExperimentStore, until: { stop: (() => void) | null }): () => void {
  const before = store.get().experiment;
  let played = before;
  const stop = store.subscribe(() => {
    const { screen, view, experiment } = store.get();
    const panel = screen === 'graph' ? view?.['panel'] : undefined;
    if (panel === GAME_PANEL) played = experiment;
    // Levels are chosen on a page of Learn; a panel is unknown until its network is drawn.
    if (panel === GAME_PANEL || screen === 'learn' || (screen === 'graph' && panel === undefined)) return;
    stop();
    until.stop = null;
    if (experiment === played) store.change(before);
  });
  return stop;
}
