import type { Adding, Tensorflow } from '../../../../app/contract/setup.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import type { TensorflowState } from './tensorflow-session.ts';

/** Shown in the card where something can be done, else among the rarer options. */
export function stripPlace({ there, adding, said }: TensorflowState): 'always' | 'rarely' | 'nowhere' {
  if (adding !== null || said !== null || (there !== null && there.add !== null)) return 'always';
  if (there === null || there.instead === null) return 'nowhere';
  return there.hasNvidiaGpu ? 'always' : 'rarely';
}

export function missingSentence({ here, hasNvidiaGpu, add, instead }: Tensorflow): string {
  if (add === null) return instead ?? '';
  const { kind, downloadBytes, diskBytes, folder } = add;
  const what =
    kind === 'cpu'
      ? hasNvidiaGpu
        ? 'TensorFlow is not installed. No build uses the NVIDIA GPU of this machine; this one uses the processor.'
        : 'TensorFlow is not installed.'
      : here === null
        ? 'This machine has an NVIDIA GPU; TensorFlow for it is not installed.'
        : 'This machine has an NVIDIA GPU; the installed TensorFlow uses the processor only.';
  return `${what} Adding it downloads ${formatBytes(downloadBytes)} and takes ${formatBytes(diskBytes)} in ${folder}.`;
}

export function addTitle({ kind, downloadBytes }: NonNullable<Tensorflow['add']>): string {
  return `Add TensorFlow${kind === 'cuda' ? ' for CUDA' : ''} (${formatBytes(downloadBytes)})`;
}

const STEPS: Readonly<Record<Adding['step'], string>> = {
  sources: 'Fetching the sources of its addon',
  library: 'Fetching TensorFlow',
  unpacking: 'Unpacking TensorFlow',
  compiling: 'Compiling its addon',
  trying: 'Testing it',
};

/** The share is of this step; null while it is not known. */
export function addingText(at: Adding | null): { readonly text: string; readonly share: number | null } {
  if (at === null) return { text: 'Checking requirements…', share: null };
  const { step, bytes, of } = at;
  if (of === null || of === 0) return { text: `${STEPS[step]}…`, share: null };
  const shown = Math.min(bytes, of);
  return { text: `${STEPS[step]}: ${formatBytes(shown)} of ${formatBytes(of)}.`, share: shown / of };
}
