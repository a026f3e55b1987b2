import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { parseBytes } from '../../../shared/format/parse-bytes.ts';
import classes from '../train.module.css';

export interface CapFieldProps {
  readonly value: number | undefined;
  /** `undefined` when it was emptied. */
  readonly onValue: (bytes: number | undefined) => void;
  readonly disabled?: boolean;
}

export function CapField({ value, onValue, disabled = false }: CapFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? (value === undefined ? '' : formatBytes(value));
  const parsed = parseBytes(text, 'The memory cap');
  const fault = draft !== null && text.trim() !== '' && 'error' in parsed ? parsed.error : null;
  const take = (next: string): void => {
    const read = parseBytes(next, 'The memory cap');
    if ('bytes' in read) onValue(read.bytes);
    else if (next.trim() === '') onValue(undefined);
  };
  return (
    <TextInput
      label="Memory cap"
      w={120}
      autoComplete="off"
      placeholder="none"
      title="Limit on the trainer’s tensors; a run that needs more ends as out of memory"
      value={text}
      disabled={disabled}
      error={fault}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        take(event.currentTarget.value);
      }}
      onBlur={() => setDraft(null)}
      classNames={{ error: classes['fieldFault'] ?? '' }}
    />
  );
}
