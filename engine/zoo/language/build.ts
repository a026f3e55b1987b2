import { GraphBuilder } from '../../graph/builder.ts';
import { defaultRoles } from '../../graph/default-roles.ts';
import { type Graph, totalParameters } from '../../graph/graph.ts';
import { requireExact } from '../../graph/require-exact.ts';
import { drawLanguageModel } from './draw.ts';
import type { ConfigDocument } from './fields.ts';
import { requireSide } from './images.ts';
import type { LanguageSettings } from './settings.ts';
import type { LanguageModel } from './model.ts';
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
    tuning,
    ...settings
  }: Pick<DrawSettings, 'batch' | 'element'> & LanguageSettings & { readonly length?: number | undefined },
): Graph {
  const model = readLanguageModel(document);
  const { batch, element, share } = settings;
  const b = new GraphBuilder(model.name, { bytesPerElement: element });
  drawLanguageModel(b, model, { ...settings, length: lengthOf(model, settings.length) }, tuning);
  const graph = b.build();
  requireExact(graph, (v) => graph.ids[v] ?? '');
  const name =
    share === undefined
      ? `${model.name}-${sizeText(totalParameters(graph))}`
      : buildFromConfig(document, { batch, element, length: 1 }).name;
  return { ...graph, name, roles: defaultRoles(graph) };
}

/**
 * Positions of a sequence, or of an image.
 * @param input tokens, or the side of an image
 * @throws BadInputError for an image of another size than the model's
 */
export function lengthOf(model: LanguageModel, input: number | undefined): number {
  if (model.image === null) return input ?? Math.min(model.positions, USUAL_LENGTH);
  requireSide(model.name, model.image, input);
  return model.positions;
}

/** `8.0b` or `124m`, as models are named. */
const sizeText = (parameters: number): string =>
  parameters >= 950e6 ? `${(parameters / 1e9).toFixed(1)}b` : `${Math.max(1, Math.round(parameters / 1e6))}m`;
