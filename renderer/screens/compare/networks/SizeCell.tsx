import { useState } from 'react';
import { MAX_BATCH, MAX_INPUT } from '../../../../engine/options/sizes.ts';
import { isFileNetwork } from '../../../../app/contract/opened-file.ts';
import { parseNumber } from '../../../shared/fields/parse-number.ts';
import { withNetworkSize } from '../../../state/experiment/networks.ts';
import { useCatalog, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { NetworkRow } from '../../../state/comparison/networks-matrix.ts';
import classes from './networks.module.css';

export interface SizeCellProps {
  readonly network: NetworkRow;
  readonly part: 'batch' | 'input';
  /** Used while the cell is empty. */
  readonly fallback: number | undefined;
}

/** A batch or an input of a network's own; an empty cell follows the front or the network. */
export function SizeCell({ network, part, fallback }: SizeCellProps) {
  const { experiment: store } = useWorkspace();
  const { models } = useCatalog();
  const { place, single, title } = network;
  const [draft, setDraft] = useState<string | null>(null);
  const own = store.get().experiment.also?.[place - 1];
  const model = models.find(({ name }) => name === single.model);
  if (part === 'input' && isFileNetwork(single.model) && model?.inputUnit === undefined)
    return (
      <span className={classes['fixed']} title="The file fixes its input size.">
        fixed
      </span>
    );
  const shown = own?.[part] === undefined ? '' : String(own[part]);
  const text = draft ?? shown;
  const label = part === 'batch' ? 'Batch' : 'Input size';
  const rule =
    part === 'batch'
      ? { label, min: 1, max: MAX_BATCH, whole: true }
      : { label, min: model?.minInput ?? 1, max: MAX_INPUT, whole: true };
  const parsed = text.trim() === '' ? null : parseNumber(text, rule);
  const error = parsed !== null && 'error' in parsed ? parsed.error : null;

  const take = (): void => {
    setDraft(null);
    if (draft === null || error !== null) return;
    const value = parsed !== null && 'value' in parsed ? parsed.value : undefined;
    const { batch, input } = own ?? {};
    store.change(withNetworkSize(store.get().experiment, place, { batch, input, [part]: value }));
  };

  return (
    <input
      className={classes['size']}
      inputMode="numeric"
      autoComplete="off"
      aria-label={`${label} of ${title}`}
      aria-invalid={error !== null}
      title={error ?? undefined}
      placeholder={String(fallback ?? model?.defaultInput ?? '')}
      value={text}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
        if (event.key === 'Escape') setDraft(null);
      }}
    />
  );
}
