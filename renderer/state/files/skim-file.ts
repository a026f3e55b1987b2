import { isOnnx } from '../../../engine/exchange/onnx/skim.ts';
import { TOO_LARGE } from '../../../app/contract/opened-file.ts';
import type { SkimReply } from './skim-worker.ts';

/**
 * An ONNX file of any size without its weights, read in parts by a thread of its own.
 * @throws Error in one sentence for a file of another format, or one that is broken
 */
export async function skimFile(file: File, signal: AbortSignal): Promise<Blob> {
  if (!isOnnx(new Uint8Array(await file.slice(0, 1).arrayBuffer()))) throw new Error(TOO_LARGE);
  const worker = new Worker(new URL('./skim-worker.ts', import.meta.url), { type: 'module', name: 'skim' });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('another file was opened')));
      worker.addEventListener('error', () => reject(new Error('the file could not be read; open it again')));
      worker.addEventListener('message', ({ data }: MessageEvent<SkimReply>) => {
        if ('refusal' in data) reject(new Error(data.refusal));
        else resolve(new Blob([data.bytes]));
      });
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}
