import { Switch } from '@mantine/core';
import { threeDigits } from '../../../shared/format/numbers.ts';
import { usePage } from '../../../state/parts/use-page.ts';
import { correctedMomentum, maskPair, statisticsRun } from '../model/mistakes.ts';
import { useSlider } from '../parts/fields.tsx';
import classes from '../parts/learn.module.css';
import { LessonPage } from '../parts/LessonPage.tsx';
import { LineChart } from '../parts/LineChart.tsx';
import { MaskPicture } from '../parts/MaskPicture.tsx';

const ITERATIONS = 40;
const ELEMENTS = 64;
const COLUMNS = 8;
const asShare = (percent: number): string => String(percent / 100);

export function MistakesLesson() {
  const { params, set } = usePage();
  const percent = useSlider('m', {
    label: 'Momentum of batch norm',
    min: 1,
    max: 50,
    first: 10,
    text: asShare,
  });
  const rate = useSlider('rate', { label: 'Dropout rate', min: 10, max: 90, first: 50, text: asShare });
  const replayed = params['replay'] === '1';
  const momentum = percent.value / 100;
  const run = statisticsRun(ITERATIONS, momentum);
  const curve = (values: readonly number[]) => values.map((y, i) => ({ x: i + 1, y }));
  return (
    <LessonPage
      lead="A recompute must do exactly what the first forward did, and nothing else. Two layers break this rule unless someone takes care: batch norm counts the batch a second time, and dropout draws new random numbers."
      fields={
        <>
          {percent.field}
          {rate.field}
          <Switch
            size="sm"
            label="Reuse the seed of the first forward"
            checked={replayed}
            onChange={(event) => set({ replay: event.currentTarget.checked ? 1 : undefined })}
          />
        </>
      }
      text={[
        `Batch norm stores a running mean for inference and moves it a little towards the mean of each batch. A recomputed layer moves it twice. Training itself does not change, but the trained network does. There are two remedies. Count only the first forward. Or use the momentum 1 − √(1 − m), here ${threeDigits(correctedMomentum(momentum))}: two steps with it equal one step with m.`,
        'Dropout draws at random which elements pass. If the recompute draws again, the gradient flows through elements that the loss never saw. The loss still falls, only more slowly, so the mistake is often found late. The remedy is a seed that depends on the run, the step and the layer.',
        'This lab’s trainer uses both remedies, so a recompute gives the same bits. For teaching you can switch them off.',
      ]}
      tries={[
        {
          text: 'Switch on “Naive statistics” there and press Start. The facts beside the curve show how far the running statistics drift from the correct ones.',
          action: 'Train with naive statistics',
          screen: 'train',
          experiment: { model: 'tiny-residual', batch: 16, strategies: ['regular', 'optimal'] },
          selected: 'optimal',
        },
        {
          text: 'Switch on “Naive dropout” and “Run regular first”. The two loss curves should be the same; watch them part.',
          action: 'Train with naive dropout',
          screen: 'train',
          experiment: { model: 'tiny-dropout', batch: 16, strategies: ['regular', 'optimal'] },
          selected: 'optimal',
        },
      ]}
    >
      <div className={classes['pair']}>
        <LineChart
          title="Running mean of a batch norm"
          summary={`The running mean over ${ITERATIONS} iterations. If every batch is counted twice, it moves faster and ends at ${run.naive.at(-1)!.toFixed(3)} instead of ${run.careful.at(-1)!.toFixed(3)}.`}
          fileName="batch-statistics"
          height={232}
          xTitle="iteration"
          yTitle="running mean"
          leastPart={0.01}
          series={[
            { id: 'careful', title: 'Counted once', color: 'var(--zz-ink)', points: curve(run.careful) },
            {
              id: 'naive',
              title: 'Counted twice',
              color: 'var(--zz-vermilion)',
              dash: '7 4',
              points: curve(run.naive),
            },
            {
              id: 'batches',
              title: 'Mean of each batch',
              color: 'var(--zz-axis)',
              marks: 'disc',
              points: curve(run.batches),
            },
          ]}
          table={{
            caption: 'Running mean of a batch norm',
            columns: [
              ...['Iteration', 'Mean of the batch', 'Counted once', 'Counted twice'],
              'Twice, corrected momentum',
            ],
            rows: run.batches.map((batch, i) => [
              i + 1,
              ...[batch, run.careful[i]!, run.naive[i]!, run.corrected[i]!].map((mean) =>
                Number(mean.toFixed(6)),
              ),
            ]),
          }}
        />
        <MaskPicture
          pair={maskPair(ELEMENTS, rate.value / 100, 7, replayed)}
          columns={COLUMNS}
          replayed={replayed}
        />
      </div>
    </LessonPage>
  );
}
