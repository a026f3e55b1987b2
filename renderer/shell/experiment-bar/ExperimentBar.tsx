import { Flex, VisuallyHidden } from '@mantine/core';
import { memo, useId, useState } from 'react';
import { needsBudget } from '../../../engine/strategies/default-strategy.ts';
import { useNarrow } from '../../shared/use-narrow.ts';
import { LinkIcon, RedoIcon, SearchIcon, UndoIcon } from '../../shared/icons.tsx';
import { Tool } from '../../shared/layout/Tool.tsx';
import { GAME_PANEL } from '../../state/game/open-game.ts';
import { COPY_VIEW_LINK, copyViewLink } from '../../state/parts/view-link.ts';
import { useLabPart, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { BudgetField } from './BudgetField.tsx';
import { DeviceField } from './DeviceField.tsx';
import classes from './experiment.module.css';
import { ExperimentLine } from './ExperimentLine.tsx';
import { MoreFields } from './MoreFields.tsx';
import { NetworkChips } from './NetworkChips.tsx';
import { NetworkPicker } from './NetworkPicker.tsx';
import { BatchField, InputField } from './SizeFields.tsx';
import { StrategyChips } from './StrategyChips.tsx';

const COPIED_MS = 2000;

/** Screens where the experiment changes nothing: it is one line that opens to its fields. */
const ALONE = ['tables', 'learn'];

type Shape = 'whole' | 'short' | 'line';

/** All fields on Compare, network and batch on the other screens it decides, one line where it changes nothing. */
function useShape(): Shape {
  const isNarrow = useNarrow();
  const screen = useLabPart((lab) => lab.screen);
  const isGame = useLabPart(({ view }) => view?.['panel'] === GAME_PANEL);
  if (isNarrow || ALONE.includes(screen) || (screen === 'graph' && isGame)) return 'line';
  return screen === 'compare' ? 'whole' : 'short';
}

/** The experiment that all screens look at. */
export function ExperimentBar({ modifier }: { readonly modifier: string }) {
  const shape = useShape();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (shape === 'whole') {
    return (
      <header className={classes['bar']}>
        <div className={classes['fields']}>
          <NetworkPicker />
          <BatchField />
          <Settings />
          <Tools modifier={modifier} />
        </div>
        <NetworkChips />
        <StrategyChips />
      </header>
    );
  }
  const isShort = shape === 'short';
  return (
    <header className={classes['bar']}>
      <div className={isShort ? classes['fields'] : classes['line']}>
        {isShort && (
          <>
            <NetworkPicker />
            <BatchField />
          </>
        )}
        <ExperimentLine isShort={isShort} isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)} />
        <Tools modifier={modifier} />
      </div>
      <div id={id} className={classes['folded']} hidden={!isOpen}>
        {isOpen && (
          <>
            <div className={classes['fields']}>
              {!isShort && (
                <>
                  <NetworkPicker />
                  <BatchField />
                </>
              )}
              <Settings />
            </div>
            <NetworkChips />
            <StrategyChips />
          </>
        )}
      </div>
    </header>
  );
}

/** The fields beside network and batch. */
function Settings() {
  const hasBudget = useLabPart(({ experiment }) => needsBudget(experiment.strategies));
  return (
    <>
      <InputField />
      <DeviceField />
      {hasBudget && <BudgetField />}
      <MoreFields />
    </>
  );
}

const Tools = memo(function Tools({ modifier }: { readonly modifier: string }) {
  const workspace = useWorkspace();
  const { experiment: store, page } = workspace;
  const canUndo = useLabPart(({ past }) => past.length > 0);
  const canRedo = useLabPart(({ future }) => future.length > 0);
  const [copied, setCopied] = useState<boolean | null>(null);

  const share = async (): Promise<void> => {
    setCopied(await copyViewLink(workspace));
    setTimeout(() => setCopied(null), COPIED_MS);
  };
  const shareLabel =
    copied === null ? COPY_VIEW_LINK : copied ? 'The link is copied' : 'Copy the address bar instead';

  return (
    <Flex gap={4} ml="auto">
      {(canUndo || canRedo) && (
        <>
          <Tool size={36} label={`Undo (${modifier} Z)`} disabled={!canUndo} onClick={store.undo}>
            <UndoIcon />
          </Tool>
          <Tool size={36} label={`Redo (${modifier} Shift Z)`} disabled={!canRedo} onClick={store.redo}>
            <RedoIcon />
          </Tool>
        </>
      )}
      <Tool size={36} label={shareLabel} onClick={() => void share()}>
        <LinkIcon />
      </Tool>
      <Tool size={36} label={`Find an action (${modifier} K)`} onClick={() => page.openDialog('palette')}>
        <SearchIcon />
      </Tool>
      <VisuallyHidden role="status">{copied === null ? '' : shareLabel}</VisuallyHidden>
    </Flex>
  );
});
