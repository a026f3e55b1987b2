// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BudgetField } from '../../../renderer/shell/experiment-bar/BudgetField.tsx';
import { regularPeak, strategyRows } from '../../../renderer/state/comparison/rows.ts';
import type { Workspace } from '../../../renderer/state/workspace/workspace.ts';
import { formatBytes } from '../../../renderer/shared/format/bytes.ts';
import { until } from '../support/fake-lab.ts';
import { renderLab } from '../support/render-lab.tsx';

const LINK =
  '#/compare?model=tiny-residual&batch=64&contextGiB=0&optimizer=adam&strategies=regular,live,budget';

const field = () => screen.getByLabelText<HTMLInputElement>('Budget');

async function opened(link: string) {
  const lab = await renderLab(<BudgetField />, { link });
  const { comparison, experiment } = lab.workspace;
  const isDone = () => comparison.get().running === null && comparison.get().shown !== null;
  const rows = () =>
    strategyRows({
      results: comparison.get().shown,
      experiment: experiment.get().experiment,
      titles: new Map(),
    });
  await until(isDone);
  return { ...lab, isDone, row: (name: string) => rows().find(({ identity }) => identity.name === name)! };
}

const budgetOf = ({ experiment }: Workspace) => experiment.get().experiment.budgetBytes;

describe('the budget field', () => {
  it('shows its plan’s need if the plan meets the budget exactly, or with its activations only', async () => {
    const first = await opened(LINK);
    const { peakBytes } = first.row('live');
    cleanup();
    const whole = await opened(`${LINK}&budgetBytes=${peakBytes}`);
    const row = whole.row('budget');
    expect(row.peakBytes).toBe(peakBytes);
    expect(row.verdict!.totalBytes).toBeGreaterThan(peakBytes!);
    await until(() => field().value === formatBytes(row.verdict!.totalBytes));
    expect(field().getAttribute('aria-description')).toBe('device memory');
    cleanup();
    await opened(`${LINK}&budgetBytes=${peakBytes}&v.memory=activations`);
    expect(field().value).toBe(formatBytes(peakBytes!));
    expect(field().getAttribute('aria-description')).toBe('activations');
  });

  it('accepts a device limit, which the plan then keeps, as one undo step', async () => {
    const { workspace, user, row, isDone } = await opened(LINK);
    const needs = (name: string): number => row(name).verdict!.totalBytes;
    expect(field().placeholder).toMatch(/GiB$/);
    const limit = Math.round((needs('live') + needs('regular')) / 2 / 2 ** 20);
    await user.type(field(), `${limit} MiB{Enter}`);
    await until(() => isDone() && budgetOf(workspace) !== undefined && needs('budget') <= limit * 2 ** 20);
    expect(row('budget').peakBytes!).toBeLessThanOrEqual(budgetOf(workspace)!);
    expect(workspace.experiment.get().budgetLimit).toBe(limit * 2 ** 20);
    await user.tab();
    expect(field().value).toBe(formatBytes(limit * 2 ** 20));
    workspace.experiment.undo();
    expect(budgetOf(workspace)).toBeUndefined();
    expect(workspace.experiment.get()).toMatchObject({ budgetLimit: undefined, past: [] });
  });

  it('is refused in the device memory that the screen shows, as each row is', async () => {
    const { row } = await opened(`${LINK.replace('batch=64', 'batch=8192')}&deviceGiB=0.125`);
    expect(row('live').verdict!.fits).toBe(false);
    expect(row('budget').reason).toMatch(
      /^no plan fits 128\sMiB of device memory: the smallest found needs [\d.]+\s.iB; lower the batch or raise the limit$/,
    );
  });

  it('accepts a share of regular training’s activations, and says if no plan fits', async () => {
    const { workspace, user, isDone } = await opened(LINK);
    await user.type(field(), '60%{Enter}');
    const { shown } = workspace.comparison.get();
    expect(budgetOf(workspace)).toBe(Math.floor(0.6 * regularPeak(shown!, 64)));
    await user.clear(field());
    await user.type(field(), '1 KiB{Enter}');
    expect(budgetOf(workspace)).toBe(1);
    await until(isDone);
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^No plan fits 1\.00\sKiB of device memory: the smallest found needs [\d.]+\sMiB; lower the batch or raise the limit\.$/,
    );
  });
});
