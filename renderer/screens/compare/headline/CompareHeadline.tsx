import { Group } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { stationaryText } from '../../../../engine/training-memory/setup.ts';
import { UseDefaults } from '../../../state/parts/UseDefaults.tsx';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount, formatMs, formatPercent, formatShortCount } from '../../../shared/format/numbers.ts';
import { Headline, headlineParts } from '../../../shared/layout/Headline.tsx';
import layout from '../../../shared/layout/layout.module.css';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { SolvingEnded } from '../../../state/parts/SolvingEnded.tsx';
import { msLeft, sayLeft } from '../../../shared/progress/time-left.ts';
import { useNow } from '../../../shared/progress/use-now.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import {
  type ComparisonState,
  type NetworkResults,
  staleStrategies,
} from '../../../state/comparison/comparison.ts';
import { frontSentence } from '../../../../app/report/comparison-headline.ts';
import { verdictSentence } from '../../../../app/report/verdict-sentence.ts';
import { sizeText } from '../../../../app/report/words.ts';
import {
  endedAtLimit,
  judgedPlans,
  regularVerdict,
  type StrategyRow,
} from '../../../state/comparison/rows.ts';
import { roomOf } from '../../../state/experiment/device.ts';
import { type KnownBargain, knownBargain } from './bargain.ts';
import { useToldBargain } from '../pareto/use-pareto-front.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { NextStep } from './NextStep.tsx';
import { Menu } from '@mantine/core';
import { saveExperiment } from '../../../state/files/experiment-files.ts';
import { chooseFile } from '../../../state/files/open-file.ts';
import { linkActions } from '../../../state/parts/view-link.ts';
import { saveReport } from '../../../state/parts/save-report.ts';
import { DotsMenu } from '../../../shared/layout/DotsMenu.tsx';

/** The verdict on the device, which keeps its subject while plans come in; below it the strategy in front and facts. */
export function CompareHeadline({ view }: { readonly view: CompareView }) {
  const { experiment } = useLabView();
  const { models } = useCatalog();
  const { state, front, stale, rows } = view;
  const { shown } = state;
  const name = shown?.head.model ?? experiment.model;
  const regular = shown === null || stale ? null : regularVerdict(shown, experiment);
  const bargain = knownBargain(useToldBargain(), experiment, regular);
  const plans = judgedPlans(rows);
  // Plans of another batch are renewed quietly; what was cancelled is not known.
  const isSearching =
    state.running !== null ||
    rows.some((row) => row.state === 'waiting') ||
    (shown !== null && state.failure === null && staleStrategies(experiment, shown).length > 0);

  return (
    <Headline
      live="polite"
      busy={state.running !== null}
      tools={
        <Group gap={8}>
          {regular !== null && (
            <NextStep regular={regular} plans={plans} bargain={bargain} isSearching={isSearching} />
          )}
          <CompareMenu />
        </Group>
      }
      sentence={
        shown === null || regular === null
          ? state.failure === null && !state.cancelled
            ? `Comparing strategies on ${titleOf(models, experiment.model)}…`
            : `No comparison of ${titleOf(models, experiment.model)}`
          : headlineParts(
              verdictSentence({
                network: titleOf(models, name),
                batch: experiment.batch,
                tensors: shown.head.vertices,
                memoryBytes: roomOf(experiment).memoryBytes,
                regular,
                plans,
                isSearching,
              }),
            )
      }
    >
      <Status state={state}>
        {shown !== null && regular !== null && (
          <Facts regularBytes={regular.totalBytes} front={front} bargain={bargain}>
            {endedAtLimit(rows)}
            {factsOf(shown)}
          </Facts>
        )}
      </Status>
    </Headline>
  );
}

interface FactsProps {
  readonly regularBytes: number;
  readonly front: StrategyRow | null;
  readonly bargain: KnownBargain | null | undefined;
  readonly children: ReactNode;
}

