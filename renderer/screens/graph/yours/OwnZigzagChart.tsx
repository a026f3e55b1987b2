import { useCallback, useMemo } from 'react';
import { STEP_KINDS } from '../../../../engine/schedule/schedule.ts';
import type { StrategyRow } from '../../../state/comparison/rows.ts';
import { bytesAt, drawnRows, zigzag, zigzagData, zigzagTable } from '../../../state/comparison/zigzag.ts';
import { createStepCursor } from '../../../shared/charts/cursor-store.ts';
import { StepChartCard } from '../../../shared/charts/StepChartCard.tsx';
import type { StepFrame } from '../../../shared/charts/step-curves.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import classes from '../graph.module.css';

export interface OwnZigzagChartProps {
  readonly title: string;
  readonly rows: readonly StrategyRow[];
  readonly ids: readonly string[];
  readonly isBusy: boolean;
}

export function OwnZigzagChart({ title, rows, ids, isBusy }: OwnZigzagChartProps) {
  const cursor = useMemo(createStepCursor, []);
  const drawn = useMemo(() => drawnRows(rows), [rows]);
  const axes = useMemo(() => drawn.map(({ sized }) => sized.axis), [drawn]);
  const front = drawn.find(({ identity }) => identity.name === 'manual') ?? null;
  const name = front?.identity.name ?? null;
  const draw = useCallback((frame: StepFrame) => zigzag(rows, name, ids, frame), [rows, name, ids]);
  const table = useMemo(() => zigzagTable(rows, title), [rows, title]);
  const peaks = drawn.map((row) => `${row.identity.title} peaks at ${formatBytes(row.peakBytes ?? 0)}`);
  const at = (place: number) => {
    const bytes = bytesAt(drawn, place, 'pass');
    return drawn.map(({ identity }) => ({ identity, bytes: bytes.get(identity.name) ?? 0 }));
  };
  return (
    <StepChartCard
      className={classes['ownZigzag']}
      title={title}
      testId="own-zigzag"
      axes={axes}
      draw={draw}
      front={(front ?? drawn[0])?.sized ?? null}
      scale="pass"
      cursor={cursor}
      dotsAt={(place) =>
        at(place).map(({ identity, bytes }) => ({ id: identity.name, y: bytes, color: colorOf(identity) }))
      }
      describe={(place) =>
        at(place)
          .map(({ identity, bytes }) => `${identity.title} ${formatBytes(bytes)}`)
          .join(', ')
      }
      summary={`Live memory over one training step. ${peaks.join(', ')}.`}
      fileName="own-checkpoints"
      height={164}
      data={() => zigzagData(rows, ids, STEP_KINDS)}
      table={table}
      legend={drawn.map(({ identity }) => ({
        title: identity.title,
        color: colorOf(identity),
        dash: identity.dash,
      }))}
      empty={drawn.length === 0 ? (isBusy ? 'Solving…' : 'There is nothing to draw.') : undefined}
    />
  );
}
