import type { Experiment } from '../../../../app/contract/experiment.ts';
import { learnSession } from '../../../state/learn/learn-session.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import type { PageState } from '../../../state/learn/page-state.ts';

export interface Trial {
  readonly screen: string;
  /** Set over the experiment in front. */
  readonly experiment?: Partial<Experiment>;
  readonly selected?: string;
  readonly view?: Readonly<Record<string, string>>;
}

export function openTrial(workspace: Workspace, trial: Trial, from: PageState): void {
  const { experiment: store, keep } = workspace;
  const { experiment } = store.get();
  const next = trial.experiment === undefined ? experiment : withTrial(experiment, trial.experiment);
  store.open({
    screen: trial.screen,
    experiment: next,
    selected: trial.selected ?? null,
    ...(trial.view === undefined ? {} : { view: trial.view }),
    faults: [],
  });
  keep(learnSession).wayBack.set(from);
}

/** Another network brings its own input size and dropout, and has no checkpoints of the user yet. */
export function withTrial(experiment: Experiment, part: Partial<Experiment>): Experiment {
  if (part.model === undefined || part.model === experiment.model) return { ...experiment, ...part };
  const { input: _input, dropout: _dropout, checkpoints: _checkpoints, ...rest } = experiment;
  return { ...rest, ...part };
}
