import { Button } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { chenGreedy } from '../../../../engine/strategies/chen/chen-greedy.ts';
import { chenSqrt } from '../../../../engine/strategies/chen/chen-sqrt.ts';
import { optimal } from '../../../../engine/strategies/optimal/optimal.ts';
import { regular } from '../../../../engine/strategies/regular.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import { useStore } from '../../../shared/store.ts';
import { identityOf } from '../../../state/strategies/identity.ts';
import {
  useCatalog,
  useConnectionState,
  useKept,
  useLabView,
  useWorkspace,
} from '../../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import { measuredSentence } from '../model/measured.ts';
import { createNetworkStore, networkKey, type NetworkStore } from '../model/network-store.ts';
import { type Waterfall, waterfallOf } from '../model/waterfall.ts';
import { useStrategy } from '../parts/fields.tsx';
import classes from '../parts/learn.module.css';
import { LessonPage, NoPicture } from '../parts/LessonPage.tsx';
import { WaterfallPicture } from '../parts/WaterfallPicture.tsx';

/** Strategies that choose checkpoints on the papers' graph, so that Eq. 2 applies to them. */
const CHOICES = [regular, chenSqrt, chenGreedy, optimal];

const networkOf = ({ connection }: Workspace): NetworkStore => createNetworkStore(connection.client);

export function TheoryLesson() {
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const { value: name, field } = useStrategy(CHOICES, 'optimal');
  const title = models.find((model) => model.name === experiment.model)?.title ?? experiment.model;
  const result = useWaterfall(name);
  const identity = identityOf(name, CHOICES.find((choice) => choice.name === name)?.title);
  return (
    <LessonPage
      lead={`[Eq. 2](eq2) adds up the checkpoints and the largest segment. A real training step also holds other things, and not all of these at once. The picture leads from the theory to the [peak](peak), for the network chosen above: ${title} at batch ${experiment.batch}.`}
      fields={field}
      text={[
        'The theory counts all checkpoints at once. In fact, backward has freed some of them by the time of the peak, or the peak comes before the largest segment: [liveness](live) subtracts these bytes. And the theory counts no [gradients](gradient), although one or more are always in memory.',
        'Some operations save more than their input and output. Batch norm saves two numbers per channel, max pool an index of eight bytes per output, dropout a mask. These [auxiliaries](auxiliary) come on top. [In-place operations](in-place) and views save memory again, if they matter at the peak.',
        'A device holds still more. Weights, their gradients and the optimizer’s state are [stationary](stationary). Kernels need a [workspace](workspace), which the trainer measures and this prediction leaves out. So the best plan by Eq. 2 need not have the lowest peak. The live strategy minimizes the peak itself.',
      ]}
      tries={[
        {
          text: 'Press Start there: the measured curve is drawn over the predicted one, to the byte. If the device reports its memory, the total is shown beside it.',
          action: 'Train a small network',
          screen: 'train',
          experiment: { model: 'tiny-residual', batch: 16, strategies: ['regular', 'optimal', 'live'] },
          selected: 'optimal',
        },
      ]}
    >
      <div className={classes['reserved']}>
        {'waterfall' in result ? (
          <WaterfallPicture
            title={`From Eq. 2 to the peak: ${title}, ${identity.title}`}
            fileName={`waterfall-${experiment.model}-${name}`}
            waterfall={result.waterfall}
          />
        ) : (
          <NoPicture>
            <p>{result.message}</p>
            {result.retry !== undefined && (
              <Button variant="default" size="sm" onClick={result.retry}>
                Try again
              </Button>
            )}
          </NoPicture>
        )}
      </div>
      {'waterfall' in result && <Reading waterfall={result.waterfall} strategy={name} />}
    </LessonPage>
  );
}

interface ReadingProps {
  readonly waterfall: Waterfall;
  readonly strategy: string;
}

function Reading({ waterfall: { bars, peakBytes, instant }, strategy }: ReadingProps) {
  const { runs } = useStore(useWorkspace().runs);
  const { experiment } = useLabView();
  const measured = measuredSentence(runs, experiment, strategy);
  const theory = bars[0]!.bytes;
  const more = peakBytes - theory;
  return (
    <p className={classes['reading']} role="status">
      The peak comes at{' '}
      <strong>
        {instant.kind} {instant.operation}
      </strong>
      : {formatBytes(peakBytes)}. Eq. 2 gives {formatBytes(theory)}: the peak is {formatBytes(Math.abs(more))}{' '}
      {more < 0 ? 'less' : 'more'}. {measured}
    </p>
  );
}

type Result = { readonly waterfall: Waterfall } | { readonly message: string; readonly retry?: () => void };

function useWaterfall(name: string): Result {
  const store = useKept(networkOf);
  const { problem, wanted, failure } = useStore(store);
  const { experiment } = useLabView();
  const connection = useConnectionState();
  useEffect(() => {
    if (connection === 'open') void store.show(experiment);
  }, [store, experiment, connection]);
  const result = useMemo(() => (problem === null ? null : resultOf(problem, name)), [problem, name]);
  if (failure !== null) return { message: asSentence(failure.message), retry: () => void store.again() };
  if (result === null || wanted !== networkKey(experiment)) return { message: 'Reading the network…' };
  return result;
}

function resultOf(problem: Problem, name: string): Result {
  const strategy = CHOICES.find((choice) => choice.name === name) ?? optimal;
  const plan = strategy.plan(problem, { seed: 0 }, NO_CONTROL);
  if (plan.applicable) return { waterfall: waterfallOf(problem, plan) };
  return { message: `This strategy does not apply here: ${plan.reason}. Choose another one.` };
}
