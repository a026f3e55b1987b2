import type { OnnxExport } from '../../report/file-notices.ts';
import type { OnnxModel, OnnxNode } from './model.ts';

/** Deeper networks of convolutions alone, all with a bias and none normalised, are hardly ever trained; VGG-19 has 16. */
const DEEP = 20;
/** Names that PyTorch's exporter gives to weights it computed, as when it folds a batch norm into a convolution. */
const COMPUTED_NAME = /^(onnx::Conv_)?\d+$/;
const CONVOLUTIONS: readonly string[] = ['Conv', 'ConvTranspose'];
const NORMS = /Normalization$|^LRN$/;
const SINCE_TRAINING_MODE = 14;

/**
 * The exporter's treatment of batch norm and dropout, by what the file shows; nothing is guessed from its name.
 * O(nodes)
 */
export function exportMode({ nodes, opset, weights }: OnnxModel): OnnxExport {
  const convolutions = nodes.filter(({ type }) => CONVOLUTIONS.includes(type));
  const norms = nodes.filter(({ type }) => NORMS.test(type));
  const batchNorms = norms.filter(({ type }) => type === 'BatchNormalization');
  if (batchNorms.some(trains) || nodes.some((node) => drops(node, weights)))
    return { mode: 'training', convolutions: convolutions.length };
  const folded = convolutions.filter(({ inputs }) => COMPUTED_NAME.test(inputs[2] ?? ''));
  if (folded.length > 0) return { mode: 'folded', convolutions: folded.length };
  const isBiased = convolutions.every(({ inputs }) => (inputs[2] ?? '') !== '');
  if (norms.length === 0 && convolutions.length >= DEEP && isBiased)
    return { mode: 'bare', convolutions: convolutions.length };
  const hasDropout = nodes.some(({ type }) => type === 'Dropout');
  if (batchNorms.length > 0 && opset >= SINCE_TRAINING_MODE && !hasDropout)
    return { mode: 'evaluation', convolutions: convolutions.length };
  return { mode: 'unknown', convolutions: convolutions.length };
}

/** It says so (opset 14), or gives the statistics of its batch beside its result (before). */
function trains({ attributes, outputs }: OnnxNode): boolean {
  return attributes.get('training_mode') === 1 || outputs.filter((name) => name !== '').length > 1;
}

/** Its third input says that it drops. */
function drops({ type, inputs }: OnnxNode, weights: OnnxModel['weights']): boolean {
  if (type !== 'Dropout' || (inputs[2] ?? '') === '') return false;
  const stated = weights.get(inputs[2]!)?.data;
  return stated === undefined || stated[0] !== 0;
}
