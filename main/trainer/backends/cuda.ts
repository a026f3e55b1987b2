import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { bringsCuda } from './tensorflow-folder.ts';

/** Queries to the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  exists(file: string): boolean;
  /** The loader's list of libraries (`ldconfig -p`); empty if unavailable. */
  knownLibraries(): string;
}

/**
 * Libraries that TensorFlow 2.9 (of @tensorflow/tfjs-node-gpu 4.22) loads by name when it looks for a GPU. If one is
 * missing it uses the processor, and reports that only in its log.
 */
const CUDA_11: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    'libcudart.so.11.0',
    'libcublas.so.11',
    'libcublasLt.so.11',
    'libcufft.so.10',
    'libcurand.so.10',
    'libcusolver.so.11',
    'libcusparse.so.11',
    'libcudnn.so.8',
  ],
  win32: [
    'cudart64_110.dll',
    'cublas64_11.dll',
    'cublasLt64_11.dll',
    'cufft64_10.dll',
    'curand64_10.dll',
    'cusolver64_11.dll',
    'cusparse64_11.dll',
    'cudnn64_8.dll',
  ],
};

const SYSTEM_FOLDERS = ['/usr/lib', '/usr/lib64', '/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu'];

const BY_SETUP = 'npm run setup:tensorflow -- --cuda';

export const THIS_MACHINE: Machine = {
  platform: process.platform,
  env: process.env,
  exists: existsSync,
  knownLibraries() {
    for (const program of ['/sbin/ldconfig', '/usr/sbin/ldconfig']) {
      if (existsSync(program)) return execFileSync(program, ['-p'], { encoding: 'utf8' });
    }
    return '';
  },
};

/** True if NVIDIA's driver is loaded and has a device. */
export function hasNvidiaGpu({ platform, env, exists }: Machine): boolean {
  if (platform === 'linux') return exists('/proc/driver/nvidia/version') && exists('/dev/nvidia0');
  if (platform === 'win32') return exists(join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'nvcuda.dll'));
  return false;
}

/** The first CUDA 11 library that the loader cannot find, or null. */
export function missingCuda11(machine: Machine): string | null {
  const { platform, env, exists } = machine;
  const paths = (platform === 'win32' ? env['PATH'] : env['LD_LIBRARY_PATH']) ?? '';
  const folders = [
    ...paths.split(delimiter).filter(Boolean),
    ...(platform === 'win32' ? [] : SYSTEM_FOLDERS),
  ];
  const known = platform === 'linux' ? machine.knownLibraries() : '';
  const isFound = (name: string): boolean =>
    known.includes(`${name} `) || folders.some((folder) => exists(join(folder, name)));
  return CUDA_11[platform]?.find((name) => !isFound(name)) ?? null;
}

/**
 * A phrase on why TensorFlow runs on the processor and what to do; undefined without a usable NVIDIA GPU.
 *
 * @param setupFolder folder in which `npm run setup:tensorflow` built the loaded library; null for the package's own
 */
export function whyNoCuda(setupFolder: string | null, machine: Machine = THIS_MACHINE): string | undefined {
  if (!hasNvidiaGpu(machine)) return undefined;
  const here = 'an NVIDIA GPU is here but not used, because';
  if (setupFolder === null) {
    const missing = missingCuda11(machine);
    if (missing === null)
      return `${here} of something unknown; with TF_CPP_MIN_LOG_LEVEL=0 its library says more`;
    const package_ = missing.includes('cudnn') ? 'cuDNN 8.1' : 'CUDA 11.2';
    const remedy =
      machine.platform === 'linux' ? `${BY_SETUP} brings CUDA 12 with it` : `install ${package_}`;
    return `${here} ${package_}'s ${missing} was not found (${remedy})`;
  }
  if (!bringsCuda(setupFolder, machine.exists))
    return `${here} npm run setup:tensorflow was run for the processor (run ${BY_SETUP})`;
  return `${here} the CUDA of ${BY_SETUP} found none that it can drive (nvidia-smi tells whether its driver is CUDA 12's)`;
}
