import { Select } from '@mantine/core';
import { withDevice } from '../../state/experiment/device.ts';
import { NumberField } from '../../shared/fields/NumberField.tsx';
import { asSentence } from '../../shared/format/sentence.ts';
import { formatBytes } from '../../shared/format/bytes.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import layout from '../../shared/layout/layout.module.css';
import { LinkButton } from '../../shared/layout/LinkButton.tsx';
import classes from './limits.module.css';
import { OPTIMIZERS } from '../../state/experiment/limits-settings.ts';
import type { LimitsView } from './use-limits.ts';

/** From what the device has to what one step may hold: every figure that is subtracted, to be edited. */
export function DevicePanel({ view }: { readonly view: LimitsView }) {
  const { device, contextBytes, totalBytes, state, settings, change } = view;
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  const stationary = state.head?.stationaryBytes ?? null;
  const left = stationary === null ? null : totalBytes - contextBytes - stationary;
  const share = (bytes: number): string => `${Math.max(0, Math.min(100, (bytes / totalBytes) * 100))}%`;

  const edit = (key: 'deviceGiB' | 'contextGiB') => (next: number | undefined) => {
    const { [key]: _old, ...rest } = store.get().experiment;
    store.change(next === undefined ? rest : { ...rest, [key]: next }, key);
  };

  return (
    <aside className={`${layout['card']} ${classes['panel']}`} aria-label="What one step may hold">
      <h2>{device.title}</h2>
      <div className={classes['panelFields']}>
        <NumberField
          rule={{ label: 'Memory', min: 0.125, max: 65536, whole: false }}
          value={device.memoryGiB}
          width={108}
          unit="GiB"
          delayMs={400}
          onValue={edit('deviceGiB')}
        />
        <NumberField
          rule={{ label: 'Context', min: 0, max: 65536, whole: false }}
          value={device.contextGiB}
          width={108}
          unit="GiB"
          delayMs={400}
          onValue={edit('contextGiB')}
        />
      </div>
      <Select
        label="Optimizer"
        size="sm"
        value={settings.optimizer.value}
        allowDeselect={false}
        data={OPTIMIZERS.map(({ value, label }) => ({ value, label }))}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => {
          const optimizer = OPTIMIZERS.find(({ value }) => value === next);
          if (optimizer !== undefined) change({ optimizer });
        }}
      />
      <div className={classes['stack']} aria-hidden="true">
        <i data-part="context" style={{ width: share(contextBytes) }} />
        <i data-part="stationary" style={{ width: share(stationary ?? 0) }} />
      </div>
      <dl className={layout['figures']}>
        <div>
          <dt>Device</dt>
          <dd>{formatBytes(totalBytes)}</dd>
        </div>
        <div title={asSentence(device.note)}>
          <dt>
            <i className={layout['swatch']} data-part="context" /> − context
          </dt>
          <dd>{formatBytes(contextBytes)}</dd>
        </div>
        <div title="Stationary: there throughout the training, whatever the batch">
          <dt>
            <i className={layout['swatch']} data-part="stationary" /> − {settings.optimizer.says}
          </dt>
          <dd>{stationary === null ? '…' : formatBytes(stationary)}</dd>
        </div>
        <div className={classes['total']}>
          <dt>Left for one step</dt>
          <dd data-over={view.memoryBytes === null || (left ?? 0) < 0 || undefined}>
            {view.memoryBytes === null || (left !== null && left < 0)
              ? 'nothing'
              : left === null
                ? '…'
                : formatBytes(left)}
          </dd>
        </div>
      </dl>
      <p className={layout['note']}>
        {asSentence(`Context: ${device.note}`)}{' '}
        {device.edited && device.name !== 'custom' && (
          <LinkButton onClick={() => store.change(withDevice(experiment, device.name))}>
            Use the preset’s figures
          </LinkButton>
        )}
      </p>
    </aside>
  );
}
