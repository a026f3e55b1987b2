import { spawnSync } from 'node:child_process';

const HAS_TORCH = `import importlib.util as u
exit(not (u.find_spec("torch") and u.find_spec("torchvision")))`;

/** Debian's own first: python3-torch installs for it, whatever else the path offers. */
const NAMES = ['/usr/bin/python3', 'python3'];

/**
 * A Python with PyTorch for the tests against it; ZIGZAG_PYTHON names another one.
 *
 * @returns {string | undefined}
 */
export function findTorchPython() {
  const chosen = process.env['ZIGZAG_PYTHON'];
  return (chosen ? [chosen] : NAMES).find((python) => spawnSync(python, ['-c', HAS_TORCH]).status === 0);
}
