import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../../app/bridges/import-file.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import type { Graph } from '../../../engine/graph/graph.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { IMPORT_FORMATS, importMutant, importSeed } from '../../support/import-files.ts';
import { isSentence } from '../../support/sentence.ts';

const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Through a file and back: the same graph in every figure. The file does not say which library builds the model. */
function expectSame({ transformers: _builder, ...graph }: Graph): void {
  expect(importFile(text(graphFile(graph))).graph).toEqual(graph);
}

describe('an imported network', () => {
  it.each(IMPORT_FORMATS)('is exported and imported again unchanged: %s', (format) => {
    for (const batch of [1, 3]) expectSame(importFile(importSeed(format), { batch }).graph);
  });

  it.each(MODELS.map(({ name }) => name))('equals the zoo after a round trip through a file: %s', (name) =>
    expectSame(buildModel(name, { batch: 2 })),
  );

  it('keeps the size of an element', () => {
    expectSame(buildModel('tiny-residual', { batch: 1, bytesPerElement: 2 }));
  });
});

function expectSentence(error: unknown): void {
  if (!(error instanceof BadInputError)) throw error;
  expect(isSentence(error.message), JSON.stringify(error.message)).toBe(true);
}

describe('a mutated file', () => {
  it('is refused in a sentence, or survives the round trip', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.integer({ min: 0 }), (seed) => {
        let graph: Graph;
        try {
          graph = importFile(importMutant(seed).file).graph;
        } catch (error) {
          expectSentence(error);
          return;
        }
        accepted++;
        expectSame(graph);
      }),
      { numRuns: 4000, seed: 14 },
    );
    // Mutants that are all refused would prove nothing.
    expect(accepted).toBeGreaterThan(400);
  });
});
