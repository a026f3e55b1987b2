import { createRouterClient } from '@orpc/server';
import type { LabClient } from '../../../app/contract/client.ts';
import type { Catalog } from '../../../app/contract/results.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { MODELS } from '../../../engine/zoo/zoo.ts';
import { createLabRouter } from '../../../main/host/router.ts';
import type { HistoryService, SetupService, TrainerService } from '../../../main/host/services.ts';
import { localSolver } from '../../../main/solver/solver.ts';
import { readAddress } from '../../../renderer/state/experiment/address.ts';
import { createWorkspace, type Workspace } from '../../../renderer/state/workspace/workspace.ts';
import { connectionTo, type FakeConnection } from './fake-lab.ts';

export const SCREENS = ['compare', 'graph', 'tables', 'limits', 'learn', 'train'];
export const LINK = '#/compare?model=tiny-residual&batch=4&strategies=regular,chen-sqrt';

type Call = keyof LabClient;

export interface LabOptions {
  readonly link?: string;
  /** Calls that a test answers itself; the real solver answers everything else. */
  readonly answers?: { readonly [Name in Call]?: (input: never) => unknown };
}

export interface OpenLab {
  readonly workspace: Workspace;
  readonly connection: FakeConnection;
  /** Arguments of the calls of one name, in order. */
  readonly asked: (call: Call) => readonly unknown[];
}

export const INFO = {
  version: '1.2.3',
  carrier: 'test',
  platform: 'linux x64',
  logicalCpus: 3,
  memoryBytes: 2 ** 33,
  site: null,
} as const;
const NOTHING_TO_ADD = { here: 'package', hasNvidiaGpu: false, add: null, instead: null } as const;
const HISTORY = { list: () => ({ runs: [], folder: '', problem: null, notice: null, evicted: [] }) };
/** Three of the networks, not built for their sizes, and every strategy. */
export const CATALOG: Catalog = {
  models: MODELS.filter(({ name }) => /^(tiny-residual|tiny-unet|vgg11)$/.test(name)).map((info) => ({
    ...info,
    parameters: 1,
    vertices: 1,
    edges: 1,
    tensorVertices: 1,
    tensorEdges: 1,
  })),
  strategies: STRATEGIES.map(({ plan: _plan, ...info }) => info),
};

/** The lab of the contract in this very thread, with nothing trained yet; the workspace is not started. */
export function openLab({ link = LINK, answers = {} }: LabOptions = {}): OpenLab {
  const lab = createRouterClient(
    createLabRouter({
      solver: { ...localSolver(), catalog: async () => CATALOG },
      trainer: {} as TrainerService,
      history: HISTORY as unknown as HistoryService,
      setup: { tensorflow: async () => NOTHING_TO_ADD } as unknown as SetupService,
      info: INFO,
    }),
  ) as unknown as LabClient;
  const calls: { readonly call: Call; readonly input: unknown }[] = [];
  const client = new Proxy(lab, {
    get: (real, call: Call) => async (input: never, options?: never) => {
      calls.push({ call, input });
      const answer = (answers[call] ?? real[call]) as (input: never, options?: never) => unknown;
      return answer(input, options);
    },
  });
  const connection = connectionTo(client);
  return {
    workspace: createWorkspace(connection, readAddress(link, SCREENS), SCREENS),
    connection,
    asked: (name) => calls.filter(({ call }) => call === name).map(({ input }) => input),
  };
}
