/** All that the device holds, or the activations alone, as the papers count. */
export type ShownMemory = 'device' | 'activations';

export const AXIS_NAMES: Readonly<Record<ShownMemory, string>> = {
  device: 'Device memory',
  activations: 'Activations only',
};

export const readMemory = (view: Readonly<Record<string, string>>): ShownMemory =>
  view['memory'] === 'activations' ? 'activations' : 'device';
