import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../../.github/workflows');

describe('a workflow', () => {
  it.each(readdirSync(FOLDER))('%s names each action by its commit', (name) => {
    const uses = readFileSync(join(FOLDER, name), 'utf8').match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
