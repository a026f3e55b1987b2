import * as tf from '@tensorflow/tfjs-core';
import type { AttentionOp } from '../../../engine/ops/attention.ts';
import { dropoutMask, mixSeed } from '../random.ts';
import { byHead } from './attention.ts';
import { type Kernel, kept, NO_PARAMETERS, runKernel, runKernels } from './kernel.ts';
import { hideLater, visible } from './softmax.ts';
import { backendTraits } from './traits.ts';

/** Workspace of the scores; a larger batch is split into blocks of whole heads. */
const WORKSPACE_BYTES = 4 * 1024 * 1024;

/**
 * Attention in one operation (Dao et al. 2022, FlashAttention). It keeps no probabilities: its auxiliary is the
 * logarithm of every row's sum of exponentials, from which backward recomputes them, block by block of heads. Dropout
 * is regenerated from the seed.
 */
export const attentionKernel: Kernel<AttentionOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, seed }) {
    const q = kept(inputs[0], 'its queries');
    const heads = inputs.map(headsOf);
    const hide = maskOf(op, q);
    const outputs: tf.Tensor[] = [];
    const logarithms: tf.Tensor[] = [];
    for (const block of blocksOf(q.shape)) {
      const [bq, bk, bv] = heads.map((x) => block.of(x)) as [tf.Tensor, tf.Tensor, tf.Tensor];
      const [output, logarithm] = tf.tidy(() => {
        const [shares, sums] = sharesOf(op, bq, bk, hide);
        return [tf.matMul(dropped(op, shares, seed, block.from), bv), sums] as const;
      });
      outputs.push(output);
      logarithms.push(logarithm);
    }
    return { output: fromHeads(tf.concat(outputs, 0), q.shape), aux: [tf.concat(logarithms, 0)] };
  },
  /**
   * With probabilities P, mask M and output O of a row: dV = (M · P)ᵀ dO, dP = M · (dO Vᵀ),
   * dS = P · (dP - Σ dO · O), and dQ, dK are dS times K and dSᵀ times Q, over the scores' divisor.
   */
  backward({ op, gradient, inputs, output, aux, seed }) {
    const q = kept(inputs[0], 'its queries');
    const heads = inputs.map((x) => headsOf(kept(x, 'its inputs')));
    const dy = headsOf(gradient);
    const hide = maskOf(op, q);
    const slopes = tf.sum(tf.mul(dy, headsOf(kept(output, 'its output'))), -1, true);
    const logarithms = kept(aux[0], 'its row sums');
    const parts: [tf.Tensor[], tf.Tensor[], tf.Tensor[]] = [[], [], []];
    for (const block of blocksOf(q.shape)) {
      const [bq, bk, bv] = heads.map((x) => block.of(x)) as [tf.Tensor, tf.Tensor, tf.Tensor];
      const gradients = tf.tidy(() => {
        const p = sharesAgain(op, bq, bk, block.of(logarithms), hide);
        const bdy = block.of(dy);
        const dv = tf.matMul(dropped(op, p, seed, block.from), bdy, true, false);
        const dp = dropped(op, tf.matMul(bdy, bv, false, true), seed, block.from);
        const ds = scoresGradient(p, dp, block.of(slopes), divisorOf(bq));
        return [tf.matMul(ds, bk), tf.matMul(ds, bq, true, false), dv] as const;
      });
      for (const [i, part] of gradients.entries()) parts[i]?.push(part);
    }
    return { inputs: parts.map((list) => fromHeads(tf.concat(list, 0), q.shape)), parameters: [] };
  },
};

function divisorOf(q: tf.Tensor): number {
  return Math.sqrt(q.shape.at(-1) ?? 1);
}

function scoresOf(q: tf.Tensor, k: tf.Tensor): tf.Tensor {
  return tf.div(tf.matMul(q, k, false, true), divisorOf(q));
}

type Hide = (scores: tf.Tensor) => tf.Tensor;

/** The probabilities of a block of heads, and the logarithm of every row's sum of exponentials. */
function sharesOf(op: AttentionOp, q: tf.Tensor, k: tf.Tensor, hide: Hide): readonly [tf.Tensor, tf.Tensor] {
  if (backendTraits().fuses) {
    const attributes = { causal: op.causal, divisor: divisorOf(q) };
    const results = runKernels('ZigzagAttentionShares', { x: tf.matMul(q, k, false, true) }, attributes);
    return [kept(results[0], 'probabilities'), kept(results[1], 'row sums')];
  }
  const scores = hide(scoresOf(q, k));
  const sums = tf.logSumExp(scores, -1, true);
  return [tf.exp(tf.sub(scores, sums)), sums];
}

function sharesAgain(
  op: AttentionOp,
  q: tf.Tensor,
  k: tf.Tensor,
  logarithms: tf.Tensor,
  hide: Hide,
): tf.Tensor {
  if (!backendTraits().fuses) return tf.exp(tf.sub(hide(scoresOf(q, k)), logarithms));
  const attributes = { causal: op.causal, divisor: divisorOf(q) };
  return runKernel('ZigzagAttentionSharesAgain', { x: tf.matMul(q, k, false, true), logarithms }, attributes);
}

function scoresGradient(p: tf.Tensor, dp: tf.Tensor, slopes: tf.Tensor, divisor: number): tf.Tensor {
  if (!backendTraits().fuses) return tf.div(tf.mul(p, tf.sub(dp, slopes)), divisor);
  return runKernel('ZigzagAttentionScoresGradient', { p, dp, slopes }, { divisor });
}

/** Mask that hides later positions from the scores. */
function maskOf(op: AttentionOp, { shape: [, length = 1] }: tf.Tensor): Hide {
  if (!op.causal || backendTraits().fuses) return (scores) => scores;
  const seen = visible(length);
  return (scores) => hideLater(scores, seen);
}

/** Under the mask of the block of heads that starts at `from`. */
function dropped(op: AttentionOp, x: tf.Tensor, seed: number, from: number): tf.Tensor {
  if (op.rate === 0) return x;
  return tf.mul(x, tf.tensor(dropoutMask(x.size, op.rate, mixSeed(seed, 7, from)), x.shape));
}

/** [N, L, heads, each] to [N * heads, L, each] */
function headsOf(x: tf.Tensor): tf.Tensor {
  const [n = 1, length = 1, heads = 1, each = 1] = x.shape;
  return tf.reshape(byHead(x), [n * heads, length, each]);
}

/** The opposite, to the shape [N, L, heads, each]. */
function fromHeads(x: tf.Tensor, [n = 1, length = 1, heads = 1, each = 1]: readonly number[]): tf.Tensor {
  return byHead(tf.reshape(x, [n, heads, length, each]));
}

interface Block {
  /** First of its heads among all of the batch. */
  readonly from: number;
  /** Its part of a tensor [N * heads, ...]. */
  of(x: tf.Tensor): tf.Tensor;
}

/** Blocks of whole heads whose scores fit the workspace, at least one head each. */
function blocksOf([n = 1, length = 1, heads = 1]: readonly number[]): readonly Block[] {
  const all = n * heads;
  const most = Math.max(1, Math.floor(WORKSPACE_BYTES / (4 * length * length)));
  return Array.from({ length: Math.ceil(all / most) }, (_block, i) => {
    const from = i * most;
    const count = Math.min(most, all - from);
    return {
      from,
      of: (x) => (count === all ? x : tf.slice(x, [from, 0, 0], [count, ...x.shape.slice(1)])),
    };
  });
}
