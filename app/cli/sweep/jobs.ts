import { BadInputError } from '../../../engine/errors.ts';
import { quoted } from '../../report/command-line.ts';

export const JOB_KINDS = ['slurm', 'ray'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export interface Job {
  /** Words of the command after `zigzag sweep`, without `--shard` and `--out`. */
  readonly words: readonly string[];
  readonly shards: number;
  /** The folder of results, which every machine sees. */
  readonly out: string;
}

/**
 * A script that runs every shard on the user's scheduler.
 *
 * @throws BadInputError for a folder with a line break, which would end the script's comment
 */
export function jobScript(kind: JobKind, job: Job): string {
  if (/\p{Cc}/u.test(job.out))
    throw new BadInputError(
      '--out must be a folder whose name has no line breaks or other control characters',
    );
  return kind === 'slurm' ? slurmScript(job) : rayScript(job);
}

/** One array of jobs, a shard each; a job that was killed is requeued and goes on where it was. */
function slurmScript({ words, shards, out }: Job): string {
  const command = ['sweep', ...words].map(quoted).join(' ');
  return `#!/bin/sh
#SBATCH --job-name=zigzag-sweep
#SBATCH --array=1-${shards}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# Run sbatch on this file where zigzag is available; set ZIGZAG to the command, such as "npm run -s zigzag --" in a checkout.
# When all are done: zigzag sweep --merge ${quoted(out)} --csv
set -eu
exec \${ZIGZAG:-zigzag} ${command} --shard "$SLURM_ARRAY_TASK_ID/${shards}" --out ${quoted(out)}
`;
}

/** The same for Ray; Python needs nothing besides it. */
function rayScript({ words, shards, out }: Job): string {
  const python = (word: string): string => JSON.stringify(word);
  return `"""Runs a sweep of Zigzag on a Ray cluster: python3 this-file. Set ZIGZAG to the command that calls zigzag there.

When all are done: zigzag sweep --merge ${out.replaceAll('\\', '/').replaceAll('"', "'")} --csv
"""
import os
import shlex
import subprocess
import sys

import ray

SHARDS = ${shards}
OUT = ${python(out)}
COMMAND = [*shlex.split(os.environ.get("ZIGZAG", "zigzag")), "sweep", ${words.map(python).join(', ')}]


@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def run(shard):
    """One shard. Cells that an earlier try finished are not solved again."""
    subprocess.run([*COMMAND, "--shard", f"{shard}/{SHARDS}", "--out", OUT], check=True)
    return shard


def main():
    ray.init()
    left = [run.remote(shard) for shard in range(1, SHARDS + 1)]
    failed = 0
    while left:
        done, left = ray.wait(left)
        for one in done:
            try:
                print(f"shard {ray.get(one)}/{SHARDS} is done, {len(left)} to go", flush=True)
            except ray.exceptions.RayError as error:
                failed += 1
                print(error, file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
`;
}
