import { describe, expect, it } from 'vitest';
import { torchLines, type TorchSource } from '../../../app/report/torch-lines.ts';

const SIZE = { batch: 64, input: 224, dropout: 0.5, seed: 0 };
const INPUT = { ...SIZE, models: [] as string[], profile: 'tfjs', dtype: 'float32' } as const;
const source = (given: Partial<TorchSource> = {}): TorchSource => ({
  make: null,
  isCaptured: false,
  isReplanned: false,
  planName: 'model-budget.plan.json',
  reads: 'images',
  capture: {
    input: { ...INPUT, budgetBytes: 4_000_000_000 },
    strategy: { name: 'budget', reads: { budgetBytes: 'needs' } },
  },
  ...given,
});

describe('the lines for PyTorch', () => {
  it('make the model of a library and apply the plan to it', () => {
    const make = { library: 'torchvision', make: 'torchvision.models.resnet50()' };
    const [only, ...others] = torchLines(source({ make }));
    expect(others).toEqual([]);
    expect(only?.text).toMatch(/^import torchvision\nimport zigzag_torch as zigzag\n\nmodel = torchvision/);
    expect(only?.text).toContain("zigzag.plan_model(model, 'model-budget.plan.json')");
  });

  it('apply the plan of a capture to the existing model', () => {
    const parts = torchLines(source({ isCaptured: true }));
    expect(parts.map(({ fileName }) => fileName)).toEqual(['use_plan.py']);
    expect(parts[0]?.text).not.toContain('capture');
  });

  it('install the package where the model is planned again', () => {
    const [install, apply, ...others] = torchLines(source({ isReplanned: true }));
    expect(others).toEqual([]);
    expect(install?.text).toContain('pip install dist/python/zigzag_lab-');
    expect(apply?.text).toContain("import zigzag_lab as zigzag\n\nmodel = zigzag.plan_model(model, 'model-");
    expect(apply?.text).toContain('zigzag.report(model)');
  });

  it('capture and verify under autocast where the plan is of mixed precision', () => {
    const input = { ...INPUT, precision: 'amp-bf16' } as const;
    const [capture, , apply] = torchLines(source({ capture: { ...source().capture, input } }));
    for (const [part, call] of [
      [capture, "zigzag.capture(model, images, path='model.json')"],
      [apply, "print(zigzag.verify(model, 'model-budget.plan.json', images))"],
    ] as const) {
      expect(part?.text).toMatch(/^import torch\n/);
      expect(part?.text).toContain(`with torch.autocast('cuda', dtype=torch.bfloat16):\n    ${call}\n`);
    }
    const plain = torchLines(source()).map(({ text }) => text);
    expect(plain.join('')).not.toMatch(/autocast|import torch$/m);
  });

  it('name a transformer’s input input_ids', () => {
    const [capture, , apply] = torchLines(source({ reads: 'input_ids' }));
    expect(capture?.text).toContain('zigzag.capture(model, input_ids, ');
    expect(apply?.text).toContain(', input_ids))');
  });

  it('capture a model of one’s own first, and make its plan as the row says', () => {
    const [capture, command, apply] = torchLines(source());
    expect(capture?.text).toContain("zigzag.capture(model, images, path='model.json')");
    // Facts in the capture are not repeated: its picture's side, its dropout.
    expect(command?.text).toBe(
      'zigzag export model.json --batch 64 --budget 4000000000 --strategy budget --to torch-plan > model-budget.plan.json\n',
    );
    expect(apply?.text).toContain('zigzag.verify(model');
  });
});
