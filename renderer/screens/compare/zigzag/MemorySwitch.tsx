import { SegmentedControl, UnstyledButton } from '@mantine/core';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import layout from '../../../shared/layout/layout.module.css';
import { type Store, useStore } from '../../../shared/store.ts';
import { HOLDER_TITLES } from '../../../state/comparison/sized-timeline.ts';
import classes from '../compare.module.css';
import { AXIS_NAMES, type ShownMemory } from '../../../state/comparison/shown-memory.ts';

/** All that the device holds, or the activations' own peak, which the papers speak of. */
export function MemorySwitch({ memory }: { readonly memory: Store<ShownMemory> }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Memory shown"
      value={useStore(memory)}
      onChange={(value) => memory.set(value === 'activations' ? value : 'device')}
      data={Object.entries(AXIS_NAMES).map(([value, label]) => ({ value, label }))}
    />
  );
}

interface ConstantToggleProps {
  readonly bytes: number;
  readonly isFolded: Store<boolean>;
}

/** The band under all curves, with its size; folded away the axis begins above it. */
export function ConstantToggle({ bytes, isFolded }: ConstantToggleProps) {
  const folded = useStore(isFolded);
  return (
    <UnstyledButton
      className={classes['constant']}
      aria-expanded={!folded}
      title={`${formatExactBytes(bytes)} at every step of every plan. ${folded ? 'Show it under the curves' : 'Fold it away: the axis begins above it'}`}
      onClick={() => isFolded.set(!folded)}
    >
      <i className={layout['swatch']} style={{ background: 'var(--zz-hold-constant)' }} />
      {HOLDER_TITLES.constant} {formatBytes(bytes)}
      {folded ? ', folded away ▸' : ' ▾'}
    </UnstyledButton>
  );
}
