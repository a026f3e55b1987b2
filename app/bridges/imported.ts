import type { Coverage } from '../../engine/exchange/coverage.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import type { LanguageSettings } from '../../engine/zoo/language/settings.ts';

export interface ImportOptions extends LanguageSettings {
  /** Samples a step; what the file says, or one, where not given. */
  readonly batch?: number;
  /** Height and width of images that the file leaves open, or tokens of a sequence. */
  readonly input?: number;
  /** Element size for a file that names no data types; 4 (float32) where not given. */
  readonly bytesPerElement?: number;
}

/** Result of a format's reader. */
export interface Imported {
  readonly graph: Graph;
  readonly format: 'zigzag-graph' | 'onnx' | 'keras' | 'hugging-face';
  /** Samples that the file itself holds. */
  readonly samples: number;
  /** Caveats for the reader of the figures, in sentences. */
  readonly notices: readonly string[];
  /** Operations that the capture supports; null for other files. */
  readonly coverage: Coverage | null;
  /** Operations of the file that became part of another vertex or a constant. */
  readonly folded: number;
  /** Names of operations that the reader does not know and took as opaque. */
  readonly unknown: readonly string[];
}
