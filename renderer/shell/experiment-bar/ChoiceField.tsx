import { Flex, SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import layout from '../../shared/layout/layout.module.css';
import field from '../../shared/fields/field.module.css';

export interface ChoiceFieldProps<T extends string> {
  readonly label: string;
  readonly value: T;
  /** The choices, each with what it means. */
  readonly says: Readonly<Record<T, string>>;
  /** In place of what it means: why it changes nothing. */
  readonly note?: string | undefined;
  readonly onValue: (value: T) => void;
}

/** One of a few words, and below them what the chosen one means. */
export function ChoiceField<T extends string>({ label, value, says, note, onValue }: ChoiceFieldProps<T>) {
  const id = useId();
  const choices = Object.keys(says) as T[];
  return (
    <Flex direction="column" gap={4}>
      <div className={field['labelRow']} id={id}>
        {label}
      </div>
      <SegmentedControl
        fullWidth
        size="sm"
        aria-labelledby={id}
        aria-describedby={`${id}-says`}
        value={value}
        data={choices.map((choice) => ({ value: choice, label: <span title={says[choice]}>{choice}</span> }))}
        onChange={(chosen) => {
          const next = choices.find((choice) => choice === chosen);
          if (next !== undefined) onValue(next);
        }}
      />
      <div id={`${id}-says`} className={layout['note']}>
        {note ?? says[value]}
      </div>
    </Flex>
  );
}
