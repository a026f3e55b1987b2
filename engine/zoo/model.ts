import type { GraphBuilder } from '../graph/builder.ts';
import type { LanguageSettings } from './language/settings.ts';

export const FAMILIES = [
  'AlexNet',
  'VGG',
  'ResNet',
  'DenseNet',
  'Inception',
  'NAS',
  'MobileNet',
  'U-Net',
  'Transformer',
  'Language models',
  'Articles',
  'Zigzag',
] as const;
export type Family = (typeof FAMILIES)[number];

/** Facts of a network for a menu, a message or a table, without building it. */
export interface ModelInfo {
  readonly name: string;
  readonly title: string;
  readonly family: Family;
  /** True if the papers' computation graph is a single path. */
  readonly linear: boolean;
  /** Height and width of the input where none is asked for. */
  readonly defaultInput: number;
  /** The smallest height and width that the network admits. */
  readonly minInput: number;
  /** The largest, where the network itself has one, as by a table of positions. */
  readonly maxInput?: number;
  /** Every admitted height and width is a multiple of this. */
  readonly inputMultiple: number;
  /** Unit of the input where it is no side of an image in pixels. */
  readonly inputUnit?: 'tokens' | 'features';
  /** The batch of the papers' table; of our own networks a comfortable one. */
  readonly defaultBatch: number;
  /** One sentence on where the network comes from. */
  readonly note: string;
}

/** Options of a network after they have been checked. */
export interface Settings extends LanguageSettings {
  readonly batch: number;
  /** Height and width. */
  readonly input: number;
  /** Rate of every dropout. */
  readonly dropout: number;
}

/** One network: facts and a function that adds its operations, the source first. */
export interface Model {
  readonly info: ModelInfo;
  /** Rate of dropout where none is asked for; the papers measured at rate 0. */
  readonly defaultDropout?: number;
  /** True if the general rule (default-roles.ts) says what shares a vertex: for networks that no paper draws. */
  readonly generalRoles?: boolean;
  /** Name on huggingface.co, by which the network is found too. */
  readonly repository?: string;
  /** True if adapters can be trained beside its products, and GPUs can share them. */
  readonly isLanguageModel?: boolean;
  build(b: GraphBuilder, settings: Settings): void;
}

export const IMAGENET_CLASSES = 1000;
export const CIFAR_CLASSES = 10;
