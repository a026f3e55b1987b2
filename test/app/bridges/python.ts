import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTorch2Python, findTorchPython } from '../../../app/start/python.mjs';

const PYTHON = findTorchPython();

/** Empty where torch is installed; else why the tests against it are skipped. */
export const NO_TORCH =
  PYTHON === undefined
    ? 'there is no PyTorch: install python3-torch and python3-torchvision, or name a Python in ZIGZAG_PYTHON'
    : '';

export interface TorchPython {
  readonly title: string;
  readonly python: string | undefined;
  /** Empty where it is there; else why the tests against it are skipped. */
  readonly reason: string;
  readonly hasShards: boolean;
}

/** `fully_shard` is in torch.distributed.fsdp from 2.6 on. */
const SHARDS = `import importlib.metadata as m
exit(tuple(map(int, m.version("torch").split(".")[:2])) < (2, 6))`;

function hasShards(python: string | undefined): boolean {
  return python !== undefined && spawnSync(python, ['-c', SHARDS]).status === 0;
}

/** True when torch.compile of a Python takes a partitioner: from 2.10 on. */
export function hasPartitioners(python: string | undefined): boolean {
  return python !== undefined && spawnSync(python, ['-c', SHARDS.replace('(2, 6)', '(2, 10)')]).status === 0;
}

/** True when a Python finds all of some modules. */
export function hasModules(python: string | undefined, names: readonly string[]): boolean {
  const program = `import importlib.util as u; exit(not all(map(u.find_spec, ${JSON.stringify(names)})))`;
  return python !== undefined && spawnSync(python, ['-c', program]).status === 0;
}

/** The Pythons on which the bridge itself is tested: the one above, and a PyTorch 2.x beside it. */
export function torchPythons(): readonly TorchPython[] {
  const second = findTorch2Python();
  const reason =
    second === undefined
      ? 'there is no PyTorch 2.x with transformers and timm: .ci/run installs it, or name a Python in ZIGZAG_TORCH2_PYTHON'
      : '';
  return [
    { title: 'PyTorch', python: PYTHON, reason: NO_TORCH, hasShards: hasShards(PYTHON) },
    { title: 'PyTorch 2.x', python: second, reason, hasShards: hasShards(second) },
  ];
}

export const reasonOfPeft = (python: string | undefined): string =>
  hasModules(python, ['peft']) ? '' : 'peft of Python not installed';

/** The PyTorch 2.x that trains adapters. */
export function pythonWithPeft(): Pick<TorchPython, 'python' | 'reason'> {
  const { python, reason } = torchPythons()[1]!;
  return { python, reason: reason || reasonOfPeft(python) };
}

/** Headers and kernels of torch.compile are compiled once a run. Graphs are not kept: each test plans its own. */
export const INDUCTOR = {
  TORCHINDUCTOR_CACHE_DIR: join(process.env['ZIGZAG_TEST_RUN'] ?? tmpdir(), 'inductor'),
  TORCHINDUCTOR_FX_GRAPH_CACHE: '0',
  TORCHINDUCTOR_AUTOGRAD_CACHE: '0',
};

/** Runs a script of test/reference and returns its standard output. */
export function runReference(
  script: string,
  args: readonly string[],
  timeout = 880_000,
  python = PYTHON,
): string {
  const path = fileURLToPath(new URL(`../../reference/${script}`, import.meta.url));
  // Threads that wait busily take the processor from those they wait for, where there are more threads than cores.
  const env = { ...process.env, ...INDUCTOR, OMP_WAIT_POLICY: 'PASSIVE' };
  const options = { encoding: 'utf8', env, timeout, maxBuffer: 64 * 1024 * 1024 } as const;
  const run = spawnSync(python ?? 'python3', [path, ...args], options);
  if (run.status !== 0) throw new Error(`${script} ${args.join(' ')}: ${run.stderr || run.error}`);
  return run.stdout;
}

/** The JSON document in the last line that a reference prints. */
export const answerOf = <Answer>(printed: string): Answer =>
  JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Answer;
