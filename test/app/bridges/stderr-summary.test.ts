import { describe, expect, test } from 'vitest';
import { howItEnded, lastErrorLine } from '../../../app/bridges/stderr-summary.ts';

/** Output of Dawn's binding for Node on every machine without a desktop session. */
const DAWN = `error: XDG_RUNTIME_DIR is invalid or not set in the environment.
error: XDG_RUNTIME_DIR is invalid or not set in the environment.
Warning: Vulkan shaderUniform*ArrayDynamicIndexing required.
 - While initializing adapter (backend=BackendType::Vulkan)
    at InitializeImpl (/home/runner/work/node-webgpu/node-webgpu/third_party/dawn/src/dawn/native/vulkan/PhysicalDeviceVk.cpp:257)

`;
const V8 = `
<--- Last few GCs --->
[41:0x5] 812 ms: Mark-Compact 2047.5 (2082.1) -> 2046.9 (2081.9) MB
<--- JS stacktrace --->

FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0xb8d0a3 node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
`;
const THROWN = `/app/trainer.js:3
    throw new TypeError('x is not a function');
    ^

TypeError: x is not a function
    at Object.<anonymous> (/app/trainer.js:3:9)

Node.js v20.20.2
`;

describe('the last output of a process', () => {
  test("leaves out a library's chatter", () => {
    expect(lastErrorLine(DAWN)).toBe('');
    expect(
      lastErrorLine('2026-11-20 21:46:31.123: I tensorflow/core/util/port.cc:113] oneDNN custom\n'),
    ).toBe('');
  });

  test.each([
    ['an exception', THROWN, 'TypeError: x is not a function'],
    ['a full heap', V8, 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
    ['words that are no error', 'Aborted(native code called abort)\n', 'Aborted(native code called abort)'],
  ])('finds the reason before and after chatter: %s', (_what, said, line) => {
    expect(lastErrorLine(said)).toBe(line);
    expect(lastErrorLine(DAWN + said)).toBe(line);
    expect(lastErrorLine(said + DAWN)).toBe(line);
  });

  test('explains an end, except after a kill', () => {
    const explain = (how: string): string => `${how}: explained`;
    expect(howItEnded(9, null, explain)).toBe('exit code 9: explained');
    expect(howItEnded(null, 'SIGABRT', explain)).toBe('killed by SIGABRT: explained');
    expect(howItEnded(null, 'SIGKILL', explain)).toMatch(/^killed by SIGKILL, probably/);
  });
});
