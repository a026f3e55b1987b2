import { Button, Menu, Text } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { Way } from '../../../../app/contract/ways.ts';
import { cheapestThatFits } from '../../../../app/report/verdict-sentence.ts';
import { NO_WAY, wayFacts, wayTitle } from '../../../../app/report/ways.ts';
import { THIN } from '../../../../app/report/words.ts';
import type { Verdict } from '../../../../engine/training-memory/verdict.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { useStore } from '../../../shared/store.ts';
import type { judgedPlans } from '../../../state/comparison/rows.ts';
import {
  useCatalog,
  useConnectionState,
  useLabView,
  useWorkspace,
} from '../../../state/workspace/use-workspace.ts';
import type { Workspace } from '../../../state/workspace/workspace.ts';
import { openInTorch } from '../../../state/parts/open-in-torch.ts';
import classes from '../compare.module.css';
import { isTaken, type KnownBargain, STRATEGY_OF_BARGAIN, withBargain } from './bargain.ts';
import { createWaysStore, waysKey, waysRequest, type WaysStore, withWay } from './ways-store.ts';

interface NextStepProps {
  readonly regular: Verdict;
  readonly plans: ReturnType<typeof judgedPlans>;
  readonly bargain: KnownBargain | null | undefined;
  readonly isSearching: boolean;
}

/**
 * The button that the verdict leads to: where training does not fit the plan that does, in front and with its lines
 * for PyTorch, or the cheapest change that makes it fit; where it fits, the best trade of memory for time.
 */
export function NextStep({ regular, plans, bargain, isSearching }: NextStepProps) {
  const workspace = useWorkspace();
  const { experiment: store } = workspace;
  const { experiment, selected } = useLabView();
  const { strategies } = useCatalog();
  const order = strategies.map(({ name }) => name);
  if (!regular.fits) return <Ways best={cheapestThatFits(plans)} isSearching={isSearching} />;
  if (!bargain || bargain.budgetBytes === null || isTaken(bargain, experiment, selected)) return null;
  const { budgetBytes, totalBytes } = bargain;
  const take = (): void => {
    store.change(withBargain(store.get().experiment, budgetBytes, order));
    store.select(STRATEGY_OF_BARGAIN);
  };
  const title = `Sets the budget to ${formatBytes(totalBytes)} and selects its plan`;
  return <Step title={title} run={take} />;
}

const waysOf = ({ connection }: Workspace): WaysStore => createWaysStore(connection.client);

interface WaysProps {
  readonly best: ReturnType<typeof judgedPlans>[number] | null;
  readonly isSearching: boolean;
}

/** The first step in front, the others in a menu. They are asked for after the verdict, while nothing is solved. */
function Ways({ best, isSearching }: WaysProps) {
  const workspace = useWorkspace();
  const { experiment: store } = workspace;
  const { experiment } = useLabView();
  const { strategies, titles } = useCatalog();
  const isOpen = useConnectionState() === 'open';
  const ways = workspace.keep(waysOf);
  const state = useStore(ways);
  const request = useMemo(() => waysRequest(experiment), [experiment]);
  useEffect(() => {
    if (isOpen && !isSearching) void ways.show(request);
    else ways.pause();
  }, [ways, request, isOpen, isSearching]);
  useEffect(() => ways.pause, [ways]);

  const isKnown = state.key === waysKey(request);
  // The plan that fits has a button of its own.
  const found = (isKnown ? state.ways : []).filter(
    ({ change }) => best === null || Object.keys(change).length > 0,
  );
  const take = (way: Way): void => {
    const order = strategies.map(({ name }) => name);
    store.change(withWay(store.get().experiment, way, order));
    if (way.strategy !== 'regular') store.select(way.strategy);
  };
  const titleOf = (way: Way): string => wayTitle(way, (name) => titles.get(name) ?? name);
  const first = best === null ? found[0] : undefined;
  const others = found.filter((way) => way !== first);
  if (best === null && (isKnown ? state.ways.length === 0 : state.running))
    return (
      <Text className={classes['noWay']}>{isKnown ? NO_WAY : 'Looking for changes that make it fit…'}</Text>
    );
  const use = ({ row }: NonNullable<WaysProps['best']>): void => {
    store.select(row.identity.name);
    openInTorch(row, workspace);
  };
  return (
    <>
      {best !== null && (
        <Step title={`Selects ${best.title} and shows how to use it in PyTorch`} run={() => use(best)} />
      )}
      {first !== undefined && (
        <>
          <Step
            name={titleOf(first)}
            title="Changes the experiment; undo takes it back"
            run={() => take(first)}
          />
          <small className={classes['wayFacts']}>{wayFacts(first, THIN)}</small>
        </>
      )}
      {others.length > 0 && (
        <Menu position="bottom-end" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button size="compact-sm" h={28} variant="subtle" color="gray">
              More ways
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes['ways']}>
            {others.map((way) => (
              <Menu.Item key={titleOf(way)} onClick={() => take(way)}>
                {titleOf(way)}
                <small>{wayFacts(way, THIN)}</small>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

interface StepProps {
  readonly name?: string;
  readonly title: string;
  readonly run: () => void;
}

/** A long name takes two lines on a phone. */
const WRAPPED = { label: { whiteSpace: 'normal', lineHeight: 1.3 } } as const;

const Step = ({ name = 'Use this plan', title, run }: StepProps) => (
  <Button
    size="compact-sm"
    h="auto"
    mih={28}
    maw="100%"
    styles={WRAPPED}
    variant="default"
    title={title}
    onClick={run}
  >
    {name}
  </Button>
);
