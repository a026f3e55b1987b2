/**
 * Text small enough for a link: deflated (RFC 1951), as base64url (RFC 4648, 5). What is unpacked may come from anybody:
 * it is refused where it is damaged, and stopped where it grows beyond what is wanted.
 */
export async function packText(text: string): Promise<string> {
  const packed = await transformed(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export const PACKED = /^[\w-]+$/;

/** @throws Error for what is not packed text, or is longer than `mostBytes` unpacked */
export async function unpackText(packed: string, mostBytes: number): Promise<string> {
  if (!PACKED.test(packed)) throw new Error('it has characters that packed text never has');
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const text = await transformed(bytes, new DecompressionStream('deflate-raw'), mostBytes);
  return new TextDecoder('utf-8', { fatal: true }).decode(text);
}

async function transformed(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    parts.push(step.value);
    size += step.value.length;
    if (size > mostBytes) {
      await reader.cancel();
      throw new Error(`it is larger than ${mostBytes} bytes unpacked`);
    }
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
