import type { Experiment } from '../../../app/contract/experiment.ts';
import { CUSTOM_TERAFLOPS } from '../../../app/contract/link.ts';
import {
  CUSTOM_DEVICE,
  DEVICES,
  deviceOf,
  FIRST_DEVICE,
  peakTeraflopsOf,
  USUAL_CONTEXT_GIB,
} from '../../../engine/devices/devices.ts';
import type { Room } from '../../../engine/training-memory/verdict.ts';

export const GIB = 1024 ** 3;

/** The device of an experiment with the user's own figures over the preset's. */
export interface ChosenDevice extends Room {
  readonly name: string;
  readonly title: string;
  readonly memoryGiB: number;
  readonly contextGiB: number;
  /** In the experiment's precision. */
  readonly peakTeraflops: number;
  /** The device computes bfloat16, which the experiment asks for, as it does float32. */
  readonly lacksBf16: boolean;
  /** Deduction for the context, in one line. */
  readonly note: string;
  /** True when a figure differs from the preset. */
  readonly edited: boolean;
}

export type DevicePart = Pick<Experiment, 'device' | 'deviceGiB' | 'contextGiB' | 'precision'>;

const OWN = {
  title: 'Custom device',
  memoryGiB: 16,
  contextGiB: USUAL_CONTEXT_GIB,
  peakTeraflops: CUSTOM_TERAFLOPS,
  note: 'your own figure',
};

export function chosenDevice({
  device = FIRST_DEVICE,
  deviceGiB,
  contextGiB,
  precision = 'fp32',
}: DevicePart): ChosenDevice {
  const preset = deviceOf(device) ?? OWN;
  const memoryGiB = deviceGiB ?? preset.memoryGiB;
  const ownContext = Math.min(contextGiB ?? preset.contextGiB, memoryGiB);
  const edited = memoryGiB !== preset.memoryGiB || ownContext !== preset.contextGiB;
  return {
    name: device,
    title: edited && preset !== OWN ? `${preset.title} (edited)` : preset.title,
    memoryGiB,
    contextGiB: ownContext,
    memoryBytes: Math.floor(memoryGiB * GIB),
    contextBytes: Math.floor(ownContext * GIB),
    peakTeraflops: peakTeraflopsOf(preset, precision),
    lacksBf16: 'hasBf16' in preset && !preset.hasBf16 && precision.endsWith('bf16'),
    note: preset.note,
    edited,
  };
}

/** Memory of the device, and the part that its context takes. */
export function roomOf(experiment: DevicePart): Room {
  const { memoryBytes, contextBytes } = chosenDevice(experiment);
  return { memoryBytes, contextBytes };
}

/** Another device: figures that were the user's stay only with a device of their own. */
export function withDevice(experiment: Experiment, device: string): Experiment {
  const { deviceGiB: _gib, contextGiB: _context, ...rest } = experiment;
  if (device !== CUSTOM_DEVICE) return { ...rest, device };
  const { memoryGiB, contextGiB } = chosenDevice(experiment);
  return { ...rest, device, deviceGiB: memoryGiB, contextGiB };
}

/** Choices of the menu, by group; the chosen device is named by its own title. */
export function deviceGroups(
  chosen: Pick<ChosenDevice, 'name' | 'title'>,
): { group: string; items: { value: string; label: string }[] }[] {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const { group, name, title } of DEVICES) {
    const label = name === chosen.name ? chosen.title : title;
    groups.set(group, [...(groups.get(group) ?? []), { value: name, label }]);
  }
  groups.set('Own', [{ value: CUSTOM_DEVICE, label: OWN.title }]);
  return [...groups].map(([group, items]) => ({ group, items }));
}
