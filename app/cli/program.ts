import { Command } from 'commander';
import type { Terminal } from './terminal.ts';

const USE_IN_TORCH = `
In PyTorch:
  zigzag export --to torch > zigzag_torch.py
  zigzag export resnet50 --batch 64 --strategy live --to torch-plan > plan.json
  model = zigzag_torch.apply(torchvision.models.resnet50(), 'plan.json')   in your program
A model of your own is captured first: zigzag_torch.capture(model, images, path='net.json'), then export net.json.`;

/** The command line. Commands load what they need when they run, so that `zigzag models` does not pay for the trainer. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('zigzag')
    .description('How much memory does training this network need, and what does it cost to need less?')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });

  const shape = (command: Command): Command =>
    command
      .option('--input <pixels>', 'side of the square input, or tokens of a sequence')
      .option('--dropout <rate>', 'dropout rate (0 by default, as the papers measured)')
      .option('--dtype <name>', 'size of an element: float32 (default) or float16')
      .option('--profile <name>', 'what backward keeps: pytorch (default) or tfjs')
      .option(
        '--checkpointing <name>',
        'how segments run: non-reentrant (default) or reentrant, as torch.utils.checkpoint',
      );
  const network = (command: Command): Command => shape(command.option('--batch <n>', 'samples per step'));
  const training = (command: Command): Command =>
    command
      .option('--precision <name>', 'fp32 (default), tf32, amp-fp16, amp-bf16 or bf16')
      .option('--optimizer <name>', 'sgd, momentum (default), adam, adamw, adam8bit or adafactor')
      .option('--optimizer-state <type>', "weights (default): the weights' type, or float32")
      .option('--accumulate <n>', 'steps whose gradients add up before an update; the batch is that of one')
      .option('--gradients <how>', 'freed before a forward (default), as set_to_none does, or kept');
  const memory = (command: Command): Command =>
    command
      .requiredOption('--memory <bytes>', 'memory of the device, such as 11GiB')
      .option('--context <bytes>', 'what the driver and its libraries hold of it (0.75GiB by default)');
  const link = (command: Command): Command =>
    command
      .option('--link <GB/s>', 'to host memory, each way: offload may send activations there')
      .option('--device <name>', 'whose link and speed are assumed, such as a100-80 (rtx-2080-ti by default)')
      .option('--no-overlap', 'computing waits for copies, as with save_on_cpu of PyTorch');
  const strategy = (command: Command): Command =>
    link(command)
      .option('--budget <bytes>', 'most live bytes of a step, such as 11GiB')
      .option('--checkpoints <ids>', 'comma-separated operation ids, for the strategy manual')
      .option('--slots <n>', 'checkpoints held at once, for revolve and bptt')
      .option('--segments <n>', 'equal segments, for sequential; the best number by default')
      .option('--time-limit <seconds>', 'what a search may take: 10 by default; milp 20, in compare 2')
      .option('--plan <file>', 'a zigzag-plan/1 to follow in place of a strategy')
      .option('--seed <n>', 'seed of random')
      .option('--costs <file>', 'measured times to weigh recompute by: zigzag train --save-costs writes them')
      .option('--json', 'one JSON document on standard output');

  program
    .command('models')
    .description('the networks of the zoo')
    .option('--json', 'one JSON document on standard output')
    .action(async (flags) => (await import('./commands/models.ts')).modelsCommand(flags, terminal));

  strategy(training(network(program.command('solve <network>'))))
    .description('one strategy on a network or a graph file')
    .option('--strategy <name>', 'optimal by default; budget or plan when one is given')
    .option('--prove', 'how low the peak of plans of its kind can be at all; up to some minutes')
    .action(async (target, flags) =>
      (await import('./commands/solve.ts')).solveCommand(target, flags, terminal),
    );

  strategy(training(network(program.command('compare [networks...]'))))
    .description('every strategy, one table and a text zigzag; several networks as a matrix')
    .option('--all', 'every strategy at eight budgets, one table; of the whole zoo where none is named')
    .option('--csv', 'one line a strategy, comma-separated')
    .option('--html <file>', 'also a report as one HTML file')
    .action(async (targets, flags) =>
      (await import('./commands/compare.ts')).compareCommand(targets, flags, terminal),
    );

  shape(program.command('sweep [networks...]'))
    .description(
      'networks x batches x strategies x budgets in shards, merged to one table; papers (default) and zoo are names too',
    )
    .option('--batches <list>', 'such as 1,32 (1 by default)')
    .option(
      '--budgets <list>',
      "shares of regular training's peak, or bytes: 90%,11GiB (90% to 20% by default)",
    )
    .option('--strategies <list>', 'all that need no more than a budget by default')
    .option('--shard <k/n>', 'that part of the cells; goes on where it was')
    .option('--out <folder>', 'where shards are written, shard-K-of-N.jsonl')
    .option('--merge <folder>', 'one table of the shards there')
    .option('--job <kind>', 'print a script that runs all shards: slurm (a job array) or ray')
    .option('--shards <n>', 'how many that has (64)')
    .option('--precision <name>', 'fp32 (default), tf32, amp-fp16, amp-bf16 or bf16')
    .option('--slots <n>', 'checkpoints held at once, for revolve and bptt')
    .option('--segments <n>', 'equal segments, for sequential; the best number by default')
    .option('--seed <n>', 'seed of random')
    .option('--link <GB/s>', 'to host memory, each way: offload may send activations there')
    .option('--device <name>', 'whose link and speed are assumed (rtx-2080-ti by default)')
    .option('--time-limit <seconds>', 'what a search may take: 10 by default; milp 20')
    .option('--csv', 'one line a cell, comma-separated')
    .option('--html <file>', 'the table as one HTML file')
    .option('--json', 'one JSON document on standard output')
    .action(async (targets, flags) =>
      (await import('./commands/sweep.ts')).sweepCommand(targets, flags, terminal),
    );

  program
    .command('tables <which>')
    .description(
      "the papers' tables, paper beside ours: cvpr, iclr, theory, capabilities, figure1, depth, layers or treewidth",
    )
    .option('--json', 'one JSON document')
    .option('--csv', 'comma-separated values')
    .option('--markdown', 'a Markdown table')
    .option('--latex', "a LaTeX table in the paper's own groups")
    .option('--measured <file>', 'a zigzag-measurements/1 as further columns, of cvpr')
    .action(async (which, flags) =>
      (await import('./commands/tables.ts')).tablesCommand(which, flags, terminal),
    );

  link(memory(training(network(program.command('limits <network>')))))
    .description('the largest batch of each strategy on a device')
    .option('--strategy <name>', 'one strategy only')
    .option('--time-limit <seconds>', 'what a search may take: 10 by default; milp 20')
    .option('--json', 'one JSON document on standard output')
    .action(async (target, flags) =>
      (await import('./commands/limits.ts')).limitsCommand(target, flags, terminal),
    );

  link(memory(training(network(program.command('fit <network>')))))
    .description(
      'whether training fits on a device: every strategy, all that it holds, the bargain, the next step',
    )
    .option('--time-limit <seconds>', 'what a search may take: 10 by default; milp 20')
    .option('--json', 'one JSON document on standard output')
    .action(async (target, flags) => (await import('./commands/fit.ts')).fitCommand(target, flags, terminal));

  strategy(training(network(program.command('explain <measured> <network>'))))
    .description('a PyTorch memory snapshot, or what measure wrote, laid over the prediction')
    .option('--strategy <name>', 'what was trained under; regular by default')
    .option('--cuda <device>', 'which of the devices that the snapshot recorded; the first by default')
    .action(async (measured, target, flags) =>
      (await import('./commands/explain.ts')).explainCommand(measured, target, flags, terminal),
    );

  network(program.command('pebble <network>'))
    .description('what a forward alone holds (inference), by the order of its operations')
    .option('--order <name>', 'given, asap, alap or liu: that one, move by move')
    .option('--json', 'one JSON document on standard output')
    .action(async (target, flags) =>
      (await import('./commands/pebble.ts')).pebbleCommand(target, flags, terminal),
    );

  network(program.command('train <network>'))
    .description('run a schedule on a real backend, predicted memory beside measured')
    .option('--strategy <name>', 'strategy of the schedule', 'optimal')
    .option('--iterations <k>', 'training steps', '3')
    .option('--backend <name>', 'tensorflow, webgpu, wasm or cpu; the first that works by default')
    .option('--budget <bytes>', 'most live bytes of a step, for the strategy budget')
    .option('--memory-cap <bytes>', 'refuse to hold more than this')
    .option('--checkpoints <ids>', 'comma-separated operation ids, for the strategy manual')
    .option('--segments <n>', 'equal segments, for the strategy sequential')
    .option(
      '--plan <file>',
      'a zigzag-plan/1 to follow in place of a strategy; export it with --profile tfjs',
    )
    .option('--data <folder>', "CIFAR-10's binary version; synthetic data by default")
    .option('--naive <mistakes>', 'statistics, dropout or both: what careless recomputation gets wrong')
    .option('--pairs <k>', 'then measure the overhead in time, in pairs with regular training')
    .option('--measured-costs', "measure every operation first, and minimise this device's time")
    .option('--save-costs <file>', 'write these times, for solve and compare --costs')
    .option('--batch-difference', 'measure at two batch sizes what a sample needs')
    .option('--largest-batch', 'measure the largest batch that runs below --memory-cap instead')
    .option('--seed <n>', 'seed of weights, data and dropout')
    .option('--json', 'one JSON object a line as things happen')
    .action(async (target, flags) =>
      (await import('./commands/train.ts')).trainCommand(target, flags, terminal),
    );

  strategy(training(network(program.command('export [network]'))))
    .description('a plan, a graph or a drawing, on standard output')
    .requiredOption(
      '--to <form>',
      'plan, graph, dot, tree, decomposition, torch-plan (a plan that zigzag_torch.py applies to the same model of torchvision or timm), torch (that file with the plan inside) or reproduce; the last two need no network',
    )
    .option('--strategy <name>', 'strategy of the plan; optimal by default')
    .addHelpText('after', USE_IN_TORCH)
    .action(async (target, flags) =>
      (await import('./commands/export.ts')).exportCommand(target, flags, terminal),
    );

  program
    .command('cite [names...]')
    .description('BibTeX of every source and of Zigzag, or of those of a strategy or a key')
    .action(async (names) => (await import('./commands/cite.ts')).citeCommand(names, terminal));

  program
    .command('licenses')
    .description('the packages of others that ship with it, and their licences')
    .action(async () => (await import('./commands/licenses.ts')).licensesCommand(terminal));

  program
    .command('serve [file]')
    .description('the lab in a browser, on 127.0.0.1; with the network of a file, where one is named')
    .option('--budget <bytes>', 'budget of the experiment with that file')
    .option('--port <n>', 'port; by default the one of the last time, or a free one')
    .option('--open', 'open the browser')
    .option('--new-key', 'end the access of links and tabs of former times')
    .option('--json', 'print the address as JSON')
    .action(async (file, flags) => (await import('./commands/serve.ts')).serveCommand(file, flags, terminal));

  return program;
}
