import { failureOf, type LabClient } from '../../../app/contract/client.ts';
import type { JudgedSet } from '../../../app/contract/checkpoint-game.ts';
import { createLru } from '../../shared/lru.ts';
import { createStore, type Store } from '../../shared/store.ts';
import type { Game } from './game.ts';

const MOST_KEPT = 600;

/** What the simulator said of sets of checkpoints; asked for each once. */
export interface Judgements extends Pick<Store<number>, 'get' | 'subscribe'> {
  /** What is known of a set; asks where nothing is. Undefined until the answer comes. */
  of(game: Game, ids: readonly string[]): JudgedSet | undefined;
  reconnected(): void;
}

/** @returns a store whose value counts the answers */
export function createJudgements(client: Pick<LabClient, 'judgeCheckpoints'>): Judgements {
  const known = createLru<JudgedSet>(MOST_KEPT);
  const asked = new Set<string>();
  const count = createStore(0);
  const tell = (): void => count.set(count.get() + 1);
  const ask = async (key: string, game: Game, ids: readonly string[]): Promise<void> => {
    try {
      known.set(key, await client.judgeCheckpoints({ ...game.request, checkpoints: [...ids] }));
    } catch (error) {
      const failure = failureOf(error);
      // After a lost connection it is asked anew.
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
