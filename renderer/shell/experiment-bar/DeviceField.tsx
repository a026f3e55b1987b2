import { Select } from '@mantine/core';
import { memo, useId, useMemo } from 'react';
import { useCompareView } from '../../state/parts/use-compare-view.ts';
import { termsText } from '../../../app/report/terms.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import { heldAt } from '../../../engine/training-memory/held.ts';
import { threeDigits } from '../../shared/format/numbers.ts';
import { useLabView, useWorkspace } from '../../state/workspace/use-workspace.ts';
import { chosenDevice, deviceGroups, GIB, withDevice } from '../../state/experiment/device.ts';
import deviceClasses from './device.module.css';
import field from '../../shared/fields/field.module.css';
import layout from '../../shared/layout/layout.module.css';

/** The device that the network is meant for, and how much of it the strategy in front needs. */
export function DeviceField() {
  const id = useId();
  const { experiment } = useLabView();
  const { front, stale } = useCompareView();
  const device = chosenDevice(experiment);
  const total = device.memoryBytes;
  const held =
    stale || front === null || front.held.length === 0
      ? null
      : heldAt(front.held, experiment.batch, device.contextBytes);
  const needs = held?.totalBytes ?? null;
  const fits = needs === null || needs <= total;
  const share = needs === null ? 0 : Math.min(1, needs / total);
  const amount = needs === null ? '' : `${inGiB(needs)} of ${threeDigitsOr(device.memoryGiB)} GiB`;
  const strategy = front?.identity.title ?? '';
  const figure = needs === null ? '' : `${strategy} needs ${amount}`;

  return (
    <div className={`${field['field']} ${deviceClasses['device']}`}>
      <div className={field['labelRow']}>
        <label htmlFor={id}>{OPTIONS.device.label}</label>
        <span
          className={`${layout['note']} ${layout['cut']}`}
          data-over={!fits || undefined}
          title={held === null || front === null ? undefined : `${figure}: ${termsText(held)}`}
        >
          {/* The number first: of the two it is the name that may be cut. */}
          {needs === null ? '' : `${amount}, ${strategy}`}
        </span>
      </div>
      <DeviceSelect id={id} name={device.name} title={device.title} />
      {/* biome-ignore lint/a11y/useSemanticElements: a browser's own meter cannot be made this thin */}
      <div
        className={deviceClasses['meter']}
        role="meter"
        aria-label="Device memory needed"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={figure === '' ? 'not known yet' : `${figure}${fits ? '' : ', which does not fit'}`}
        data-over={!fits || undefined}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

/** Its list of devices is not rendered again with each batch size. */
const DeviceSelect = memo(function DeviceSelect({
  id,
  name,
  title,
}: Record<'id' | 'name' | 'title', string>) {
  const { experiment } = useWorkspace();
  const groups = useMemo(() => deviceGroups({ name, title }), [name, title]);
  return (
    <Select
      id={id}
      value={name}
      data={groups}
      comboboxProps={{ withinPortal: false, width: 224, position: 'bottom-start', shadow: 'md' }}
      withScrollArea={false}
      styles={{ options: { maxHeight: 400, overflowY: 'auto' } }}
      onChange={(next) => next !== null && experiment.change(withDevice(experiment.get().experiment, next))}
    />
  );
});

const inGiB = (bytes: number): string => threeDigits(bytes / GIB);
const threeDigitsOr = (gib: number): string => (Number.isInteger(gib) ? String(gib) : threeDigits(gib));
