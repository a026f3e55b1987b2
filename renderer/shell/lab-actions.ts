import { doubled, halved, withModel, withStrategy } from '../state/experiment/experiment.ts';
import { saveExperiment } from '../state/files/experiment-files.ts';
import { presetActions } from '../state/presets/open-preset.ts';
import { reportAction } from '../state/parts/save-report.ts';
import { linkActions } from '../state/parts/view-link.ts';
import { saveActions } from '../state/parts/save-file.ts';
import { chooseFile } from '../state/files/open-file.ts';
import { learnActions } from '../screens/learn/contents/learn-actions.ts';
import type { Workspace } from '../state/workspace/workspace.ts';
import type { Action } from '../state/page/actions.ts';
import type { Screen } from './screens.tsx';

export type ThemeChoice = 'auto' | 'light' | 'dark';

export interface ActionContext {
  readonly workspace: Workspace;
  readonly screens: readonly Screen[];
  readonly setTheme: (theme: ThemeChoice) => void;
  /** Name of the key beside the letter in shortcuts: `Ctrl` or `⌘`. */
  readonly modifier: string;
}

export function labActions(context: ActionContext): Action[] {
  const { screens, workspace } = context;
  return [
    ...screens.map(
      (screen, i): Action => ({
        id: `screen-${screen.id}`,
        group: 'Go to',
        title: screen.label,
        shortcut: String(i + 1),
        run: () => workspace.experiment.goTo(screen.id),
      }),
    ),
    ...experimentActions(context),
    reportAction(workspace),
    {
      id: 'save-experiment',
      group: 'Experiment',
      title: 'Save experiment',
      words: 'export download file zigzag-experiment json',
      run: () => saveExperiment(workspace.experiment),
    },
    ...saveActions(workspace),
    ...presetActions(workspace),
    ...networkActions(workspace),
    ...strategyActions(workspace),
    ...windowActions(context),
    ...learnActions(workspace),
  ];
}

function experimentActions({ workspace, modifier }: ActionContext): Action[] {
  const { experiment: store, comparison, networks, runs } = workspace;
  const resize = (next: (batch: number) => number) => () => {
    const { experiment } = store.get();
    store.change({ ...experiment, batch: next(experiment.batch) });
  };
  const group = 'Experiment';
  return [
    { id: 'double', group, title: 'Double the batch', shortcut: ']', run: resize(doubled) },
    { id: 'halve', group, title: 'Halve the batch', shortcut: '[', run: resize(halved) },
    {
      id: 'open-file',
      group,
      title: 'Open a model file…',
      words: 'import onnx keras json graph network experiment',
      run: () => chooseFile(workspace),
    },
    {
      id: 'measured-file',
      group,
      title: 'Compare with a PyTorch memory snapshot…',
      words: 'measured measure pickle gpu cuda reality explain open file',
      run: () => workspace.measuredFile.ask(),
    },
    { id: 'undo', group, title: 'Undo', shortcut: `${modifier} Z`, run: store.undo },
    { id: 'redo', group, title: 'Redo', shortcut: `${modifier} Shift Z`, run: store.redo },
    ...linkActions(workspace),
    {
      id: 'cancel',
      group,
      title: 'Cancel the running work',
      words: 'stop abort',
      shortcut: 'Esc',
      run: () => {
        comparison.cancel();
        networks.cancel();
        runs.cancel();
      },
    },
  ];
}

function networkActions({ catalog, experiment: store }: Workspace): Action[] {
  return catalog.get().models.map((model) => ({
    id: `model-${model.name}`,
    group: 'Network',
    title: model.title,
    words: `${model.name} ${model.family} open`,
    run: () => store.change(withModel(store.get().experiment, model)),
  }));
}

function strategyActions({ catalog, experiment: store }: Workspace): Action[] {
  const { strategies } = catalog.get();
  const order = strategies.map(({ name }) => name);
  const { experiment } = store.get();
  return strategies.map(({ name, title }) => {
    const chosen = experiment.strategies.includes(name);
    return {
      id: `strategy-${name}`,
      group: 'Strategy',
      title: chosen ? `Remove ${title} from the comparison` : `Compare ${title}`,
      words: `${name} add remove`,
      run: () => store.change(withStrategy(store.get().experiment, name, !chosen, order)),
    };
  });
}

function windowActions({ setTheme, workspace: { page } }: ActionContext): Action[] {
  const group = 'Lab';
  return [
    { id: 'theme-auto', group, title: 'Theme: system', words: 'auto', run: () => setTheme('auto') },
    { id: 'theme-light', group, title: 'Theme: light', run: () => setTheme('light') },
    { id: 'theme-dark', group, title: 'Theme: dark', words: 'night', run: () => setTheme('dark') },
    {
      id: 'shortcuts',
      group,
      title: 'Keyboard shortcuts',
      shortcut: '?',
      run: () => page.openDialog('shortcuts'),
    },
    { id: 'about', group, title: 'About Zigzag', words: 'version', run: () => page.openDialog('about') },
  ];
}
