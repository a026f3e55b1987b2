import { describe, expect, it } from 'vitest';
import type { LabClient } from '../../../../app/contract/client.ts';
import type { Adding, Tensorflow } from '../../../../app/contract/setup.ts';
import { LabFailure } from '../../../../main/host/failure.ts';
import {
  addingText,
  addTitle,
  missingSentence,
  stripPlace,
} from '../../../../renderer/screens/train/tensorflow/tensorflow-sentence.ts';
import { tensorflowSession } from '../../../../renderer/screens/train/tensorflow/tensorflow-session.ts';
import type { Workspace } from '../../../../renderer/state/workspace/workspace.ts';

const ADD = { kind: 'cpu', downloadBytes: 2 ** 20, diskBytes: 2 ** 30, folder: '/f' } as const;
const ABSENT: Tensorflow = { here: null, hasNvidiaGpu: false, add: ADD, instead: null };
const HERE: Tensorflow = { ...ABSENT, here: 'cpu', add: null };
const FETCHING: Adding = { step: 'library', bytes: 2 ** 19, of: 2 ** 20 };

type Answer = (input: unknown, options: { signal: AbortSignal }) => unknown;

function sessionWith(addTensorflow: Answer) {
  let there = ABSENT;
  const client = { tensorflow: async () => there, addTensorflow } as unknown as LabClient;
  const session = tensorflowSession({ connection: { client } } as unknown as Workspace);
  return { session, settle: (next: Tensorflow) => (there = next) };
}

describe('adding TensorFlow from the page', () => {
  it('shows progress, and ends installed', async () => {
    let go = (): void => undefined;
    const { session, settle } = sessionWith(async function* () {
      yield FETCHING;
      await new Promise<void>((resolve) => (go = resolve));
      settle(HERE);
    });
    await session.load();
    expect(session.get().there).toEqual(ABSENT);
    const added = session.add();
    expect(session.get().adding).toEqual({ kind: 'cpu', at: null });
    await expect.poll(() => session.get().adding?.at).toEqual(FETCHING);
    go();
    await added;
    expect(session.get()).toEqual({
      there: HERE,
      adding: null,
      said: { text: 'TensorFlow is installed. The next run can use it.', isFault: false },
    });
    session.dismiss();
    expect(session.get().said).toBeNull();
  });

  it('shows the reason of a failure or a cancel', async () => {
    const { session } = sessionWith(async () => {
      throw new LabFailure({ code: 'NOT_ADDED', message: 'TensorFlow was not added: no disk.', data: {} });
    });
    await session.add();
    expect(session.get().said).toBeNull();
    await session.load();
    await session.add();
    expect(session.get().said).toEqual({ text: 'TensorFlow was not added: no disk.', isFault: true });

    const { session: other } = sessionWith(async function* (_input, { signal }) {
      yield FETCHING;
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await other.load();
    const added = other.add();
    await expect.poll(() => other.get().adding?.at).toEqual(FETCHING);
    other.cancel();
    await added;
    expect(other.get()).toMatchObject({
      adding: null,
      said: { text: 'Cancelled. Nothing was installed.', isFault: false },
    });
  });
});

describe('the offer of TensorFlow', () => {
  it('names what is missing, its size and its folder', () => {
    const rest = ' Adding it downloads 1 MiB and takes 1 GiB in /f.';
    const plain = (text: string): string => text.replaceAll('\u202f', ' ').replaceAll('1.00', '1');
    expect(plain(missingSentence(ABSENT))).toBe(`TensorFlow is not installed.${rest}`);
    const cuda: Tensorflow = { ...ABSENT, hasNvidiaGpu: true, add: { ...ADD, kind: 'cuda' } };
    expect(plain(missingSentence(cuda))).toBe(
      `This machine has an NVIDIA GPU; TensorFlow for it is not installed.${rest}`,
    );
    expect(missingSentence({ ...cuda, here: 'cpu' })).toMatch(
      /the installed TensorFlow uses the processor only/,
    );
    expect(missingSentence({ ...ABSENT, add: null, instead: 'Do that.' })).toBe('Do that.');
    expect(plain(addTitle(ADD))).toBe('Add TensorFlow (1 MiB)');
    expect(plain(addTitle({ ...ADD, kind: 'cuda' }))).toBe('Add TensorFlow for CUDA (1 MiB)');
  });

  it('appears only if something can be done', () => {
    const state = { there: null, adding: null, said: null };
    const instead: Tensorflow = { ...ABSENT, add: null, instead: 'Do that.' };
    expect(stripPlace(state)).toBe('nowhere');
    expect(stripPlace({ ...state, there: HERE })).toBe('nowhere');
    expect(stripPlace({ ...state, there: ABSENT })).toBe('always');
    expect(stripPlace({ ...state, there: instead })).toBe('rarely');
    expect(stripPlace({ ...state, there: { ...instead, hasNvidiaGpu: true } })).toBe('always');
    expect(stripPlace({ ...state, there: HERE, said: { text: '', isFault: false } })).toBe('always');
  });

  it('shows the step and its share', () => {
    expect(addingText(null).share).toBeNull();
    expect(addingText(FETCHING)).toEqual({
      text: expect.stringMatching(/^Fetching TensorFlow: .* of /),
      share: 0.5,
    });
    expect(addingText({ step: 'unpacking', bytes: 3, of: 2 }).share).toBe(1);
    expect(addingText({ step: 'compiling', bytes: 0, of: null })).toEqual({
      text: 'Compiling its addon…',
      share: null,
    });
  });
});
