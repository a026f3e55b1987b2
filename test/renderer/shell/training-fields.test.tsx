// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { setupOf } from '../../../app/contract/training-setup.ts';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import { optionFacts } from '../../../app/report/option-facts.ts';
import { ExperimentBar } from '../../../renderer/shell/experiment-bar/ExperimentBar.tsx';
import { commandOf } from '../../../renderer/state/comparison/report-of.ts';
import { readAddress, writeAddress } from '../../../renderer/state/experiment/address.ts';
import {
  FIRST_EXPERIMENT,
  withPrecision,
  withOptimizerState,
} from '../../../renderer/state/experiment/experiment.ts';
import { fieldsSet } from '../../../renderer/state/experiment/fields-set.ts';
import { renderLab } from '../support/render-lab.tsx';

const LINK = '#/compare?model=tiny-residual&batch=4&strategies=regular';
const SET = '&precision=bf16&optimizer=adamw&optimizerState=float32&accumulate=4&gradients=kept&deviceGiB=11';

describe('the training settings', () => {
  it('are chosen in the bar, and shown in the address, the command line and the closed button', async () => {
    const { workspace, user } = await renderLab(<ExperimentBar modifier="Ctrl" />, { link: LINK });
    const now = () => workspace.experiment.get().experiment;
    await user.click(screen.getByRole('button', { name: 'More' }));
    await user.click(await screen.findByRole('combobox', { name: 'Precision' }));
    await user.click(await screen.findByRole('option', { name: 'bf16' }));
    expect(now().precision).toBe('bf16');
    await user.click(await screen.findByRole('combobox', { name: 'Optimizer' }));
    await user.click(await screen.findByRole('option', { name: 'AdamW' }));
    await user.click(await screen.findByRole('radio', { name: 'float32' }));
    await user.click(await screen.findByRole('radio', { name: 'kept' }));
    expect(now()).toMatchObject({ optimizer: 'adamw', optimizerState: 'float32', gradients: 'kept' });
    expect(screen.getByRole('button', { name: 'More: 4' }).title).toBe(
      'precision pure bfloat16, optimizer AdamW, optimizer’s state float32, gradients between steps kept',
    );
    await user.click(await screen.findByRole('radio', { name: 'freed' }));
    expect(now()).not.toHaveProperty('gradients');
    expect(commandOf(now(), 'Tiny')).toBe(
      'zigzag compare tiny-residual --batch 4 --precision bf16 --optimizer adamw --optimizer-state float32',
    );
    const address = writeAddress({ screen: 'compare', experiment: now(), selected: null });
    expect(readAddress(address, ['compare'])).toMatchObject({ experiment: now(), faults: [] });
  });

  it('open from a link with every field, and refuse each invalid value in a sentence', () => {
    const { experiment, faults } = readAddress(LINK + SET, ['compare']);
    expect(faults).toEqual([]);
    expect(setupOf(experiment)).toEqual({
      precision: 'bf16',
      optimizer: 'adamw',
      stateInFloat32: true,
      accumulate: 4,
      freesGradients: false,
    });
    expect(fieldsSet(experiment)).toEqual([
      'precision pure bfloat16',
      'optimizer AdamW',
      'optimizer’s state float32',
      'accumulation 4 steps',
      'gradients between steps kept',
    ]);
    expect(optionFacts(experiment)).toContainEqual(['Precision', 'pure bfloat16']);
    // Gradients that add up are kept in any case, so the command line would refuse --gradients.
    expect(commandOf(experiment, 'Tiny')).toMatch(/--optimizer-state float32 --accumulate 4$/);
    const bad = readAddress(`${LINK}&precision=fp8&optimizer=best&accumulate=0&gradients=lost`, ['compare']);
    expect(bad.faults).toHaveLength(4);
    for (const fault of bad.faults)
      expect(fault).toMatch(/^The link’s .* is not .*, so the default is used\.$/);
  });

  it('keep older links unchanged, until another precision is chosen', async () => {
    const { user } = await renderLab(<ExperimentBar modifier="Ctrl" />, { link: `${LINK}&dtype=float16` });
    await user.click(screen.getByRole('button', { name: 'More' }));
    await screen.findByRole('combobox', { name: 'Precision' });
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Precision' }).value).toBe('float16');
    const { experiment } = readAddress(`${LINK}&dtype=float16`, ['compare']);
    expect(setupOf(experiment)).toMatchObject({ precision: 'bf16', stateInFloat32: true });
    expect(setupOf(withOptimizerState(experiment, 'weights')).stateInFloat32).toBe(false);
    expect(withPrecision(experiment, 'amp-bf16')).toMatchObject({ precision: 'amp-bf16', dtype: 'float32' });
    expect(withPrecision({ ...experiment, precision: 'bf16' }, 'fp32')).not.toHaveProperty('precision');
    const file = { ...FIRST_EXPERIMENT, model: 'file:0123' };
    expect(withPrecision(file, 'fp32')).toMatchObject({ precision: 'fp32' });
    expect(withPrecision({ ...file, precision: 'bf16' }, 'own')).not.toHaveProperty('precision');
  });

  it('say why a setting has no effect, and count it as such', async () => {
    const pytorch = { ...FIRST_EXPERIMENT, precision: 'amp-fp16', gradients: 'kept' } as const;
    expect(withoutEffect(pytorch)).toEqual({});
    const tfjs = { ...pytorch, profile: 'tfjs' } as const;
    expect(Object.keys(withoutEffect(tfjs))).toEqual(['precision', 'gradients']);
    expect(setupOf(tfjs)).toEqual(setupOf({ profile: 'tfjs' }));
    const stateOf = (part: object) =>
      withoutEffect({ ...FIRST_EXPERIMENT, ...part, optimizerState: 'float32' }).optimizerState;
    expect(stateOf({})).toMatch(/float32/);
    expect(stateOf({ precision: 'bf16', optimizer: 'sgd' })).toMatch(/no state/);
    expect(stateOf({ precision: 'bf16', optimizer: 'adam8bit' })).toMatch(/one byte/);
    expect(stateOf({ precision: 'bf16', optimizer: 'adam' })).toBeUndefined();
    expect(withoutEffect({ ...pytorch, accumulate: 2 }).gradients).toMatch(/accumulated gradients/);

    const link = `${LINK}&profile=tfjs&precision=bf16&gradients=kept`;
    const { user } = await renderLab(<ExperimentBar modifier="Ctrl" />, { link });
    await user.click(screen.getByRole('button', { name: /^More/ }));
    expect(await screen.findByText('no effect')).toBeTruthy();
    expect(await screen.findByText(/^No effect: TensorFlow\.js keeps no gradients/)).toBeTruthy();
  });
});
