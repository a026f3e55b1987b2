import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../app/cli/run.ts';
import { recorder } from '../app/cli/recorder.ts';
import { blocksOf, commandOf, linesOf, PAGES, ROOT } from './blocks.ts';
import { freshFolder } from '../support/fresh-folder.ts';

/**
 * Every command that the documentation shows runs here, page by page in one folder. A block that cannot run says why in a
 * comment above it: `<!-- not run: why -->`. `<!-- run by FILE -->` names the test that runs the block as it is printed.
 */
const PROGRAM = join(ROOT, 'app/start/zigzag.mjs');
/** Commands of this repository that other tests or `.ci/run` hold. */
const HELD = /^(?:npm (?:start|test|run (?:wheel|site))\b|pip install )/;
/** Tests that run the blocks that name them. */
const RUNNERS = ['test/docs/python-blocks.test.ts', 'test/app/bridges/torch-loops.test.ts'];

/** Commands that ran; one that leaves a file for the next is its page's own. */
const ran = new Set<string>();

/** Runs one line, `> FILE` at its end included. */
async function runLine(page: string, line: string): Promise<void> {
  const command = commandOf(line);
  if (command === undefined) throw new Error(`${page} shows a command that nothing runs: ${line}`);
  const { words, file } = command;
  if (ran.has(line) && file === undefined) return;
  ran.add(line);
  // Its searches of every strategy take 10 seconds each.
  if (words[0] === 'fit') words.push('--time-limit', '0.2');
  // The trainer is a program of its own, which the built command line starts.
  if (words[0] === 'train') {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8' });
    expect(status, `${line}\n${stderr}`).toBe(0);
    return;
  }
  const said: string[] = [];
  const terminal = { ...recorder(), err: (text: string) => said.push(text) };
  expect(await runCommandLine(words, terminal), `${line}\n${said.join('\n')}`).toBe(0);
  if (file !== undefined) writeFileSync(file, `${terminal.lines.join('\n')}\n`);
}

describe('code in the documentation', () => {
  const before = process.cwd();
  const folder = freshFolder();
  beforeAll(() => process.chdir(folder));
  afterAll(() => process.chdir(before));

  it.each(PAGES)('%s: commands run, or say why they do not', async (page) => {
    for (const block of blocksOf(page)) {
      const { note, language, code } = block;
      const runner = /^run by (\S+)$/.exec(note ?? '')?.[1];
      if (runner !== undefined) expect(RUNNERS).toContain(runner);
      if (runner !== undefined || note?.startsWith('not run: ')) continue;
      if (language === 'python') throw new Error(`${page} does not say which test runs\n${code}`);
      if (language !== 'sh') continue;
      for (const line of linesOf(block)) if (!HELD.test(line)) await runLine(page, line);
    }
  });
});
