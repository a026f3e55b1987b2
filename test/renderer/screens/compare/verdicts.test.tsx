// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { bargainOf, fitting } from '../../../../app/cli/fitting.ts';
import { openNetwork } from '../../../../app/cli/network.ts';
import { EVERY_STRATEGY } from '../../../../app/cli/strategies.ts';
import type { Bargain } from '../../../../app/contract/pareto.ts';
import { TERM_TITLES } from '../../../../app/report/terms.ts';
import { TERMS } from '../../../../engine/training-memory/held.ts';
import { verdictOf } from '../../../../engine/training-memory/verdict.ts';
import { isTaken, knownBargain, withBargain } from '../../../../renderer/screens/compare/headline/bargain.ts';
import { paretoRequest } from '../../../../renderer/screens/compare/pareto/use-pareto-front.ts';
import { StrategyTable } from '../../../../renderer/screens/compare/strategies/StrategyTable.tsx';
import { FIRST_EXPERIMENT } from '../../../../renderer/state/experiment/experiment.ts';
import { regularVerdict, strategyRows } from '../../../../renderer/state/comparison/rows.ts';
import { roomOf } from '../../../../renderer/state/experiment/device.ts';
import { useCompareView } from '../../../../renderer/state/parts/use-compare-view.ts';
import { until } from '../../support/fake-lab.ts';
import { renderLab } from '../../support/render-lab.tsx';

function Figures() {
  return <StrategyTable view={useCompareView()} />;
}

/** A device of little more than its context, so that some plans do not fit. */
const LINK = '#/compare?model=tiny-residual&optimizer=adam&precision=amp-bf16';
const NAMES = ['regular', 'chen-sqrt', 'chain-dp', 'budget'];

async function compared(link: string) {
  const lab = await renderLab(<Figures />, { link });
  const { comparison, experiment } = lab.workspace;
  const solved = (): Promise<unknown> =>
    until(() => comparison.get().running === null && comparison.get().shown?.key === comparison.get().wanted);
  await solved();
  const rows = () =>
    strategyRows({
      results: comparison.get().shown,
      experiment: experiment.get().experiment,
      titles: new Map(),
      measured: new Map(),
    });
  return { ...lab, solved, rows, experiment: () => experiment.get().experiment };
}

describe('a verdict', () => {
  it('of every row equals that of zigzag fit to the byte', async () => {
    const lab = await compared(`${LINK}&batch=64&deviceGiB=0.775&strategies=${NAMES.join(',')}`);
    const room = roomOf(lab.experiment());
    const flags = { batch: '64', optimizer: 'adam', precision: 'amp-bf16' };
    const asked = openNetwork('fit', 'tiny-residual', flags, EVERY_STRATEGY);
    const { rows } = await fitting(asked, room, () => undefined);
    const bargain = await bargainOf(asked, room);
    for (const row of lab.rows()) {
      const fit = rows.find(({ strategy }) => strategy === row.identity.name)!;
      const { verdict } = row;
      expect(verdict?.totalBytes ?? null, row.identity.name).toBe(fit.totalBytes);
      expect(verdict?.terms ?? null).toEqual(fit.terms);
      expect(verdict?.fits ?? false).toBe(fit.fits);
      expect(verdict?.largestBatch ?? 0).toBe(fit.largestBatch);
      expect(row.budgetBytes ?? undefined).toBe(fit.budgetBytes);
    }
    let told: Bargain | null = null;
    const { client } = lab.workspace.connection;
    for await (const event of await client.pareto(paretoRequest(lab.experiment())))
      if (event.type === 'bargain') told = event.bargain;
    const { held, budgetBytes, predictedOverhead } = told!;
    expect(verdictOf(held, 64, room)!.terms).toEqual(bargain!.terms);
    expect(budgetBytes).toBe(bargain!.budgetBytes);
    expect(predictedOverhead).toBe(bargain!.overhead);
  });

  it('says yes, or the excess, with its terms on demand', async () => {
    const lab = await compared(`${LINK}&batch=512&deviceGiB=0.94&strategies=regular,chen-sqrt`);
    const [regular, chen] = lab.rows();
    expect(regular?.verdict).toMatchObject({ fits: false });
    expect(chen?.verdict).toMatchObject({ fits: true, overBytes: 0 });
    const rowOf = (name: RegExp) => within(screen.getByRole('row', { name }));
    expect(rowOf(/^Regular/).getByText(/^over by [\d.]+.MiB$/)).toBeTruthy();
    expect(rowOf(/^Chen/).getByText('yes')).toBeTruthy();
    lab.workspace.experiment.select('chen-sqrt');
    await lab.user.click(
      await rowOf(/^Chen/).findByRole('button', { name: /: memory of Chen √n, part by part$/ }),
    );
    const terms = within(await screen.findByRole('dialog'));
    for (const term of TERMS.filter((one) => (chen?.verdict?.terms[one] ?? 0) > 0))
      expect(terms.getByText(TERM_TITLES[term])).toBeTruthy();
    expect(terms.getByText(/^Fits; the largest batch is \d+\.$/)).toBeTruthy();
  });

  it('follows the device and the batch without a new solution, and the budget follows the device', async () => {
    const lab = await compared(`${LINK}&batch=512&deviceGiB=11&strategies=regular,budget`);
    const before = lab.workspace.comparison.get().shown?.solved.get('regular');
    const [, wide] = lab.rows();
    lab.workspace.experiment.change({ ...lab.experiment(), deviceGiB: 0.9 });
    await until(() => lab.rows()[1]?.budgetBytes !== wide?.budgetBytes);
    await lab.solved();
    expect(lab.workspace.comparison.get().shown?.solved.get('regular')).toBe(before);
    const [regular, budget] = lab.rows();
    expect(regular?.verdict?.fits).toBe(false);
    expect(budget?.verdict?.fits).toBe(true);
    expect(budget?.recomputeFraction).toBeGreaterThan(0);
  });
});

