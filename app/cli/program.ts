import { Command } from 'commander';
import { type OptionName, optionOf } from '../../engine/options/options.ts';
import { COMMAND_OPTIONS, type OptionCommand } from './command-options.ts';
import type { Terminal } from './terminal.ts';

const USE_IN_TORCH = `
In PyTorch:
  zigzag export --to torch > zigzag_torch.py
  zigzag export resnet50 --batch 64 --strategy live --to torch-plan > plan.json
  model = zigzag_torch.plan_model(torchvision.models.resnet50(), 'plan.json')   in your program
Capture a model of your own first: zigzag_torch.capture(model, images, path='net.json'), then export net.json.`;

/** An option of the table as commander takes it: `--batch <n>`, and its help. */
function declarationOf(name: OptionName): [flags: string, help: string] {
  const { flag, otherFlag, value, help } = optionOf(name);
  const names = otherFlag === undefined ? `--${flag}` : `--${otherFlag}, --${flag}`;
  return [value === '' ? names : `${names} <${value}>`, help];
}

const declared = (command: Command, name: OptionName): Command => command.option(...declarationOf(name));

/** The command line. Commands load what they need when they run, so that `zigzag models` does not pay for the trainer. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('zigzag')
    .description('How much memory does training this network need, and what does saving memory cost?')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });

  const json = 'one JSON document on standard output';
  /** A command with the options of the table that it takes. */
  const taking = (name: OptionCommand, usage: string): Command =>
    (COMMAND_OPTIONS[name] as readonly OptionName[]).reduce(declared, program.command(`${name} ${usage}`));
  const memory = (command: Command): Command =>
    command.requiredOption(...declarationOf('deviceGiB')).option(...declarationOf('contextGiB'));
  const costs = (command: Command): Command =>
    command
      .option('--costs <file>', 'measured times of operations, from zigzag train --save-costs')
      .option('--json', json);

  program
    .command('models')
    .description('the networks of the zoo')
    .option('--json', json)
    .action(async (flags) => (await import('./commands/models.ts')).modelsCommand(flags, terminal));

  costs(taking('solve', '<network>'))
    .description('one strategy on a network or a graph file')
    .option('--strategy <name>', 'optimal by default; budget, manual or plan when one is given')
    .option('--prove', 'prove a lower bound on the peak of such plans; may take minutes')
    .action(async (target, flags) =>
      (await import('./commands/solve.ts')).solveCommand(target, flags, terminal),
    );

  costs(taking('compare', '[networks...]'))
    .description('every strategy, one table and a text zigzag; several networks as a matrix')
    .option('--all', 'every strategy at eight budgets in one table; the whole zoo when no network is named')
    .option('--csv', 'one line a strategy, comma-separated')
    .option('--html <file>', 'also a report as one HTML file')
    .action(async (targets, flags) =>
      (await import('./commands/compare.ts')).compareCommand(targets, flags, terminal),
    );

  taking('sweep', '[networks...]')
    .description(
      'networks x batches x strategies x budgets in shards, merged to one table; papers (default) and zoo are names too',
    )
    .option('--batches <list>', 'such as 1,32 (1 by default)')
    .option(
      '--budgets <list>',
      "shares of regular training's peak, or bytes: 90%,11GiB (90% to 20% by default)",
    )
    .option('--strategies <list>', 'every strategy that needs only a budget, by default')
    .option('--shard <k/n>', 'solve this part of the cells; continues where it stopped')
    .option('--out <folder>', 'where shards are written, shard-K-of-N.jsonl')
    .option('--merge <folder>', 'merge the shards of this folder into one table')
    .option('--job <kind>', 'print a script that runs all shards: slurm (a job array) or ray')
    .option('--shards <n>', 'number of shards of --job (64)')
    .option('--csv', 'one line a cell, comma-separated')
    .option('--html <file>', 'the table as one HTML file')
    .option('--json', json)
    .action(async (targets, flags) =>
      (await import('./commands/sweep.ts')).sweepCommand(targets, flags, terminal),
    );

  program
    .command('tables <which> [file]')
    .description(
      "the papers' tables, paper beside ours: cvpr, iclr, theory, capabilities, figure1, depth, layers, treewidth or claims; measured FILE shows a self-test of the Python package",
    )
    .option('--json', 'one JSON document')
    .option('--csv', 'comma-separated values')
    .option('--markdown', 'a Markdown table')
    .option('--latex', "a LaTeX table in the paper's own groups")
    .option('--measured <file>', 'add measured columns from a zigzag-measurements/1 file (cvpr only)')
    .action(async (which, file, flags) =>
      (await import('./commands/tables.ts')).tablesCommand(which, flags, terminal, file),
    );

  memory(taking('limits', '<network>'))
    .description('the largest batch of each strategy on a device')
    .option('--strategy <name>', 'one strategy only')
    .option('--json', json)
    .action(async (target, flags) =>
      (await import('./commands/limits.ts')).limitsCommand(target, flags, terminal),
    );

  memory(taking('fit', '<network>'))
    .description('whether training fits a device, under which strategy, and what to do next')
    .option('--json', json)
    .action(async (target, flags) => (await import('./commands/fit.ts')).fitCommand(target, flags, terminal));

  costs(taking('explain', '<measured> <network>'))
    .description('a PyTorch memory snapshot, or the file of measure, beside the prediction')
    .option('--strategy <name>', 'strategy of the measured run; regular by default')
    .option('--cuda <device>', 'device of the snapshot; the first by default')
    .action(async (measured, target, flags) =>
      (await import('./commands/explain.ts')).explainCommand(measured, target, flags, terminal),
    );

  taking('pebble', '<network>')
    .description('memory of a forward pass alone (inference), by the order of its operations')
    .option('--order <name>', 'given, asap, alap, liu or recompute: that one, move by move')
    .option('--json', json)
    .action(async (target, flags) =>
      (await import('./commands/pebble.ts')).pebbleCommand(target, flags, terminal),
    );

  taking('train', '<network>')
    .description('run a schedule on a real backend, predicted memory beside measured')
    .option('--strategy <name>', 'optimal by default; budget, manual or plan when one is given')
    .option('--iterations <k>', 'training steps (3)')
    .option('--backend <name>', 'tensorflow, webgpu, wasm or cpu; the first that works by default')
    .option('--memory-cap <bytes>', 'stop above this memory')
    .option('--data <folder>', "CIFAR-10's binary version; synthetic data by default")
    .option('--naive <mistakes>', 'make the classic mistakes of recomputation: statistics, dropout or both')
    .option('--pairs <k>', 'measure the time overhead in this many pairs with regular training')
    .option('--measured-costs', "measure every operation first, and minimise this device's time")
    .option('--save-costs <file>', 'write the measured times for --costs')
    .option('--batch-difference', 'measure the memory of one sample from two batch sizes')
    .option('--largest-batch', 'measure the largest batch below --memory-cap instead')
    .option('--json', 'one JSON object a line as things happen')
    .action(async (target, flags) =>
      (await import('./commands/train.ts')).trainCommand(target, flags, terminal),
    );

  costs(taking('export', '[network]'))
    .description('a plan, a graph or a drawing, on standard output')
    .requiredOption(
      '--to <form>',
      'plan, graph, dot, tree, decomposition, torch-plan (a plan for the same model in PyTorch), torch (that file with the plan inside), script (a program that trains so in PyTorch), trainer-script (with the Trainer of transformers), torchtitan (a configuration of torchtitan) or reproduce; torch and reproduce need no network',
    )
    .option(
      '--strategy <name>',
      'strategy of the plan: optimal by default; budget, manual or plan when one is given',
    )
    .addHelpText('after', USE_IN_TORCH)
    .action(async (target, flags) =>
      (await import('./commands/export.ts')).exportCommand(target, flags, terminal),
    );

  program
    .command('cite [names...]')
    .description('BibTeX of Zigzag and its sources, or of the strategies or keys named')
    .action(async (names) => (await import('./commands/cite.ts')).citeCommand(names, terminal));

  program
    .command('licenses')
    .description('packages that ship with Zigzag, and their licences')
    .action(async () => (await import('./commands/licenses.ts')).licensesCommand(terminal));

  program
    .command('serve [file]')
    .description('open the lab in a browser, on 127.0.0.1, with the network of a file if one is named')
    .option(...declarationOf('budgetBytes'))
    .option('--port <n>', 'port (default: the last one used, or a free one)')
    .option('--open', 'open the browser')
    .option('--new-key', 'revoke earlier links and open tabs')
    .option('--json', 'print the address as JSON')
    .action(async (file, flags) => (await import('./commands/serve.ts')).serveCommand(file, flags, terminal));

  return program;
}
