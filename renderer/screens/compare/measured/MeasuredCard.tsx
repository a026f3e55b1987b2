import { Button, CloseButton, Group, NativeSelect, Stack } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { BAR_TITLES } from '../../../../app/report/explained.ts';
import type { Explanation } from '../../../../engine/explain/explanation.ts';
import { leastHeld } from '../../../shared/charts/step-curves.ts';
import { ValueCard } from '../../../shared/charts/ValueCard.tsx';
import { WaterfallChart } from '../../../shared/charts/WaterfallChart.tsx';
import { formatBytes, formatExactBytes } from '../../../shared/format/bytes.ts';
import { formatPercent } from '../../../shared/format/numbers.ts';
import layout from '../../../shared/layout/layout.module.css';
import { lazyPart } from '../../../shared/lazy-part.ts';
import { useStore } from '../../../shared/store.ts';
import { chooseMeasuredFile, type MeasuredFile } from '../../../state/files/measured-file.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import classes from './measured.module.css';
import {
  curvesData,
  explainedRows,
  explainedTable,
  measuredPlot,
  phasesTable,
  sayPhases,
} from './measured-plot.ts';
import { useExplained } from './use-explained.ts';

/** Its library is the largest part of the page. */
const MeasuredCurves = lazyPart(() => import('./MeasuredCurves.tsx').then((file) => file.MeasuredCurves));

const CURVES = 'Measured over predicted memory';
const BARS_TITLE = 'From Eq. 2 to the measurement';
const HEIGHT = 368;

const RECORD = `torch.cuda.memory._record_memory_history()
train_step(); train_step()
torch.cuda.memory._dump_snapshot('snapshot.pickle')`;

/** Measured memory of a device over the prediction of the strategy in front. */
export function MeasuredCard({ view }: { readonly view: CompareView }) {
  const { measuredFile } = useWorkspace();
  const file = useStore(measuredFile);
  if (file === null) return null;
  return (
    <section
      className={classes['measured']}
      aria-label="Prediction and measurement"
      data-testid="measured-file"
    >
      {file.state === 'open' ? (
        <Laid view={view} file={file} />
      ) : (
        <Bar file={file}>
          {file.state === 'asking' && <HowTo />}
          {file.state === 'reading' && <p role="status">Reading the file…</p>}
          {file.state === 'refused' && (
            <p className={layout['fault']} role="alert">
              {file.reason}
            </p>
          )}
        </Bar>
      )}
    </section>
  );
}

