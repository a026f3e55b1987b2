import { expect, it } from 'vitest';
import { reasonOf, skippedFor } from './skipped.ts';

it('the reason why a test is skipped is read from its full name, at any level', () => {
  const reason = 'there is no torch (1.13 or newer): install python3-torch';
  expect(reasonOf(`networks${skippedFor(reason)} > resnet18 (64) > forward`)).toBe(reason);
  expect(reasonOf(`networks > resnet18${skippedFor(reason)}`)).toBe(reason);
  expect(reasonOf(`networks${skippedFor('')} > resnet18`)).toBeUndefined();
});
