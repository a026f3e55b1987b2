import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageFile from '../../../package.json' with { type: 'json' };
import { skippedFor } from '../../support/skipped.ts';
import { answerOf, hasPartitioners, runReference, torchPythons } from './python.ts';
import { unpackWheel } from './unpacked-wheel.ts';

/** The checks of test/reference/torch_manners.py. */
interface Told {
  readonly features: Readonly<Record<string, readonly [isEqual: boolean, recomputes: boolean]>>;
  readonly threads: Readonly<Record<string, unknown>>;
  readonly refusals: Readonly<Record<string, string | null>>;
  readonly longer: readonly [exact: boolean, left: string | null];
  readonly exports: Readonly<Record<string, string | null>>;
  /** Null where this PyTorch has no torch.func, or no jagged layout. */
  readonly transformed: { readonly same: readonly boolean[]; readonly warned: readonly string[] } | null;
  readonly nested: string | null;
  readonly wrapped: readonly number[];
  readonly flattened: readonly string[];
  readonly deepspeed: {
    readonly backwards: readonly number[];
    readonly steps: number;
    readonly state: number;
    readonly said: readonly string[];
  };
  readonly within: readonly [planned: number, recomputed: number];
  readonly batches: readonly number[];
  readonly penalty: readonly string[];
  readonly in_parts: readonly unknown[];
  readonly wasted: readonly (readonly string[])[];
  readonly uncalled: readonly string[];
  readonly replicated: readonly [said: string, copied: boolean];
  readonly copied_early: readonly [warned: readonly string[], passes: string];
  readonly checked: readonly [checked: number, unchecked: number];
  readonly package: Readonly<Record<string, unknown>>;
  readonly apart: Readonly<Record<string, readonly number[]>>;
  readonly branches: { readonly same: boolean[]; readonly recomputed: boolean[]; readonly share: number };
}

const AGAIN = 'create it again with `zigzag export FILE --to plan`';

