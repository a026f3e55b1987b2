import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, test } from 'vitest';
import { wasmBackend } from '../../../../main/trainer/backends/wasm.ts';
import { type Allocator, HeapGuard } from '../../../../main/trainer/backends/wasm/guard.ts';
import { OutOfMemoryError } from '../../../../main/trainer/errors.ts';

const MIB = 1024 * 1024;

/**
 * An allocator like the module's: past its end it returns 0 without an error, or a block that is not
 * there when its end would wrap around; and at their first call its functions replace themselves.
 */
function fakeAllocator(size: number): Allocator {
  let next = 16;
  const blocks = new Map<number, number>();
  const malloc = (bytes: number): number => {
    if (next + bytes > size && next + bytes < 2 ** 32) return 0;
    next += bytes;
    blocks.set(next - bytes, bytes);
    // A 32-bit signed number, as the module returns it: negative above 2 GiB.
    return (next - bytes) | 0;
  };
  const free = (pointer: number): void => {
    const start = pointer >>> 0;
    if (start + (blocks.get(start) ?? 0) === next) next = start;
  };
  const allocator: Allocator = {
    HEAPU8: { byteLength: size },
    _malloc(bytes) {
      allocator._malloc = malloc;
      return malloc(bytes);
    },
    _free(pointer) {
      allocator._free = free;
      free(pointer);
    },
  };
  return allocator;
}

describe('the guard of the WebAssembly heap', () => {
  test('counts live bytes and their peak', () => {
    const allocator = fakeAllocator(1e9);
    const guard = new HeapGuard(allocator, 1e6);
    const pointer = allocator._malloc(600);
    allocator._malloc(300);
    allocator._free(pointer);
    expect(guard.liveBytes).toBe(300);
    expect(guard.peakBytes).toBe(900);
  });

  test('counts addresses above 2 GiB, which come back negative', () => {
    const allocator = fakeAllocator(4e9);
    const guard = new HeapGuard(allocator, 4e9);
    allocator._malloc(2.5e9);
    const high = allocator._malloc(1000);
    expect(high).toBeLessThan(0);
    allocator._free(high >>> 0);
    expect(guard.liveBytes).toBe(2.5e9);
  });

  test('refuses above its cap, before it asks the allocator', () => {
    const allocator = fakeAllocator(1e9);
    const guard = new HeapGuard(allocator, 990);
    allocator._malloc(900);
    expect(() => allocator._malloc(200)).toThrow(OutOfMemoryError);
    expect(() => allocator._malloc(200)).toThrow(
      'the WebAssembly heap holds 900 B of at most 990 B and has no room for 200 B more; choose a smaller batch or another strategy',
    );
    expect(guard.liveBytes).toBe(900);
  });

  test('refuses the address 0', () => {
    const allocator = fakeAllocator(100 * MIB);
    const guard = new HeapGuard(allocator, 1e9);
    expect(() => allocator._malloc(200 * MIB)).toThrow(OutOfMemoryError);
    expect(() => guard.requireNative([95 * MIB])).toThrow(OutOfMemoryError);
    expect(() => guard.requireNative([50 * MIB])).not.toThrow();
  });

  test('refuses a block that does not lie inside the heap', () => {
    const allocator = fakeAllocator(3.9e9);
    const guard = new HeapGuard(allocator, 2 ** 33);
    allocator._malloc(3.8e9);
    expect(() => allocator._malloc(1e9)).toThrow(OutOfMemoryError);
    expect(() => guard.requireNative([1e9])).toThrow(OutOfMemoryError);
    expect(guard.liveBytes).toBe(3.8e9);
    expect(() => allocator._malloc(50 * MIB)).not.toThrow();
  });

  test('frees leaked blocks', () => {
    const allocator = fakeAllocator(1e9);
    const guard = new HeapGuard(allocator, 1e9);
    allocator._malloc(600);
    guard.sweep();
    expect(guard.liveBytes).toBe(0);
  });

  test('turns the module’s message about a kernel into one error', () => {
    const guard = new HeapGuard(fakeAllocator(1e9), 1e9);
    guard.report('a warning about something else');
    expect(() => guard.check()).not.toThrow();
    guard.report('XNN status for xnn_create_convolution2d_nhwc_f32 is not successful. Got status 6.');
    expect(() => guard.check()).toThrow(OutOfMemoryError);
    expect(() => guard.check()).not.toThrow();
  });
});

test('on the real heap, a too large tensor is refused and others stay unchanged', async () => {
  const backend = await wasmBackend.open();
  const before = tf.memory().numBytes;
  const small = tf.fill([1000], 7);
  expect(backend.memory().allocatedBytes).toBe(4000);
  expect(() => tf.fill([1100, 1024, 1024], 0)).toThrow(OutOfMemoryError);
  expect(small.dataSync().every((value) => value === 7)).toBe(true);
  small.dispose();
  expect(tf.memory().numBytes).toBe(before);
  expect(backend.memory().allocatedBytes).toBe(0);
  // And it goes on working.
  expect(tf.tidy(() => tf.add(tf.ones([3]), 1).dataSync())).toEqual(Float32Array.of(2, 2, 2));
});
