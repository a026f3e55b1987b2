import { InternalError } from '../../../engine/errors.ts';
import { engineFactsModule } from './engine-facts.ts';

/** The package's modules as text, which the build brings along, so that an installed lab has them too. */
const SOURCES: Readonly<Record<string, string>> = {
  ...import.meta.glob<string>('./zigzag_torch/*.py', { query: '?raw', import: 'default', eager: true }),
  './zigzag_torch/engine_facts.py': engineFactsModule(),
};

interface Module {
  readonly name: string;
  readonly docstring: string;
  /** Imports of what Python and torch bring. */
  readonly imports: readonly string[];
  /** Modules of the package that must come before. */
  readonly needs: readonly string[];
  readonly body: string;
}

/** Docstring, imports, body: the form of every module of the package. */
const FORM =
  /^"""([\s\S]*?)"""\n((?:(?:import |from )(?:[^\n(]*\([^)]*\)|[^\n]*)\n|\n(?=import |from ))*)([\s\S]*)$/;
const IMPORT = /^(?:import |from )(?:[^\n(]*\([^)]*\)|[^\n]*)$/gm;

function parse(name: string, text: string): Module {
  const [, docstring, imports, body] = FORM.exec(text) ?? [];
  if (docstring === undefined || imports === undefined || body === undefined)
    throw new InternalError(`zigzag_torch/${name}.py does not begin with a docstring and imports`);
  const lines = imports.match(IMPORT) ?? [];
  const local = /^from \.(\w+) /;
  return {
    name,
    docstring,
    imports: lines.filter((line) => !local.test(line)),
    needs: lines.flatMap((line) => local.exec(line)?.[1] ?? []),
    body: body.trim(),
  };
}

/** The package's modules, each after those that it needs; equal ones by name. */
function inOrder(modules: readonly Module[]): readonly Module[] {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const done = new Set<Module>();
  const visit = (module: Module, path: readonly string[]): void => {
    if (done.has(module)) return;
    if (path.includes(module.name)) throw new InternalError(`a cycle of imports: ${path.join(', ')}`);
    for (const name of [...module.needs].sort()) {
      const needed = byName.get(name);
      if (needed === undefined) throw new InternalError(`zigzag_torch/${module.name}.py needs ${name}`);
      visit(needed, [...path, module.name]);
    }
    done.add(module);
  };
  for (const name of [...byName.keys()].sort()) visit(byName.get(name)!, []);
  return [...done];
}

function modulesOf(sources: Readonly<Record<string, string>>): readonly Module[] {
  return Object.entries(sources).map(([path, text]) =>
    parse(path.replace(/^.*\//, '').replace(/\.py$/, ''), text),
  );
}

const RULE = '-'.repeat(96);

/**
 * The package as one Python file, always the same text of the same sources: the docstring of `__init__`, the imports of
 * all, and the modules in the order in which they need each other. Names are unique over all modules (a test checks).
 */
export function stitched(sources = SOURCES): string {
  const modules = inOrder(modulesOf(sources));
  const main = modules.find(({ name }) => name === '__init__');
  if (main === undefined) throw new InternalError('zigzag_torch has no __init__.py');
  const imports = [...new Set(modules.flatMap((module) => module.imports))];
  const group = (isTorch: boolean): string =>
    imports
      .filter((line) => /\btorch\b/.test(line) === isTorch)
      .sort((a, b) => Number(a.startsWith('from')) - Number(b.startsWith('from')) || (a < b ? -1 : 1))
      .join('\n');
  const parts = modules
    .filter(({ name }) => name !== '__init__')
    .map(
      ({ name, docstring, body }) => `# ${RULE} ${name}\n# ${docstring.replace(/\n/g, '\n# ')}\n\n${body}`,
    );
  return `"""${main.docstring}"""\n${group(false)}\n\n${group(true)}\n\n${[...parts, main.body].join('\n\n\n')}\n`;
}

/** The code of one module without its imports, for a file that has them. */
export function moduleBody(name: string): string {
  return parse(name, SOURCES[`./zigzag_torch/${name}.py`] ?? '').body;
}
