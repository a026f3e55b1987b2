import { type CommandInput, commandLine, quoted } from './command-line.ts';
import type { StrategyTraits } from '../../engine/strategies/strategy/strategy.ts';

/** A text to paste: in a program or into a shell. */
export interface TorchLines {
  readonly title: string;
  readonly text: string;
  /** A name for it as a file; null of a command. */
  readonly fileName: string | null;
}

export interface TorchSource {
  /** A call of Python that makes the model, and its library; null of a model of one's own. */
  readonly make: { readonly library: string; readonly make: string } | null;
  /** The plan is of this very capture. */
  readonly isCaptured: boolean;
  /** The Python package plans the model itself, within the plan's peak. */
  readonly isReplanned: boolean;
  readonly planName: string;
  /** Variable that the model reads. */
  readonly reads: 'images' | 'input_ids' | 'inputs';
  /** Inputs of the plan where the model has to be captured first. */
  readonly capture: {
    readonly input: CommandInput;
    readonly strategy: { readonly name: string; readonly reads: StrategyTraits['reads'] };
  };
}

const CAPTURE = 'model.json';

/** Lines to paste to train with a plan, in order. */
export function torchLines({
  make,
  isCaptured,
  isReplanned,
  planName,
  reads,
  capture,
}: TorchSource): readonly TorchLines[] {
  if (isReplanned) return packageLines(planName);
  const isOwn = make === null && !isCaptured;
  const plan = pythonText(planName);
  const library = make === null ? [] : [`import ${make.library}`];
  const model = make === null ? [] : [`model = ${make.make}`];
  const autocast = autocastLine(capture.input.precision);
  const apply = [
    ...(autocast === null ? [] : ['import torch']),
    ...library,
    'import zigzag_torch as zigzag',
    '',
    ...model,
    `model = zigzag.plan_model(model, ${plan})  # in place; then train as before`,
    '',
    '# Check once: a step under the plan is bit-identical to a plain one.',
    ...within(autocast, `print(zigzag.verify(model, ${plan}, ${reads}))`),
  ].join('\n');
  const train: TorchLines = { title: 'In your program', text: `${apply}\n`, fileName: 'use_plan.py' };
  if (!isOwn) return [train];
  return [
    captureLines(reads, autocast),
    commandToPlan(capture, planName),
    { ...train, title: '3. In your program' },
  ];
}

const pythonText = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

function packageLines(planName: string): readonly TorchLines[] {
  const apply = [
    'import zigzag_lab as zigzag',
    '',
    `model = zigzag.plan_model(model, ${pythonText(planName)})  # in place; then train as before`,
    '',
    '# After the first step: its plan, and what that saves.',
    'print(zigzag.report(model))',
    '',
  ].join('\n');
  const install = 'npm run wheel && pip install dist/python/zigzag_lab-*.whl\n';
  return [
    { title: '1. Install the Python package', text: install, fileName: null },
    { title: '2. In your program', text: apply, fileName: 'use_plan.py' },
  ];
}

/** A plan of mixed precision is of tensors as autocast makes them: capture, check and train under it alike. */
function autocastLine(precision: CommandInput['precision']): string | null {
  if (precision !== 'amp-fp16' && precision !== 'amp-bf16') return null;
  return `with torch.autocast('cuda', dtype=torch.${precision === 'amp-bf16' ? 'bfloat16' : 'float16'}):`;
}

const within = (opening: string | null, line: string): readonly string[] =>
  opening === null ? [line] : [opening, `    ${line}`];

function captureLines(reads: TorchSource['reads'], autocast: string | null): TorchLines {
  const text = [
    ...(autocast === null ? [] : ['import torch']),
    'import zigzag_torch as zigzag',
    '',
    '# Your model and one batch, as in training: this records the tensors that autograd saves.',
    ...within(autocast, `zigzag.capture(model, ${reads}, path='${CAPTURE}')`),
    '',
  ].join('\n');
  return { title: '1. Capture your model', text, fileName: 'capture.py' };
}

function commandToPlan({ input, strategy }: TorchSource['capture'], planName: string): TorchLines {
  const { input: _side, dropout: _rate, ...rest } = input;
  const line = commandLine(
    { ...rest, models: [CAPTURE], profile: 'pytorch', dtype: 'float32' },
    strategy,
    'export',
  );
  const text = `${line} --to torch-plan > ${quoted(planName)}\n`;
  return { title: '2. Make its plan', text, fileName: null };
}
