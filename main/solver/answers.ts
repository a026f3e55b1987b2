import type { EventOf, InputOf, ResultOf } from '../../app/contract/calls.ts';
import type { SolverCall, SolverCalls } from '../../app/contract/solver-calls.ts';
import { readMeasured } from '../../app/bridges/snapshot/read-measured.ts';
import { measuredColumns } from '../../engine/tables/measured.ts';
import { catalogOf } from './catalog.ts';
import { gameTargets, judgeCheckpoints } from './checkpoint-game.ts';
import { compareEvents } from './compare.ts';
import type { SolverContext } from './context.ts';
import { explained } from './explain.ts';
import { exportText } from './export-file.ts';
import { graphViewOf } from './graph-view.ts';
import { limitsEvents } from './limits.ts';
import { liveTensors } from './live-tensors.ts';
import { frontPlan, paretoEvents } from './pareto.ts';
import { tableEvents } from './tables.ts';
import { torchUse } from './torch-use.ts';
import { waysToFit } from './ways.ts';

type Answers = {
  readonly [Name in SolverCall]: (
    input: InputOf<SolverCalls[Name]>,
    context: SolverContext<EventOf<SolverCalls[Name]>>,
  ) => ResultOf<SolverCalls[Name]>;
};

/** The function that answers each solver call. */
export const solverAnswers: Answers = {
  catalog: catalogOf,
  importFile: ({ name, bytes }, { files }) => files.open(name, bytes),
  openedFiles: (_, { files }) => files.opened(),
  exportFile: (request, context) => ({ text: exportText(request, context) }),
  torchUse,
  compare: compareEvents,
  liveTensors,
  graphView: graphViewOf,
  gameTargets,
  judgeCheckpoints,
  measuredColumns,
  readMeasured: ({ bytes }) => readMeasured(bytes),
  explain: explained,
  table: tableEvents,
  limits: limitsEvents,
  ways: waysToFit,
  pareto: paretoEvents,
  frontPlan,
};
