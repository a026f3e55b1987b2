import { expect, it, vi } from 'vitest';
import { DisconnectedError } from '../../../../app/contract/client.ts';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import { graphFile } from '../../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { readAddress } from '../../../../renderer/state/experiment/address.ts';
import { regularPeak } from '../../../../renderer/state/comparison/rows.ts';
import { createWorkspace, type Workspace } from '../../../../renderer/state/workspace/workspace.ts';
import { settled, until } from '../../support/fake-lab.ts';
import { CATALOG, type LabOptions, LINK, type OpenLab, openLab, SCREENS } from '../../support/open-lab.ts';

const MODEL = new File([JSON.stringify(graphFile(buildModel('tiny-residual', { batch: 1 })))], 'mine.json');

function started(options: LabOptions = {}): OpenLab & { readonly stop: () => void } {
  const lab = openLab(options);
  return { ...lab, stop: lab.workspace.start() };
}

/** Until the comparison of the experiment in front has come to its end. */
const compared = ({ comparison }: Workspace) =>
  until(() => comparison.get().running === null && comparison.get().shown !== null);

const strategiesOf = (requests: readonly unknown[]) => requests.map((one) => (one as Experiment).strategies);

it('compares only after it knows the strategies, and then follows the link', async () => {
  let answer = (): void => undefined;
  const late = new Promise<void>((resolve) => (answer = resolve));
  const { workspace, asked } = started({ answers: { catalog: () => late.then(() => CATALOG) } });
  await settled();
  expect(asked('compare')).toEqual([]);
  answer();
  await compared(workspace);
  expect(asked('compare')).toMatchObject([{ model: 'tiny-residual', batch: 4 }]);
  expect([...(workspace.comparison.get().shown?.solved.keys() ?? [])]).toEqual(['regular', 'chen-sqrt']);
});

it('leaves out strategies that the lab lacks, with a notice if a link named them', async () => {
  const { workspace, asked } = started({ link: `${LINK},guesswork` });
  await compared(workspace);
  expect(workspace.experiment.get().experiment.strategies).toEqual(['regular', 'chen-sqrt']);
  expect(workspace.experiment.get().notices).toEqual([
    'This lab does not have the strategy “guesswork”, so it was left out.',
  ]);
  expect(strategiesOf(asked('compare'))).toEqual([['regular', 'chen-sqrt']]);
  workspace.experiment.undo();
  expect(workspace.experiment.get().experiment.strategies).toEqual(['regular', 'chen-sqrt']);
});

it('silently leaves out missing defaults of a first visit', async () => {
  const strategies = CATALOG.strategies.filter(({ name }) => name !== 'budget');
  const { workspace } = started({
    link: '#/compare?model=tiny-residual&batch=4&strategies=regular,budget',
    answers: { catalog: async () => ({ ...CATALOG, strategies }) },
  });
  await compared(workspace);
  expect(workspace.experiment.get()).toMatchObject({ experiment: { strategies: ['regular'] }, notices: [] });
});

it('resolves a share as the budget once regular training’s peak is known, unless another was set', async () => {
  const { workspace } = started({ link: `${LINK}&budgetBytes=60%` });
  const { experiment, comparison } = workspace;
  expect(experiment.get()).toMatchObject({ budgetShare: 0.6 });
  await compared(workspace);
  const { shown } = comparison.get();
  expect(experiment.get().budgetShare).toBeUndefined();
  expect(experiment.get().experiment.budgetBytes).toBe(Math.floor(0.6 * regularPeak(shown!, 4)));
  experiment.wantShare(0.5);
  expect(experiment.get().experiment.budgetBytes).toBe(Math.floor(0.5 * regularPeak(shown!, 4)));
  experiment.change({ ...experiment.get().experiment, batch: 8 });
  experiment.wantShare(0.5);
  expect(experiment.get().experiment.budgetBytes).toBe(Math.floor(0.5 * regularPeak(shown!, 8)));
  experiment.change({ ...experiment.get().experiment, model: 'vgg11' });
  experiment.wantShare(0.5);
  experiment.change({ ...experiment.get().experiment, budgetBytes: 7 });
  expect(experiment.get()).toMatchObject({ budgetShare: undefined, experiment: { budgetBytes: 7 } });
});

it('compares every changed experiment, but not for another selected strategy', async () => {
  const { workspace, asked, stop } = started();
  await compared(workspace);
  const { experiment } = workspace;
  experiment.select('chen-sqrt');
  experiment.goTo('graph');
  await settled();
  expect(asked('compare')).toHaveLength(1);
  experiment.change({ ...experiment.get().experiment, strategies: ['regular', 'optimal'] });
  await compared(workspace);
  expect(strategiesOf(asked('compare'))).toEqual([['regular', 'chen-sqrt'], ['optimal']]);
  stop();
  experiment.change({ ...experiment.get().experiment, model: 'vgg11' });
  await settled();
  expect(asked('compare')).toHaveLength(2);
});

it('repeats requests that a lost connection ended', async () => {
  let lost = true;
  const real = openLab().connection.client;
  const or = <T>(answer: () => T): T => {
    if (lost) throw new DisconnectedError();
    return answer();
  };
  const { workspace, connection, asked } = started({
    answers: { catalog: () => or(() => CATALOG), compare: (input) => or(() => real.compare(input)) },
  });
  const reconnected = vi.fn();
  workspace.keep(() => ({ reconnected }));
  await until(() => workspace.catalog.get().failure?.code === 'DISCONNECTED');
  connection.become('lost');
  expect(asked('catalog')).toHaveLength(1);
  expect(reconnected).not.toHaveBeenCalled();
  lost = false;
  connection.become('open');
  await compared(workspace);
  expect(reconnected).toHaveBeenCalledOnce();
  lost = true;
  workspace.experiment.change({ ...workspace.experiment.get().experiment, model: 'tiny-unet' });
  await until(() => workspace.comparison.get().failure?.code === 'DISCONNECTED');
  lost = false;
  connection.become('open');
  await until(() => workspace.comparison.get().failure === null);
  // A history that nobody has looked at is not fetched.
  expect(asked('listRuns')).toEqual([]);
  await workspace.history.load();
  connection.become('open');
  expect(asked('listRuns')).toHaveLength(2);
});

it('compares on an opened network, and restores it after a reload', async () => {
  const { workspace, connection } = started();
  await compared(workspace);
  await workspace.files.open(MODEL);
  const { model } = workspace.experiment.get().experiment;
  const titles = ({ catalog }: Workspace) =>
    catalog
      .get()
      .models.filter(({ name }) => name === model)
      .map(({ title }) => title);
  expect(titles(workspace)).toEqual(['mine']);
  const reloaded = createWorkspace(connection, readAddress(LINK, SCREENS), SCREENS);
  reloaded.start();
  await until(() => titles(reloaded).length > 0);
  expect(reloaded.experiment.get().experiment.model).toBe('tiny-residual');
});

it('compares an opened plan and selects it', async () => {
  const { workspace, connection, asked } = started();
  await compared(workspace);
  const { experiment } = workspace.experiment.get();
  const { text } = await connection.client.exportFile({ experiment, strategy: 'chen-sqrt', form: 'plan' });
  await workspace.files.open(new File([text], 'mine.plan.json'));
  const { selected, experiment: next } = workspace.experiment.get();
  expect(selected).toBe('plan');
  expect(next.strategies).toContain('plan');
  await compared(workspace);
  expect(strategiesOf(asked('compare')).at(-1)).toContain('plan');
  expect(workspace.comparison.get().shown?.solved.get('plan')?.row.applicable).toBe(true);
});
