import { PickleDict } from './pickle.ts';

/** Phase of the training step that asked for the memory, as its stack shows. */
export const NO_STACK = 0;
/** A stack that names none of the below: forward, the loss, a batch that is copied. */
export const OTHER = 1;
export const IN_BACKWARD = 2;
export const IN_OPTIMIZER = 3;
/** A model that is made or moved. */
export const IN_SETUP = 4;

/** Files of PyTorch end so wherever it is installed. */
const isFile = (filename: string, path: string): boolean =>
  filename.endsWith(path) || filename.replaceAll('\\', '/').endsWith(path);

const SETUP = new Set(['__init__', '_apply', 'reset_parameters']);
const ENGINE = 'torch::autograd::Engine::';
const PYTHON_ENGINE = 'torch::autograd::python::PythonEngine::';

/** Evidence that one frame gives about its stack. */
interface FrameFacts {
  readonly part: typeof IN_OPTIMIZER | typeof IN_BACKWARD | typeof IN_SETUP | typeof OTHER;
  /** A custom function's backward is called by autograd's thread through the same `apply` as its forward. */
  readonly isCustom: boolean;
  readonly namesBackward: boolean;
  readonly isWorkspace: boolean;
}

const SAYS_NOTHING: FrameFacts = { part: OTHER, isCustom: false, namesBackward: false, isWorkspace: false };

/** Thousands of stacks share a frame: its texts are looked through once. */
const known = new WeakMap<PickleDict, FrameFacts>();

function factsOf(frame: unknown): FrameFacts {
  if (!(frame instanceof PickleDict)) return SAYS_NOTHING;
  const found = known.get(frame);
  if (found !== undefined) return found;
  const [name, filename] = [frame.get('name'), frame.get('filename')];
  const isWorkspaces = typeof name === 'string' && WORKSPACE.test(name);
  const facts =
    typeof name !== 'string' || typeof filename !== 'string'
      ? { ...SAYS_NOTHING, isWorkspace: isWorkspaces }
      : {
          part: partOf(name, filename),
          isCustom: name === 'apply' && isFile(filename, 'torch/autograd/function.py'),
          namesBackward: name === 'backward',
          isWorkspace: isWorkspaces,
        };
  known.set(frame, facts);
  return facts;
}

function partOf(name: string, filename: string): FrameFacts['part'] {
  if (isFile(filename, 'torch/optim/optimizer.py') && name === 'wrapper') return IN_OPTIMIZER;
  if (/[\\/]optim[\\/](?!lr_scheduler)\w+\.py$/.test(filename) && name === 'step') return IN_OPTIMIZER;
  if (isBackward(name, filename)) return IN_BACKWARD;
  return SETUP.has(name) && /torch[\\/]nn[\\/]modules[\\/]/.test(filename) ? IN_SETUP : OTHER;
}

/**
 * Frames of Python and C++, in any order. The optimizer's step is called through a wrapper of every optimizer
 * (torch/optim/optimizer.py, `profile_hook_step`); backward runs under autograd's engine, in Python under
 * `_engine_run_backward`, and what checkpointing recomputes in backward under torch/utils/checkpoint.py's hooks.
 */
export function stackLabel(frames: readonly unknown[]): number {
  if (frames.length === 0) return NO_STACK;
  let label: number = OTHER;
  let [isCustom, namesBackward] = [false, false];
  for (const frame of frames) {
    const facts = factsOf(frame);
    if (facts.part === IN_OPTIMIZER) return IN_OPTIMIZER;
    isCustom ||= facts.isCustom;
    namesBackward ||= facts.namesBackward;
    if (facts.part === IN_BACKWARD || (facts.part === IN_SETUP && label === OTHER)) label = facts.part;
  }
  return isCustom && namesBackward ? IN_BACKWARD : label;
}

function isBackward(name: string, filename: string): boolean {
  if (name.includes(ENGINE) || name.includes(PYTHON_ENGINE)) return true;
  if (name === '_engine_run_backward') return isFile(filename, 'torch/autograd/graph.py');
  if (name === 'backward')
    return (
      isFile(filename, 'torch/_tensor.py') ||
      isFile(filename, 'torch/autograd/__init__.py') ||
      isFile(filename, 'torch/utils/checkpoint.py')
    );
  if (name === 'grad') return isFile(filename, 'torch/autograd/__init__.py');
  return (name === 'unpack_hook' || name === 'recompute_fn') && isFile(filename, 'torch/utils/checkpoint.py');
}

/**
 * Functions of PyTorch's C++ that ask for nothing but a workspace: of cuBLAS (ATen/cuda/CublasHandlePool.cpp) and of
 * cuDNN's convolutions (ATen/native/cudnn/Conv_v7.cpp, Conv_v8.cpp). What they compute was asked for before.
 */
const WORKSPACE =
  /getCurrentCUDABlasHandle|getCUDABlasLtWorkspace|getNewWorkspace|getNewCUDABlasLtWorkspace|run_conv_plan|Workspace::Workspace\(/;

/** True where a library's workspace asked for the memory, which only stacks of C++ say. */
export const isWorkspace = (frames: readonly unknown[]): boolean =>
  frames.some((frame) => factsOf(frame).isWorkspace);
