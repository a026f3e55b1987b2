import { type ConfigDocument, type Fields, refusal } from './fields.ts';
import type {
  Activation,
  Attention,
  Experts,
  Image,
  Kernel,
  LanguageModel,
  Layer,
  Mlp,
  Pooler,
} from './model.ts';

/**
 * One architecture: how it differs from Llama. Names and values that its class in transformers gives fields that a file
 * leaves out are data; the rest reads fields.
 */
export interface Family {
  /** Class of the model with its head. */
  readonly head: string;
  /** Its own names of fields, by Llama's. */
  readonly names?: Readonly<Record<string, string>>;
  readonly defaults?: ConfigDocument;
  /** Fields that are understood and change no byte. */
  readonly ignored?: readonly string[];
  readonly kernels?: readonly Kernel[];
  readonly activation?: Activation;
  /** An encoder, and layers that read it, of the layers that the file describes. */
  readonly encoder?: (
    f: Fields,
    layers: readonly Layer[],
    width: number,
  ) => Pick<LanguageModel, 'encoder' | 'layers'>;
  readonly image?: (f: Fields) => Image;
  readonly model?: (f: Fields) => Partial<Omit<LanguageModel, 'layers' | 'name'>>;
  readonly layer?: (f: Fields) => Partial<Omit<Layer, 'attention' | 'cross' | 'mlp'>>;
  /** The head that classifies texts, where a file names that class. */
  readonly classifier?: (f: Fields) => Pooler;
  readonly attention?: (f: Fields, each: number) => Partial<Attention>;
  readonly mlp?: (f: Fields) => Partial<Mlp>;
  /** The layers of a model by their index, where they differ by more than a window. */
  readonly vary?: (f: Fields) => (layer: Layer, index: number) => Layer;
  /** True if layers with a window have angles of their own. */
  readonly turnsWindows?: boolean;
  /** Positions that a layer with a window sees; `sliding_window` where not given. */
  readonly window?: (f: Fields) => number | null;
  /** Name in `layer_types` of layers that do not see everything; `sliding_attention` where not given. */
  readonly otherLayers?: string;
  /** Such a layer, of one that sees everything, where it differs by more than a window. */
  readonly other?: (f: Fields) => (layer: Layer) => Layer;
  /** Such layers, where a file lists none by `layer_types`: all of them, or by their index. */
  readonly slides?: (f: Fields) => (layer: number) => boolean;
}

export const LAYER_NORMS = { norm: 'layer' } as const;
export const LEARNED = { rotary: null, outBias: true, bias: true } as const;

export const sameBias = (f: Fields): Partial<Attention> => {
  const bias = f.flag('attention_bias', false);
  return { bias, outBias: bias };
};

/** Angles of some features of a head. Files of transformers 5 may have their share beside the angles. */
export function partial(f: Fields, each: number, field: string, usual: number): Partial<Attention> {
  const beside = f.part('rope_parameters')?.number('partial_rotary_factor', usual, 1);
  const features = Math.floor(each * f.number(field, beside ?? usual, 1));
  return { rotary: { features, table: 'rotary', joins: true, angles: 'own' } };
}

export const labelsOf = (f: Fields): number => f.entries('id2label') ?? f.size('num_labels', 2);

type Routing = Pick<Experts, 'normalises' | 'weightsInFloat32'> & Partial<Experts>;

export function experts(f: Fields, field: string, rest: Routing): Experts {
  const count = f.size(field);
  const chosen = f.size('num_experts_per_tok');
  if (chosen > count) throw refusal(`num_experts_per_tok ${chosen} is more than the ${count} of ${field}`);
  return {
    count,
    chosen,
    scores: 'softmax',
    keepsMask: false,
    shared: 0,
    gatesShared: false,
    computesAll: false,
    isBounded: false,
    ...rest,
  };
}

/** A layer's own products instead of its experts. */
export function withoutExperts(layer: Layer, inner: number): Layer {
  return { ...layer, mlp: { ...layer.mlp, inner, experts: null } };
}
