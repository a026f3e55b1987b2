import { describe, expect, it } from 'vitest';
import { selfTest, useLab } from '../../main/electron/self-test.ts';

type Page = Parameters<typeof selfTest>[1];

/** A window whose page answers so. */
function windowThat(answer: (script: string) => Promise<unknown>): Page {
  return { webContents: { executeJavaScript: answer } } as unknown as Page;
}

async function outcome(page: Page, limitMs?: number): Promise<{ code: number | undefined; said: string[] }> {
  const said: string[] = [];
  let code: number | undefined;
  const exit = (given?: number): void => {
    code = given;
  };
  await selfTest({ exit }, page, (line) => said.push(line), limitMs);
  return { code, said };
}

describe('the self-test of a packed program', () => {
  it('ends with 0 after the page has compared and trained, and prints its headlines', async () => {
    const scripts: string[] = [];
    const page = windowThat((script) => {
      scripts.push(script);
      return Promise.resolve({ compared: 'A needs 1', trained: 'B: just as predicted' });
    });
    expect(await outcome(page)).toEqual({
      code: 0,
      said: ['self-test: A needs 1', 'self-test: B: just as predicted', 'self-test: passed'],
    });
    expect(scripts).toEqual([`(${useLab.toString()})()`]);
  });

  it('ends with 1 if the page failed, with the reason', async () => {
    const page = windowThat(() => Promise.reject(new Error('Start did not come')));
    expect(await outcome(page)).toEqual({ code: 1, said: ['self-test: failed: Start did not come'] });
  });

  it('ends with 1 if the page never answers', async () => {
    expect(
      await outcome(
        windowThat(() => new Promise(() => undefined)),
        20,
      ),
    ).toEqual({
      code: 1,
      said: ['self-test: failed: no end within 0.02 seconds'],
    });
  });
});
