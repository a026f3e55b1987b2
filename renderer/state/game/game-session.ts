import type { GameTargets, JudgedSet } from '../../../app/contract/checkpoint-game.ts';
import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import { createStore, type Store } from '../../shared/store.ts';
import { once } from '../requests/follow.ts';
import { AT_REST, createFollower, type Follower, type Standing } from '../requests/follower.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Game } from './game.ts';
import type { GameLog } from './game-log.ts';
import { createScores, type ScoresStore } from './scores.ts';
import { createLru } from '../../shared/lru.ts';

export interface TargetsState extends Standing {
  readonly shown: { readonly key: string; readonly targets: GameTargets } | null;
}

export type TargetsStore = Follower<Game, TargetsState>;

export interface GameSession {
  readonly scores: ScoresStore;
  readonly targets: TargetsStore;
  readonly judgements: Judgements;
  readonly logs: Store<ReadonlyMap<string, GameLog>>;
  /** The game's title takes the focus: the button that led here is gone. */
  readonly arrival: { isNew: boolean };
  /** Stops waiting for the end of the game; null where none was opened in place of an experiment. */
  readonly until: { stop: (() => void) | null };
  readonly reconnected: () => void;
}

const MAX_TARGETS = 16;

function createTargets(client: Pick<LabClient, 'gameTargets'>): TargetsStore {
  return createFollower<Game, GameTargets, TargetsState>({
    first: { ...AT_REST, shown: null },
    keyOf: ({ key }) => key,
    ask: ({ request }, signal) => once(client.gameTargets(request, { signal })),
    begin: (state) => ({ ...state, running: true }),
    after: (state, targets, { key }) => ({ ...state, shown: { key, targets } }),
    keeps: MAX_TARGETS,
  });
}

export function gameSession({ connection }: Pick<Workspace, 'connection'>): GameSession {
  const { client } = connection;
  const targets = createTargets(client);
  const judgements = createJudgements(client);
  return {
    scores: createScores(() => window.localStorage),
    targets,
    judgements,
    logs: createStore<ReadonlyMap<string, GameLog>>(new Map()),
    arrival: { isNew: false },
    until: { stop: null },
    reconnected: () => {
      targets.reconnected();
      judgements.reconnected();
    },
  };
}

const MAX_KEPT = 600;

/** Answers of the simulator on sets of checkpoints; each is asked for once. */
interface Judgements extends Pick<Store<number>, 'get' | 'subscribe'> {
  /** Asks where nothing is known; undefined until the answer comes. */
  of(game: Game, ids: readonly string[]): JudgedSet | undefined;
  reconnected(): void;
}

/** @returns a store whose value counts the answers */
function createJudgements(client: Pick<LabClient, 'judgeCheckpoints'>): Judgements {
  const known = createLru<JudgedSet>(MAX_KEPT);
  const asked = new Set<string>();
  const count = createStore(0);
  const tell = (): void => count.set(count.get() + 1);
  const ask = async (key: string, game: Game, ids: readonly string[]): Promise<void> => {
    try {
      known.set(key, await client.judgeCheckpoints({ ...game.request, checkpoints: [...ids] }));
    } catch (error) {
      const failure = failureOf(error);
      // After a lost connection it is asked again.
      if (failure.code !== 'DISCONNECTED') known.set(key, { reason: failure.message });
    }
    tell();
  };
  return {
    get: count.get,
    subscribe: count.subscribe,
    of: (game, ids) => {
      const key = JSON.stringify([game.key, ...[...ids].sort()]);
      const answer = known.get(key);
      if (answer === undefined && !asked.has(key)) {
        asked.add(key);
        void ask(key, game, ids);
      }
      return answer;
    },
    reconnected: () => {
      asked.clear();
      tell();
    },
  };
}
