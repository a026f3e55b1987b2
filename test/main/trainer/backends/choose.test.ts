import { describe, expect, test } from 'vitest';
import type { Backend as BackendName } from '../../../../app/contract/backends.ts';
import type { TrainRequest } from '../../../../app/contract/training.ts';
import { BadInputError } from '../../../../engine/errors.ts';
import {
  type Backend,
  BackendUnavailableError,
  type OpenBackend,
  type RunsOn,
} from '../../../../main/trainer/backends/backend.ts';
import { chooseBackend } from '../../../../main/trainer/backends/choose.ts';
import { firstWorkingBackend } from '../../../../main/trainer/first-working-backend.ts';

function working(
  name: BackendName,
  runsOn: RunsOn = name === 'webgpu' ? 'gpu' : 'processor',
  withoutGpu?: string,
): Backend {
  const open: OpenBackend = {
    name,
    device: `a device, with facts`,
    runsOn,
    ...(withoutGpu === undefined ? {} : { withoutGpu }),
    memory: () => ({ allocatedBytes: null, peakBytes: null, limitBytes: null }),
    check: () => undefined,
    close: () => undefined,
  };
  return { name, open: () => Promise.resolve(open) };
}

function broken(name: BackendName, phrase: string): Backend {
  return { name, open: () => Promise.reject(new BackendUnavailableError(phrase)) };
}

describe('the choice of a backend', () => {
  test('takes the first that works and names the obstacles of earlier ones', async () => {
    const choice = await chooseBackend(undefined, [
      broken('tensorflow', 'not installed'),
      broken('webgpu', 'no adapter'),
      working('wasm'),
      working('cpu'),
    ]);
    expect(choice.backend.name).toBe('wasm');
    expect(choice.reason).toBe('tensorflow: not installed; webgpu: no adapter; using wasm');
  });

  test('continues from another process', async () => {
    const skipped = ['tensorflow: not installed'];
    const choice = await chooseBackend(undefined, [working('webgpu')], { skipped });
    expect(choice.reason).toBe('tensorflow: not installed; using webgpu');
    await expect(
      chooseBackend(undefined, [broken('webgpu', 'no adapter')], { skipped }),
    ).rejects.toMatchObject({
      skipped: ['tensorflow: not installed', 'webgpu: no adapter'],
    });
  });

  test('tries only its own share of backends', async () => {
    const request = { model: 'any' } as unknown as TrainRequest;
    const backends = [broken('tensorflow', 'not installed'), broken('webgpu', 'no adapter'), working('wasm')];
    expect(
      await firstWorkingBackend(request, { among: ['wasm'], skipped: ['webgpu: no adapter'] }, backends),
    ).toEqual({
      request: { ...request, backend: 'wasm' },
      reason: 'webgpu: no adapter; using wasm',
    });
    await expect(
      firstWorkingBackend(request, { among: ['tensorflow'], skipped: [] }, backends),
    ).rejects.toMatchObject({ skipped: ['tensorflow: not installed'] });
  });

  test('uses an emulated GPU only on request', async () => {
    const candidates = [working('webgpu', 'emulated'), working('wasm')];
    const choice = await chooseBackend(undefined, candidates);
    expect(choice.reason).toBe(
      'webgpu: a device is no GPU but the processor, which wasm uses better; using wasm',
    );
    const asked = await chooseBackend('webgpu', candidates);
    expect(asked).toMatchObject({ backend: { name: 'webgpu' }, reason: 'webgpu: asked for' });
  });

  test('prefers any GPU backend to any processor', async () => {
    const cuda = [working('tensorflow', 'gpu'), working('webgpu'), working('wasm')];
    expect((await chooseBackend(undefined, cuda)).reason).toBe('using tensorflow');
    const noCuda = [working('tensorflow', 'processor', 'no CUDA'), working('webgpu'), working('wasm')];
    expect((await chooseBackend(undefined, noCuda)).reason).toBe('tensorflow: no CUDA; using webgpu');
  });

  test('takes the first that runs on the processor without a GPU, without loading wasm', async () => {
    const never: Backend = { name: 'wasm', open: () => Promise.reject(new Error('was loaded')) };
    const choice = await chooseBackend(undefined, [
      working('tensorflow', 'processor', 'no CUDA'),
      broken('webgpu', 'no adapter'),
      never,
    ]);
    expect(choice.backend.name).toBe('tensorflow');
    expect(choice.reason).toBe('tensorflow: no CUDA; webgpu: no adapter; using tensorflow');
  });

  test('skips processor backends if only a GPU is wanted, and reports that one exists', async () => {
    await expect(
      chooseBackend(undefined, [working('tensorflow', 'processor', 'no CUDA')], { onlyGpu: true }),
    ).rejects.toMatchObject({ skipped: ['tensorflow: no CUDA'], onProcessor: 'tensorflow' });
    await expect(
      chooseBackend(undefined, [working('webgpu', 'emulated')], { onlyGpu: true }),
    ).rejects.toMatchObject({ onProcessor: null });
    const again = { skipped: ['tensorflow: no CUDA', 'webgpu: no adapter'] };
    const choice = await chooseBackend(undefined, [working('tensorflow', 'processor', 'no CUDA')], again);
    expect(choice.reason).toBe('tensorflow: no CUDA; webgpu: no adapter; using tensorflow');
  });

  test('reports an unused GPU, unless the processor was requested', async () => {
    const why = 'an NVIDIA GPU is here but not used, because of a reason';
    const wasm = working('wasm', 'processor', why);
    const none = [broken('tensorflow', 'not installed'), broken('webgpu', 'no adapter'), wasm];
    expect(await chooseBackend(undefined, none)).toMatchObject({
      reason: 'tensorflow: not installed; webgpu: no adapter; using wasm',
      unusedGpu: why,
    });
    const cpu = working('tensorflow', 'processor', why);
    expect(await chooseBackend('tensorflow', [cpu])).toMatchObject({ unusedGpu: why });
    expect(await chooseBackend(undefined, [cpu, wasm])).toMatchObject({ unusedGpu: why });
    for (const choice of [
      await chooseBackend('wasm', none),
      await chooseBackend(undefined, [cpu, working('webgpu'), wasm]),
      await chooseBackend(undefined, [working('wasm')]),
    ]) {
      expect(choice).not.toHaveProperty('unusedGpu');
    }
    const settled = await firstWorkingBackend({} as TrainRequest, { among: ['wasm'], skipped: [] }, [wasm]);
    expect(settled.unusedGpu).toBe(why);
  });

  test('never takes cpu without a request', async () => {
    await expect(chooseBackend(undefined, [working('cpu')])).rejects.toThrow(BadInputError);
  });

  test('refuses a requested backend that does not work, in one sentence', async () => {
    await expect(chooseBackend('webgpu', [broken('webgpu', 'no adapter'), working('wasm')])).rejects.toThrow(
      'webgpu does not work here (no adapter); leave the backend out to take the first that works',
    );
    await expect(chooseBackend('tensorflow', [working('wasm'), working('cpu')])).rejects.toThrow(
      'tensorflow cannot run in this process; choose from wasm, cpu',
    );
  });

  test('takes the first line of a long error', async () => {
    const failing: Backend = {
      name: 'tensorflow',
      open: () =>
        Promise.reject(new Error('\nlibtensorflow.so.2: cannot open shared object file.\n    at line 1\n')),
    };
    const choice = await chooseBackend(undefined, [failing, working('wasm')]);
    expect(choice.reason).toBe('tensorflow: libtensorflow.so.2: cannot open shared object file; using wasm');
  });
});
