import { z } from 'zod';
import { exportRequestSchema } from './export-file.ts';

/** A strategy's plan, to be carried out by PyTorch. */
export const torchUseRequestSchema = exportRequestSchema.omit({ form: true });

export const torchUseSchema = z.object({
  /** zigzag_torch.py, without a plan inside. */
  file: z.string(),
  /** The network is a model that zigzag_torch.py captured. */
  isCaptured: z.boolean(),
  /** The Python package plans the model itself, within the plan's peak. */
  isReplanned: z.boolean(),
  /** Calls of Python that make the same network. */
  models: z.array(z.object({ library: z.enum(['torchvision', 'timm']), make: z.string() })),
  /** The zigzag-plan as PyTorch runs it, and what it says of itself; null if none exists. */
  plan: z
    .object({
      fileName: z.string(),
      text: z.string(),
      peakBytes: z.number(),
      regularPeakBytes: z.number(),
      recomputeFraction: z.number(),
      /** How many tensors it sends to host memory; none where absent. */
      sends: z.number().int().optional(),
    })
    .nullable(),
  /** Programs that train as the experiment says, under the plan where one is needed. */
  scripts: z.array(
    z.object({
      form: exportRequestSchema.shape.form.extract(['script', 'trainer-script', 'torchtitan']),
      text: z.string(),
    }),
  ),
  /** The plan keeps what PyTorch keeps without one. */
  isNeedless: z.boolean(),
  /** Why the plan cannot be carried out, or null. */
  reason: z.string().nullable(),
});

export type TorchUseRequest = z.infer<typeof torchUseRequestSchema>;
export type TorchUse = z.infer<typeof torchUseSchema>;

/** `model-budget.plan.json`, of the names of a network and a strategy. */
export const planFileName = (network: string, strategy: string): string =>
  `${network}-${strategy}.plan.json`.replaceAll(/[^\w.@-]+/g, '-');
