import { expect, it } from 'vitest';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { answering } from '../../../main/solver/answering.ts';
import type { SolverNews, SolverReply } from '../../../main/solver/protocol.ts';

const BYTES = new TextEncoder().encode(JSON.stringify(graphFile(buildModel('chain-4', { batch: 1 }))));

function started() {
  const replies: SolverReply[] = [];
  const data = { cancelled: new Int32Array(1), files: [] };
  return { replies, tell: answering(data, (reply) => replies.push(reply)) };
}

it("a solver's thread shares opened files, and knows those that another thread opened meanwhile", async () => {
  const [one, other] = [started(), started()];
  const file = { name: 'own.json', bytes: BYTES };
  await one.tell({ id: 1, name: 'importFile', input: file });
  const news = one.replies.filter((reply) => reply.type === 'keep');
  const model = news[0]!.file.name;
  const input = { model, batch: 1, profile: 'pytorch', dtype: 'float32', seed: 0 } as const;
  await other.tell({ id: 1, name: 'pareto', input });
  expect(other.replies.at(-1)).toMatchObject({ type: 'error', failure: { code: 'BAD_INPUT' } });
  other.replies.length = 0;
  await other.tell({ keep: news[0]!.file } satisfies SolverNews);
  expect(other.replies).toEqual([]);
  await other.tell({ id: 2, name: 'pareto', input });
  expect(other.replies.at(-1)).toMatchObject({ type: 'end', id: 2 });
  expect(other.replies).toContainEqual(
    expect.objectContaining({ type: 'event', event: expect.objectContaining({ type: 'front' }) }),
  );
});
