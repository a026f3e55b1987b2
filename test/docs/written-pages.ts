import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '../../app/cli/program.ts';
import * as limits from '../../engine/exchange/read-limits.ts';
import { formatBytes } from '../../engine/bytes.ts';
import { optionOf } from '../../engine/options/options.ts';
import { STRATEGIES } from '../../engine/strategies/registry.ts';
import { STRATEGY_OPTIONS } from '../../engine/strategies/strategy/strategy.ts';
import { recorder } from '../app/cli/recorder.ts';

/** Pages of docs/ that are written from the program, so that they cannot say anything else. */
const NOTE = (from: string): string =>
  `<!-- Written from ${from}: npx vitest run test/docs/written-pages.test.ts -u -->`;
const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** In a cell of a table, where `<x>` is no element. */
const cell = (words: string): string => words.replaceAll('|', '\\|').replaceAll('<', '&lt;');

export function commandLinePage(): string {
  const commands = createProgram(recorder()).commands.flatMap((command) => [
    `## ${command.name()}`,
    '',
    `\`zigzag ${command.name()} ${command.usage()}\`: ${command.description()}`.replaceAll(' [options]', ''),
    '',
    ...(command.options.length === 0 ? [] : ['| option | meaning |', '| --- | --- |']),
    ...command.options.map(({ flags, description }) => `| \`${flags}\` | ${cell(description)} |`),
    ...(command.options.length === 0 ? [] : ['']),
  ]);
  return [
    NOTE('the program itself'),
    '',
    '# The command line',
    '',
    'From a checkout: `npm run -s zigzag -- ARGS`. It installs and builds first when that is needed. A network is a name of',
    'the zoo (`zigzag models` lists them) or a file. [Environment and exit codes](./environment.md) apply to every command.',
    '',
    ...commands,
  ].join('\n');
}

export function strategiesPage(): string {
  const sections = STRATEGIES.flatMap(({ name, title, source, guarantee, reads }) => {
    const options = STRATEGY_OPTIONS.filter((option) => reads[option] !== undefined);
    const flag = (option: (typeof options)[number]): string =>
      `\`--${optionOf(option === 'link' ? 'linkGBps' : option).flag}\`${reads[option] === 'needs' ? ' (required)' : ''}`;
    return [
      `## ${title}`,
      '',
      `- Name: \`${name}\``,
      `- Source: ${source}`,
      `- Guarantee: ${guarantee}`,
      `- Options: ${options.length === 0 ? 'none' : options.map(flag).join(', ')}`,
      '',
    ];
  });
  return [
    NOTE('the registry of strategies'),
    '',
    '# Strategies',
    '',
    'A strategy decides which activations a training step keeps, recomputes or sends away. Each ends in a schedule that the',
    'simulator judges.',
    '',
    '| take | for |',
    '| --- | --- |',
    ...STRATEGIES.map(({ name, takeFor }) => `| \`${name}\` | ${takeFor} |`),
    '',
    ...sections,
  ].join('\n');
}

export function limitsPage(): string {
  const rows = [
    ['network or plan in JSON', limits.MAX_GRAPH_FILE_BYTES],
    ['measured costs', limits.MAX_COSTS_FILE_BYTES],
    ['memory snapshot, unpacked', limits.MAX_SNAPSHOT_BYTES],
    ['measured columns of a table', limits.MAX_MEASUREMENTS_BYTES],
    ['saved runs', limits.MAX_RUNS_FILE_BYTES],
    ['a file dropped on the lab, ONNX without its weights', limits.MAX_IMPORT_BYTES],
  ] as const;
  const sizes = (['batch', 'input', 'accumulate'] as const).map((name) => {
    const option = optionOf(name);
    return `| ${option.label} | ${'max' in option ? option.max.toLocaleString('en') : ''} |`;
  });
  return [
    NOTE('the limits that the readers and options have'),
    '',
    '# Limits and security',
    '',
    'Beyond a limit a file or value is refused in one sentence that says what to do.',
    '',
    '| value | largest |',
    '| --- | ---: |',
    ...sizes,
    ...rows.map(([what, bytes]) => `| ${what} | ${formatBytes(bytes)} |`),
    '',
    '## Security in short',
    '',
    '- The lab listens on 127.0.0.1 only and sends nothing anywhere.',
    '- A page needs the key of the address that `zigzag serve` printed. Treat that address as a password.',
    '- Other web pages cannot use your lab: Host and Origin of each request are checked.',
    '- Files are data: they are parsed, never run. What a memory snapshot (a pickle) would run is refused.',
    '- The page has no access to Node or to the disk, in the desktop app too.',
    '',
    '`SECURITY.md` in the repository lists each promise with the tests that hold it, and where the promises end.',
    '',
  ].join('\n');
}

