import { Group, Stack, Switch, TextInput } from '@mantine/core';
import { NumberField } from '../../../shared/fields/NumberField.tsx';
import { CapField } from './CapField.tsx';
import { MAX_PAIRS, type TrainSettings } from '../../../state/runs/train-settings.ts';
import classes from '../train.module.css';

export interface MoreOptionsProps {
  readonly settings: TrainSettings;
  readonly change: (part: Partial<TrainSettings>) => void;
  readonly isRegular: boolean;
  readonly running: boolean;
}

export function MoreOptions({ settings, change, isRegular, running }: MoreOptionsProps) {
  const isTraining = settings.mode === 'train';
  return (
    <Group gap="16px 32px" align="flex-start" pt={16}>
      <fieldset className={classes['group']} disabled={running}>
        <legend>Measure</legend>
        {isTraining && (
          <NumberField
            rule={{ label: 'Pairs', min: 0, max: MAX_PAIRS, whole: true }}
            value={settings.pairs}
            width={72}
            disabled={isRegular ? 'Regular training has no overhead over itself.' : undefined}
            onValue={(next) => next !== undefined && change({ pairs: next })}
          />
        )}
        <Stack gap={8}>
          <Switch
            label="Optimise for this device"
            description="Times every operation here first; the plan then saves time, not FLOPs"
            checked={settings.measuredCosts}
            disabled={isRegular}
            onChange={(event) => change({ measuredCosts: event.currentTarget.checked })}
          />
          {isTraining && (
            <Switch
              label="Difference of two batch sizes"
              description="What memory grows by per sample: all that is fixed cancels"
              checked={settings.batchDifference}
              onChange={(event) => change({ batchDifference: event.currentTarget.checked })}
            />
          )}
        </Stack>
      </fieldset>
      {isTraining && (
        <fieldset className={classes['group']} disabled={running || isRegular}>
          <legend>Classic mistakes</legend>
          <Stack gap={8}>
            <Switch
              label="Naive statistics"
              description="Recomputed batches count twice"
              checked={settings.naiveStatistics}
              onChange={(event) => change({ naiveStatistics: event.currentTarget.checked })}
            />
            <Switch
              label="Naive dropout"
              description="Recomputed dropout draws another mask"
              checked={settings.naiveDropout}
              onChange={(event) => change({ naiveDropout: event.currentTarget.checked })}
            />
          </Stack>
        </fieldset>
      )}
      {isTraining && (
        <fieldset className={classes['group']} disabled={running}>
          <legend>Data and limits</legend>
          <TextInput
            label="Folder of CIFAR-10"
            w={232}
            autoComplete="off"
            placeholder="synthetic images"
            title="Folder of CIFAR-10’s binary version on the lab’s machine. Empty: synthetic images"
            value={settings.dataFolder}
            onChange={(event) => change({ dataFolder: event.currentTarget.value.trim() })}
          />
          <CapField
            value={settings.capBytes}
            onValue={(capBytes) => change({ capBytes })}
            disabled={running}
          />
        </fieldset>
      )}
    </Group>
  );
}
