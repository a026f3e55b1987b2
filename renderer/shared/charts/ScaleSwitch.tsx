import { Button, Menu } from '@mantine/core';
import { memo } from 'react';
import type { StepScale } from './step-axis.ts';

export interface ScaleSwitchProps {
  readonly scale: StepScale;
  readonly onScale: (scale: StepScale) => void;
  /** Times are known for every operation; not offered where absent. */
  readonly timed?: boolean | undefined;
  readonly timeTitle?: string | undefined;
  /** Why no times are known, in a few words. */
  readonly untimed?: string | undefined;
}

/** Choice of the horizontal axis, as narrow as its longest name, so that it fits beside the title on a phone. */
export const ScaleSwitch = memo(function ScaleSwitch(props: ScaleSwitchProps) {
  const { scale, onScale, timed, timeTitle = 'Predicted time', untimed = 'not known' } = props;
  const titles: Readonly<Partial<Record<StepScale, string>>> = {
    pass: 'Passes aligned',
    operations: 'Operations run',
    ...(timed === undefined ? {} : { time: timeTitle }),
  };
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-xs"
          h={28}
          aria-label={`Horizontal axis: ${titles[scale]}`}
          rightSection="▾"
        >
          {titles[scale]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={scale} onChange={(value) => onScale(value as StepScale)}>
          {Object.entries(titles).map(([value, title]) => {
            const isOff = value === 'time' && timed === false;
            return (
              <Menu.RadioItem key={value} value={value} disabled={isOff} closeMenuOnClick>
                {isOff ? `${title} (${untimed})` : title}
              </Menu.RadioItem>
            );
          })}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
});