const REFUSALS: Readonly<Record<string, RegExp>> = {
  missing: /^PlanMismatch: the plan \/nowhere\/plan\.json cannot be read: No such file or directory$/,
  'no JSON': /^PlanMismatch: the plan .*torch_manners\.py is not JSON \(/,
  'no steps': /^PlanMismatch: the plan has no steps; create it again/,
  truncated: /^PlanMismatch: the plan is incomplete: it has no backward pass of /,
  doubled: /^PlanMismatch: the plan has 2 backward passes of /,
  repeated: /^PlanMismatch: steps\[1\] of the plan repeats the step before it; /,
  malformed: /^PlanMismatch: steps\[0\] of the plan is not a step such as /,
  'number in a step': /^PlanMismatch: steps\[0\] of the plan is not a step such as /,
  'peak as text': /^PlanMismatch: regularPeakBytes of the plan is not a number; create it again/,
  'parameters as text': /^PlanMismatch: parameters of the plan is not a number; create it again/,
  wider:
    /^PlanMismatch: the plan is for 1,088 trained parameters, and the same operations of this Checkpointed have 3,712, so the memory that it promises does not hold; capture this model/,
  'another document': /^PlanMismatch: this is not a zigzag-plan document; create one with /,
  list: /^PlanMismatch: this is not a zigzag-plan document; /,
  number: /^PlanMismatch: this is not a zigzag-plan document; /,
  optimizer:
    /^BadInput: the SGD has no parameter of this Checkpointed: create it from model\.parameters\(\)$/,
  saving: /^CannotFit: the plan saves \d+\.\d % of the peak of a step, less than min_saving=0\.5$/,
};

describe.each(torchPythons())('$title', ({ python, reason, hasShards }) => {
  describe.skipIf(reason !== '')(`a model under a plan${skippedFor(reason)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'zigzag-manners-'));
    let told: Told;

    beforeAll(async () => {
      await unpackWheel(folder);
      const printed = runReference('torch_manners.py', [folder], 240_000, python);
      told = answerOf(printed);
    }, 300_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('gives the gradients of plain training if features change in place after the forward', () => {
      expect(Object.keys(told.features)).toHaveLength(6);
      for (const [name, found] of Object.entries(told.features)) expect(found, name).toEqual([true, true]);
    });

    it("leaves other threads' checkpointing alone, and PyTorch as it was", () => {
      expect(told.threads).toEqual({ during: [2, 2], after: [2, 2], restored: true, left: [null, null] });
    });

    it.each(Object.keys(REFUSALS))('refuses in one sentence: %s', (name) => {
      const sentence = told.refusals[name];
      expect(sentence).toMatch(REFUSALS[name]!);
      if (/no steps|truncated|doubled|repeated|malformed/.test(name)) expect(sentence).toContain(AGAIN);
    });

    it('follows the plan of a wider model', () => {
      expect(told.refusals['narrower']).toBeNull();
    });

    it('is not exact if it continues after the end of the plan', () => {
      expect(told.longer).toEqual([false, "the forward continued after the plan's last operation"]);
    });

    it('asks for zigzag.remove(model) before an export', () => {
      const { removed, 'strict export': strict, ...refused } = told.exports;
      expect(removed).toBeNull();
      const names = ['trace', 'script', 'save'];
      expect(Object.keys(refused)).toEqual(hasShards ? [...names, 'export'] : names);
      // Earlier compilers replace the message by their own.
      if (hasPartitioners(python)) expect(strict).toContain('call zigzag.remove(model) first');
      for (const sentence of Object.values(refused))
        expect(sentence).toContain('call zigzag.remove(model) first');
    });

    it('runs as a plain model inside torch.func, and says so once', () => {
      if (told.transformed === null) return;
      expect(told.transformed.same).toEqual([true, true]);
      expect(told.transformed.warned).toEqual([
        'zigzag: torch.func runs a Sequential without its plan, as it has no saved tensors to manage there',
      ]);
    });

    it('refuses nested tensors for what they are', () => {
      if (told.nested !== null)
        expect(told.nested).toMatch(/^CannotCapture: a forward on nested tensors cannot/);
    });

    it('reports facts and loses its plan even after its forward was wrapped', () => {
      expect(told.wrapped).toEqual([1, 0, 1]);
    });

    it('fits a model of DeepSpeed without its hooks, and refuses weights that ZeRO-3 takes away', () => {
      const { backwards, steps, state, said } = told.deepspeed;
      expect({ backwards, steps }).toEqual({ backwards: [0, 1], steps: 1 });
      // A copy of the weights, and two tensors of AdamW.
      expect(state).toBe(3);
      for (const sentence of said) {
        expect(sentence).toMatch(/^CannotCapture: ZeRO-3 of DeepSpeed takes the weights of this model /);
      }
    });

    // The first FSDP of PyTorch 1.13 cannot be imported in Python 3.11.
    if (hasShards) {
      it('refuses FullyShardedDataParallel, around a model or within a plan', () => {
        expect(told.flattened).toHaveLength(8);
        for (const sentence of told.flattened) {
          expect(sentence).toBe(
            'CannotCapture: FullyShardedDataParallel takes the weights of this model away between its layers, so that no plan can compute results again: use fully_shard (FSDP2; fsdp_version: 2 in the configuration of accelerate)',
          );
        }
      });
    }

    it('recomputes a module that runs as a whole as often as planned, whatever it saves within', () => {
      const [planned, recomputed] = told.within;
      expect(planned).toBeGreaterThan(0);
      expect(recomputed).toBe(planned);
    });

    it('finds its place again after a step takes another path, before its blocks and inside one', () => {
      const { share, ...found } = told.branches;
      expect(found).toEqual({ same: [true, true], recomputed: [true, true] });
      expect(share).toBeLessThan(0.75);
    });

    it('checks recomputed tensors within the plan’s memory', () => {
      const [checked, unchecked] = told.checked;
      expect(unchecked).toBeLessThan(0.65);
      expect(checked - unchecked).toBeLessThan(0.02);
    });

    it('is zigzag_lab, warns about old names, and finds every private name of PyTorch', () => {
      expect(told.package).toEqual({
        short: true,
        old: [true, true],
        warned: ['DeprecationWarning', 'DeprecationWarning'],
        version: packageFile.version,
        missing: [],
        hinted: [],
      });
    });

    it.each(['cells', 'embedded'])(
      'gives the same graph at a batch other than the captured one: %s',
      (name) => {
        const [one, two, four] = told.apart[name]!;
        // Positions that the forward makes for itself count as part of the inputs, and grow with them.
        for (const peak of [one!, two!]) expect(Math.abs(peak / four! - 1)).toBeLessThan(0.1);
      },
    );

    it('counts a forward pass that a gradient penalty keeps for a second backward', () =>
      expect(told.penalty).toEqual([
        'zigzag: a backward with create_graph=True keeps what it computes again for the backward that follows, so this step may need more memory than its plan promises',
        expect.stringMatching(
          / It counts forward passes at once that are 3 times as large as the captured one\.$/,
        ),
      ]));

    it('tells in the first step and at the end of training if only its methods were called', () =>
      expect(told.uncalled).toEqual([
        'zigzag: this step trains a Towers without calling it, so it follows no plan: call the Towers itself in place of its methods, or plan the part of it that is called',
        'nothing was planned, as training did not call this Towers itself: call it in place of its methods, or fit the part of it that is called',
      ]));

    it('plans the parts that a step calls, and lets them rest where it calls the model', () =>
      expect(told.in_parts).toEqual([
        [],
        [
          'towers.1: budget peaks at 16.0 KiB instead of 28.0 KiB (43 % less)',
          'head is trained as it is: no known plan needs less memory.',
          'towers.0: budget peaks at 16.0 KiB instead of 28.0 KiB (43 % less)',
          'forward of another kind or size: towers.1: budget peaks at 16.0 KiB instead of 28.0 KiB (43 % less)',
          'Pair: budget peaks at 24.0 KiB instead of 44.0 KiB (45 % less)',
        ],
        [1, 2, 0],
        'BadInput: this Pair has a report for each of its parts: towers.0, towers.1, head',
        [1, 2, 0],
        '1 on a plan, 0 left it',
      ]));

    it('warns of what autograd saves for gradients that nothing asks for', () =>
      expect(told.wasted).toEqual([
        [
          'zigzag: autograd saves 0.25 MiB within old for gradients that nothing asks for: run that within torch.no_grad()',
        ],
        [],
      ]));

    it('plans a copy of a model that waits for its first batch', () =>
      expect(told.copied_early).toEqual([[], '1 on a plan, 0 left it']));

    it('refuses the copies of nn.DataParallel, until the plan is removed', () =>
      expect(told.replicated).toEqual([
        'PlanMismatch: nn.DataParallel copies the model to every GPU in each step, and a plan belongs to one model: start one process per GPU with torchrun or accelerate launch, or use one GPU with CUDA_VISIBLE_DEVICES=0',
        true,
      ]));

    it('is fitted on a batch as a data loader gives it', () => expect(told.batches).toEqual([1, 1, 1]));
  });
});
