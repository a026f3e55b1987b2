import { Box, Flex, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './field.module.css';
import { type NumberRule, parseNumber } from './parse-number.ts';

export interface NumberFieldProps {
  readonly rule: NumberRule;
  readonly value: number | undefined;
  readonly placeholder?: string;
  readonly width: number;
  /** Waits this long after the last key before it takes a value; Enter and leaving the field do not wait. */
  readonly delayMs?: number;
  /** `undefined` when the field was emptied and `optional`. */
  readonly onValue: (value: number | undefined) => void;
  readonly optional?: boolean;
  readonly unit?: string | undefined;
  readonly disabled?: string | undefined;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

/** CSS pixels of a unit beside its number: a short one has the usual room. */
const unitWidth = (unit: string): number => Math.max(36, 7 * unit.length + 14);

/** A number as free text: what cannot be read is said in one sentence and changes nothing. */
export function NumberField(props: NumberFieldProps) {
  const { rule, value, placeholder, width, delayMs = 0, onValue, optional = false, unit, disabled } = props;
  const id = useId();
  const shown = value === undefined ? '' : String(value);
  const [draft, setDraft] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = draft ?? shown;
  const empty = text.trim() === '' && optional;
  const parsed = parseNumber(text, rule);
  const error = draft !== null && !empty && 'error' in parsed ? parsed.error : null;

  useEffect(() => () => clearTimeout(timer.current), []);

  const take = (next: string): void => {
    clearTimeout(timer.current);
    if (next.trim() === '' && optional) {
      onValue(undefined);
      return;
    }
    const read = parseNumber(next, rule);
    if ('value' in read) onValue(read.value);
  };
  const type = (next: string): void => {
    setDraft(next);
    clearTimeout(timer.current);
    if (delayMs === 0) take(next);
    else timer.current = setTimeout(() => take(next), delayMs);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') take(text);
    if (event.key === 'Escape') setDraft(null);
    if ((event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !rule.whole) return;
    event.preventDefault();
    const current = 'value' in parsed ? parsed.value : (value ?? rule.min);
    const next = Math.min(Math.max(current + (event.key === 'ArrowUp' ? 1 : -1), rule.min), rule.max);
    setDraft(null);
    onValue(next);
  };

  return (
    <div className={classes['field']} title={disabled}>
      <div className={classes['labelRow']}>
        <label htmlFor={id}>{rule.label}</label>
      </div>
      <Flex gap={4}>
        {props.before}
        <TextInput
          id={id}
          w={width}
          inputMode={rule.whole ? 'numeric' : 'decimal'}
          autoComplete="off"
          value={text}
          placeholder={placeholder}
          disabled={disabled !== undefined}
          aria-invalid={error !== null}
          // Its library keeps `aria-describedby` to itself.
          aria-description={error ?? undefined}
          error={error !== null}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={() => {
            take(text);
            setDraft(null);
          }}
          onKeyDown={press}
          rightSection={
            unit === undefined ? undefined : (
              <Box component="span" fz={12} c="dimmed">
                {unit}
              </Box>
            )
          }
          rightSectionWidth={unit === undefined ? undefined : unitWidth(unit)}
          rightSectionPointerEvents="none"
        />
        {props.after}
      </Flex>
      {error !== null && (
        <div className={classes['fault']} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}
