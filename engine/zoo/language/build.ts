import { GraphBuilder } from '../../graph/builder.ts';
import { defaultRoles } from '../../graph/default-roles.ts';
import { type Graph, totalParameters } from '../../graph/graph.ts';
import { requireExact } from '../../graph/require-exact.ts';
import { drawLanguageModel } from './draw.ts';
import type { ConfigDocument } from './fields.ts';
import type { FineTuning } from './fine-tuning.ts';
import { readLanguageModel } from './model-types.ts';
import type { DrawSettings } from './sketch.ts';

/** A long sequence of today's fine-tuning, where the model has as many positions and nothing else is said. */
export const USUAL_LENGTH = 4096;

/**
 * The graph of a Hugging Face `config.json`.
 * @throws BadInputError in one sentence for what is not supported
 */
export function buildFromConfig(
  document: ConfigDocument,
  {
    batch,
    length,
    element,
    tuning,
  }: Pick<DrawSettings, 'batch' | 'element'> & {
    readonly length?: number | undefined;
    readonly tuning?: FineTuning | undefined;
  },
): Graph {
  const model = readLanguageModel(document);
  const b = new GraphBuilder(model.name, { bytesPerElement: element });
  const settings = { batch, element, length: length ?? Math.min(model.positions, USUAL_LENGTH) };
  drawLanguageModel(b, model, settings, tuning);
  const graph = b.build();
  requireExact(graph, (v) => graph.ids[v] ?? '');
  return { ...graph, name: `${model.name}-${sizeText(totalParameters(graph))}`, roles: defaultRoles(graph) };
}

/** `8.0b` or `124m`, as models are named. */
const sizeText = (parameters: number): string =>
  parameters >= 950e6 ? `${(parameters / 1e9).toFixed(1)}b` : `${Math.max(1, Math.round(parameters / 1e6))}m`;
