import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../app/cli/run.ts';
import { recorder } from '../app/cli/recorder.ts';

/**
 * Every command that the documentation shows runs here, page by page in one folder. A block that cannot run says why in a
 * comment above it: `<!-- not run: why -->`. So do blocks of Python, which `<!-- run by FILE -->` names a test for.
 */
const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'app/start/zigzag.mjs');
const ZIGZAG = /^(?:npm run -s zigzag --|zigzag) (.+)$/;
/** Commands of this repository that other tests or `.ci/run` hold. */
const HELD = /^(?:npm (?:start|test|run (?:wheel|site))\b|pip install )/;
const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].sort();

interface Block {
  readonly note: string | undefined;
  readonly language: string;
  readonly code: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/(?:<!-- (.+?) -->\n+)?^```(\w+)\n([\s\S]*?)^```/gm)].map(
    ([, note, language = '', code = '']) => ({ note, language, code }),
  );
}

/** Commands that ran; one that leaves a file for the next is its page's own. */
const ran = new Set<string>();

/** Runs one line, `> FILE` at its end included. */
async function runLine(line: string): Promise<void> {
  if (ran.has(line) && !line.includes(' > ')) return;
  ran.add(line);
  const [command = '', file] = line.replace(/\s+#.*$/, '').split(' > ');
  const words = ZIGZAG.exec(command)?.[1]?.split(' ') ?? [];
  // Its searches of every strategy take 10 seconds each.
  if (words[0] === 'fit') words.push('--time-limit', '1');
  // The trainer is a program of its own, which the built command line starts.
  if (words[0] === 'train') {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8' });
    expect(status, `${line}\n${stderr}`).toBe(0);
    return;
  }
  const said: string[] = [];
  const terminal = { ...recorder(), err: (text: string) => said.push(text) };
  expect(await runCommandLine(words, terminal), `${line}\n${said.join('\n')}`).toBe(0);
  if (file !== undefined) writeFileSync(file.trim(), `${terminal.lines.join('\n')}\n`);
}

describe('code in the documentation', () => {
  const before = process.cwd();
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zigzag-docs-'));
    process.chdir(folder);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(pages)('%s: commands run, or say why they do not', async (page) => {
    for (const { note, language, code } of blocksOf(page)) {
      if (note?.startsWith('not run: ') || note?.startsWith('run by ')) continue;
      if (language === 'python') throw new Error(`${page} does not say which test runs\n${code}`);
      if (language !== 'sh') continue;
      for (const line of code.split('\n').filter((text) => text.trim() !== '')) {
        if (HELD.test(line)) continue;
        if (!ZIGZAG.test(line)) throw new Error(`${page} shows a command that nothing runs: ${line}`);
        await runLine(line);
      }
    }
  });

  it('names existing tests', () => {
    const named = pages.flatMap(blocksOf).flatMap(({ note }) => /^run by (\S+)/.exec(note ?? '')?.[1] ?? []);
    for (const file of named) expect(readFileSync(join(ROOT, file), 'utf8').length).toBeGreaterThan(0);
  });
});
