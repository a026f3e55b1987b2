// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { modelInfo } from '../../../engine/zoo/zoo.ts';
import { ExperimentBar } from '../../../renderer/shell/experiment-bar/ExperimentBar.tsx';
import { commandOf } from '../../../renderer/state/comparison/report-of.ts';
import { readAddress, writeAddress } from '../../../renderer/state/experiment/address.ts';
import { withModel } from '../../../renderer/state/experiment/experiment.ts';
import { CATALOG } from '../support/open-lab.ts';
import { until } from '../support/fake-lab.ts';
import { renderLab } from '../support/render-lab.tsx';

const LLAMA = { ...CATALOG.models[0]!, ...modelInfo('llama-3.2-1b') };
const answers = { catalog: () => ({ ...CATALOG, models: [...CATALOG.models, LLAMA] }) };

const open = async (link: string) => {
  const lab = await renderLab(<ExperimentBar modifier="Ctrl" />, { link, answers });
  await lab.user.click(screen.getByRole('button', { name: /^More/ }));
  await screen.findByText('Advanced');
  return lab;
};

describe('fields of a language model', () => {
  it('are absent for another network', async () => {
    await open('#/compare?model=tiny-residual&batch=4&strategies=regular');
    expect(screen.queryByLabelText('LoRA rank')).toBeNull();
    expect(screen.queryByLabelText('GPUs')).toBeNull();
  });

  it('are the options of the command line, in the link too, and leave with their network', async () => {
    const { workspace, user } = await open(
      '#/compare?model=llama-3.2-1b&batch=1&input=128&strategies=regular',
    );
    expect(screen.queryByLabelText('LoRA targets')).toBeNull();
    const { experiment, catalog } = workspace;
    const rank = screen.getByLabelText('LoRA rank');
    await user.type(rank, '0');
    expect(screen.getByRole('alert').textContent).toBe(
      'LoRA rank must be a whole number from 1 to 1\u202f024.',
    );
    await user.clear(rank);
    await user.type(rank, '16');
    await user.type(screen.getByLabelText('GPUs'), '0{Tab}');
    expect(experiment.get().experiment).not.toHaveProperty('gpus');
    await user.type(screen.getByLabelText('GPUs'), '8{Tab}');
    await user.type(screen.getByLabelText('Loss in chunks'), '64{Tab}');
    await until(() => experiment.get().experiment.gpus === 8);
    await user.type(screen.getByLabelText('Tensor parallel'), '2{Tab}');
    await until(() => experiment.get().experiment.tensor === 2);
    await user.type(screen.getByLabelText('Pipeline stages'), '2{Tab}');
    await until(() => experiment.get().experiment.pipeline === 2);
    await user.type(screen.getByLabelText('Stage'), '1{Tab}');
    await until(() => experiment.get().experiment.pipelineStage === 1);
    for (const [label, choice] of [
      ['LoRA targets', 'all linear'],
      ['Frozen weights', '4 bits (QLoRA)'],
      ['Attention mask', 'padded, packed'],
      ['Sharding', 'FSDP2'],
      ['Sequence parallel', 'on'],
      ['Pipeline schedule', 'GPipe'],
    ] as const) {
      await user.click(screen.getByRole('combobox', { name: label }));
      await user.click(await screen.findByRole('option', { name: choice }));
    }
    const now = experiment.get().experiment;
    const split = { tensor: 2, pipeline: 2, pipelineSchedule: 'gpipe', pipelineStage: 1 };
    const set = {
      lora: 16,
      loraTargets: 'all-linear',
      baseBits: '4',
      lossChunk: 64,
      attentionMask: 'on',
      gpus: 8,
      shard: 'fsdp2',
      ...split,
    };
    expect(now).toMatchObject(set);
    expect(commandOf(now, 'Llama 3.2 1B')).toContain(
      '--lora 16 --lora-targets all-linear --base-bits 4 --loss-chunk 64 --attention-mask --gpus 8 --shard fsdp2',
    );
    const address = writeAddress({ screen: 'compare', experiment: now, selected: null });
    expect(readAddress(address, ['compare'])).toMatchObject({ experiment: set, faults: [] });

    const other = withModel(now, catalog.get().models.find(({ name }) => name === 'vgg11')!);
    for (const name of [
      'lora',
      'loraTargets',
      'baseBits',
      'lossChunk',
      'attentionMask',
      'sequenceParallel',
      ...Object.keys(split),
    ])
      expect(other).not.toHaveProperty(name);
    await user.clear(screen.getByLabelText('LoRA rank'));
    await until(() => experiment.get().experiment.lora === undefined);
    expect(experiment.get().experiment).not.toHaveProperty('baseBits');
  });
});
