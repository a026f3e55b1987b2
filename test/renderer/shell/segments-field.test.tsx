// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../../renderer/state/comparison/report-of.ts';
import { writeAddress } from '../../../renderer/state/experiment/address.ts';
import { ExperimentBar } from '../../../renderer/shell/experiment-bar/ExperimentBar.tsx';
import { until } from '../support/fake-lab.ts';
import { renderLab } from '../support/render-lab.tsx';

const opened = (strategies: string) =>
  renderLab(<ExperimentBar modifier="Ctrl" />, {
    link: `#/compare?model=vgg11&batch=4&strategies=${strategies}`,
  });

describe('the number of segments', () => {
  it('is asked for if the strategy sequential is compared', async () => {
    const { user } = await opened('regular,optimal');
    await user.click(screen.getByRole('button', { name: 'More' }));
    await screen.findByRole('radio', { name: 'reentrant' });
    expect(screen.queryByLabelText('Segments')).toBeNull();
  });

  it('changes the request, the address and the command line', async () => {
    const { workspace, user } = await opened('regular,sequential');
    const { comparison, experiment } = workspace;
    await user.click(screen.getByRole('button', { name: 'More' }));
    await screen.findByLabelText('Segments');
    const answered = (segments: number) =>
      until(() => {
        const row = comparison.get().shown?.solved.get('sequential')?.row;
        return row?.checkpoints.length === segments - 1;
      });
    await user.type(screen.getByLabelText('Segments'), '3{Enter}');
    await answered(3);
    const now = experiment.get().experiment;
    expect(now.segments).toBe(3);
    expect(writeAddress({ screen: 'compare', experiment: now, selected: null })).toContain('&segments=3&');
    expect(commandOf(now, 'VGG-11')).toBe('zigzag compare vgg11 --batch 4 --segments 3');
    await user.clear(screen.getByLabelText('Segments'));
    await user.type(screen.getByLabelText('Segments'), '0{Enter}');
    expect(screen.getByRole('alert').textContent).toMatch(/whole number from 1/);
    expect(experiment.get().experiment.segments).not.toBe(0);
    await user.clear(screen.getByLabelText('Segments'));
    await user.type(screen.getByLabelText('Segments'), '500{Enter}');
    await until(() => comparison.get().shown?.solved.get('sequential')?.row.applicable === false);
    expect(comparison.get().shown?.solved.get('sequential')?.row.reason).toMatch(/from 1 to \d+.*got 500$/);
  });
});
