import { z } from 'zod';
import { experimentSchema } from './experiment.ts';

/**
 * zigzag-plan/1, zigzag-graph/1, a drawing for Graphviz, the division tree, a tree decomposition, or a plan that PyTorch
 * runs: within the file that runs it, or alone. Or a program that trains as the experiment says.
 */
export const exportRequestSchema = z.object({
  experiment: experimentSchema,
  strategy: z.string().min(1).max(40),
  form: z.enum([
    'plan',
    'graph',
    'dot',
    'tree',
    'decomposition',
    'torch',
    'torch-plan',
    'script',
    'trainer-script',
    'torchtitan',
  ]),
});

export const exportedSchema = z.object({ text: z.string() });

export type ExportRequest = z.infer<typeof exportRequestSchema>;
export type ExportForm = ExportRequest['form'];
