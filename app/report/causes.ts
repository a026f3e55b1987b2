import type { Cause, Gap } from '../../engine/tables/causes.ts';
import type { TheoryCause } from '../../engine/tables/theory-causes.ts';

/** What a cause is, and which columns it explains and by how much (empty where it needs no saying). */
export interface CauseWords {
  readonly cause: string;
  readonly sizes: string;
}

export function causeWords(cause: Cause | TheoryCause): CauseWords {
  return { cause: wordsOf(cause), sizes: 'gaps' in cause ? cause.gaps.map(gapText).join('; ') : '' };
}

/** The causes of a row in one text: `cause (sizes). cause (sizes)`. */
export function causesText(causes: readonly (Cause | TheoryCause)[]): string {
  return causes
    .map(causeWords)
    .map(({ cause, sizes }) => (sizes === '' ? cause : `${cause} (${sizes})`))
    .join('. ');
}

function gapText({ column, megabytes, largestTensors }: Gap): string {
  const size = `${megabytes > 0 ? '+' : '-'}${Math.abs(megabytes).toFixed(0)} MB in the paper`;
  return `${column}: ${size}, ${largestTensors.toFixed(1)} largest tensors`;
}

function wordsOf(cause: Cause | TheoryCause): string {
  switch (cause.kind) {
    case 'workspace-and-gradients':
      return 'cuDNN workspace and gradients of the wide convolutions, which the paper measured and the simulator shows apart';
    case 'small-tensors':
      return "thousands of small tensors: the CUDA allocator's rounding and cuDNN's workspace and reserve for depthwise convolution and batch norm";
    case 'segment-under-autograd':
      return "the paper's program re-forwards a whole segment under autograd and holds it with its gradients and workspace; our schedule frees every tensor after its last use";
    case 'difference-of-batches':
      return 'measured as the difference of two batch sizes, in which what peaks at another moment of the step (gradients, workspace) cancels';
    case 'other-checkpoints':
      return "the printed number belongs to other checkpoints: the baseline's draws or thresholds are not published";
    case 'own-design':
      return 'the paper prints this network as a figure only; ours is our own design of the same kind';
    case 'unknown':
      return 'unknown';
    case 'figure-only':
      return 'our own design: the paper prints this network as a figure only';
    case 'source-left-out':
      return (
        `${cause.printedPct} % comes out with the source (${mib(cause.sourceBytes)} MB a sample) left out of both sums: ` +
        `${cause.withoutPct.toFixed(1)} %; with it, as in the other rows, the optimum would have to be ${mib(cause.excessBytes)} MB cheaper`
      );
  }
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);
