import { PickleDict } from './pickle.ts';

/** What a stack says of the part of the training step in which memory was asked for. */
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

/**
 * Frames of Python and C++, in any order. The optimizer's step is called through a wrapper of every optimizer
 * (torch/optim/optimizer.py, `profile_hook_step`); backward runs under autograd's engine, in Python under
 * `_engine_run_backward`, and what checkpointing forwards again in backward under torch/utils/checkpoint.py's hooks.
 */
export function stackLabel(frames: readonly unknown[]): number {
  if (frames.length === 0) return NO_STACK;
  let label = OTHER;
  let [isCustom, namesBackward] = [false, false];
  for (const frame of frames) {
    if (!(frame instanceof PickleDict)) continue;
    const [name, filename] = [frame.get('name'), frame.get('filename')];
    if (typeof name !== 'string' || typeof filename !== 'string') continue;
    if (isFile(filename, 'torch/optim/optimizer.py') && name === 'wrapper') return IN_OPTIMIZER;
    if (/[\\/]optim[\\/](?!lr_scheduler)\w+\.py$/.test(filename) && name === 'step') return IN_OPTIMIZER;
    // A custom function's backward is called by autograd's thread through the same `apply` as its forward.
    if (name === 'apply' && isFile(filename, 'torch/autograd/function.py')) isCustom = true;
    if (name === 'backward') namesBackward = true;
    if (isBackward(name, filename)) label = IN_BACKWARD;
    else if (label === OTHER && SETUP.has(name) && /torch[\\/]nn[\\/]modules[\\/]/.test(filename))
      label = IN_SETUP;
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

/** Whether memory was asked for by a library's workspace, which only stacks of C++ say. */
export const isWorkspace = (frames: readonly unknown[]): boolean =>
  frames.some((frame) => {
    const name = frame instanceof PickleDict ? frame.get('name') : null;
    return typeof name === 'string' && WORKSPACE.test(name);
  });
