import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PACKED, packText, unpackText } from '../../../renderer/shared/packed-text.ts';

const packed = (bytes: Uint8Array): string => deflateRawSync(bytes).toString('base64url');

describe('a text in a link', () => {
  it('survives a round trip, by RFC 1951 and RFC 4648', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
        const link = await packText(text);
        expect(link).toMatch(PACKED);
        expect(inflateRawSync(Buffer.from(link, 'base64url')).toString()).toBe(text);
        expect(await unpackText(link, 100_000)).toBe(text);
        expect(await unpackText(packed(Buffer.from(text)), 100_000)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('is stopped if it grows beyond a limit: a megabyte of zeros in a kilobyte', async () => {
    const bomb = packed(new Uint8Array(64 << 20));
    expect(bomb.length).toBeLessThan(100_000);
    await expect(unpackText(bomb, 1 << 20)).rejects.toThrow('larger than 1048576 bytes');
  });

  it.each([
    ['letters of another alphabet', 'a+b/c='],
    ['nothing', ''],
    ['half a text', packed(Buffer.from('x'.repeat(50) + Math.PI)).slice(0, -4)],
    ['no deflated text', 'AAAAAAAA'],
    ['bytes that are no UTF-8', packed(Uint8Array.of(0xff, 0xfe, 0xfd))],
    ['a length that base64 has not', 'A'],
  ])('is refused if it is %s', async (_what, link) => {
    await expect(unpackText(link, 1000)).rejects.toThrow();
  });
});
