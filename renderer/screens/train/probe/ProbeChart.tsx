import { Line } from 'recharts';
import { Legend } from '../../../shared/charts/Legend.tsx';
import { roomBetween } from '../../../shared/charts/curve-room.ts';
import { PlotCard } from '../../../shared/charts/PlotCard.tsx';
import { placeLabels } from '../../../shared/charts/place-labels.ts';
import { type PlotArea, pixelX, pixelY } from '../../../shared/charts/plot-area.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import type { Run } from '../../../state/runs/run.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { type ProbeMark, probePlot, probeTable } from './probe-marks.ts';

const TITLE = 'Batches that were tried';
const MARGIN = { right: 56 } as const;
const FAULT = 'var(--zz-danger)';

export function ProbeChart({ run }: { readonly run: Run }) {
  const { probes, largest } = run;
  const color = colorOf(identityOf(run.request.strategy));
  const best = probes.reduce((most, { batch, ran }) => (ran ? Math.max(most, batch) : most), 0);
  const legend = [
    { title: 'ran one whole iteration', color, mark: 'disc' as const },
    { title: 'out of memory', color: FAULT, mark: 'cross' as const },
  ];
  return (
    <PlotCard
      title={TITLE}
      testId="probes"
      summary={`${probes.length} batches were tried; the largest that ran is ${best === 0 ? 'none' : best}.`}
      fileName={`largest-batch-${run.request.model}-${run.request.strategy}`}
      height="clamp(264px, calc(100vh - 536px), 400px)"
      margin={MARGIN}
      axisTitles={{ x: 'Batch size (samples, logarithmic)', y: 'Trials, the first on top' }}
      data={() => probeTable(probes)}
      table={probeTable(probes)}
      empty={
        probes.length > 0
          ? undefined
          : run.outcome === 'running'
            ? 'The first batch is tried…'
            : 'No batch was tried.'
      }
      footer={
        <Legend entries={legend}>
          <span>first trial on top; batches on a logarithmic axis</span>
        </Legend>
      }
      plot={(area) => (
        <Probes area={area} probes={probes} color={color} best={best} isOver={largest !== null} />
      )}
    />
  );
}

interface ProbesProps extends Pick<Run, 'probes'> {
  readonly area: PlotArea;
  readonly color: string;
  readonly best: number;
  readonly isOver: boolean;
}

function Probes({ area, probes, color, best, isOver }: ProbesProps) {
  const { marks, batches, trials } = probePlot(probes);
  const placed = marks.map((mark, i) => ({
    mark,
    id: String(i),
    x: pixelX(area, mark.x, batches.top),
    y: pixelY(area, mark.y, trials.top),
    text: formatCount(mark.batch),
    isMain: isOver && mark.ran && mark.batch === best,
    isBeside: true,
  }));
  const room = roomBetween([{ points: marks, isSloped: true }], { area, end: batches.top, top: trials.top });
  const labels = placeLabels(placed, { ...area, right: area.width }, room);
  return (
    <Plot area={area} x={batches} y={trials} grid="x">
      <Line
        data={[...marks]}
        dataKey="y"
        stroke="var(--zz-axis)"
        strokeDasharray="2 3"
        dot={false}
        activeDot={false}
        isAnimationActive={false}
      />
      <PlotNotes labels={labels}>
        {placed.map(({ mark, id, x, y }) => (
          <g key={id} transform={`translate(${x} ${y})`} data-probe={mark.batch}>
            <Mark mark={mark} color={color} isBest={mark.batch === best} />
          </g>
        ))}
      </PlotNotes>
    </Plot>
  );
}

const Mark = ({ mark, color, isBest }: { mark: ProbeMark; color: string; isBest: boolean }) => (
  <>
    {mark.reason !== null && <title>{mark.reason}</title>}
    {mark.ran ? (
      <circle r={isBest ? 7 : 5} fill={color} />
    ) : (
      <path d="M-5 -5l10 10M5 -5l-10 10" stroke={FAULT} strokeWidth={2} />
    )}
  </>
);
