import { skimModel } from '../../../engine/exchange/onnx/skim.ts';

/** Reads parts of a file at once, which only a worker may. */
declare class FileReaderSync {
  readAsArrayBuffer(part: Blob): ArrayBuffer;
}

/** A file without its weights, or the reason why it cannot be read. */
export type SkimReply = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly refusal: string };

interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<File>) => void): void;
  postMessage(reply: SkimReply): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener('message', ({ data: file }) => {
  const reader = new FileReaderSync();
  try {
    const bytes = skimModel({
      size: file.size,
      read: (offset, length) => new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length))),
      close: () => undefined,
    });
    scope.postMessage({ bytes });
  } catch (error) {
    scope.postMessage({ refusal: error instanceof Error ? error.message : String(error) });
  }
});
