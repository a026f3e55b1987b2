import { BadInputError } from '../../../engine/errors.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { reproduceFile } from '../../bridges/torch/reproduce-file.ts';
import { torchFile } from '../../bridges/torch/torch-file.ts';
import { exportRequestSchema } from '../../contract/export-file.ts';
import { flagsThatChange, refuseFlags } from '../command-options.ts';
import { type NetworkFlags, openNetwork } from '../network.ts';
import { parseName } from '../options.ts';
import { chosenStrategy, type StrategyFlag } from '../strategies.ts';
import { printJson, type Terminal } from '../terminal.ts';

export interface ExportFlags extends NetworkFlags, StrategyFlag {
  readonly to: string;
}

/**
 * `zigzag export MODEL|FILE --to plan|graph|dot|tree|decomposition|torch|torch-plan|script|trainer-script|torchtitan|reproduce`,
 * on standard output. The
 * file for PyTorch needs no network; with one it brings the plan along. The one that measures CVPR Table 2 brings all
 * 18, or the one named.
 */
export async function exportCommand(
  target: string | undefined,
  flags: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  const form = parseName(flags.to, '--to', [...exportRequestSchema.shape.form.options, 'reproduce']);
  const ofPlan = ['strategy', 'costs', ...flagsThatChange('plan', 'link')];
  if (target === undefined || form === 'reproduce')
    refuseFlags(
      flags,
      [...flagsThatChange('graph'), ...ofPlan],
      `is for the plan of a network, and ${form} has none here`,
    );
  const isScript = form === 'script' || form === 'trainer-script' || form === 'torchtitan';
  if (!isScript)
    refuseFlags(
      flags,
      flagsThatChange('memory'),
      `is for a program that trains, and ${form} says nothing of what lies beside the activations`,
    );
  if (form === 'graph' || form === 'tree' || form === 'decomposition')
    refuseFlags(flags, ofPlan, `is for a plan, and ${form} needs only the network`);
  if (form === 'reproduce') {
    const say = (network: string): void => {
      if (terminal.progressVisible) terminal.err(network);
    };
    terminal.out(reproduceFile(target, say));
    return;
  }
  if (target === undefined) {
    if (form !== 'torch') throw new BadInputError(`name the network or the file whose ${form} you want`);
    terminal.out(torchFile());
    return;
  }
  const strategy = chosenStrategy('export', flags);
  const { solver, network } = openNetwork('export', target, flags);
  const experiment = { ...network, strategies: [strategy] };
  const request = { experiment, strategy, form };
  const { text } = await solver.answer('exportFile', request, NO_CONTROL, () => undefined);
  if (form === 'plan' || form === 'torch-plan' || form === 'graph') printJson(terminal, JSON.parse(text));
  else terminal.out(text);
}
