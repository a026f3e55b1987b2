import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { asSentence } from '../../shared/format/sentence.ts';
import { parseBytes, writeBytes } from '../../shared/format/parse-bytes.ts';
import { useStore } from '../../shared/store.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import deviceClasses from './device.module.css';
import field from '../../shared/fields/field.module.css';

const DELAY_MS = 600;

/** The byte budget of the strategy `budget`; a budget that cannot be met says the least that can. */
export function BudgetField() {
  const id = useId();
  const { experiment: store, comparison } = useWorkspace();
  const { experiment } = useLabView();
  const { shown } = useStore(comparison);
  const [draft, setDraft] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { budgetBytes } = experiment;
  const text = draft ?? (budgetBytes === undefined ? '' : writeBytes(budgetBytes));
  const parsed = parseBytes(text, 'Budget');

  const take = (next: string): void => {
    clearTimeout(timer.current);
    const read = parseBytes(next, 'Budget');
    if ('bytes' in read) store.change({ ...store.get().experiment, budgetBytes: read.bytes }, 'budget');
    else if (next.trim() === '') {
      const { budgetBytes: _old, ...rest } = store.get().experiment;
      store.change(rest, 'budget');
    }
  };
  const solved = shown?.solved.get('budget')?.row;
  const refused =
    budgetBytes !== undefined && solved?.applicable === false ? asSentence(solved.reason ?? '') : null;
  const malformed = draft !== null && text.trim() !== '' && 'error' in parsed ? parsed.error : null;
  const error = malformed ?? refused;

  return (
    <div className={`${field['field']} ${deviceClasses['budget']}`}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>Budget</label>
      </div>
      <TextInput
        id={id}
        size="sm"
        autoComplete="off"
        placeholder="such as 2 GiB"
        value={text}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        error={error !== null}
        onFocus={() => setFocused(true)}
        onChange={(event) => {
          const next = event.currentTarget.value;
          setDraft(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => take(next), DELAY_MS);
        }}
        onBlur={() => {
          take(text);
          setDraft(null);
          setFocused(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take(text);
          if (event.key === 'Escape') setDraft(null);
        }}
      />
      {error !== null && focused && (
        <div id={`${id}-error`} className={deviceClasses['said']} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}
