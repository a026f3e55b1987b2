import type { PlanFile } from '../../../engine/exchange/plan-file.ts';
import { stitched } from './stitch.ts';

/** The line that a plan replaces. */
const NO_PLAN = 'PLAN = None';

/** zigzag_torch.py as it is or, with a plan inside, ready for `model = apply(model)`. */
export function torchFile(plan?: PlanFile): string {
  const source = stitched();
  if (plan === undefined) return source;
  // A JSON text is a valid Python text literal once it is quoted as JSON again.
  const literal = JSON.stringify(JSON.stringify(plan));
  return source.replace(NO_PLAN, () => `PLAN = json.loads(${literal})`);
}
