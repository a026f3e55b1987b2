import { BadInputError } from '../errors.ts';
import { GraphBuilder } from '../graph/builder.ts';
import { defaultRoles } from '../graph/default-roles.ts';
import type { Graph } from '../graph/graph.ts';
import { MAX_BATCH } from '../options/sizes.ts';
import { ALEXNET } from './alexnet.ts';
import { FORTY_LAYERS } from './articles.ts';

import {
  CIFAR_RESNETS,
  cifarResnet,
  isCifarDepth,
  MAX_CIFAR_DEPTH,
  MIN_CIFAR_DEPTH,
} from './cifar-resnet.ts';
import { CUSTOMNET } from './customnet.ts';
import { DENSENETS } from './densenet.ts';
import { FIGURE_NETWORKS } from './figures.ts';
import { GAME_NETWORKS } from './game-networks.ts';
import { INCEPTION_V3 } from './inception.ts';
import { MOBILENET_V2 } from './mobilenet.ts';
import { type LanguageSettings, refuseLanguageSettings } from './language/settings.ts';
import { LANGUAGE_MODELS } from './language/models.ts';
import type { Model, ModelInfo } from './model.ts';
import { NAS_NETWORKS } from './nas.ts';
import { nearestNames } from './nearest.ts';
import { randomNetwork } from './random-network.ts';
import { RESNETS } from './resnet.ts';
import {
  chainModel,
  MAX_CHAIN,
  MIN_CHAIN,
  TINY_DROPOUT,
  TINY_RESIDUAL,
  TWO_TOWERS,
  TWO_TOWERS_CROSSED,
  EXPRESSION,
  FED_CHAIN,
} from './synthetic.ts';
import { TINY_TRANSFORMERS } from './tiny-transformers.ts';
import { TRANSFORMERS } from './transformers.ts';
import { TINY_UNET, UNET, UNET_GROUP_NORM } from './unet.ts';
import { VGGS } from './vgg.ts';

export type { ModelInfo } from './model.ts';

const ALL: readonly Model[] = [
  ALEXNET,
  ...VGGS,
  ...RESNETS,
  ...DENSENETS,
  INCEPTION_V3,
  ...NAS_NETWORKS,
  CUSTOMNET,
  MOBILENET_V2,
  UNET,
  UNET_GROUP_NORM,
  ...TRANSFORMERS,
  ...CIFAR_RESNETS,
  FORTY_LAYERS,
  TINY_RESIDUAL,
  TINY_DROPOUT,
  ...TINY_TRANSFORMERS,
  TINY_UNET,
  TWO_TOWERS,
  TWO_TOWERS_CROSSED,
  EXPRESSION,
  FED_CHAIN,
  chainModel(32),
];
const BY_NAME: ReadonlyMap<string, Model> = new Map(
  [...ALL, ...LANGUAGE_MODELS].map((model) => [model.info.name, model]),
);

/** Language models by their names on huggingface.co too. */
const BY_REPOSITORY: ReadonlyMap<string, Model> = new Map(
  LANGUAGE_MODELS.flatMap((model) => (model.repository ? [[model.repository.toLowerCase(), model]] : [])),
);

/** The checkpoint game's own and the papers' figures: in no menu, named by levels, lessons and presets. */
const GAMES: ReadonlyMap<string, Model> = new Map(
  [...GAME_NETWORKS, ...FIGURE_NETWORKS].map((model) => [model.info.name, model]),
);

/**
 * Every network, in the order of the papers' tables; `chain-N` and `cifar-resnet-N` stand for any length, `random-SEED` for
 * a network that the seed draws, and the game's networks have names besides.
 */
export const MODELS: readonly ModelInfo[] = ALL.map((model) => model.info);

/** The same and the language models, which are too large to try every strategy on. */
export const NAMED_MODELS: readonly ModelInfo[] = [...BY_NAME.values()].map((model) => model.info);

