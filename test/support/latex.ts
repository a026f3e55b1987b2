import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Compiled {
  /** Exit statuses of pdflatex and bibtex. */
  readonly status: readonly (number | null)[];
  /** Log of the last pdflatex, with lines of any length. */
  readonly log: string;
  readonly bibliography: string;
  readonly bibtexLog: string;
}

/** CVPR's own page: two columns of 3.25 inches, 5/16 apart. */
const PAGE = `\\documentclass[10pt,twocolumn]{article}
\\setlength{\\textwidth}{6.875in}
\\setlength{\\columnsep}{0.3125in}`;

/**
 * Compiles an exported table with the exported sources as a reader would: a minimal document, pdflatex, bibtex,
 * pdflatex.
 */
export function compiled(tables: readonly string[], sources: string): Compiled {
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-latex-'));
  // TeX breaks the lines of its log where a message may stand.
  const env = { ...process.env, max_print_line: '10000' };
  const run = (program: string, ...args: string[]): number | null =>
    spawnSync(program, args, { cwd: folder, env, stdio: 'ignore' }).status;
  const latex = (): number | null => run('pdflatex', '-interaction=nonstopmode', '-halt-on-error', 'paper');
  const read = (file: string): string => readFileSync(join(folder, file), 'latin1');
  try {
    tables.forEach((table, i) => {
      writeFileSync(join(folder, `table${i}.tex`), table);
    });
    writeFileSync(join(folder, 'zigzag.bib'), sources);
    writeFileSync(
      join(folder, 'paper.tex'),
      `${PAGE}
\\usepackage{booktabs,amssymb}
\\begin{document}
Tables.\\nocite{*}
${tables.map((_, i) => `\\input{table${i}}`).join('\n')}
\\bibliographystyle{plain}
\\bibliography{zigzag}
\\end{document}
`,
    );
    const status = [latex(), run('bibtex', 'paper'), latex(), latex()];
    return { status, log: read('paper.log'), bibliography: read('paper.bbl'), bibtexLog: read('paper.blg') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
