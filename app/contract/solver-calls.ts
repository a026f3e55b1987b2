import { z } from 'zod';
import { events, result } from './calls.ts';
import {
  gameRequestSchema,
  gameTargetsSchema,
  judgedSetSchema,
  judgeRequestSchema,
} from './checkpoint-game.ts';
import { exportedSchema, exportRequestSchema } from './export-file.ts';
import { graphRequestSchema, graphViewSchema } from './graph-view.ts';
import { importedSchema, importRequestSchema } from './import-file.ts';
import { limitsEventSchema, limitsRequestSchema } from './limits.ts';
import { liveTensorsRequestSchema, liveTensorsSchema } from './live-tensors.ts';
import {
  explainedSchema,
  explainRequestSchema,
  measuredSchema,
  readMeasuredRequestSchema,
} from './measured.ts';
import { measuredColumnsSchema, measurementsSchema } from './measurements.ts';
import { frontPlanRequestSchema, paretoEventSchema, paretoRequestSchema } from './pareto.ts';
import { catalogSchema, comparisonEventSchema, comparisonRequestSchema, solvedRowSchema } from './results.ts';
import { tableEventSchema, tableRequestSchema } from './tables.ts';
import { torchUseRequestSchema, torchUseSchema } from './torch-use.ts';
import { waySchema, waysRequestSchema } from './ways.ts';

/** Everything that is asked of the solver. Each is answered in main/solver/answers.ts. */
export const solverCalls = {
  /** Every network and strategy, for menus. */
  catalog: { ...result(z.void(), catalogSchema), once: true },
  /** Reads a network or a plan from a file and keeps it, so that experiments can name it. */
  importFile: result(importRequestSchema, importedSchema),
  /** Files opened since the lab started and still kept, the oldest first. A reloaded page finds them again. */
  openedFiles: result(z.void(), z.array(importedSchema)),
  /** A plan, a graph or a drawing as the text of a file. */
  exportFile: result(exportRequestSchema, exportedSchema),
  /** Steps to train with a strategy's plan in PyTorch, or the reason why that is impossible. */
  torchUse: result(torchUseRequestSchema, torchUseSchema),
  /** One `head`, then a `row` for each strategy as it is solved, in the order asked for. */
  compare: events(comparisonRequestSchema, comparisonEventSchema),
  /** Every tensor of a strategy's training step, with the steps in which it is live. */
  liveTensors: result(liveTensorsRequestSchema, liveTensorsSchema),
  /** The papers' computation graph of a network, per sample, and its division tree. */
  graphView: result(graphRequestSchema, graphViewSchema),
  /** Targets for a player of the checkpoint game on a network. */
  gameTargets: result(gameRequestSchema, gameTargetsSchema),
  /** Judges a player's checkpoints with the simulator. */
  judgeCheckpoints: result(judgeRequestSchema, judgedSetSchema),
  /** Columns that measurements of a device add to CVPR Table 2. */
  measuredColumns: result(measurementsSchema, measuredColumnsSchema),
  /** Reads a memory snapshot of PyTorch, of which nothing is run, or what `measure` returned; keeps nothing of it. */
  readMeasured: result(readMeasuredRequestSchema, measuredSchema),
  /** Measurement laid over the plan of a strategy: by phase, and bar by bar from Eq. 2. */
  explain: result(explainRequestSchema, explainedSchema),
  /** A table of the papers, row by row. */
  table: events(tableRequestSchema, tableEventSchema),
  /** The largest batch and input of each strategy on a device. */
  limits: events(limitsRequestSchema, limitsEventSchema),
  /** The cheapest first steps that make training fit a device, the best first. */
  ways: result(waysRequestSchema, z.array(waySchema)),
  /** The least recompute for every peak that can be reached. */
  pareto: events(paretoRequestSchema, paretoEventSchema),
  /** A plan of the front that was told last, as a row; null where that is not known any more. */
  frontPlan: result(frontPlanRequestSchema, solvedRowSchema.nullable()),
} as const;

export type SolverCalls = typeof solverCalls;
export type SolverCall = keyof SolverCalls;
