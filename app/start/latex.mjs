import { spawnSync } from 'node:child_process';
import { succeeds } from './run.mjs';

/** Debian's packages of what the exported tables need: pdflatex and bibtex, booktabs, amssymb. */
export const LATEX_PACKAGES = ['texlive-latex-base', 'texlive-latex-recommended'];

export const NO_LATEX = `there is no LaTeX with booktabs: install ${LATEX_PACKAGES.join(' and ')}`;

/** True if pdflatex, bibtex and the packages of an exported table are installed. */
export function findLatex() {
  const asked = spawnSync('kpsewhich', ['booktabs.sty', 'amssymb.sty'], { encoding: 'utf8' });
  const found = asked.status === 0 && asked.stdout.trim().split('\n').length === 2;
  return found && ['pdflatex', 'bibtex'].every((name) => succeeds(name, '--version'));
}
