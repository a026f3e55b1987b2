import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { asSentence } from '../../shared/format/sentence.ts';
import { formatBytes, formatExactBytes } from '../../shared/format/bytes.ts';
import { type Budget, parseBudget, writeShare } from '../../../engine/options/budget.ts';
import { expectedOf, optionOf } from '../../../engine/options/options.ts';
import { parseBytes } from '../../../engine/bytes.ts';
import { withOption } from '../../state/experiment/experiment.ts';
import { useStore } from '../../shared/store.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import deviceClasses from './device.module.css';
import layout from '../../shared/layout/layout.module.css';
import field from '../../shared/fields/field.module.css';

const OPTION = optionOf('budgetBytes');
const DELAY_MS = 600;
const LEFT =
  'What the device leaves the activations: its memory without weights, gradients, optimizer, loss, workspace, rounding and context. A budget of your own wins.';

/** A share, or an amount with its unit: nobody knows in which unit a number alone was meant. */
function parseBudgetField(text: string): Budget | null {
  const budget = parseBudget(text);
  if (budget !== null && 'share' in budget) return budget;
  const bytes = parseBytes(text);
  return bytes === null ? null : { bytes };
}

/** The byte budget of the strategy `budget`: what the device leaves, until the user says another. A budget that cannot be met says the least that can. */
export function BudgetField() {
  const id = useId();
  const { experiment: store, comparison } = useWorkspace();
  const { experiment, budgetShare } = useLabView();
  const { shown } = useStore(comparison);
  const [draft, setDraft] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { budgetBytes } = experiment;
  const said =
    budgetShare !== undefined
      ? writeShare(budgetShare)
      : budgetBytes === undefined
        ? ''
        : formatBytes(budgetBytes);
  const text = draft ?? said;

  const take = (next: string): void => {
    clearTimeout(timer.current);
    const read = parseBudgetField(next);
    if (read !== null && 'share' in read) store.wantShare(read.share);
    else if (read !== null || next.trim() === '') {
      store.wantShare(undefined);
      store.change(withOption(store.get().experiment, 'budgetBytes', read?.bytes), 'budget');
    }
  };
  const answer = shown?.solved.get('budget') ?? shown?.solved.get('offload');
  const solved = answer?.row;
  const left = budgetBytes === undefined ? (answer?.budgetBytes ?? 0) : 0;
  const refused =
    budgetBytes !== undefined && solved?.applicable === false ? asSentence(solved.reason ?? '') : null;
  const isMalformed = draft !== null && text.trim() !== '' && parseBudgetField(text) === null;
  const malformed = isMalformed ? `Budget must be ${expectedOf(OPTION)}.` : null;
  const error = malformed ?? refused;

  return (
    <div className={`${field['field']} ${deviceClasses['budget']}`}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>{OPTION.label}</label>
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
        placeholder={left > 0 ? formatBytes(left) : '2 GiB or 60%'}
        value={text}
        title={budgetBytes === undefined ? OPTION.help : formatExactBytes(budgetBytes)}
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
          // The amount shown is rounded.
          if (draft !== null) take(draft);
          setDraft(null);
          setFocused(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && draft !== null) take(draft);
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
