import type { Experiment } from '../../../app/contract/experiment.ts';

/** `resnet50-batch-64`, `resnet50-and-3-more`: fit for any file system. */
export function fileNameOf({
  model,
  batch,
  also = [],
}: Pick<Experiment, 'model' | 'batch' | 'also'>): string {
  const name = model.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return also.length === 0 ? `${name}-batch-${batch}` : `${name}-and-${also.length}-more`;
}