interface BarProps {
  readonly file: MeasuredFile;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

function Bar({ file, tools, children }: BarProps) {
  const { measuredFile } = useWorkspace();
  const isNamed = file.state !== 'asking';
  return (
    <Stack component="header" gap={8} px={16} py={8} className={layout['card']}>
      <div className={classes['title']}>
        <h2 title={isNamed ? file.name : undefined}>
          {isNamed ? `Measured: ${file.name}` : 'Compare with a measurement'}
        </h2>
        {tools}
        <DeviceSelect file={file} onChoose={measuredFile.choose} />
        <Button variant={isNamed ? 'default' : 'filled'} onClick={() => chooseMeasuredFile(measuredFile)}>
          {isNamed ? 'Open another…' : 'Open a snapshot…'}
        </Button>
        <CloseButton size="sm" aria-label="Close the measurement" onClick={measuredFile.close} />
      </div>
      {children}
    </Stack>
  );
}

function HowTo() {
  return (
    <div className={classes['how']}>
      <p>
        Record one or two steps on your GPU, then drop the file on the lab. Nothing in it is executed. The
        file that <code>zigzag.measure(model, images, path='measured.json')</code> writes can be opened too.
      </p>
      <pre>{RECORD}</pre>
    </div>
  );
}

interface OpenProps {
  readonly view: CompareView;
  readonly file: Extract<MeasuredFile, { readonly state: 'open' }>;
}

function DeviceSelect({
  file,
  onChoose,
}: {
  readonly file: MeasuredFile;
  readonly onChoose: (cuda: number) => void;
}) {
  if (file.state !== 'open' || file.measured.kind !== 'snapshot' || file.measured.devices.length < 2)
    return null;
  return (
    <NativeSelect
      size="xs"
      aria-label="Device of the snapshot"
      value={String(file.cuda)}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
      data={file.measured.devices.map(({ device }) => ({ value: String(device), label: `cuda:${device}` }))}
    />
  );
}

function StrategySelect({ view }: Pick<OpenProps, 'view'>) {
  const { experiment } = useWorkspace();
  const { rows, front } = view;
  return (
    <Group component="span" display="inline-flex" gap={8} fz={13}>
      <span aria-hidden="true">Trained under</span>
      <NativeSelect
        size="xs"
        aria-label="Trained under"
        value={front?.identity.name ?? ''}
        onChange={({ currentTarget }) => experiment.select(currentTarget.value)}
        data={rows
          .filter(({ state }) => state === 'solved')
          .map(({ identity }) => ({ value: identity.name, label: identity.title }))}
      />
    </Group>
  );
}

const deviceOf = ({ measured, cuda }: OpenProps['file']) =>
  measured.kind === 'snapshot' ? measured.devices.find(({ device }) => device === cuda) : undefined;

function Laid({ view, file }: OpenProps) {
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const { found, refusal, stale } = useExplained(view, file);
  const { front } = view;
  const color = front === null ? 'var(--zz-ink)' : colorOf(front.identity);
  const plot = useMemo(() => (found === null ? null : measuredPlot(found, color)), [found, color]);
  const isSnapshot = file.measured.kind === 'snapshot';
  const total = isSnapshot ? 'Reserved at the peak' : 'Measured peak';
  const strategy = front?.identity.title ?? '';
  const network = models.find(({ name }) => name === experiment.model)?.title ?? experiment.model;
  const what = `${network}, batch ${experiment.batch}, ${strategy}`;
  const fileName = `measured-${experiment.model}-batch-${experiment.batch}`;
  const step = deviceOf(file)?.step;
  const steps = deviceOf(file)?.steps ?? 0;
  return (
    <>
      <Bar file={file} tools={<StrategySelect view={view} />}>
        {refusal !== null && (
          <p className={layout['fault']} role="alert">
            {refusal}
          </p>
        )}
        {found !== null && (
          <div className={classes['says']} data-stale={stale || undefined}>
            <p role="status">
              {what}: {formatBytes(found.peaks.measured.bytes)} {isSnapshot ? 'allocated' : 'measured'} at the
              peak, {formatBytes(found.peaks.predicted.bytes)} predicted; {sayLeft(found)}
              {step !== undefined &&
                steps > 1 &&
                ` Shown: step ${step.number} of ${steps}, which has the highest peak.`}
            </p>
            {found.notes.length > 0 && (
              <ul>
                {found.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
          </div>
        )}
        {found === null && refusal === null && <p role="status">Comparing with {strategy}…</p>}
      </Bar>
      {found !== null && plot !== null && (
        <div className={classes['pictures']} data-stale={stale || undefined}>
          <ValueCard
            title={CURVES}
            axis={plot.y}
            least={leastHeld(plot.curves)}
            axisTitles={{ x: 'Phase of the training step', y: `Memory (${plot.y.unit})` }}
            testId="measured-curves"
            summary={`${CURVES}, ${what}: ${sayPhases(found) || `measured peak ${formatBytes(found.measuredBytes)}`}.`}
            pictureTitle={`${CURVES}: ${what}`}
            fileName={fileName}
            height={HEIGHT}
            data={() => curvesData(found, CURVES)}
            table={phasesTable(found, CURVES)}
            legend={plot.curves.map(({ title, color: own, dash }) => ({
              title,
              color: own,
              ...(dash === undefined ? {} : { dash }),
            }))}
            plot={(area, y) => <MeasuredCurves area={area} plot={plot} y={y} />}
            footer={
              <div className={layout['legend']}>
                {plot.curves.map(({ id, title, color: own, dash, width }) => (
                  <Group key={id} component="span" display="inline-flex" gap={6}>
                    <svg width={24} height={8} aria-hidden="true">
                      <line
                        x1={0}
                        x2={24}
                        y1={4}
                        y2={4}
                        stroke={own}
                        strokeWidth={width}
                        strokeDasharray={dash}
                      />
                    </svg>
                    {title}
                  </Group>
                ))}
                <span className={layout['muted']}>Phases drawn at equal width, not to scale.</span>
              </div>
            }
          />
          <WaterfallChart
            title={BARS_TITLE}
            fileName={`${fileName}-bars`}
            left={168}
            rows={explainedRows(found, total)}
            data={() => explainedTable(found, BARS_TITLE, total)}
            table={explainedTable(found, BARS_TITLE, total)}
            footer={
              <p className={layout['note']}>
                Sum of all bars: {formatExactBytes(found.measuredBytes)}, exactly{' '}
                {isSnapshot ? 'the reserved memory' : 'the measured peak'}. {sayMeasured(found)}
              </p>
            }
          />
        </div>
      )}
    </>
  );
}

function sayLeft({ bars, measuredBytes }: Explanation): string {
  const left = bars.find(({ name }) => name === 'unexplained')?.bytes ?? 0;
  const share = formatPercent(Math.abs(left) / Math.max(1, measuredBytes));
  if (left === 0) return 'nothing is unexplained.';
  return left > 0
    ? `${formatBytes(left)} (${share}) are unexplained.`
    : `${formatBytes(-left)} (${share}) less than the bars predict.`;
}

function sayMeasured({ bars }: Explanation): string {
  const own = bars.filter(({ by }) => by === 'measured').map(({ name }) => BAR_TITLES[name].toLowerCase());
  return own.length === 0
    ? 'All are predicted, except the last.'
    : `Measured: ${new Intl.ListFormat('en').format(own)}. The rest is predicted, for that phase.`;
}
