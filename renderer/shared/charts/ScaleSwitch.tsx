import { SegmentedControl } from '@mantine/core';
import { memo } from 'react';
import type { StepScale } from './step-axis.ts';

export interface ScaleSwitchProps {
  readonly scale: StepScale;
  readonly onScale: (scale: StepScale) => void;
  /** Whether a time is known for every operation; not offered where nothing is said. */
  readonly timed?: boolean | undefined;
}

const TITLES: readonly (readonly [scale: StepScale, title: string])[] = [
  ['pass', 'Passes aligned'],
  ['operations', 'Operations run'],
  ['time', 'Predicted time'],
];

/** What the horizontal axis of a zigzag counts. */
export const ScaleSwitch = memo(function ScaleSwitch({ scale, onScale, timed }: ScaleSwitchProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Horizontal axis"
      value={scale}
      onChange={(value) => onScale(TITLES.find(([name]) => name === value)?.[0] ?? 'pass')}
      data={TITLES.filter(([name]) => name !== 'time' || timed !== undefined).map(([value, label]) => ({
        value,
        label,
        disabled: value === 'time' && timed === false,
      }))}
    />
  );
});