export interface ModelOptions extends LanguageSettings {
  readonly batch: number;
  /** Height and width of the input; the network's own default where not given. */
  readonly input?: number;
  /** Rate of every dropout; 0 where not given, as the papers measured (`tiny-dropout`: 0.5). */
  readonly dropout?: number;
  /** 4 (float32) where not given. */
  readonly bytesPerElement?: number;
}

/**
 * Facts about a network.
 * @throws BadInputError if none exists of that name; the message offers the nearest.
 */
export function modelInfo(name: string): ModelInfo {
  return modelOf(name).info;
}

/**
 * Builds a network's graph of operations.
 * @throws BadInputError for an unknown name, a batch or an input that the network does not admit
 */
export function buildModel(name: string, options: ModelOptions): Graph {
  const model = modelOf(name);
  const { batch, input = model.info.defaultInput, dropout = model.defaultDropout ?? 0 } = options;
  requireSettings(model.info, batch, input, dropout);
  const { bytesPerElement = 4, ...settings } = options;
  if (model.isLanguageModel !== true) refuseLanguageSettings(options, name);
  const builder = new GraphBuilder(model.info.name, { bytesPerElement });
  model.build(builder, { ...settings, input, dropout });
  const graph = builder.build();
  return model.generalRoles === true ? { ...graph, roles: defaultRoles(graph) } : graph;
}

const named = (name: string): Model | undefined =>
  BY_NAME.get(name) ?? GAMES.get(name) ?? BY_REPOSITORY.get(name.toLowerCase());

/** Networks that come in any length are not listed one by one. */
export const isModelName = (name: string): boolean =>
  named(name) !== undefined || /^(chain|cifar-resnet|random)-\d+$/.test(name);

/** Names that the user may have meant, the likeliest first; empty when nothing comes near. */
export function nearestModels(name: string): readonly string[] {
  return nearestNames(name, [...BY_NAME.keys()]);
}

function modelOf(name: string): Model {
  const model = named(name);
  if (model !== undefined) return model;
  const drawn = /^random-(.*)$/.exec(name);
  if (drawn !== null) return randomNetwork(drawn[1] ?? '');
  const chain = /^chain-(\d+)$/.exec(name);
  if (chain !== null) {
    const length = Number(chain[1]);
    if (length >= MIN_CHAIN && length <= MAX_CHAIN) return chainModel(length);
    throw new BadInputError(
      `a chain has from ${MIN_CHAIN} to ${MAX_CHAIN} vertices, got ${JSON.stringify(name)}`,
    );
  }
  const cifar = /^cifar-resnet-(\d+)$/.exec(name);
  if (cifar !== null) {
    const depth = Number(cifar[1]);
    if (isCifarDepth(depth)) return cifarResnet(depth);
    throw new BadInputError(
      `a CIFAR ResNet has 6n + 2 layers, from ${MIN_CIFAR_DEPTH} to ${MAX_CIFAR_DEPTH}, got ${JSON.stringify(name)}`,
    );
  }
  const nearest = nearestModels(name);
  const advice =
    nearest.length > 0
      ? `did you mean ${nearest.join(' or ')}?`
      : `the box Network and "zigzag models" list all ${BY_NAME.size}.`;
  throw new BadInputError(`no model is named ${JSON.stringify(name)}; ${advice}`);
}

function requireSettings(info: ModelInfo, batch: number, input: number, dropout: number): void {
  if (!Number.isSafeInteger(batch) || batch < 1 || batch > MAX_BATCH) {
    throw new BadInputError(`expected an integer from 1 to ${MAX_BATCH}, got ${batch}`, 'batch');
  }
  const { minInput, inputMultiple } = info;
  if (!Number.isSafeInteger(input) || input < minInput || input % inputMultiple !== 0) {
    const kind = inputMultiple > 1 ? `a multiple of ${inputMultiple}, ` : '';
    throw new BadInputError(
      `${info.name} needs ${kind}${minInput} or more (an image of ${minInput}x${minInput}), got ${input}`,
      'input',
    );
  }
  if (!(dropout >= 0 && dropout < 1)) {
    throw new BadInputError(`expected a rate from 0 to less than 1, got ${dropout}`, 'dropout');
  }
}
