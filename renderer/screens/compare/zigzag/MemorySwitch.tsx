import { Switch, UnstyledButton } from '@mantine/core';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import layout from '../../../shared/layout/layout.module.css';
import { type Store, useStore } from '../../../shared/store.ts';
import { HOLDER_TITLES } from '../../../state/comparison/sized-timeline.ts';
import classes from '../compare.module.css';
import { AXIS_NAMES, type ShownMemory } from '../../../state/comparison/shown-memory.ts';

/** All that the device holds, or the activations' own peak, which the papers speak of. */
export function MemorySwitch({ memory }: { readonly memory: Store<ShownMemory> }) {
  return (
    <Switch
      label={AXIS_NAMES.activations}
      title="The activations’ own peak, the subject of the papers, in place of all that the device holds"
      checked={useStore(memory) === 'activations'}
      onChange={(event) => memory.set(event.currentTarget.checked ? 'activations' : 'device')}
    />
  );
}

interface ConstantToggleProps {
  readonly bytes: number;
  readonly isFolded: boolean;
  /** Nobody has folded it: the curves would be too flat on it. */
  readonly isSmall: boolean;
  readonly onFold: (isFolded: boolean) => void;
}

/** The band under all curves, with its size; folded away the axis begins above it. */
export function ConstantToggle({ bytes, isFolded, isSmall, onFold }: ConstantToggleProps) {
  const folded = isSmall ? ', folded away: the rest is small ▸' : ', hidden ▸';
  return (
    <UnstyledButton
      className={classes['constant']}
      aria-expanded={!isFolded}
      title={`${formatExactBytes(bytes)} at every step of every plan. ${isFolded ? 'Show it under the curves' : 'Hide it: the axis begins above it'}`}
      onClick={() => onFold(!isFolded)}
    >
      <i className={layout['swatch']} style={{ background: 'var(--zz-hold-constant)' }} />
      {HOLDER_TITLES.constant} {formatBytes(bytes)}
      {isFolded ? folded : ' ▾'}
    </UnstyledButton>
  );
}
