import { memo, useId } from 'react';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';
import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import { type Precision, PRECISIONS } from '../../../engine/training-memory/setup.ts';
import { asSentence } from '../../shared/format/sentence.ts';
import { withPrecision } from '../../state/experiment/experiment.ts';
import { useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import layout from '../../shared/layout/layout.module.css';
import { SelectField } from './SelectField.tsx';

const LABELS: Readonly<Record<Precision, string>> = {
  fp32: 'fp32',
  tf32: 'tf32',
  'amp-fp16': 'AMP fp16',
  'amp-bf16': 'AMP bf16',
  bf16: 'bf16',
};
const MEANINGS: Readonly<Record<Precision | 'own' | 'float16', string>> = {
  fp32: 'Everything in float32.',
  tf32: 'float32, with products rounded inside the tensor cores: faster on some devices, the same memory.',
  'amp-fp16':
    'torch.autocast in float16: float32 weights, with half copies for products; activations of products in two bytes.',
  'amp-bf16':
    'torch.autocast in bfloat16: float32 weights, with half copies for products; activations of products in two bytes.',
  bf16: 'model.bfloat16(): weights, gradients, activations and, by default, the optimizer’s state in two bytes.',
  own: 'The file fixes the data types of its tensors.',
  float16: 'Every tensor in two bytes, the optimizer’s state in float32. Used by older links.',
};

/** In which element types a step computes. */
export const PrecisionField = memo(function PrecisionField() {
  const id = useId();
  const { experiment: store } = useWorkspace();
  const experiment = useLabPart((view) => view.experiment);
  const { precision, dtype, model } = experiment;
  const isFile = isFileNetwork(model);
  const value = precision ?? (isFile ? 'own' : dtype === 'float16' ? 'float16' : 'fp32');
  const why = withoutEffect(experiment).precision;
  const others =
    value === 'float16' || isFile
      ? [{ value: isFile ? 'own' : value, label: isFile ? 'its own' : value }]
      : [];
  return (
    <SelectField
      label={OPTIONS.precision.label}
      title={why === undefined ? MEANINGS[value] : asSentence(why)}
      beside={
        why !== undefined && (
          <span id={`${id}-why`} className={layout['note']}>
            no effect
          </span>
        )
      }
      w={112}
      value={value}
      data={[...others, ...PRECISIONS.map((name) => ({ value: name, label: LABELS[name] }))]}
      aria-describedby={why === undefined ? undefined : `${id}-why`}
      comboboxProps={{ position: 'bottom-start', shadow: 'md' }}
      onValue={(chosen) => {
        const next = PRECISIONS.find((name) => name === chosen) ?? (chosen === 'own' ? chosen : null);
        if (next !== null) store.change(withPrecision(store.get().experiment, next));
      }}
    />
  );
});
