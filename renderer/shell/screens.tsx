import { type ComponentType, lazy } from 'react';
import { CompareScreen } from '../screens/compare/CompareScreen.tsx';
import { CompareIcon, GraphIcon, LearnIcon, LimitsIcon, TablesIcon, TrainIcon } from '../shared/icons.tsx';
import { Button } from '@mantine/core';
import classes from './frame.module.css';

export interface Screen {
  readonly id: string;
  readonly label: string;
  readonly Icon: ComponentType;
  readonly View: ComponentType;
  readonly load?: Load;
}

type Load = () => Promise<ComponentType>;

/** Each screen but the first is a file of its own, so that the first is there soon. */
const later = (load: Load): Pick<Screen, 'load' | 'View'> => ({
  load,
  View: lazy(async () => ({ default: (await load().catch(() => undefined)) ?? NotLoaded })),
});

/** The rail, the shortcuts 1, 2, … and the palette are made from this list. */
export const SCREENS: readonly Screen[] = [
  { id: 'compare', label: 'Compare', Icon: CompareIcon, View: CompareScreen },
  {
    id: 'graph',
    label: 'Graph',
    Icon: GraphIcon,
    ...later(() => import('../screens/graph/GraphScreen.tsx').then((file) => file.GraphScreen)),
  },
  {
    id: 'tables',
    label: 'Tables',
    Icon: TablesIcon,
    ...later(() => import('../screens/tables/TablesScreen.tsx').then((file) => file.TablesScreen)),
  },
  {
    id: 'limits',
    label: 'Limits',
    Icon: LimitsIcon,
    ...later(() => import('../screens/limits/LimitsScreen.tsx').then((file) => file.LimitsScreen)),
  },
  {
    id: 'learn',
    label: 'Learn',
    Icon: LearnIcon,
    ...later(() => import('../screens/learn/LearnScreen.tsx').then((file) => file.LearnScreen)),
  },
  {
    id: 'train',
    label: 'Train',
    Icon: TrainIcon,
    ...later(() => import('../screens/train/TrainScreen.tsx').then((file) => file.TrainScreen)),
  },
];

export const SCREEN_IDS: readonly string[] = SCREENS.map(({ id }) => id);

/** Fetches the other screens' files while nothing else is to do: then a screen opens at once, server or not. */
export async function fetchScreens(): Promise<void> {
  for (const { load } of SCREENS) {
    if (load === undefined) continue;
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10_000 }));
    await load().catch(() => undefined);
  }
}

function NotLoaded() {
  return (
    <div className={classes['notLoaded']} role="alert">
      <p>
        This screen could not be loaded, because the lab was stopped or updated. Start the lab and reload the
        page.
      </p>
      <Button variant="default" size="sm" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </div>
  );
}
