import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';

const PROCESSES = 5;
const ROUNDS = 5;
const LOCKS = 20;

let checkout: string;

/** A checkout with nothing but the lock in it: no packages, as in a fresh clone. */
beforeEach(() => {
  checkout = freshFolder();
  for (const file of ['lock.mjs', 'root.mjs']) {
    cpSync(join(import.meta.dirname, '../../../app/start', file), join(checkout, 'app/start', file));
  }
  mkdirSync(join(checkout, 'marks'));
});

async function start(): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'lock-holder.mjs');
  const child = fork(script, [join(checkout, 'app/start/lock.mjs'), join(checkout, 'marks')]);
  await once(child, 'message');
  return child;
}

/** How many locks each process held together with another one; NaN for a process that failed. */
async function holdAtOnce(children: readonly ChildProcess[], names: readonly string[]): Promise<number[]> {
  const answers = children.map((child) =>
    Promise.race([
      once(child, 'message').then(([shared]) => shared),
      once(child, 'exit').then(() => Number.NaN),
    ]),
  );
  for (const child of children) child.send({ what: 'hold', names });
  return Promise.all(answers);
}

it('has one holder at a time, after its owner died as well', async () => {
  const children = await Promise.all(Array.from({ length: PROCESSES }, start));
  const shared: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const names = Array.from({ length: LOCKS }, (_, i) => `round-${round}-${i}`);
    const dying = await start();
    const died = once(dying, 'exit');
    dying.send({ what: 'die', names });
    await died;
    shared.push(...(await holdAtOnce(children, names)));
    if (shared.some((count) => count !== 0)) break;
  }
  for (const child of children) child.kill();
  expect(shared).toEqual(shared.map(() => 0));
});

it('is held by one process after another without an earlier owner', async () => {
  const children = await Promise.all(Array.from({ length: PROCESSES }, start));
  const names = Array.from({ length: LOCKS }, (_, i) => `free-${i}`);
  const shared = await holdAtOnce(children, names);
  for (const child of children) child.kill();
  expect(shared).toEqual(Array(PROCESSES).fill(0));
});
