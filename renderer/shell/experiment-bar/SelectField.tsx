import { Select, type SelectProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import field from '../../shared/fields/field.module.css';

interface SelectFieldProps
  extends Pick<SelectProps, 'data' | 'w' | 'value' | 'comboboxProps' | 'aria-describedby'> {
  readonly label: string;
  /** Stands beside the label. */
  readonly beside?: ReactNode;
  readonly title?: string | undefined;
  readonly onValue: (value: string) => void;
}

/** One of several values, always one, in a list that drops down inside its popover. */
export function SelectField({ label, beside, title, onValue, comboboxProps, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={field['field']} title={title}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>{label}</label>
        {beside}
      </div>
      <Select
        id={id}
        // A popover that scrolls does not cut off what is fixed.
        comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed', ...comboboxProps }}
        onChange={(next) => next !== null && onValue(next)}
        {...select}
      />
    </div>
  );
}
