import type { Experiment } from '../../../app/contract/experiment.ts';
import { type OptionName, optionOf } from '../../../engine/options/options.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';
import { withOption } from '../../state/experiment/experiment.ts';
import { useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { ChoiceField } from './ChoiceField.tsx';

/** CSS pixels, without a unit and with one. */
const WIDTHS = { plain: 80, unit: 128 };
const DELAY_MS = 500;

export interface OptionFieldProps {
  readonly name: OptionName;
  /** Takes the value where more than the option itself changes. */
  readonly onValue?: (value: number | string | undefined) => void;
  /** The reason why the option changes nothing here. */
  readonly note?: string | undefined;
  /** The value in effect where the experiment states none. */
  readonly effective?: string | number;
}

/** The field of an option, by what the table says of it. */
export function OptionField({ name, onValue, note, effective }: OptionFieldProps) {
  const { experiment: store } = useWorkspace();
  const value = useLabPart(({ experiment }) => experiment[name]);
  const option = optionOf(name);
  const take = (next: number | string | undefined): void => {
    if (onValue !== undefined) onValue(next);
    else store.change(withOption(store.get().experiment, name, next as Experiment[typeof name]), name);
  };
  if (option.is === 'choice')
    return (
      <ChoiceField
        label={option.label}
        value={String(value ?? effective ?? option.usual ?? option.implied)}
        says={option.says ?? {}}
        note={note}
        onValue={take}
      />
    );
  if (!('min' in option)) return null;
  const { label, min, max, unit, placeholder = '' } = option;
  return (
    <NumberField
      rule={{ label, min, max, whole: option.is === 'whole' }}
      value={(value ?? effective) as number | undefined}
      placeholder={placeholder}
      unit={unit}
      width={unit === undefined ? WIDTHS.plain : WIDTHS.unit}
      delayMs={DELAY_MS}
      optional={effective === undefined}
      onValue={take}
    />
  );
}
