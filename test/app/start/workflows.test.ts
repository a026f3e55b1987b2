import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const IGNORED = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}
interface Job {
  readonly 'timeout-minutes'?: number;
  readonly needs?: string;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
  workflow: parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow,
}));
const jobs = workflows.flatMap(({ workflow }) => Object.entries(workflow.jobs));
const runs = jobs.flatMap(([job, { steps }]) =>
  steps.flatMap(({ run }) => (run === undefined ? [] : [{ job, run }])),
);
/** Commands of a step, without what stands before the program. */
const commands = runs.flatMap(({ run }) =>
  run
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/^(?:sudo|xvfb-run -a) /, '')),
);

/** Files that a command of ours names: after node, of vitest, and of package.json's scripts. */
function filesOf(command: string): string[] {
  const words = command.split(/\s+/);
  return words.filter((word) => /^(?:app|test|node_modules)\/[\w./-]+\.(?:mjs|ts|js)$/.test(word));
}

describe('a workflow', () => {
  it.each(workflows)('$name names each action by its commit', ({ text }) => {
    const uses = text.match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it.each(workflows)(
    '$name may only read, limits each job’s time, and needs only existing jobs',
    ({ workflow }) => {
      expect(workflow.permissions).toEqual({ contents: 'read' });
      for (const job of Object.values(workflow.jobs)) {
        expect(job['timeout-minutes']).toBeGreaterThan(0);
        expect(job.needs === undefined || job.needs in workflow.jobs).toBe(true);
      }
    },
  );

  it.each(runs)('$job: a shell reads `$run`', ({ run }) => {
    const plain = run.replaceAll(/\$\{\{.*?\}\}/g, 'x');
    const { status, stderr } = spawnSync('bash', ['-n'], { input: plain, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('runs only existing scripts and files', () => {
    const named = commands.flatMap(
      (command) => /^npm (?:run (?:-s )?([\w:]+)|(test))\b/.exec(command)?.slice(1).find(Boolean) ?? [],
    );
    expect(named.length).toBeGreaterThan(8);
    for (const script of named) {
      expect(scripts, script).toHaveProperty([script]);
      for (const file of filesOf(scripts[script] ?? '')) {
        const { status, stderr } = spawnSync(process.execPath, ['--check', join(ROOT, file)], {
          encoding: 'utf8',
        });
        expect([status, stderr], file).toEqual([0, '']);
      }
    }
    const files = commands.flatMap(filesOf);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
  });

  it('ignores no failure', () => {
    for (const { run } of runs) expect(run).not.toMatch(/\|\| true|set \+e/);
    for (const { text } of workflows) expect(text).not.toContain('continue-on-error');
  });

  it('uploads only what an earlier step creates', () => {
    // Folders of electron-builder's output, and files that a command writes.
    const builder = parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')) as {
      directories: { output: string };
    };
    for (const [name, { steps }] of jobs) {
      steps.forEach(({ uses, with: given }, i) => {
        if (uses?.startsWith('actions/upload-artifact@') !== true) return;
        const before = steps
          .slice(0, i)
          .map(({ run = '' }) => run)
          .join('\n');
        for (const path of (given?.['path'] ?? '').trim().split('\n')) {
          const [folder = ''] = path.split('/');
          const isMade =
            folder === builder.directories.output
              ? before.includes('npm run dist ') && IGNORED.some((line) => line.includes(folder))
              : before.includes(`> ${path}`) || existsSync(join(ROOT, path));
          expect(isMade, `${path} of ${name}`).toBe(true);
        }
      });
    }
  });
});
