/**
 * Rooms whose tests must notice a fault, and the tests that stand for each: few enough to run once a mutant. A place
 * that is not deep has the files of its folder alone.
 *
 * @type {Readonly<Record<string, { folder: string, deep?: boolean, tests: readonly string[] }>>}
 */
export const PLACES = {
  simulate: {
    folder: 'engine/simulate/',
    tests: [
      'test/engine/simulate/simulate.test.ts',
      'test/engine/schedule/reentrant.test.ts',
      'test/engine/simulate/*.test.ts',
    ],
  },
  schedule: {
    folder: 'engine/schedule/',
    tests: ['test/engine/schedule/*.test.ts'],
  },
  bounds: { folder: 'engine/bounds/', tests: ['test/engine/bounds/*.test.ts'] },
  strategies: {
    folder: 'engine/strategies/',
    deep: false,
    tests: [
      'test/engine/strategies/options.test.ts',
      'test/engine/strategies/strategy/from-checkpoints.test.ts',
      'test/engine/strategies/given-plan.test.ts',
      'test/engine/strategies/multi-level.test.ts',
      'test/engine/strategies/sequential.test.ts',
      'test/engine/strategies/speed.test.ts',
      'test/engine/strategies/chain/chain-dp.test.ts',
      'test/engine/strategies/checkpoint-choice.test.ts',
      'test/engine/strategies/solve.test.ts',
    ],
  },
  chain: {
    folder: 'engine/strategies/chain/',
    tests: [
      'test/engine/strategies/chain/stage-chain.test.ts',
      'test/engine/strategies/chain/reverse.test.ts',
      'test/engine/strategies/chain/stage-profile.test.ts',
      'test/engine/strategies/chain/reversal-table.test.ts',
      'test/engine/strategies/multi-level.test.ts',
      'test/engine/strategies/chain/chain-dp.test.ts',
    ],
  },
  exact: {
    folder: 'engine/strategies/exact/',
    tests: [
      'test/engine/strategies/exact/state-index.test.ts',
      'test/engine/strategies/exact/step-graph.test.ts',
      'test/engine/strategies/exact/steps.test.ts',
      'test/engine/strategies/exact/shortest.test.ts',
      'test/engine/strategies/exact/exact.test.ts',
    ],
  },
  // The quickest first: a search notices a fault of the parts it uses too, but takes longest. The searches through all
  // orders and lower sets (live.test.ts) take too long a mutant.
  search: {
    folder: 'engine/strategies/search/',
    tests: [
      'test/engine/strategies/search/change-record.test.ts',
      'test/engine/strategies/search/byte-curve.test.ts',
      'test/engine/strategies/search/keep-more-within.test.ts',
      'test/engine/strategies/search/keep-more-in-blocks.test.ts',
      'test/engine/strategies/search/drop-until-it-fits.test.ts',
      'test/engine/strategies/search/neighbour-moves.test.ts',
      'test/engine/strategies/search/cuts.test.ts',
      'test/engine/strategies/search/lower-sets.test.ts',
      'test/engine/strategies/search/*.test.ts',
    ],
  },
  live: {
    folder: 'engine/strategies/live/',
    tests: ['test/engine/strategies/live/*.test.ts'],
  },
  milp: {
    folder: 'engine/strategies/milp/',
    tests: [
      'test/engine/strategies/milp/linear-model.test.ts',
      'test/engine/strategies/milp/rounds.test.ts',
      'test/engine/strategies/milp/memory-rows.test.ts',
      'test/engine/strategies/milp/milp-plans.test.ts',
    ],
  },
  // Their whole searches on drawn graphs (live.test.ts, budget-class.test.ts) take a minute a mutant.
  planner: {
    folder: 'engine/strategies/planner/',
    tests: ['test/engine/strategies/planner/*.test.ts'],
  },
  budget: {
    folder: 'engine/strategies/budget/',
    tests: [
      // The quick ones first.
      'test/engine/strategies/budget/least-recompute.test.ts',
      'test/engine/strategies/budget/*.test.ts',
      'test/engine/strategies/knee.test.ts',
    ],
  },
  // Not those that attack and flood a whole lab: they take longest, and a lab that does not begin skips them.
  serve: {
    folder: 'main/serve/',
    tests: [
      'test/main/serve/guard.test.ts',
      'test/main/serve/keys.test.ts',
      'test/main/serve/listen.test.ts',
      'test/main/serve/static.test.ts',
      'test/main/serve/encoded-files.test.ts',
      'test/main/serve/kept-keys.test.ts',
      'test/main/serve/sockets.test.ts',
      'test/main/serve/open.test.ts',
      'test/main/serve/lab.test.ts',
    ],
  },
  // Not those that start processes, spoil files or fill disks: more than a thousand mutants would wait for each.
  history: {
    folder: 'main/history/',
    tests: [
      'test/main/history/folder.test.ts',
      'test/main/history/answers.test.ts',
      'test/main/history/run-row.test.ts',
      'test/main/history/serve-history.test.ts',
      'test/main/history/client-messages.test.ts',
      'test/main/history/database.test.ts',
      'test/main/history/recorder.test.ts',
      'test/main/history/run-store.test.ts',
      'test/main/history/open-file.test.ts',
      'test/main/history/copy.test.ts',
      'test/main/history/run-history.test.ts',
      'test/main/history/trouble.test.ts',
      'test/main/history/damage.test.ts',
      'test/main/history/own-home.test.ts',
      'test/main/history/runs-file.test.ts',
      'test/main/history/process.test.ts',
    ],
  },
};
