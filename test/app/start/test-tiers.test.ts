import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { globsLeftOut, SLOW, TIERS, tierLines } from '../../../app/start/test-tiers.mjs';

const ROOT = join(import.meta.dirname, '../../..');

describe('the tiers of the tests', () => {
  it('leave out existing files only, fewer from tier to tier', () => {
    for (const path of Object.values(SLOW).flat()) expect(existsSync(join(ROOT, path)), path).toBe(true);
    const [fast, usual, all] = TIERS.map((tier) => globsLeftOut(tier));
    expect(fast).toEqual(expect.arrayContaining(usual!));
    expect(fast!.length).toBeGreaterThan(usual!.length);
    expect(usual!.length).toBeGreaterThan(0);
    expect(all).toEqual([]);
  });

  it('name in the last lines what the other tiers add', () => {
    for (const path of SLOW.usual) expect(tierLines('fast').join()).toContain(path);
    for (const path of SLOW.all) expect(tierLines('usual').join()).toContain(path);
    expect(tierLines('all')).toEqual(['This was npm test -- --all.']);
  });
});
