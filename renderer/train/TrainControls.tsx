import { Button, Checkbox, Select, Switch } from '@mantine/core';
import { NumberField } from '../experiment/NumberField.tsx';
import { identityOf } from '../shared/strategies/identity.ts';
import { StrategyMark } from '../shared/strategies/StrategyMark.tsx';
import { useCatalog, useLabView, useWorkspace } from '../use-workspace.ts';
import {
  BACKEND_CHOICES,
  type BackendChoice,
  isSlowSize,
  MAX_ITERATIONS,
  MAX_PAIRS,
  quickSize,
  type TrainSettings,
} from './settings.ts';
import classes from './train.module.css';

export interface TrainControlsProps {
  readonly settings: TrainSettings;
  readonly onSettings: (settings: TrainSettings) => void;
  readonly strategy: string;
  readonly running: boolean;
  readonly onStart: () => void;
}

export function TrainControls({ settings, onSettings, strategy, running, onStart }: TrainControlsProps) {
  const { experiment: store, runs } = useWorkspace();
  const { experiment } = useLabView();
  const { models, strategies, titles } = useCatalog();
  const model = models.find(({ name }) => name === experiment.model);
  const quick = isSlowSize(experiment, model) ? quickSize(experiment, models) : null;
  const change = (part: Partial<TrainSettings>): void => onSettings({ ...settings, ...part });
  const names = strategies.length > 0 ? strategies.map(({ name }) => name) : [strategy];

  return (
    <section className={classes['controls']} aria-label="Run">
      <Select
        label="Strategy"
        size="sm"
        w={192}
        value={strategy}
        allowDeselect={false}
        disabled={running}
        data={names.map((name) => ({ value: name, label: identityOf(name, titles.get(name)).title }))}
        leftSection={<StrategyMark identity={identityOf(strategy)} />}
        leftSectionWidth={44}
        onChange={(next) => change({ strategy: next })}
        classNames={{ label: classes['label'] ?? '' }}
      />
      <Select
        label="Backend"
        size="sm"
        w={152}
        value={settings.backend}
        allowDeselect={false}
        disabled={running}
        data={BACKEND_CHOICES.map((choice) => ({ ...choice }))}
        onChange={(next) => change({ backend: (next ?? 'auto') as BackendChoice })}
        classNames={{ label: classes['label'] ?? '' }}
      />
      <NumberField
        rule={{ label: 'Iterations', min: 1, max: MAX_ITERATIONS, whole: true }}
        value={settings.iterations}
        width={88}
        onValue={(next) => next !== undefined && change({ iterations: next })}
      />
      <NumberField
        rule={{ label: 'Pairs', min: 0, max: MAX_PAIRS, whole: true }}
        value={settings.pairs}
        width={72}
        onValue={(next) => next !== undefined && change({ pairs: next })}
      />
      <Checkbox
        className={classes['check']}
        size="xs"
        label="Run regular first"
        title="Regular training first, so that the overhead can be measured"
        checked={settings.withRegular}
        disabled={running || strategy === 'regular'}
        onChange={(event) => change({ withRegular: event.currentTarget.checked })}
      />
      <fieldset className={classes['mistakes']} disabled={running || strategy === 'regular'}>
        <legend>Classic mistakes</legend>
        <Switch
          size="xs"
          label="Naive statistics"
          checked={settings.naiveStatistics}
          onChange={(event) => change({ naiveStatistics: event.currentTarget.checked })}
        />
        <Switch
          size="xs"
          label="Naive dropout"
          checked={settings.naiveDropout}
          onChange={(event) => change({ naiveDropout: event.currentTarget.checked })}
        />
        <span className={classes['caption']}>
          Recomputed batches count twice; recomputed dropout draws another mask.
        </span>
      </fieldset>
      <div className={classes['start']}>
        {quick !== null && !running && (
          <Button variant="default" size="sm" onClick={() => store.change(quick)}>
            Use a size that trains in seconds
          </Button>
        )}
        {running ? (
          <Button size="sm" w={112} variant="default" onClick={runs.cancel}>
            Cancel
          </Button>
        ) : (
          <Button size="sm" w={112} onClick={onStart}>
            Start
          </Button>
        )}
      </div>
    </section>
  );
}
