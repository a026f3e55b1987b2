import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../app/contract/client.ts';
import { CARRIERS, type Carried } from '../support/carriers.ts';
import { stubServices } from '../support/stub-services.ts';
import { requestOf, wholeRun } from './events.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { historyIn } from './open-history.ts';

describe.each(CARRIERS)('the history over %s', (_name, carry) => {
  let carried: Carried | null = null;
  afterEach(() => carried?.close());

  it('records a run, opens, names, removes, restores, saves and reads it again', async () => {
    const services = {
      ...stubServices({
        train: async function* () {
          yield* wholeRun();
        },
      }),
      history: historyIn(freshFolder()),
    };
    carried = await carry(services);
    const { client } = carried;
    for await (const _ of await client.train(requestOf({ run: 'mine' })));
    const [line] = (await client.listRuns()).runs;
    expect(line).toMatchObject({ id: 'mine', outcome: 'done', done: 3 });
    expect((await client.openRun({ id: 'mine' })).measured).toHaveLength(6);
    await client.annotateRun({ id: 'mine', name: ' first ' });
    expect((await client.listRuns()).runs[0]?.name).toBe('first');
    await client.removeRuns({ ids: ['mine'] });
    expect((await client.listRuns()).runs).toEqual([]);
    await client.restoreRuns({ ids: ['mine'] });
    const { text } = await client.exportRuns({ ids: ['mine'] });
    const imported = await client.importRuns({ bytes: new Blob([text]) });
    expect(imported).toMatchObject({ added: [], known: ['mine'] });
    const refused = await client.openRun({ id: 'other' }).catch((error: unknown) => failureOf(error));
    expect(refused).toMatchObject({ code: 'BAD_INPUT' });
  });
});
