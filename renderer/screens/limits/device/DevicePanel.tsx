import { CUSTOM_DEVICE } from '../../../../engine/devices/devices.ts';
import { OPTIONS } from '../../../../engine/options/table.ts';
import { Select } from '@mantine/core';
import { withDevice } from '../../../state/experiment/device.ts';
import { withOption } from '../../../state/experiment/experiment.ts';
import { NumberField } from '../../../shared/fields/NumberField.tsx';
import { asSentence } from '../../../shared/format/sentence.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import layout from '../../../shared/layout/layout.module.css';
import { LinkButton } from '../../../shared/layout/LinkButton.tsx';
import classes from '../limits.module.css';
import { setupOf } from '../../../../app/contract/training-setup.ts';
import { TERM_SOURCES, TERM_TITLES } from '../../../../app/report/terms.ts';
import { heldAt, TERMS } from '../../../../engine/training-memory/held.ts';
import { OPTIMIZERS, optimizerOf } from '../../../../engine/training-memory/optimizers.ts';
import type { LimitsView } from '../use-limits.ts';

/** Terms beside the activations at the peak. */
const BESIDE = TERMS.filter((term) => term !== 'context' && term !== 'activations');

export function DevicePanel({ view }: { readonly view: LimitsView }) {
  const { device, contextBytes, totalBytes } = view;
  const { experiment: store } = useWorkspace();
  const { experiment } = useLabView();
  // At regular training's largest batch; at one sample where none fits.
  const [regular] = view.rows;
  const limit = regular?.limit ?? null;
  const held = limit === null ? null : heldAt(limit.held, Math.max(1, regular?.batch ?? 0), contextBytes);
  const left = held === null ? null : totalBytes - (held.totalBytes - held.terms.activations);
  const share = (bytes: number): string => `${Math.max(0, Math.min(100, (bytes / totalBytes) * 100))}%`;

  const edit = (key: 'deviceGiB' | 'contextGiB') => (next: number | undefined) => {
    const { [key]: _old, ...rest } = store.get().experiment;
    store.change(next === undefined ? rest : { ...rest, [key]: next }, key);
  };

  return (
    <aside className={`${layout['card']} ${classes['panel']}`} aria-label="Memory for one step">
      <h2>{device.title}</h2>
      <div className={classes['panelFields']}>
        <NumberField
          rule={{ ...OPTIONS.deviceGiB, label: 'Memory', whole: false }}
          value={device.memoryGiB}
          width={108}
          unit="GiB"
          delayMs={400}
          onValue={edit('deviceGiB')}
        />
        <NumberField
          rule={{ ...OPTIONS.contextGiB, whole: false }}
          value={device.contextGiB}
          width={108}
          unit="GiB"
          delayMs={400}
          onValue={edit('contextGiB')}
        />
      </div>
      <Select
        label="Optimizer"
        value={setupOf(experiment).optimizer}
        data={OPTIMIZERS.map(({ name, title }) => ({ value: name, label: title }))}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => {
          const optimizer = OPTIMIZERS.find(({ name }) => name === next);
          if (optimizer !== undefined)
            store.change(withOption(store.get().experiment, 'optimizer', optimizer.name));
        }}
      />
      <div className={classes['stack']} aria-hidden="true">
        <i data-part="context" style={{ width: share(contextBytes) }} />
        <i
          data-part="stationary"
          style={{ width: share(left === null ? 0 : totalBytes - contextBytes - left) }}
        />
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
        {BESIDE.map((term) => {
          const name =
            term === 'optimizer' ? optimizerOf(setupOf(experiment).optimizer).says : TERM_TITLES[term];
          if (name === null || (held !== null && held.terms[term] === 0)) return null;
          return (
            <div key={term} title={TERM_SOURCES[term]}>
              <dt>
                <i className={layout['swatch']} data-part="stationary" /> − {name}
              </dt>
              <dd>{held === null ? '…' : formatBytes(held.terms[term])}</dd>
            </div>
          );
        })}
        <div className={classes['total']}>
          <dt>Left for activations</dt>
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
        {device.edited && device.name !== CUSTOM_DEVICE && (
          <LinkButton onClick={() => store.change(withDevice(experiment, device.name))}>
            Use the preset’s figures
          </LinkButton>
        )}
      </p>
    </aside>
  );
}
