import type { ComponentType } from 'react';
import { CompareScreen } from '../compare/CompareScreen.tsx';
import { GraphScreen } from '../graph/GraphScreen.tsx';
import { LearnScreen } from '../learn/LearnScreen.tsx';
import { LimitsScreen } from '../limits/LimitsScreen.tsx';
import { CompareIcon, GraphIcon, LearnIcon, LimitsIcon, TablesIcon, TrainIcon } from '../shared/icons.tsx';
import { TablesScreen } from '../tables/TablesScreen.tsx';
import { TrainScreen } from '../train/TrainScreen.tsx';

export interface Screen {
  readonly id: string;
  readonly label: string;
  readonly Icon: ComponentType;
  readonly View: ComponentType;
}

/** The rail, the shortcuts 1, 2, … and the palette are made from this list: a new screen is one line. */
export const SCREENS: readonly Screen[] = [
  { id: 'compare', label: 'Compare', Icon: CompareIcon, View: CompareScreen },
  { id: 'graph', label: 'Graph', Icon: GraphIcon, View: GraphScreen },
  { id: 'tables', label: 'Tables', Icon: TablesIcon, View: TablesScreen },
  { id: 'limits', label: 'Limits', Icon: LimitsIcon, View: LimitsScreen },
  { id: 'learn', label: 'Learn', Icon: LearnIcon, View: LearnScreen },
  { id: 'train', label: 'Train', Icon: TrainIcon, View: TrainScreen },
];

export const SCREEN_IDS: readonly string[] = SCREENS.map(({ id }) => id);
