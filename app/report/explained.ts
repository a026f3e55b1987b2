import type { BarName } from '../../engine/explain/explanation.ts';
import type { Phase } from '../../engine/explain/measured.ts';

/** From Eq. 2 to what was measured, as tables and charts call it. */
export const BAR_TITLES: Readonly<Record<BarName, string>> = {
  theory: 'Eq. 2',
  activations: 'Step, beyond Eq. 2',
  weights: 'Weights',
  copies: 'Half copies',
  gradients: 'Gradients of weights',
  optimizer: 'Optimizer',
  loss: 'Loss',
  workspace: 'Workspace',
  rounding: 'Rounding',
  fragmentation: 'Fragmentation, cache',
  unexplained: 'Unexplained',
};

export const PHASE_TITLES: Readonly<Record<Phase, string>> = {
  forward: 'Forward',
  backward: 'Backward',
  optimizer: 'Optimizer’s step',
  unknown: 'Unknown',
};
