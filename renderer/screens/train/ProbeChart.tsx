import type { Run } from '../../state/runs/run.ts';
import { ChartCard } from '../../shared/charts/ChartCard.tsx';
import { MARGIN } from '../../shared/charts/plot-area.ts';
import { formatCount } from '../../shared/format/numbers.ts';
import { colorOf, identityOf } from '../../state/strategies/identity.ts';
import { useSize } from '../../shared/use-size.ts';
import { probePlot, probeTable } from './probe-marks.ts';
import layout from '../../shared/layout/layout.module.css';
import classes from './train.module.css';

const TITLE = 'Batches that were tried';

/** The search for the largest batch, trial by trial, as it goes. */
export function ProbeChart({ run }: { readonly run: Run }) {
  const [ref, { width, height }] = useSize<HTMLDivElement>();
  const { probes, largest } = run;
  const plot = probePlot(probes);
  const color = colorOf(identityOf(run.request.strategy));
  const best = probes.reduce((most, { batch, ran }) => (ran ? Math.max(most, batch) : most), 0);
  const [left, right, top, bottom] = [MARGIN.left, width - 56, MARGIN.top, height - MARGIN.bottom];
  const x = (share: number): number => left + share * (right - left);
  const y = (share: number): number => top + share * (bottom - top);
  const path = plot.marks.map((mark, i) => `${i === 0 ? 'M' : 'L'}${x(mark.x)} ${y(mark.y)}`).join('');

  return (
    <ChartCard
      title={TITLE}
      summary={`${probes.length} batches were tried; the largest that ran is ${best === 0 ? 'none' : best}.`}
      fileName={`largest-batch-${run.request.model}-${run.request.strategy}`}
      height="clamp(264px, calc(100vh - 536px), 400px)"
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
        <div className={`${layout['legend']} ${classes['legend']}`}>
          <span>
            <svg width={12} height={12} aria-hidden="true" focusable="false">
              <circle cx={6} cy={6} r={5} fill={color} />
            </svg>
            ran one whole iteration
          </span>
          <span>
            <svg width={12} height={12} aria-hidden="true" focusable="false">
              <path d="M2 2l8 8M10 2l-8 8" stroke="var(--zz-danger)" strokeWidth={2} />
            </svg>
            out of memory
          </span>
          <span>first trial on top; batches on a logarithmic axis</span>
        </div>
      }
    >
      <div ref={ref} className={layout['fill']} data-testid="probes">
        {width > 0 && (
          <svg data-layer="probes" width={width} height={height} aria-hidden="true" fontSize={12}>
            {plot.ticks.map((tick) => (
              <g key={tick.batch}>
                <line x1={x(tick.x)} x2={x(tick.x)} y1={top} y2={bottom} stroke="var(--zz-hairline)" />
                <text x={x(tick.x)} y={bottom + 18} textAnchor="middle" fill="var(--zz-muted)">
                  {formatCount(tick.batch)}
                </text>
              </g>
            ))}
            <line x1={left} x2={right} y1={bottom} y2={bottom} stroke="var(--zz-axis)" />
            <path d={path} fill="none" stroke="var(--zz-axis)" strokeDasharray="2 3" />
            {plot.marks.map((mark) => (
              <g key={mark.y} transform={`translate(${x(mark.x)} ${y(mark.y)})`} data-probe={mark.batch}>
                {mark.reason !== null && <title>{mark.reason}</title>}
                {mark.ran ? (
                  <circle r={mark.batch === best ? 7 : 5} fill={color} />
                ) : (
                  <path d="M-5 -5l10 10M5 -5l-10 10" stroke="var(--zz-danger)" strokeWidth={2} />
                )}
                <text
                  x={12}
                  y={4}
                  fill="var(--zz-ink)"
                  fontWeight={largest !== null && mark.batch === best && mark.ran ? 600 : 400}
                >
                  {formatCount(mark.batch)}
                </text>
              </g>
            ))}
          </svg>
        )}
      </div>
    </ChartCard>
  );
}
