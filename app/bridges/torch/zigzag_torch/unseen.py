"""Finds tensors that kernels write without PyTorch's knowledge, such as those of Triton."""
import weakref

import torch
from torch.autograd.function import BackwardCFunction

from .tensors import _key, _plain, _size

# They leave memory as it is; what is read from it has been written by something else.
BLANK = ('empty', 'new_empty')
SAMPLE = 128
MARK = 'zigzag'  # among the metadata of a node of autograd's graph
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class _Mark:
    def __init__(self, at):
        self.at = at


class _Unseen:
    """Samples of the memory of results, compared with what is there when a result is read or saved.

    Such kernels run inside a torch.autograd.Function, so that results are looked at which it made, read, returns or saves.
    """

    def __init__(self):
        self.samples, self.blank, self.inside = {}, set(), set()
        self.found, self.changed = set(), []  # numbers of operations; (number, whether its result has changed)
        self.nodes = weakref.WeakValueDictionary()  # number -> node of a Function

    def made(self, facts, tensor):
        """The result of an operation, or what one has written in place."""
        key = _key(tensor)
        if key is None or not _plain(tensor) or tensor.is_meta or tensor.is_complex():
            return
        self.samples[key] = _sample(tensor)
        if not torch.is_grad_enabled():
            self.inside.add(key)
        if facts.label.startswith(BLANK):
            self.blank.add(key)
        else:
            self.blank.discard(key)

    def read(self, number, tensor, is_inside, is_written=False):
        key = _key(tensor)
        before = self.samples.get(key)
        if before is None:
            return
        is_own = self.link(number, tensor)
        if key in self.blank and not is_written:
            self.found.add(number)
        elif number not in self.found and (is_own or is_inside or key in self.inside):
            now = _sample(tensor)
            if now.shape == before.shape and now.dtype == before.dtype:
                self.changed.append((number, (now != before).any()))
            self.samples[key] = now
            self.inside.discard(key)
        if is_inside:
            self.inside.add(key)

    def settle(self, at, tensor):
        """Marks the node of a result with its place (number, slot). The mark lives as long as the node."""
        mark = tensor.grad_fn.metadata[MARK] = _Mark(at)
        self.link(at[0], tensor)
        return mark

    def link(self, number, tensor):
        is_own = isinstance(tensor.grad_fn, BackwardCFunction)
        if is_own:
            self.nodes.setdefault(number, tensor.grad_fn)
        return is_own

    def numbers(self):
        """Operations whose results were written unseen."""
        self.found.update(number for number, changed in self.changed if bool(changed))
        return self.found

    def sources(self, number):
        """(results, parameters) that a Function computed a result from, as autograd knows them."""
        pending, seen, results, parameters = [self.nodes.get(number)], set(), [], []
        while pending:
            node = pending.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            mark = node.metadata.get(MARK)
            if mark is not None and mark.at[0] != number:
                results.append(mark.at)
            elif hasattr(node, 'variable'):
                parameters.append(node.variable)
            else:
                pending.extend(before for before, _ in node.next_functions)
        return results, parameters


def _sample(tensor):
    """Some elements of a tensor's memory, as bits."""
    width = tensor.element_size()
    count = _size(tensor) // width
    step = count // SAMPLE + 1
    return tensor.as_strided((-(-count // step),), (step,), 0).clone().view(BITS[width])
