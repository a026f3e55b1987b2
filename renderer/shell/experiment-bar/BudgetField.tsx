import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { asSentence } from '../../shared/format/sentence.ts';
import { formatBytes } from '../../shared/format/bytes.ts';
import { parseBytes, writeBytes } from '../../shared/format/parse-bytes.ts';
import { useStore } from '../../shared/store.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import deviceClasses from './device.module.css';
import layout from '../../shared/layout/layout.module.css';
import field from '../../shared/fields/field.module.css';

const DELAY_MS = 600;
const LEFT =
  'What the device leaves the activations: its memory without weights, gradients, optimizer, loss, workspace, rounding and context. A budget of your own wins.';

/** The byte budget of the strategy `budget`: what the device leaves, until the user says another. A budget that cannot be met says the least that can. */
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
  const answer = shown?.solved.get('budget') ?? shown?.solved.get('offload');
  const solved = answer?.row;
  const left = budgetBytes === undefined ? (answer?.budgetBytes ?? 0) : 0;
  const refused =
    budgetBytes !== undefined && solved?.applicable === false ? asSentence(solved.reason ?? '') : null;
  const malformed = draft !== null && text.trim() !== '' && 'error' in parsed ? parsed.error : null;
  const error = malformed ?? refused;

  return (
    <div className={`${field['field']} ${deviceClasses['budget']}`}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>Budget</label>
        {left > 0 && (
          <span id={`${id}-left`} className={`${layout['note']} ${layout['cut']}`} title={LEFT}>
            what is left
          </span>
        )}
      </div>
      <TextInput
        id={id}
        size="sm"
        autoComplete="off"
        placeholder={left > 0 ? formatBytes(left) : 'such as 2 GiB'}
        value={text}
        aria-invalid={error !== null}
        aria-describedby={error !== null ? `${id}-error` : left > 0 ? `${id}-left` : undefined}
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
