// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../renderer/screens/compare/strategies/columns.ts';
import { ExperimentBar } from '../../../renderer/shell/experiment-bar/ExperimentBar.tsx';
import { commandOf } from '../../../renderer/state/comparison/report-of.ts';
import { strategyRows } from '../../../renderer/state/comparison/rows.ts';
import { readAddress, writeAddress } from '../../../renderer/state/experiment/address.ts';
import { fieldsSet } from '../../../renderer/state/experiment/fields-set.ts';
import { withModel } from '../../../renderer/state/experiment/experiment.ts';
import { singleNetworks } from '../../../renderer/state/experiment/networks.ts';
import { until } from '../support/fake-lab.ts';
import { renderLab } from '../support/render-lab.tsx';

describe('how segments run', () => {
  it('changes plans made of segments, and keeps other plans and rows', async () => {
    const { workspace, user } = await renderLab(<ExperimentBar modifier="Ctrl" />, {
      link: '#/compare?model=tiny-residual&batch=4&strategies=regular,chen-sqrt,live',
    });
    const { comparison, experiment, catalog } = workspace;
    const solved = (name: string) => comparison.get().shown?.solved.get(name);
    const rests = () => until(() => comparison.get().running === null && solved('live') !== undefined);
    await rests();
    const before = { chen: solved('chen-sqrt'), live: solved('live') };
    expect(columnsOf(experiment.get().experiment).map(({ key }) => key)).not.toContain('checkpointing');
    await user.click(screen.getByRole('button', { name: 'More' }));
    await user.click(await screen.findByRole('radio', { name: 'reentrant' }));
    await until(() => solved('chen-sqrt')?.row.checkpointing === 'reentrant');
    await rests();
    expect(solved('live')).toBe(before.live);
    expect(before.chen?.row.checkpointing).toBe('non-reentrant');
    expect(solved('chen-sqrt')?.row.steps).not.toBe(before.chen?.row.steps);
    expect(screen.getByText(/^use_reentrant=True: /)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'More: 1' }).title).toBe('segments run reentrant');

    const now = experiment.get().experiment;
    expect(commandOf(now, 'Tiny')).toBe('zigzag compare tiny-residual --batch 4 --checkpointing reentrant');
    const address = writeAddress({ screen: 'compare', experiment: now, selected: null });
    expect(readAddress(address, ['compare'])).toMatchObject({ experiment: now, faults: [] });
    const results = comparison.get().shown;
    const rows = strategyRows({ results, experiment: now, titles: new Map(), measured: new Map() });
    const column = columnsOf(now).find(({ key }) => key === 'checkpointing');
    expect(rows.map((row) => column?.cell(row).text)).toEqual(['–', 'reentrant', '–']);
    expect(column?.cell(rows[2]!).note).toMatch(/no segments/);

    const other = catalog.get().models.find(({ name }) => name === 'vgg11');
    const both = { ...withModel(now, other!), also: [{ model: 'tiny-residual' }] };
    expect(singleNetworks(both).map(({ checkpointing }) => checkpointing)).toEqual([
      'reentrant',
      'reentrant',
    ]);

    await user.click(screen.getByRole('radio', { name: 'non-reentrant' }));
    expect(experiment.get().experiment).not.toHaveProperty('checkpointing');
    expect(screen.getByRole('button', { name: 'More' })).toBeTruthy();
  });

  it('is named on the closed button with the other settings', () => {
    const { experiment } = readAddress(
      '#/compare?profile=tfjs&segments=6&dropout=0.5&checkpointing=reentrant&strategies=sequential',
      ['compare'],
    );
    expect(fieldsSet(experiment)).toEqual([
      'dropout 0.5',
      'profile tfjs',
      'segments 6',
      'segments run reentrant',
    ]);
    expect(fieldsSet(experiment, () => false)).toEqual(['profile tfjs', 'segments run reentrant']);
  });
});
