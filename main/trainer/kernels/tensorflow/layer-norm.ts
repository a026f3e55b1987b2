import type { LayerNormOp } from '../../../../engine/ops/layer-norm.ts';
import { type Kernel, kept } from '../kernel.ts';
import { layerNormKernel } from '../layer-norm.ts';
import { add, columnSums, last, lastMean, multiply, part, run, scalar, subtract } from './run.ts';

/** layer-norm.ts in TensorFlow's own operations. */
export const tensorflowLayerNorm: Kernel<LayerNormOp> = {
  ...layerNormKernel,
  forward({ op, inputs, parameters }) {
    const x = kept(inputs[0], 'its input');
    const mean = run(lastMean(x));
    const centred = run(subtract(x, mean));
    const variance = lastMean(part('Square', [centred]));
    const inverse = run(part('Rsqrt', [add(variance, scalar(op.epsilon))]));
    const [scale, shift] = [kept(parameters[0], 'its scale'), kept(parameters[1], 'its shift')];
    const normal = multiply(last(centred), inverse);
    return { output: run(add(multiply(normal, scale), shift)), aux: [mean, inverse] };
  },
  backward({ gradient, inputs, aux, parameters, wants }) {
    const inverse = kept(aux[1], 'its inverse deviation');
    const normal = run(multiply(subtract(kept(inputs[0], 'its input'), kept(aux[0], 'its mean')), inverse));
    const parameterGradients = [run(columnSums(multiply(gradient, normal))), run(columnSums(gradient))];
    if (wants[0] !== true) return { inputs: [null], parameters: parameterGradients };
    const g = run(multiply(gradient, kept(parameters[0], 'its scale')));
    const slope = run(lastMean(multiply(g, normal)));
    const mean = run(lastMean(g));
    const rest = subtract(subtract(last(g), last(mean)), multiply(last(normal), last(slope)));
    return { inputs: [run(multiply(rest, inverse))], parameters: parameterGradients };
  },
};
