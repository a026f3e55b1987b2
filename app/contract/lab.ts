import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { labErrors } from './errors.ts';
import { experimentSchema } from './experiment.ts';
import { exportedSchema, exportRequestSchema } from './export-file.ts';
import { graphRequestSchema, graphViewSchema } from './graph-view.ts';
import {
  annotateSchema,
  historySchema,
  importedRunsSchema,
  importRunsSchema,
  runIdsSchema,
} from './history.ts';
import { importedSchema, importRequestSchema } from './import-file.ts';
import { limitsEventSchema, limitsRequestSchema } from './limits.ts';
import { liveTensorsRequestSchema, liveTensorsSchema } from './live-tensors.ts';
import { paretoEventSchema, paretoRequestSchema } from './pareto.ts';
import { recordedRunSchema, runIdSchema } from './recorded-run.ts';
import { comparisonEventSchema, modelInfoSchema, strategyInfoSchema } from './results.ts';
import { tableEventSchema, tableRequestSchema } from './tables.ts';
import { steerRequestSchema, trainEventSchema, trainRequestSchema } from './training.ts';

const procedure = oc.errors(labErrors);

/**
 * Everything a face of the lab can ask of its host. One contract, two carriers (Electron's message
 * ports, WebSocket); aborting the call's signal cancels the work behind it.
 */
export const labContract = {
  about: procedure.output(
    z.object({
      version: z.string(),
      carrier: z.enum(['desktop', 'browser', 'test']),
      platform: z.string(),
      logicalCpus: z.number(),
      memoryBytes: z.number(),
    }),
  ),
  catalog: procedure.output(
    z.object({ models: z.array(modelInfoSchema), strategies: z.array(strategyInfoSchema) }),
  ),
  /** Reads a network or a plan from a file and keeps it, so that experiments can name it. */
  importFile: procedure.input(importRequestSchema).output(importedSchema),
  /** What was opened since the lab was started and is still kept, so that a page that was reloaded finds it. */
  openedFiles: procedure.output(z.array(importedSchema)),
  /** A plan, a graph or a drawing as the text of a file. */
  exportFile: procedure.input(exportRequestSchema).output(exportedSchema),
  /** One `head`, then a `row` for each strategy as it is solved, in the order asked for. */
  compare: procedure.input(experimentSchema).output(eventIterator(comparisonEventSchema)),
  /** Every tensor of a strategy's training step, with the steps in which it is live. */
  liveTensors: procedure.input(liveTensorsRequestSchema).output(liveTensorsSchema),
  /** The papers' computation graph of a network, per sample, and its division tree. */
  graphView: procedure.input(graphRequestSchema).output(graphViewSchema),
  /** A table of the papers, row by row. */
  table: procedure.input(tableRequestSchema).output(eventIterator(tableEventSchema)),
  /** The largest batch and input of each strategy on a device. */
  limits: procedure.input(limitsRequestSchema).output(eventIterator(limitsEventSchema)),
  /** The least recompute for every peak that can be reached. */
  pareto: procedure.input(paretoRequestSchema).output(eventIterator(paretoEventSchema)),
  /** A training run; ends after `done`. Abort to cancel at the next step. */
  train: procedure.input(trainRequestSchema).output(eventIterator(trainEventSchema)),
  /** Pauses or resumes a run by its name; `running` is false when it has ended, or never was. */
  steerTraining: procedure.input(steerRequestSchema).output(z.object({ running: z.boolean() })),
  /** The runs that were kept, newest first, and why they are not where they are not. */
  listRuns: procedure.output(historySchema),
  /** A whole run. */
  openRun: procedure.input(z.object({ id: runIdSchema })).output(recordedRunSchema),
  /** Removed runs can be restored for a day. */
  removeRuns: procedure.input(runIdsSchema).output(z.object({})),
  restoreRuns: procedure.input(runIdsSchema).output(z.object({})),
  /** Gives a run a name or a note. */
  annotateRun: procedure.input(annotateSchema).output(z.object({})),
  /** Runs as the text of a file in the format zigzag-runs/1. */
  exportRuns: procedure.input(runIdsSchema).output(z.object({ text: z.string() })),
  /** Runs from such a file; those that are here already are left as they are. */
  importRuns: procedure.input(importRunsSchema).output(importedRunsSchema),
};

export type LabContract = typeof labContract;
