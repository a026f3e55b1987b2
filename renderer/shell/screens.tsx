import { type ComponentType, lazy } from 'react';
import { CompareScreen } from '../screens/compare/CompareScreen.tsx';
import { CompareIcon, GraphIcon, LearnIcon, LimitsIcon, TablesIcon, TrainIcon } from '../shared/icons.tsx';
import { NotLoaded } from './NotLoaded.tsx';

export interface Screen {
  readonly id: string;
  readonly label: string;
  readonly Icon: ComponentType;
  readonly View: ComponentType;
}

type Load = () => Promise<ComponentType>;

/** Each screen but the first is a file of its own, so that the first is there soon. */
const LATER: Readonly<Record<string, Load>> = {
  graph: () => import('../screens/graph/GraphScreen.tsx').then(({ GraphScreen }) => GraphScreen),
  tables: () => import('../screens/tables/TablesScreen.tsx').then(({ TablesScreen }) => TablesScreen),
  limits: () => import('../screens/limits/LimitsScreen.tsx').then(({ LimitsScreen }) => LimitsScreen),
  learn: () => import('../screens/learn/LearnScreen.tsx').then(({ LearnScreen }) => LearnScreen),
  train: () => import('../screens/train/TrainScreen.tsx').then(({ TrainScreen }) => TrainScreen),
};

const later = (id: keyof typeof LATER): ComponentType =>
  lazy(async () => ({ default: (await LATER[id]?.().catch(() => undefined)) ?? NotLoaded }));

/** The rail, the shortcuts 1, 2, … and the palette are made from this list. */
export const SCREENS: readonly Screen[] = [
  { id: 'compare', label: 'Compare', Icon: CompareIcon, View: CompareScreen },
  { id: 'graph', label: 'Graph', Icon: GraphIcon, View: later('graph') },
  { id: 'tables', label: 'Tables', Icon: TablesIcon, View: later('tables') },
  { id: 'limits', label: 'Limits', Icon: LimitsIcon, View: later('limits') },
  { id: 'learn', label: 'Learn', Icon: LearnIcon, View: later('learn') },
  { id: 'train', label: 'Train', Icon: TrainIcon, View: later('train') },
];

export const SCREEN_IDS: readonly string[] = SCREENS.map(({ id }) => id);

/** Fetches the other screens' files while nothing else is to do: then a screen opens at once, server or not. */
export async function fetchScreens(): Promise<void> {
  for (const load of Object.values(LATER)) {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10_000 }));
    await load().catch(() => undefined);
  }
}
