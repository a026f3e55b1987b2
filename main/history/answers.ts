import type { ServiceOf } from '../../app/contract/calls.ts';
import { TOO_MANY_RUNS } from '../../app/contract/history.ts';
import type { HistoryCalls } from '../../app/contract/history-calls.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { HistoryService } from '../host/services.ts';
import { MAX_RUNS_FILE_BYTES } from '../../engine/exchange/read-limits.ts';

/** The history as a page asks for it. */
export const historyAnswers = (history: HistoryService): ServiceOf<HistoryCalls> => ({
  listRuns: async () => history.list(),
  openRun: async ({ id }) => history.open(id),
  removeRuns: async ({ ids }) => history.remove(ids),
  restoreRuns: async ({ ids }) => history.restore(ids),
  annotateRun: async (annotation) => history.annotate(annotation),
  exportRuns: async ({ ids }) => history.exportRuns(ids),
  importRuns: async ({ bytes, makeRoom }) => {
    if (bytes.size > MAX_RUNS_FILE_BYTES) throw new BadInputError(TOO_MANY_RUNS);
    return history.importRuns(new Uint8Array(await bytes.arrayBuffer()), makeRoom);
  },
});