/** The strategy in front, the best trade of memory for time, and the network's facts. */
function Facts({ regularBytes, front, bargain, children }: FactsProps) {
  const isPlan = front !== null && front.identity.name !== 'regular';
  return (
    <span className={layout['cut']}>
      {isPlan &&
        headlineParts(
          frontSentence(
            { ...front, peakBytes: front.verdict?.totalBytes ?? front.peakBytes },
            regularBytes,
            true,
          ),
          () => (
            <>
              <StrategyMark identity={front.identity} />{' '}
            </>
          ),
        )}{' '}
      {bargain === null && 'Checkpointing saves little here. '}
      {bargain && `Best trade: ${sayTrade(bargain)} `}
      {children}
    </span>
  );
}

const sayTrade = ({ totalBytes, predictedOverhead }: KnownBargain): string =>
  predictedOverhead < 0.0005
    ? `${formatBytes(totalBytes)} at no extra time (predicted).`
    : `${formatBytes(totalBytes)} for ${formatPercent(predictedOverhead)} more time (predicted).`;

function titleOf(models: readonly { readonly name: string; readonly title: string }[], name: string): string {
  return models.find((model) => model.name === name)?.title ?? name;
}

function factsOf({ head }: NetworkResults): string {
  const size = sizeText(head);
  const { tensor, pipeline, sharding } = head.setup;
  const isPart = (tensor ?? pipeline ?? sharding?.experts) !== undefined;
  return (
    `${size === null ? '' : `${size}, `}${formatShortCount(head.parameters)} parameters${isPart ? ' on one GPU' : ''}, ${formatCount(head.vertices)} operations; ` +
    `computation graph of ${formatCount(head.tensorVertices)} vertices and ${formatCount(head.tensorEdges)} edges; ` +
    `${stationaryText(head.setup)} ${formatBytes(head.stationaryBytes)} besides.`
  );
}

interface StatusProps {
  readonly state: ComparisonState;
  /** The facts. */
  readonly children: ReactNode;
}

/** One line of constant height: facts, work in progress with a way to stop it, or what went wrong. */
function Status({ state, children }: StatusProps) {
  const { comparison } = useWorkspace();
  const { running, failure, cancelled } = state;
  const now = useNow(running !== null);

  if (failure !== null || cancelled) {
    return (
      <SolvingEnded
        failure={failure}
        again={comparison.retry}
        more={failure?.code === 'BAD_INPUT' && <UseDefaults message={failure.message} />}
      />
    );
  }
  if (running !== null && now - running.startedAt > SLOW_MS) {
    const { progress, strategies, startedAt } = running;
    const at = progress === null ? -1 : strategies.indexOf(progress.strategy);
    const what =
      progress === null
        ? 'Solving'
        : `Solving ${progress.strategy} (${at + 1} of ${strategies.length}), ${formatPercent(progress.done)} done`;
    const left = progress === null ? null : msLeft(progress, now);
    const time = left === null ? formatMs(Math.round((now - startedAt) / 100) * 100) : sayLeft(left);
    return (
      <StatusLine kind="work" action={{ title: 'Cancel', run: comparison.cancel }}>
        {what}, <span aria-hidden="true">{time}</span>
      </StatusLine>
    );
  }
  return <StatusLine>{children}</StatusLine>;
}

const SLOW_MS = 600;

const CompareMenu = memo(function CompareMenu() {
  const workspace = useWorkspace();
  return (
    <DotsMenu label="Save or open this comparison">
      <Menu.Item onClick={() => void saveReport(workspace)}>Save report (HTML)</Menu.Item>
      <Menu.Item onClick={() => saveExperiment(workspace.experiment)}>Save experiment</Menu.Item>
      <Menu.Item onClick={() => chooseFile(workspace)}>Open experiment…</Menu.Item>
      <Menu.Item onClick={() => workspace.measuredFile.ask()}>Compare with a memory snapshot…</Menu.Item>
      {linkActions(workspace).map(({ id, title, run }) => (
        <Menu.Item key={id} onClick={run}>
          {title}
        </Menu.Item>
      ))}
    </DotsMenu>
  );
});
