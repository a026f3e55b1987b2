import { SegmentedControl } from '@mantine/core';
import { memo } from 'react';
import type { StepScale } from './step-axis.ts';

export interface ScaleSwitchProps {
  readonly scale: StepScale;
  readonly onScale: (scale: StepScale) => void;
}

/** What the horizontal axis of a zigzag counts. */
export const ScaleSwitch = memo(function ScaleSwitch({ scale, onScale }: ScaleSwitchProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Horizontal axis"
      value={scale}
      onChange={(value) => onScale(value === 'pass' ? 'pass' : 'operations')}
      data={[
        { value: 'pass', label: 'Passes aligned' },
        { value: 'operations', label: 'Operations run' },
      ]}
    />
  );
});
