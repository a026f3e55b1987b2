import type { PlanFile } from '../../../engine/exchange/plan-file.ts';
// Part of the build's text, so that an installed lab has it too.
import source from './zigzag_torch.py?raw';

/** The line of zigzag_torch.py that a plan replaces. */
const NO_PLAN = 'PLAN = None';

/** zigzag_torch.py as it is or, with a plan inside, ready for `model = apply(model)`. */
export function torchFile(plan?: PlanFile): string {
  if (plan === undefined) return source;
  // A JSON text is a valid Python text literal once it is quoted as JSON again.
  const literal = JSON.stringify(JSON.stringify(plan));
  return source.replace(NO_PLAN, () => `PLAN = json.loads(${literal})`);
}
