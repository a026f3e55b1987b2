import { count } from './words.ts';

/** Treatment of what only training has, as far as an exported ONNX file shows it. */
export interface OnnxExport {
  /**
   * `training`: an operation says so. `folded`: convolutions bear the names that folding a batch norm gives. `bare`: deep,
   * every convolution has a bias, and there is no normalisation. `evaluation`: batch norms say so, and no dropout is left.
   * Else `unknown`.
   */
  readonly mode: 'training' | 'folded' | 'bare' | 'evaluation' | 'unknown';
  /** Number of convolutions: of `folded` those with such names, else all. */
  readonly convolutions: number;
}

/** Origin of a network's figures. */
export interface FileOrigin {
  readonly format: string;
  /** Samples that the file says it holds; null where it does not say. */
  readonly samples: number | null;
  readonly isCaptured: boolean;
  readonly onnx: OnnxExport | null;
}

const EXPORT_AGAIN =
  'export it with training=torch.onnx.TrainingMode.TRAINING and do_constant_folding=False, or capture the model with zigzag_torch.py';

/** Notices for a reader of a file's figures; each a sentence without its full stop. */
export function fileNotices({ format, samples, isCaptured, onnx }: FileOrigin): string[] {
  if (format === 'zigzag-graph') {
    if (samples === null)
      return ['the file does not name its number of samples; batch 1 means the samples in the file'];
    const what = samples === 1 ? '1 sample' : `${count(samples)} samples`;
    return isCaptured ? [`captured with ${what}; other batches are scaled from it`] : [];
  }
  if (onnx === null) return [];
  const convolutions = `${count(onnx.convolutions)} convolutions`;
  switch (onnx.mode) {
    case 'folded':
      return [
        `exported for inference: batch norms were folded into ${convolutions}, so the memory of training is underestimated; ${EXPORT_AGAIN}`,
      ];
    case 'bare':
      return [
        `${convolutions}, all with a bias, and no normalisation, as in an export for inference, which folds batch norms away. If the model has batch norms, the memory of training is underestimated; ${EXPORT_AGAIN}`,
      ];
    case 'evaluation':
      return [
        `exported in evaluation mode: batch norms are counted as in training, and dropout is not counted, because the file does not show it; ${EXPORT_AGAIN}`,
      ];
    case 'training':
    case 'unknown':
      return [];
  }
}
