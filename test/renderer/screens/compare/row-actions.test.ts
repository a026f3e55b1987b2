import { beforeAll, describe, expect, it } from 'vitest';
import { rowActions } from '../../../../renderer/screens/compare/row-actions.ts';
import { type NetworkResults, withEvent } from '../../../../renderer/state/comparison/comparison.ts';
import { type StrategyRow, strategyRows } from '../../../../renderer/state/comparison/rows.ts';
import { nextRun } from '../../../../renderer/state/parts/next-run.ts';
import { eventsOf, experimentOf, workspaceOf } from '../../support/fake-lab.ts';

const SCREENS = ['compare', 'graph', 'train'];
const FILE = 'file:0123456789abcdef';

let row: StrategyRow;
beforeAll(() => {
  const experiment = experimentOf();
  let results: NetworkResults | undefined;
  for (const event of eventsOf(experiment)) results = withEvent(results, 'key', experiment.batch, event);
  const rows = strategyRows({
    results: results ?? null,
    experiment,
    titles: new Map(),
    measured: new Map(),
  });
  row = rows.find(({ identity }) => identity.name === 'chen-sqrt')!;
});

const actionOf = (name: string, link: string) => {
  const workspace = workspaceOf(link, SCREENS);
  const action = rowActions(row, workspace).find((one) => one.name === name)!;
  return { workspace, action };
};

describe('actions on a row', () => {
  it.each(['tiny-residual', FILE])('train the strategy on %s', (model) => {
    const { workspace, action } = actionOf('Train this', `#/compare?model=${model}&batch=4`);
    expect(action.unavailable).toBeNull();
    action.run();
    expect(workspace.experiment.get()).toMatchObject({ screen: 'train', selected: 'chen-sqrt' });
    expect(workspace.keep(nextRun).get().strategy).toBe('chen-sqrt');
    expect(workspaceOf('#/compare', SCREENS).keep(nextRun).get().strategy).toBeNull();
  });

  it('place its checkpoints in the drawing', () => {
    const { workspace, action } = actionOf('Place in Graph', '#/compare?model=tiny-residual&batch=4');
    action.run();
    const { screen, view, experiment } = workspace.experiment.get();
    expect({ screen, view }).toEqual({ screen: 'graph', view: { panel: 'yours' } });
    expect(experiment.checkpoints).toEqual(row.checkpoints);
  });

  it('are unavailable without a plan', () => {
    const waiting: StrategyRow = { ...row, state: 'waiting' };
    const workspace = workspaceOf('#/compare', SCREENS);
    const open = rowActions(waiting, workspace).filter(({ unavailable }) => unavailable === null);
    expect(open.map(({ name }) => name)).toEqual(['Copy command line']);
  });
});
