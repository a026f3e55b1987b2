import { describe, expect, it } from 'vitest';
import { citeCommand } from '../../../app/cli/commands/cite.ts';
import { SOURCE_KEYS } from '../../../engine/sources/sources.ts';
import { recorder } from './recorder.ts';

function cited(...names: string[]): string {
  const terminal = recorder();
  citeCommand(names, terminal);
  return terminal.lines.join('\n');
}

const keysIn = (text: string): (string | undefined)[] =>
  [...text.matchAll(/^@\w+\{(\w+),$/gm)].map((found) => found[1]);

describe('zigzag cite', () => {
  it('prints every source and Zigzag itself, each once', () => {
    expect(keysIn(cited())).toEqual([...SOURCE_KEYS, 'zigzag']);
  });

  it('prints those of a strategy, and of a key', () => {
    expect(keysIn(cited('chain-dp', 'zigzag', 'milp', 'bulatov2018fitting'))).toEqual([
      'bulatov2018fitting',
      'jain2020checkmate',
      'beaumont2019optimal',
      'zigzag',
    ]);
    expect(keysIn(cited('plan'))).toEqual(['zigzag']);
  });

  it('names an unknown key and its nearest ones', () => {
    expect(() => cited('revolv')).toThrow('no source or strategy is named "revolv"; did you mean revolve?');
    expect(() => cited('@@@')).toThrow('"zigzag cite" prints every source with its key');
  });

  it('has balanced braces and ASCII only', () => {
    const text = cited();
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    let depth = 0;
    for (const sign of text) {
      depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
  });
});
