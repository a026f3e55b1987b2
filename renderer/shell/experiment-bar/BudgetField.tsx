import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { asSentence } from '../../shared/format/sentence.ts';
import { formatBytes, formatExactBytes } from '../../shared/format/bytes.ts';
import { type Budget, parseBudget, writeShare } from '../../../engine/options/budget.ts';
import { expectedOf, optionOf } from '../../../engine/options/options.ts';
import { parseBytes } from '../../../engine/bytes.ts';
import { budgetAt, convertingPlan, shownBudget } from '../../state/comparison/budget-limit.ts';
import type { Solved } from '../../state/comparison/comparison.ts';
import { refusedBudget } from '../../state/comparison/rows.ts';
import { readMemory, type ShownMemory } from '../../state/comparison/shown-memory.ts';
import { roomOf } from '../../state/experiment/device.ts';
import { withOption } from '../../state/experiment/experiment.ts';
import { useStore } from '../../shared/store.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import deviceClasses from './device.module.css';
import layout from '../../shared/layout/layout.module.css';
import field from '../../shared/fields/field.module.css';

const OPTION = optionOf('budgetBytes');
const DELAY_MS = 600;
const COUNTS: Readonly<Record<ShownMemory, string>> = {
  device: 'device memory',
  activations: 'activations',
};
const SAYS: Readonly<Record<ShownMemory, string>> = {
  device:
    'Limit on the device memory of a training step: weights, gradients, optimizer, activations, workspace and context. Empty: the memory of the device.',
  activations:
    'Limit on the peak of the activations alone. Empty: the device’s memory that is left for activations.',
};
const SHARE = ' A share such as 60% refers to the activations’ peak in regular training.';

/** A share, or an amount with its unit: nobody knows in which unit a number alone was meant. */
function parseBudgetField(text: string): Budget | null {
  const budget = parseBudget(text);
  if (budget !== null && 'share' in budget) return budget;
  const bytes = parseBytes(text);
  return bytes === null ? null : { bytes };
}

/** The budget in the memory that Compare shows: the device's, until the user says another. One that cannot be met says the least that can. */
export function BudgetField() {
  const id = useId();
  const { experiment: store, comparison } = useWorkspace();
  const lab = useLabView();
  const { experiment, budgetShare } = lab;
  const { shown } = useStore(comparison);
  const memory = readMemory(store.viewOf('compare'));
  const [draft, setDraft] = useState<string | null>(null);
  const [focused, setFocused] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { budgetBytes } = experiment;
  const budget = shownBudget(lab, shown, memory);
  const said =
    budgetShare !== undefined ? writeShare(budgetShare) : budget === null ? '' : formatBytes(budget);
  const text = draft ?? said;

  const take = (next: string): void => {
    clearTimeout(timer.current);
    const read = parseBudgetField(next);
    if (read === null && next.trim() !== '') return;
    if (read !== null && 'share' in read) {
      store.wantShare(read.share);
      return;
    }
    const { experiment: now } = store.get();
    const known = convertingPlan(now, comparison.get().shown);
    const isLimit = memory === 'device' && read !== null;
    // Without a plan to convert by, the limit waits for one.
    const bytes = isLimit ? known && budgetAt(read.bytes, known) : read?.bytes;
    store.wantShare(undefined);
    if (bytes !== null) store.change(withOption(now, 'budgetBytes', bytes), 'budget');
    store.wantLimit(isLimit ? read.bytes : undefined);
  };
  const answer = shown?.solved.get('budget') ?? shown?.solved.get('offload');
  const sayRefusal = (refusal: Solved): string => {
    const onDevice = memory === 'device' ? refusedBudget(refusal, { results: shown, ...lab }) : null;
    return asSentence(onDevice ?? refusal.row.reason ?? '');
  };
  const left = memory === 'device' ? roomOf(experiment).memoryBytes : (answer?.budgetBytes ?? 0);
  const refused = budgetBytes !== undefined && answer?.row.applicable === false ? sayRefusal(answer) : null;
  const says = SAYS[memory] + SHARE;
  const isMalformed = draft !== null && text.trim() !== '' && parseBudgetField(text) === null;
  const malformed = isMalformed ? `Budget must be ${expectedOf(OPTION)}.` : null;
  const error = malformed ?? refused;

  return (
    <div className={`${field['field']} ${deviceClasses['budget']}`}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>{OPTION.label}</label>
        <span className={`${layout['note']} ${layout['cut']}`} title={says}>
          {COUNTS[memory]}
        </span>
      </div>
      <TextInput
        id={id}
        autoComplete="off"
        placeholder={left > 0 ? formatBytes(left) : '2 GiB or 60%'}
        value={text}
        title={budget === null ? says : formatExactBytes(budget)}
        aria-invalid={error !== null}
        aria-description={error ?? COUNTS[memory]}
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
        <div className={deviceClasses['said']} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}