/** Signature and docstring of each public function, as the sources have them. */
export function pythonPage(): string {
  const folder = 'app/bridges/torch';
  const modules = ['zigzag_lab', 'zigzag_torch'].map((name) => text(`${folder}/${name}/__init__.py`));
  const [, onDemand = ''] = /^_ON_DEMAND = (\{[^}]*\})/m.exec(modules[0]!) ?? [];
  const loadedLater = [...onDemand.matchAll(/'(\w+)': '(\w+)'/g)].map(([, name, module]) => ({
    name: name!,
    shown: name!,
    file: `${folder}/zigzag_lab/${module}.py`,
  }));
  const imported = modules.flatMap((source, i) =>
    [...source.matchAll(/^from \.(\w+) import ([^\n#]+)/gm)]
      // The build writes the version.
      .filter(
        ([, module, names]) => module !== 'zigzag_torch' && module !== 'version' && !names!.startsWith('_'),
      )
      .flatMap(([, module, names]) =>
        names!.split(',').map((part) => {
          const [name, as] = part.trim().split(' as ');
          return {
            name: name!,
            shown: as ?? (name === 'apply' ? 'plan_model' : name!),
            file: `${folder}/${i === 0 ? 'zigzag_lab' : 'zigzag_torch'}/${module}.py`,
          };
        }),
      ),
  );
  const imports = [...loadedLater, ...imported];
  const sections = imports.flatMap(({ name, shown, file }, i) => {
    const found = new RegExp(
      `^(?:def|class) ${name}(\\((?:[^()]|\\([^()]*\\))*\\))?[^\\n]*:\\n    """([\\s\\S]*?)"""`,
      'm',
    ).exec(text(file));
    if (found === null) return [];
    const [, signature = '', docstring] = found;
    const call = `${shown}${signature}`.replaceAll(/\s+/g, ' ');
    return [
      // The package wraps what the file has of that name.
      imports.slice(0, i).some((other) => other.shown === shown) ? `## zigzag_torch.${shown}` : `## ${shown}`,
      '',
      '```text',
      call,
      '',
      docstring!
        .replaceAll(/^ {4}/gm, '')
        .trimEnd()
        .replaceAll(/(?<=\S)\n(?=\S)/g, ' '),
      '```',
      '',
    ];
  });
  return [
    NOTE('the docstrings'),
    '',
    '# Python',
    '',
    'The package `zigzag_lab` has all of these. The single file that `zigzag export --to torch` writes has those about',
    'capturing and following a plan. [Your PyTorch model](../guides/pytorch.md) shows them at work.',
    '',
    ...sections,
  ].join('\n');
}

/** Totals of the kept measurements; each table lies in test/bench/results. */
export function accuracyPage(): string {
  const bullets = (file: string): string[] =>
    text(`test/bench/results/${file}`)
      .split('\n')
      .filter((line) => line.startsWith('- '));
  const title = (file: string): string => text(`test/bench/results/${file}`).split('\n', 1)[0]!.slice(2);
  const peers = /^Target: .*$/m.exec(text('test/bench/results/peers.md'))?.[0] ?? '';
  const files = ['pytorch-2.15-cpu.md', 'pytorch-2.15-cpu-zoo.md', 'pytorch-1.13-cpu-zoo.md'];
  return [
    NOTE('the kept measurements'),
    '',
    '# Accuracy',
    '',
    'Each figure here comes from a stored measurement in `test/bench/results`, which names device and version.',
    '',
    "## In the lab's own trainer",
    '',
    'Under the profile `tfjs`, predicted bytes equal measured bytes at every step of every schedule. Loss and gradients are',
    "bit-identical to regular training if the backend's kernels are deterministic. Tests check this on random networks.",
    '',
    '## In PyTorch',
    '',
    ...files.flatMap((file) => [`### ${title(file)}`, '', ...bullets(file), '']),
    '## Against other planners',
    '',
    peers,
    '',
  ].join('\n');
}
