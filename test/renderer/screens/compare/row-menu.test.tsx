// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { graphFile } from '../../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { StrategyTable } from '../../../../renderer/screens/compare/strategies/StrategyTable.tsx';
import { nextRun } from '../../../../renderer/state/parts/next-run.ts';
import { useCompareView } from '../../../../renderer/state/parts/use-compare-view.ts';
import { until } from '../../support/fake-lab.ts';
import type { LabOptions } from '../../support/open-lab.ts';
import { renderLab } from '../../support/render-lab.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A budget that nothing meets makes a row without a plan. */
const LINK = '#/compare?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,budget&budgetBytes=1';
const CHEN = 'Chen √n';

function Figures() {
  return <StrategyTable view={useCompareView()} />;
}

/** The table when all its strategies are solved. */
async function figures(options: LabOptions = {}) {
  const lab = await renderLab(<Figures />, { link: LINK, ...options });
  const { comparison } = lab.workspace;
  const solved = () => until(() => comparison.get().running === null && comparison.get().shown !== null);
  await solved();
  const menuOf = async (title: string) => {
    await lab.user.click(await screen.findByRole('button', { name: `Actions on ${title}` }));
    return within(await screen.findByRole('menu'));
  };
  const act = async (name: string, title = CHEN) =>
    lab.user.click((await menuOf(title)).getByRole('menuitem', { name }));
  return { ...lab, solved, menuOf, act, view: lab.workspace.experiment.get };
}

/** The names of the files that are saved. */
function savedFiles(): string[] {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

describe('the menu of a row', () => {
  it.each([
    ['Chen √n', []],
    ['Regular', [['Place in Graph', 'No checkpoints to place']]],
    [
      'Budget',
      ['Use in PyTorch…', 'Save plan…', 'Place in Graph', 'Train this', 'Use its peak as the budget'].map(
        (name) => [name, 'No plan'],
      ),
    ],
  ])('of %s names unavailable actions, and why', async (title, refused) => {
    const { menuOf } = await figures();
    const items = (await menuOf(title)).getAllByRole<HTMLButtonElement>('menuitem');
    expect(items).toHaveLength(6);
    expect(items.filter((item) => item.disabled).map((item) => [item.textContent, item.title])).toEqual(
      refused,
    );
  });

  it('shows the checkpoints in Graph', async () => {
    const { act, view, workspace } = await figures();
    const { checkpoints = [] } = workspace.comparison.get().shown?.solved.get('chen-sqrt')?.row ?? {};
    expect(checkpoints).not.toEqual([]);
    await act('Place in Graph');
    expect(view()).toMatchObject({ screen: 'graph', view: { panel: 'yours' }, experiment: { checkpoints } });
    // The click was the menu's, not the row's.
    expect(view().selected).toBeNull();
  });

  it('trains the strategy on a network of the zoo and on one from a file', async () => {
    const { act, view, solved, workspace } = await figures();
    const next = workspace.keep(nextRun);
    expect(next.get().strategy).toBeNull();
    await act('Train this');
    expect(view()).toMatchObject({ screen: 'train', selected: 'chen-sqrt' });
    expect(next.get().strategy).toBe('chen-sqrt');
    workspace.experiment.goTo('compare');
    const text = JSON.stringify(graphFile(buildModel('tiny-residual', { batch: 1 })));
    await workspace.files.open(new File([text], 'mine.json'));
    expect(view().experiment.model).toMatch(/^file:/);
    await solved();
    await act('Train this', 'Regular');
    expect(view()).toMatchObject({ screen: 'train', selected: 'regular' });
    expect(next.get().strategy).toBe('regular');
  });

  it('uses the peak as the budget, which a strategy then meets', async () => {
    const { act, view, workspace } = await figures();
    await act('Use its peak as the budget');
    const { budgetBytes = 0, strategies } = view().experiment;
    expect(strategies).toContain('budget');
    expect(Number.isInteger(budgetBytes) && budgetBytes > 1).toBe(true);
    await until(() => workspace.comparison.get().shown?.solved.get('budget')?.row.applicable === true);
  });

  it('saves the plan of this row', async () => {
    const names = savedFiles();
    const { act, asked } = await figures();
    await act('Save plan…');
    await waitFor(() => expect(names).toEqual(['tiny-residual-chen-sqrt.plan.json']));
    expect(asked('exportFile')).toMatchObject([{ strategy: 'chen-sqrt', form: 'plan' }]);
  });

  it('says in a notice why a plan cannot be saved', async () => {
    const names = savedFiles();
    const exportFile = () => Promise.reject(new Error('the disk is full'));
    const { act, view } = await figures({ answers: { exportFile } });
    await act('Save plan…');
    await waitFor(() => expect(view().notices).toEqual(['The disk is full.']));
    expect(names).toEqual([]);
  });

  it('copies the command line of this strategy, or shows it if the browser refuses', async () => {
    const { act, view } = await figures();
    const line = 'zigzag solve tiny-residual --batch 4 --strategy chen-sqrt';
    await act('Copy command line');
    expect(await navigator.clipboard.readText()).toBe(line);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    await act('Copy command line');
    await waitFor(() => expect(view().notices).toEqual([`Copy the command line from here: ${line}`]));
  });

  it('selects and deselects the row by its name', async () => {
    const { user, view } = await figures();
    const name = await screen.findByText(CHEN);
    await user.click(name);
    expect(view().selected).toBe('chen-sqrt');
    await user.click(name);
    expect(view().selected).toBeNull();
  });
});
