import { normalizePath, type Plugin } from 'vite';

/**
 * Makes the names that a module imports its own constants. Vitest hands a module its imports as an object with getters.
 * The search and the simulator ask it at every call, and take twice as long as in the product. Cycles of modules and
 * names that are bound again (`export let`) do not work this way; the repository has neither.
 */
export function localImports(root: string): Plugin {
  const folders = ['engine', 'app', 'main', 'renderer', 'test'].map((name) =>
    normalizePath(`${root}/${name}/`),
  );
  const isOurs = (id: string): boolean =>
    folders.some((folder) => id.startsWith(folder)) && /(?<!\.test)\.tsx?$/.test(id);
  return {
    name: 'zigzag:local-imports',
    enforce: 'post',
    transform(code, id) {
      if (!isOurs(id)) return undefined;
      let [written, end] = ['', 0];
      for (const node of this.parse(code).body) {
        if (node.type !== 'ImportDeclaration') continue;
        const named = node.specifiers.filter((each) => each.type === 'ImportSpecifier');
        if (named.length === 0 || named.length < node.specifiers.length) continue;
        const imported = named.map(({ start, end: last, local }) => {
          const [name] = code.slice(start, last).split(' as ');
          return { local: local.name, asked: `${name} as imported_${local.name}` };
        });
        // On one line, so that lines in the stack of an error stay those of the file.
        const asked = `import { ${imported.map((each) => each.asked).join(', ')} } from ${node.source.raw};`;
        const locals = imported.map(({ local }) => `${local} = imported_${local}`);
        written += `${code.slice(end, node.start)}${asked} const ${locals.join(', ')};`;
        ({ end } = node);
      }
      return { code: written + code.slice(end), map: null };
    },
  };
}
