import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepResult } from '../support/bench-results.ts';

/**
 * The first `npm start` of a fresh clone of what is committed here: until packages are there, until all is built, and until the
 * lab's page answers (in a browser, because the desktop's program is downloaded apart); once more when all is there; and
 * what was installed and built, in megabytes. Packages come from npm's cache where it has them, else from the registry.
 * Exits 1 where the first start takes longer or more room than wanted. Kept in test/bench/results/start.md.
 */
const MAX_SECONDS = 15;
/** 626 were installed before what the lab does without came on request. */
const MAX_MB = 300;
const ROOT = process.cwd();

interface Started {
  /** Seconds from the command to the line that says what is installed, built, and where the page is. */
  readonly installed: number | null;
  readonly built: number | null;
  readonly open: number;
}

async function start(folder: string, data: string): Promise<Started> {
  const from = performance.now();
  const seconds = (): number => (performance.now() - from) / 1000;
  const args = ['app/start/start.mjs', '--browser', '--json', '--port', '0'];
  // Who builds a benchmark says `production`, under which npm would leave out what builds the lab.
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ZIGZAG_DATA: data },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  let installed: number | null = null;
  let built: number | null = null;
  const url = new Promise<string>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += text.toString();
      if (installed === null && said.includes('building')) installed = seconds();
      if (said.includes('built in')) built = seconds();
      const found = /"url":\s*"([^"]+)"/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    // The last built file marks the end of the build.
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${said}`)));
  });
  try {
    const page = await fetch(await url);
    if (!page.ok || !(await page.text()).includes('<script')) throw new Error(`no page: ${page.status}`);
    return { installed, built, open: seconds() };
  } finally {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await gone;
  }
}

/** Size of all files, in millions of bytes; a file system needs a quarter more for so many small ones. */
function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;
}

const temporary = mkdtempSync(join(tmpdir(), 'zigzag-start-'));
try {
  const clone = join(temporary, 'clone');
  const data = join(temporary, 'data');
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${ROOT}`, clone]);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: clone,
    encoding: 'utf8',
  }).trim();
  const first = await start(clone, data);
  const again = await start(clone, data);
  const installedMb = megabytes(join(clone, 'node_modules'));
  const builtMb = megabytes(join(clone, 'dist'));
  const at = (seconds: number | null): string => (seconds === null ? 'none' : seconds.toFixed(1));
  const isMet = first.open <= MAX_SECONDS && installedMb <= MAX_MB;
  const lines = [
    `Commit ${commit}. Targets: ${MAX_SECONDS} s, ${MAX_MB} MB: ${isMet ? 'met' : 'missed'}.`,
    '',
    '| start | packages there, s | built, s | page answers, s |',
    '| --- | ---: | ---: | ---: |',
    `| first | ${at(first.installed)} | ${at(first.built)} | ${at(first.open)} |`,
    `| second | ${at(again.installed)} | ${at(again.built)} | ${at(again.open)} |`,
    '',
    `Installed ${installedMb.toFixed(0)} MB, built ${builtMb.toFixed(0)} MB.`,
  ];
  console.log(lines.join('\n'));
  keepResult('start', 'The first start', lines);
  if (!isMet) process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
