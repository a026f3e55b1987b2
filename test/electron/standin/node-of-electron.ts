import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Electron's Node refuses external buffers, because V8's sandbox has no pointers out of itself: native modules that hand
 * memory of their own to JavaScript fail there and nowhere else. A copy of this Node is made to refuse them too, by
 * writing `return napi_no_external_buffers_allowed` over the two functions.
 *
 * Source: Node-API, napi_create_external_arraybuffer and napi_create_external_buffer; System V ABI, chapters 4 and 5.
 */
const REFUSED = ['napi_create_external_arraybuffer', 'napi_create_external_buffer'];
/** napi_no_external_buffers_allowed. */
const STATUS = 22;
const CODE: Readonly<Record<string, readonly number[]>> = {
  // mov eax, 22; ret
  x64: [0xb8, STATUS, 0, 0, 0, 0xc3],
  // mov w0, #22; ret
  arm64: [0xc0, 0x02, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6],
};
const LOADED = 1;
const DYNAMIC_SYMBOLS = 11;

/** Why there can be no such Node here; null where there can. */
export function obstacleToRefusal(): string | null {
  if (process.platform === 'linux' && process.arch in CODE) return null;
  return 'a Node that refuses external buffers is made on Linux, x64 or arm64';
}

/** @param cache folder that keeps the copy for next time @returns its path */
export function nodeOfElectron(cache: string): string {
  const target = join(cache, `node-${process.version}-${process.arch}-no-external-buffers`);
  if (existsSync(target)) return target;
  const program = Buffer.from(readFileSync(process.execPath));
  const found = REFUSED.map((name) => offsetOf(program, name));
  for (const at of found) program.set(CODE[process.arch] ?? [], at);
  mkdirSync(cache, { recursive: true });
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, program);
  chmodSync(draft, 0o755);
  renameSync(draft, target);
  return target;
}

/** Offset of a function in a program's file, by its table of dynamic symbols. */
function offsetOf(program: Buffer, name: string): number {
  const number = (at: number): number => Number(program.readBigUInt64LE(at));
  const table = (from: number, step: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => from + index * step);
  const sections = table(number(0x28), program.readUInt16LE(0x3a), program.readUInt16LE(0x3c));
  const symbols = sections.find((at) => program.readUInt32LE(at + 4) === DYNAMIC_SYMBOLS);
  const names = symbols === undefined ? undefined : sections[program.readUInt32LE(symbols + 0x28)];
  if (symbols === undefined || names === undefined) throw new Error('this Node lists no symbols');
  const strings = number(names + 0x18);
  const symbol = table(number(symbols + 0x18), 24, number(symbols + 0x20) / 24).find((at) => {
    const start = strings + program.readUInt32LE(at);
    return program.toString('latin1', start, start + name.length + 1) === `${name}\0`;
  });
  if (symbol === undefined) throw new Error(`this Node has no ${name}`);
  const address = number(symbol + 8);
  const segment = table(number(0x20), program.readUInt16LE(0x36), program.readUInt16LE(0x38)).find((at) => {
    const start = number(at + 0x10);
    return program.readUInt32LE(at) === LOADED && address >= start && address < start + number(at + 0x20);
  });
  if (segment === undefined) throw new Error(`${name} is not in this Node's file`);
  return number(segment + 8) + address - number(segment + 0x10);
}
