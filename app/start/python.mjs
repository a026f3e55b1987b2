import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { succeeds } from './run.mjs';

/** @param {readonly string[]} modules @param {string} [and] */
const has = (modules, and = 'True') =>
  `import importlib.util as u, importlib.metadata as m
exit(not (all(map(u.find_spec, ${JSON.stringify(modules)})) and ${and}))`;

/** Debian's own first: python3-torch installs for it, whatever else the path offers. */
const NAMES = ['/usr/bin/python3', 'python3'];

/** The folder of `.ci/run` for a PyTorch 2.x of its own. */
export const TORCH2_VENV = join(ROOT, 'node_modules', '.cache', 'zigzag', 'torch2');

/** Packages that the tests against PyTorch 2.x import. */
export const TORCH2_PACKAGES = ['torch', 'torchvision', 'transformers', 'timm'];

/**
 * A Python with PyTorch for the tests against it; ZIGZAG_PYTHON names another one.
 *
 * @returns {string | undefined}
 */
export function findTorchPython() {
  const chosen = process.env['ZIGZAG_PYTHON'];
  const program = has(['torch', 'torchvision']);
  return (chosen ? [chosen] : NAMES).find((python) => succeeds(python, '-c', program));
}

/**
 * A Python with PyTorch 2.x and the libraries of models; ZIGZAG_TORCH2_PYTHON names one.
 *
 * @returns {string | undefined}
 */
export function findTorch2Python() {
  const python = process.env['ZIGZAG_TORCH2_PYTHON'] ?? join(TORCH2_VENV, 'bin', 'python');
  const isTorch2 = `int(m.version("torch").split(".")[0]) > 1`;
  return succeeds(python, '-c', has(TORCH2_PACKAGES, isTorch2)) ? python : undefined;
}
