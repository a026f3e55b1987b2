import { useMemo } from 'react';
import { PresetLine } from '../../state/parts/PresetLine.tsx';
import { createStore } from '../../shared/store.ts';
import { useEscape } from '../../shared/use-escape.ts';
import { DevicePanel } from './device/DevicePanel.tsx';
import { FourGpuTable } from './four-gpus/FourGpuTable.tsx';
import { LimitsHeadline } from './headline/LimitsHeadline.tsx';
import { LimitsTable } from './table/LimitsTable.tsx';
import layout from '../../shared/layout/layout.module.css';
import classes from './limits.module.css';
import { MemoryChart } from './memory/MemoryChart.tsx';
import { ThroughputChart } from './throughput/ThroughputChart.tsx';
import { useLimitsView } from './use-limits.ts';

export function LimitsScreen() {
  const view = useLimitsView();
  const cursor = useMemo(() => createStore<number | null>(null), []);
  useEscape(view.store.cancel);
  return (
    <div className={`${layout['screen']} ${classes['screen']}`} data-renewed={view.state.stale || undefined}>
      <LimitsHeadline view={view} />
      <PresetLine />
      <div className={`${layout['beside']} ${classes['row']}`}>
        <MemoryChart view={view} cursor={cursor} />
        <DevicePanel view={view} />
      </div>
      <LimitsTable view={view} />
      <div className={`${layout['beside']} ${layout['stacked']} ${classes['pair']}`}>
        <ThroughputChart view={view} cursor={cursor} />
        <FourGpuTable view={view} />
      </div>
    </div>
  );
}
