"""Opens the lab with a model, graph or file from Python."""
import atexit
import json
import os
import shutil
import subprocess
import tempfile

import torch

from .engine import BadInput
from .report import Report, report, tell

HOW = ('to see it in the lab, run `zigzag serve {0}`, or `npm start` in a checkout of Zigzag and drop the file {0} on '
       'the window')


def open_lab(what: 'torch.nn.Module | dict | str | os.PathLike') -> 'str | None':
    """Opens an experiment in the lab in the browser and returns the page's address.

    `what` is a model that `fit` returned (its graph, and its budget), a zigzag-graph/1 document as `capture` returns
    it, or the path of a file that the lab can read. The lab is the command `zigzag` of a checkout (`npm link` there
    puts it on the path, or ZIGZAG_HOME names the checkout); it ends with this Python. Without that command it writes
    the file, prints one sentence on how to open it, and returns None. Raises BadInput if there is nothing to show.
    """
    path, budget = _file_of(what)
    command = _find_lab()
    if command is None:
        tell(HOW.format(path))
        return None
    wanted = [] if budget is None else ['--budget', str(budget)]
    with tempfile.TemporaryFile() as errors:
        lab = subprocess.Popen([*command, 'serve', path, *wanted, '--open', '--json'], stdout=subprocess.PIPE,
                               stderr=errors, stdin=subprocess.DEVNULL)
        line = lab.stdout.readline().decode('utf8')
        if not line:
            lab.wait()
            errors.seek(0)
            said = errors.read().decode('utf8', 'replace').strip().splitlines()
            raise BadInput(f'the lab did not open: {said[-1] if said else "it said nothing"}')
    atexit.register(lab.terminate)
    address = json.loads(line)['url']
    tell(f'The lab is open at {address}')
    return address


def _file_of(what):
    """(path, budget in bytes or None)"""
    if isinstance(what, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(what))
        if not os.path.exists(path):
            raise BadInput(f'there is no file {path}')
        return path, None
    budget = None
    if not isinstance(what, dict):
        made = what if isinstance(what, Report) else report(what)
        what, budget = made.document, made.solved.budget_bytes
    name = ''.join(c if c.isalnum() or c in '-_' else '-' for c in str(what.get('name', 'graph')))[:60]
    path = os.path.join(tempfile.mkdtemp(prefix='zigzag-'), f'{name or "graph"}.json')
    with open(path, 'w', encoding='utf8') as file:
        json.dump(what, file)
    return path, budget


def _find_lab():
    """The command line of a checkout. An installed desktop program has the same name and no `serve`."""
    node = shutil.which('node')
    home = os.environ.get('ZIGZAG_HOME')
    script = os.path.join(home, 'app', 'start', 'zigzag.mjs') if home else ''
    if node is not None and os.path.exists(script):
        return [node, script]
    found = shutil.which('zigzag')
    if found is not None and os.path.realpath(found).endswith(('zigzag.mjs', '.cmd')):
        return [found]
    return None
