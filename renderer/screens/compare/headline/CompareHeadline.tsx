import { stationaryText } from '../../../../engine/training-memory/setup.ts';
import { UseDefaults } from '../../../state/parts/UseDefaults.tsx';
import { asSentence } from '../../../shared/format/sentence.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount, formatMs, formatPercent, formatShortCount } from '../../../shared/format/numbers.ts';
import { Headline, headlineParts } from '../../../shared/layout/Headline.tsx';
import layout from '../../../shared/layout/layout.module.css';
import { StatusLine } from '../../../shared/layout/StatusLine.tsx';
import { msLeft, sayLeft } from '../../../shared/progress/time-left.ts';
import { useNow } from '../../../shared/progress/use-now.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { useCatalog, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import type { ComparisonState, NetworkResults } from '../../../state/comparison/comparison.ts';
import { headline } from '../../../../app/report/comparison-headline.ts';
import { endedAtLimit, regularVerdict } from '../../../state/comparison/rows.ts';
import { isTaken, knownBargain, type KnownBargain, STRATEGY_OF_BARGAIN, withBargain } from './bargain.ts';
import classes from '../compare.module.css';
import { useToldBargain } from '../pareto/use-pareto-front.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { Button, Menu } from '@mantine/core';
import { saveExperiment } from '../../../state/files/experiment-files.ts';
import { chooseFile } from '../../../state/files/open-file.ts';
import { linkActions } from '../../../state/parts/view-link.ts';
import { saveReport } from '../../../state/parts/save-report.ts';
import { DotsMenu } from '../../../shared/layout/DotsMenu.tsx';

export function CompareHeadline({ view }: { readonly view: CompareView }) {
  const { experiment, selected } = useLabView();
  const { models } = useCatalog();
  const { state, front, stale } = view;
  const { shown } = state;
  const name = shown?.head.model ?? experiment.model;
  const network = models.find((model) => model.name === name)?.title ?? name;
  const regular = shown === null || stale ? null : regularVerdict(shown, experiment);
  const bargain = knownBargain(useToldBargain(), experiment, regular);
  // Selecting another strategy asks about that one.
  const isAsked = selected !== null && front?.identity.name === selected;
  const isOther =
    isAsked && !(selected === STRATEGY_OF_BARGAIN && bargain && isTaken(bargain, experiment, selected));

  return (
    <Headline
      live="polite"
      busy={state.running !== null}
      tools={
        <div className={classes['tools']}>
          {bargain && !isTaken(bargain, experiment, selected) && <BargainButton bargain={bargain} />}
          <CompareMenu />
        </div>
      }
      sentence={
        regular === null
          ? state.failure === null && !state.cancelled
            ? `Comparing strategies on ${titleOf(models, experiment.model)}…`
            : `No comparison of ${titleOf(models, experiment.model)}`
          : headlineParts(
              headline({
                network,
                batch: experiment.batch,
                regularBytes: regular.totalBytes,
                bargain: isOther ? undefined : bargain,
                front: front && { ...front, peakBytes: front.verdict?.totalBytes ?? front.peakBytes },
              }),
              () => front !== null && <StrategyMark identity={front.identity} />,
            )
      }
    >
      <Status
        state={state}
        facts={shown !== null && !stale ? `${endedAtLimit(view.rows)}${factsOf(shown)}` : ''}
      />
    </Headline>
  );
}

function titleOf(models: readonly { readonly name: string; readonly title: string }[], name: string): string {
  return models.find((model) => model.name === name)?.title ?? name;
}

function factsOf({ head }: NetworkResults): string {
  const size = head.input > 0 ? `${head.input} × ${head.input} pixels, ` : '';
  return (
    `${size}${formatShortCount(head.parameters)} parameters, ${formatCount(head.vertices)} operations; ` +
    `computation graph of ${formatCount(head.tensorVertices)} vertices and ${formatCount(head.tensorEdges)} edges; ` +
    `${stationaryText(head.setup)} ${formatBytes(head.stationaryBytes)} besides.`
  );
}

interface StatusProps {
  readonly state: ComparisonState;
  readonly facts: string;
}

function Status({ state, facts }: StatusProps) {
  const { comparison } = useWorkspace();
  const { running, failure, cancelled } = state;
  const now = useNow(running !== null);

  if (failure !== null || cancelled) {
    return (
      <StatusLine
        kind={failure === null ? 'work' : 'fault'}
        action={{ title: failure === null ? 'Solve the rest' : 'Try again', run: comparison.retry }}
        more={failure?.code === 'BAD_INPUT' && <UseDefaults message={failure.message} />}
      >
        {failure === null ? 'Cancelled; what was solved before stays.' : asSentence(failure.message)}
      </StatusLine>
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
  return (
    <StatusLine>
      <span className={layout['cut']} title={facts}>
        {facts}
      </span>
    </StatusLine>
  );
}

const SLOW_MS = 600;

function CompareMenu() {
  const workspace = useWorkspace();
  return (
    <DotsMenu label="Save or open this comparison">
      <Menu.Item onClick={() => void saveReport(workspace)}>Save report (HTML)</Menu.Item>
      <Menu.Item onClick={() => saveExperiment(workspace.experiment)}>Save experiment</Menu.Item>
      <Menu.Item onClick={() => chooseFile(workspace)}>Open experiment…</Menu.Item>
      <Menu.Item onClick={() => workspace.measuredFile.ask()}>Lay a measurement over it…</Menu.Item>
      {linkActions(workspace).map(({ id, title, run }) => (
        <Menu.Item key={id} onClick={run}>
          {title}
        </Menu.Item>
      ))}
    </DotsMenu>
  );
}

function BargainButton({ bargain }: { readonly bargain: KnownBargain }) {
  const { experiment: store } = useWorkspace();
  const { strategies } = useCatalog();
  const { budgetBytes } = bargain;
  if (budgetBytes === null) return null;
  const take = (): void => {
    const order = strategies.map(({ name }) => name);
    store.change(withBargain(store.get().experiment, budgetBytes, order));
    store.select(STRATEGY_OF_BARGAIN);
  };
  return (
    <Button
      size="compact-sm"
      h={28}
      variant="default"
      title={`Sets the budget to ${formatBytes(budgetBytes)} of activations and brings its plan to the front`}
      onClick={take}
    >
      Make it the budget
    </Button>
  );
}
