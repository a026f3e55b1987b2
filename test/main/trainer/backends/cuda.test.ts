import { describe, expect, it } from 'vitest';
import {
  hasNvidiaGpu,
  type Machine,
  missingCuda11,
  whyNoCuda,
} from '../../../../main/trainer/backends/cuda.ts';

const DRIVER = ['/proc/driver/nvidia/version', '/dev/nvidia0'];
const CUDA = ['cudart.so.11.0', 'cublas.so.11', 'cublasLt.so.11', 'cufft.so.10', 'curand.so.10'];
const REST = ['cusolver.so.11', 'cusparse.so.11', 'cudnn.so.8'];
const ALL = [...CUDA, ...REST].map((name) => `lib${name}`);

function machine(
  files: readonly string[],
  known: readonly string[] = [],
  change: Partial<Machine> = {},
): Machine {
  return {
    platform: 'linux',
    env: {},
    exists: (file) => files.includes(file),
    knownLibraries: () => known.map((name) => `\t${name} (libc6,x86-64) => /opt/cuda/${name}\n`).join(''),
    ...change,
  };
}

it('an NVIDIA GPU needs a driver and a device', () => {
  expect(hasNvidiaGpu(machine(DRIVER))).toBe(true);
  // A container sees the host's driver, and no device.
  expect(hasNvidiaGpu(machine(DRIVER.slice(0, 1)))).toBe(false);
  expect(hasNvidiaGpu(machine(DRIVER, [], { platform: 'darwin' }))).toBe(false);
});

describe('CUDA 11 of TensorFlow 2.9', () => {
  it('is found in the loader’s list, on LD_LIBRARY_PATH and in the system’s folders', () => {
    expect(missingCuda11(machine([], ALL))).toBeNull();
    const env = { LD_LIBRARY_PATH: '/nowhere:/mine' };
    expect(
      missingCuda11(
        machine(
          ALL.map((name) => `/mine/${name}`),
          [],
          { env },
        ),
      ),
    ).toBeNull();
    expect(missingCuda11(machine(ALL.map((name) => `/usr/lib/${name}`)))).toBeNull();
  });

  it.each(ALL)('lacks %s', (name) => {
    const others = ALL.filter((other) => other !== name);
    expect(missingCuda11(machine([], others))).toBe(name);
  });

  it('does not accept a library of another version', () => {
    expect(
      missingCuda11(
        machine(
          [],
          ALL.map((name) => name.replace('cudart.so.11.0', 'cudart.so.11.0.221')),
        ),
      ),
    ).toBe('libcudart.so.11.0');
  });
});

describe('why TensorFlow uses no GPU', () => {
  it('is empty without a GPU', () => {
    expect(whyNoCuda(null, machine([], []))).toBeUndefined();
  });

  it('names the missing library, and what installs it', () => {
    expect(whyNoCuda(null, machine(DRIVER, []))).toBe(
      "an NVIDIA GPU is here but not used, because CUDA 11.2's libcudart.so.11.0 was not found (npm run setup:tensorflow -- --cuda brings CUDA 12 with it)",
    );
    const withoutCudnn = ALL.filter((name) => !name.includes('cudnn'));
    expect(whyNoCuda(null, machine(DRIVER, withoutCudnn))).toContain(
      "cuDNN 8.1's libcudnn.so.8 was not found",
    );
  });

  it('is unknown if nothing is missing', () => {
    expect(whyNoCuda(null, machine(DRIVER, ALL))).toContain('because of something unknown');
  });

  it('may be the way in which the setup was run', () => {
    expect(whyNoCuda('/setup', machine(DRIVER))).toContain('was run for the processor');
    expect(whyNoCuda('/setup', machine([...DRIVER, '/setup/python/nvidia']))).toContain('nvidia-smi');
  });
});
