#!/usr/bin/env node
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { fail, ROOT, say } from './root.mjs';
import { runNode } from './run.mjs';

const SOURCES = join(ROOT, 'test', 'bench');
const OUT = join(ROOT, 'dist', 'bench');

/** Builds and runs the files of test/bench; arguments select those whose name contains one of them. */
async function main() {
  await ensureInstalled();
  const wanted = process.argv.slice(2);
  const files = (existsSync(SOURCES) ? readdirSync(SOURCES) : [])
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
  if (files.length === 0)
    throw new Error(`there is no benchmark in test/bench named ${wanted.join(', ') || '*.ts'}.`);
  const [{ build }, { nodeConfig }] = await Promise.all([import('vite'), import('./build.mjs')]);
  const input = Object.fromEntries(files.map((file) => [basename(file, '.ts'), join(SOURCES, file)]));
  await build(nodeConfig(input, OUT));
  for (const name of Object.keys(input)) {
    say(`benchmark ${name}`);
    const { code } = await runNode([join(OUT, `${name}.js`)]);
    if (code !== 0) process.exitCode = 1;
  }
}

main().catch(fail);
