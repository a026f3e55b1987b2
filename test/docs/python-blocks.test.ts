import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../app/cli/run.ts';
import { answerOf, hasPartitioners, INDUCTOR, torchPythons } from '../app/bridges/python.ts';
import { unpackWheel } from '../app/bridges/unpacked-wheel.ts';
import { recorder } from '../app/cli/recorder.ts';
import { skippedFor } from '../support/skipped.ts';
import { type Block, blocksOf, commandOf, linesOf, PAGES, ROOT } from './blocks.ts';
import { freshFolder } from '../support/fresh-folder.ts';

/** Blocks that name this test run as they are printed, in the order of the pages and in one folder. */
const HERE = 'run by test/docs/python-blocks.test.ts';
const SCRIPT = join(ROOT, 'test/reference/docs_block.py');
/** Rounding of kernels that torch.compile fuses. */
const ROUNDING = 1e-5;

/** Printed by test/reference/docs_block.py. */
interface Ran {
  readonly worst: number;
  readonly recomputed: number;
  readonly graphs: number;
}

const blocks = PAGES.flatMap((page) =>
  blocksOf(page)
    .filter(({ note }) => note === HERE)
    .map((block) => ({ ...block, page, last: linesOf(block).at(-1)! })),
);

const pythons = torchPythons();
/** The newest PyTorch here. */
const { title, python, reason } = pythons.findLast((each) => each.reason === '') ?? pythons[0]!;

describe(`blocks of Python in the documentation, ${title}`, () => {
  const before = process.cwd();
  const folder = freshFolder();
  const site = join(folder, 'site');

  beforeAll(async () => {
    if (reason !== '') return;
    await unpackWheel(site);
    process.chdir(folder);
    // The guide for ONNX begins with a plan.
    runPython(
      "import zigzag_lab\nzigzag_lab.solve(zigzag_lab.capture(model, images), budget='60%').save('plan.json')\n",
    );
  });
  afterAll(() => process.chdir(before));

  function runPython(code: string): Ran {
    const env = { ...process.env, ...INDUCTOR, TMPDIR: folder };
    const { status, stdout, stderr } = spawnSync(python!, [SCRIPT, site], {
      input: code,
      env,
      encoding: 'utf8',
    });
    expect(status, `${code}\n${stderr}`).toBe(0);
    return answerOf<Ran>(stdout);
  }

  async function runCommands(block: Block): Promise<void> {
    for (const line of linesOf(block)) {
      const { words, file } = commandOf(line)!;
      const terminal = recorder();
      expect(await runCommandLine(words, terminal), line).toBe(0);
      writeFileSync(file!, `${terminal.lines.join('\n')}\n`);
    }
  }

  const unable = (code: string): string =>
    reason === '' && code.includes('Partitioner') && !hasPartitioners(python)
      ? 'torch.compile takes no partitioner before PyTorch 2.8'
      : reason;

  for (const block of blocks) {
    const { page, code, language, last } = block;
    it.skipIf(unable(code) !== '')(`${page}: ${last}${skippedFor(unable(code))}`, async () => {
      if (language === 'sh') return await runCommands(block);
      const { worst, recomputed, graphs } = runPython(code);
      expect(worst).toBeLessThanOrEqual(graphs > 0 ? ROUNDING : 0);
      if (code.includes('Partitioner')) expect(graphs).toBeGreaterThan(0);
      if (/\b(?:fit|plan_model)\(/.test(code)) expect(recomputed).toBeGreaterThan(0);
    });
  }
});
