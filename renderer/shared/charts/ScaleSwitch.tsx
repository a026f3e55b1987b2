import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import type { StepScale } from './step-axis.ts';

export interface ScaleSwitchProps {
  readonly scale: StepScale;
  readonly onScale: (scale: StepScale) => void;
  /** Times are known for every operation; not offered where absent. */
  readonly timed?: boolean | undefined;
  readonly timeTitle?: string | undefined;
  /** Why no times are known, in one sentence. */
  readonly untimed?: string | undefined;
}

export const ScaleSwitch = memo(function ScaleSwitch(props: ScaleSwitchProps) {
  const { scale, onScale, timed, timeTitle = 'Predicted time', untimed } = props;
  const titles: readonly (readonly [scale: StepScale, title: string])[] = [
    ['pass', 'Passes aligned'],
    ['operations', 'Operations run'],
    ...(timed === undefined ? [] : [['time', timeTitle] as const]),
  ];
  return (
    <SegmentedControl
      size="xs"
      aria-label="Horizontal axis"
      value={scale}
      onChange={(value) => onScale(titles.find(([name]) => name === value)?.[0] ?? 'pass')}
      data={titles.map(([value, title]) => {
        const disabled = value === 'time' && timed === false;
        const reason = disabled ? untimed : undefined;
        return { value, disabled, label: reason === undefined ? title : unavailable(title, reason) };
      })}
    />
  );
});

const unavailable = (title: string, reason: string) => (
  <span title={reason}>
    {title}
    <VisuallyHidden>. {reason}</VisuallyHidden>
  </span>
);
