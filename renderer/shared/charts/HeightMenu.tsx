import { ActionIcon, Menu } from '@mantine/core';
import { memo } from 'react';
import { HeightIcon } from '../icons.tsx';
import classes from './charts.module.css';
import type { HeightZoom } from './height-zoom.ts';
import { isClosest, isWholeHeight, WHOLE_HEIGHT, zoomHeight } from './vertical-view.ts';
import { ZOOM_STEP } from './step-window.ts';

export interface HeightMenuProps extends HeightZoom {
  readonly isFromZero: boolean;
  /** Areas are drawn, which a logarithm does not have. */
  readonly hasAreas: boolean;
  /** Why there is no logarithm; null where there is one. */
  readonly refusal: string | null;
}

const MIDDLE = 0.5;

export const HeightMenu = memo(function HeightMenu(props: HeightMenuProps) {
  const { view, onView, isFromZero, hasAreas, refusal } = props;
  const isWhole = isWholeHeight(view);
  const by = (factor: number) => () => onView(zoomHeight(view, MIDDLE, factor));
  return (
    <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          className={classes['atHand'] ?? ''}
          data-zoomed={!isWhole || view.isLog || undefined}
          variant={isWhole && !view.isLog ? 'subtle' : 'default'}
          aria-label="Vertical axis"
          title="Vertical axis"
        >
          <HeightIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={view.isLog ? 'log' : 'linear'}
          onChange={(value) => onView({ ...WHOLE_HEIGHT, isLog: value === 'log' })}
        >
          <Menu.RadioItem value="linear" closeMenuOnClick>
            {isFromZero ? 'Linear from zero' : 'Linear'}
          </Menu.RadioItem>
          <Menu.RadioItem value="log" closeMenuOnClick disabled={refusal !== null}>
            {refusal ?? `Logarithmic${hasAreas ? ', lines without areas' : ''}`}
          </Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick={false}
          rightSection="Alt +"
          disabled={isClosest(view)}
          onClick={by(ZOOM_STEP)}
        >
          Zoom in vertically
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick={false}
          rightSection="Alt −"
          disabled={isWhole}
          onClick={by(1 / ZOOM_STEP)}
        >
          Zoom out vertically
        </Menu.Item>
        <Menu.Item
          rightSection="Alt 0"
          disabled={isWhole}
          onClick={() => onView({ ...view, from: 0, to: 1 })}
        >
          Show the whole height
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});
