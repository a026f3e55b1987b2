import { ActionIcon } from '@mantine/core';
import { memo } from 'react';
import { MinusIcon, PlusIcon, WholeIcon } from '../icons.tsx';
import { useStore } from '../store.ts';
import classes from './charts.module.css';
import { clampWindow, leastWidth, ZOOM_STEP, zoomAbout } from './step-window.ts';
import type { StepZoom } from './use-plot-gestures.ts';

export const ZoomButtons = memo(function ZoomButtons({ zoom }: { readonly zoom: StepZoom }) {
  const { extent, window: store } = zoom;
  const window = useStore(store);
  const { from, to } = clampWindow(window, extent);
  const by = (factor: number) => () => store.set(zoomAbout(window, extent, (from + to) / 2, factor));
  const isWhole = window === null;
  return (
    <fieldset className={`${classes['zoomButtons']} ${classes['atHand']}`} aria-label="Zoom">
      <ActionIcon aria-label="Zoom out" title="Zoom out (−)" disabled={isWhole} onClick={by(1 / ZOOM_STEP)}>
        <MinusIcon />
      </ActionIcon>
      <ActionIcon
        aria-label="Zoom in"
        title="Zoom in (+)"
        disabled={to - from <= leastWidth(extent) * (1 + 1e-9)}
        onClick={by(ZOOM_STEP)}
      >
        <PlusIcon />
      </ActionIcon>
      <ActionIcon
        aria-label="Show the whole step"
        title="Show the whole step (0)"
        disabled={isWhole}
        onClick={() => store.set(null)}
      >
        <WholeIcon />
      </ActionIcon>
    </fieldset>
  );
});
