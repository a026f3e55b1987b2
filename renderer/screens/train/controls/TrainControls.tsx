import { Button, Checkbox, Collapse, SegmentedControl, Select } from '@mantine/core';
import { useId, useState } from 'react';
import { NumberField } from '../../../shared/fields/NumberField.tsx';
import { identityOf } from '../../../state/strategies/identity.ts';
import { StrategyMark } from '../../../state/strategies/StrategyMark.tsx';
import { useStore } from '../../../shared/store.ts';
import { useCatalog, useKept, useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { CapField } from './CapField.tsx';
import { MoreOptions } from './MoreOptions.tsx';
import {
  BACKEND_CHOICES,
  type BackendChoice,
  FIRST_CAP_BYTES,
  isSlowSize,
  MAX_ITERATIONS,
  optionsSet,
  quickSize,
  trainable,
  type TrainMode,
  type TrainSettings,
} from '../../../state/runs/train-settings.ts';
import { TensorflowStrip } from '../tensorflow/TensorflowStrip.tsx';
import { stripPlace } from '../tensorflow/tensorflow-sentence.ts';
import { tensorflowSession } from '../tensorflow/tensorflow-session.ts';
import layout from '../../../shared/layout/layout.module.css';
import classes from '../train.module.css';

export interface TrainControlsProps {
  readonly settings: TrainSettings;
  readonly onSettings: (settings: TrainSettings) => void;
  readonly strategy: string;
  readonly running: boolean;
  readonly paused: boolean;
  readonly onStart: () => void;
}

const MODES: readonly { readonly value: TrainMode; readonly label: string }[] = [
  { value: 'train', label: 'Train' },
  { value: 'largest', label: 'Find the largest batch' },
];

export function TrainControls(props: TrainControlsProps) {
  const { settings, onSettings, strategy, running, paused, onStart } = props;
  const { experiment: store, runs } = useWorkspace();
  const { experiment } = useLabView();
  const { models, strategies, titles } = useCatalog();
  const [opened, setOpened] = useState(false);
  const moreId = useId();
  const tensorflow = useKept(tensorflowSession);
  const standing = useStore(tensorflow);
  const model = models.find(({ name }) => name === experiment.model);
  const isTraining = settings.mode === 'train';
  const quick = isTraining && isSlowSize(experiment, model) ? quickSize(experiment, models) : null;
  const change = (part: Partial<TrainSettings>): void => onSettings({ ...settings, ...part });
  const known = strategies.length > 0 ? strategies.map(({ name }) => name) : [strategy];
  const names = trainable(known, experiment);
  const set = optionsSet(settings);
  const strip = stripPlace(standing);

  return (
    <section className={`${layout['card']} ${layout['padded']}`} aria-label="Run">
      <div className={classes['controlsRow']}>
        <SegmentedControl
          mih={36}
          style={{ alignItems: 'center' }}
          aria-label="Mode"
          data={MODES.map((mode) => ({ ...mode }))}
          value={settings.mode}
          disabled={running}
          onChange={(mode) => change({ mode: mode as TrainMode })}
        />
        <Select
          label="Strategy"
          w={160}
          value={strategy}
          disabled={running}
          data={names.map((name) => ({ value: name, label: identityOf(name, titles.get(name)).title }))}
          leftSection={<StrategyMark identity={identityOf(strategy)} />}
          leftSectionWidth={44}
          onChange={(next) => change({ strategy: next })}
        />
        <Select
          label="Backend"
          w={128}
          value={settings.backend}
          disabled={running}
          data={BACKEND_CHOICES.map((choice) => ({
            ...choice,
            disabled: choice.value === 'tensorflow' && standing.there?.here === null,
          }))}
          onChange={(next) => change({ backend: (next ?? 'auto') as BackendChoice })}
        />
        {isTraining ? (
          <>
            <NumberField
              rule={{ label: 'Iterations', min: 1, max: MAX_ITERATIONS, whole: true }}
              value={settings.iterations}
              width={80}
              onValue={(next) => next !== undefined && change({ iterations: next })}
            />
            <Checkbox
              h={36}
              display="flex"
              style={{ alignItems: 'center' }}
              label="Run regular first"
              title="Runs regular training first, to compare losses and times"
              checked={settings.withRegular}
              disabled={running || strategy === 'regular'}
              onChange={(event) => change({ withRegular: event.currentTarget.checked })}
            />
          </>
        ) : (
          <CapField
            value={settings.capBytes ?? FIRST_CAP_BYTES}
            onValue={(capBytes) => change({ capBytes: capBytes ?? FIRST_CAP_BYTES })}
          />
        )}
        <Button
          mb={4}
          variant="subtle"
          color="gray"
          aria-expanded={opened}
          aria-controls={moreId}
          onClick={() => setOpened(!opened)}
        >
          {opened ? 'Fewer options' : set === 0 ? 'More options' : `More options (${set} set)`}
        </Button>
        <div className={classes['start']}>
          {quick !== null && !running && (
            <Button variant="default" size="sm" onClick={() => store.change(quick)}>
              Use a size that trains in seconds
            </Button>
          )}
          {running ? (
            <>
              <Button variant="default" size="sm" w={84} px={8} onClick={() => runs.pause(!paused)}>
                {paused ? 'Resume' : 'Pause'}
              </Button>
              <Button variant="default" size="sm" w={68} px={8} title="Stop (Esc)" onClick={runs.cancel}>
                Stop
              </Button>
            </>
          ) : (
            <Button size="sm" w={112} onClick={onStart}>
              {isTraining ? 'Start' : 'Search'}
            </Button>
          )}
        </div>
      </div>
      {strip === 'always' && <TensorflowStrip />}
      <Collapse expanded={opened} id={moreId}>
        <MoreOptions
          settings={settings}
          change={change}
          isRegular={strategy === 'regular'}
          running={running}
        />
        {strip === 'rarely' && <TensorflowStrip />}
      </Collapse>
    </section>
  );
}