describe('the best trade of memory for time', () => {
  it('is for the experiment’s batch, or scaled until that is searched; never above regular training', async () => {
    const lab = await compared('#/compare?model=tiny-residual&batch=64&strategies=regular');
    const experiment = lab.experiment();
    let bargain: Bargain | null = null;
    for await (const event of await lab.workspace.connection.client.pareto(paretoRequest(experiment)))
      if (event.type === 'bargain') ({ bargain } = event);
    const told = { key: '', batch: 64, bargain };
    const { shown } = lab.workspace.comparison.get();
    const regular = regularVerdict(shown!, experiment)!;
    const known = knownBargain(told, experiment, regular)!;
    expect(known.budgetBytes).toBe(bargain!.budgetBytes);
    expect(known.totalBytes).toBeLessThan(regular.totalBytes);
    expect(knownBargain(null, experiment, regular)).toBeUndefined();
    expect(knownBargain({ ...told, bargain: null }, experiment, regular)).toBeNull();
    const double = { ...experiment, batch: 128 };
    const scaled = knownBargain(told, double, regularVerdict(shown!, double))!;
    expect(scaled.budgetBytes).toBeNull();
    expect(scaled.totalBytes).toBeGreaterThan(known.totalBytes);
    expect(knownBargain({ ...told, bargain: null }, double, regular)).toBeUndefined();
    expect(knownBargain(told, experiment, { ...regular, totalBytes: known.totalBytes })).toBeNull();

    expect(isTaken(known, experiment, 'budget')).toBe(false);
    const taken = withBargain(experiment, known.budgetBytes!, ['regular', 'budget']);
    expect(taken).toMatchObject({ strategies: ['regular', 'budget'], budgetBytes: known.budgetBytes });
    expect(isTaken(known, taken, 'budget')).toBe(true);
    expect(isTaken(known, taken, null)).toBe(false);
  });

  it('requests the front with the training settings only', () => {
    const asked = paretoRequest({ ...FIRST_EXPERIMENT, optimizer: 'adam', accumulate: 4, device: 'custom' });
    expect(asked).toEqual({
      model: 'resnet50',
      batch: 64,
      profile: 'pytorch',
      dtype: 'float32',
      seed: 0,
      optimizer: 'adam',
      accumulate: 4,
    });
  });
});
