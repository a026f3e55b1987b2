"""Zigzag for PyTorch: one file, nothing but torch (1.13 or 2.x). Copy it beside your training script.

    import zigzag_torch as zigzag
    zigzag.capture(model, images, path='net.json')      # what autograd really keeps, operation by operation
    # then: zigzag export net.json --strategy live --to plan > plan.json
    model = zigzag.apply(model, 'plan.json')            # trains as before, in the memory that the plan says
    print(zigzag.measure(model, images))                # peak bytes and seconds of a training step

`capture` runs one forward. `apply` wraps the segments of a plan in torch.utils.checkpoint where the plan is
made of segments between checkpoints (chen, optimal, manual ...). Other plans (live, budget, revolve ...) it
executes step by step: every operation has its own small autograd graph whose saved tensors are references to
the plan's activations, so that what the plan frees is free and what it forwards again comes back. Then, as under
torch.utils.checkpoint with use_reentrant=True, a model trains through `.backward()`, not through
`torch.autograd.grad` of its parameters, and once a forward. `executor` of a planned model says which it is.
"""
import collections
import contextlib
import copy
import dis
import inspect
import json
import operator
import os
import time
import traceback
import weakref

import torch
import torch.nn.functional as F
from torch import fx, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._pytree import tree_flatten, tree_unflatten
from torch.utils.checkpoint import checkpoint

SOURCE, TARGET = 'zigzag_source', 'zigzag_target'
IN_PLACE_OPERATORS = {getattr(operator, name) for name in dir(operator) if name[:1] == 'i' and name[1:] in
                      {'add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'matmul', 'and', 'or', 'xor'}}


class CannotCapture(ValueError):
    """The model cannot be drawn as a graph; the message is one sentence that says where and why."""


class PlanMismatch(ValueError):
    """The plan and the model do not belong together; the message says where they differ."""


# ---------------------------------------------------------------------------------------------- tracing

REASONS = (('cannot be iterated', 'it iterates over a tensor or its sizes'),
           ('control flow', 'a branch depends on the values of a tensor'),
           ("'len' is not supported", 'it asks a traced value for its length'),
           ('len()', 'it asks a traced value for its length'))


def _sentence(what, error):
    """Where in the user's code a trace failed, and why, as one sentence."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = os.path.dirname(torch.__file__) + os.sep
    own = [f for f in frames if f.filename != __file__ and not f.filename.startswith(inside)] or frames
    reason = str(error).split('\n', 1)[0].strip() or type(error).__name__
    reason = next((text for part, text in REASONS if part in reason), reason)
    return f'{what} cannot be traced at {own[-1].filename}:{own[-1].lineno} `{own[-1].line}`: {reason}'


class _Unpacked:
    def __iter__(self):
        """`n, c, h, w = x.shape`: torch 1.13 looks at the wrong instruction under Python 3.11."""
        frame = inspect.currentframe().f_back
        for step in dis.get_instructions(frame.f_code):
            if step.offset == frame.f_lasti and step.opname == 'UNPACK_SEQUENCE':
                return (self[i] for i in range(step.argval))
        return self.tracer.iter(self)


class _Attribute(_Unpacked, fx.proxy.Attribute):
    pass


class _Proxy(_Unpacked, fx.Proxy):
    def __getattr__(self, name):
        return _Attribute(self, name)


FACTORIES = ('arange', 'empty', 'eye', 'full', 'linspace', 'normal', 'ones', 'rand', 'randint', 'randn', 'randperm',
             'tensor', 'zeros')


@contextlib.contextmanager
def _traced_factories():
    """`torch.ones(x.size(1))` has no tensor argument by which fx would notice it."""
    def wrap(function):
        def factory(*args, **kwargs):
            proxies = [leaf for leaf in tree_flatten((args, kwargs))[0] if isinstance(leaf, fx.Proxy)]
            return proxies[0].tracer.create_proxy('call_function', function, args, kwargs) if proxies else (
                function(*args, **kwargs))
        return factory
    saved = {name: getattr(torch, name) for name in FACTORIES}
    try:
        for name, function in saved.items():
            setattr(torch, name, wrap(function))
        yield
    finally:
        for name, function in saved.items():
            setattr(torch, name, function)


class _Tracer(fx.Tracer):
    """Traces through every module that can be traced; one that cannot becomes a single operation."""

    def __init__(self):
        super().__init__()
        self.untraced = []

    def proxy(self, node):
        return _Proxy(node, self)

    def call_module(self, module, forward, args, kwargs):
        path = self.path_of_module(module)
        if self.is_leaf_module(module, path):
            return super().call_module(module, forward, args, kwargs)
        before = len(self.graph.nodes)
        try:
            return super().call_module(module, forward, args, kwargs)
        except Exception as error:  # whatever user code throws when it meets a Proxy
            for node in list(self.graph.nodes)[:before - 1:-1]:
                self.graph.erase_node(node)
            self.untraced.append(_sentence(f'{path} ({type(module).__name__})', error))
            return self.create_proxy('call_module', path, args, kwargs)


def _trace(model, count):
    """The fx graph of `model` called with `count` positional tensors, normalised (see `_normalise`)."""
    parameters = list(inspect.signature(model.forward).parameters.values())
    named = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(named) < count:
        raise CannotCapture(f'{type(model).__name__}.forward takes {len(named)} named inputs, not {count}; '
                            'wrap the model in a module whose forward names its inputs')
    rest = [p for p in parameters if p not in named[:count] and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    missing = [p.name for p in rest if p.default is p.empty]
    if missing:
        raise CannotCapture(f'{type(model).__name__}.forward also needs {", ".join(missing)}: pass every input')
    tracer = _Tracer()
    try:
        with _traced_factories():
            graph = tracer.trace(model, concrete_args={p.name: p.default for p in rest} or None)
    except Exception as error:
        raise CannotCapture(_sentence(type(model).__name__, error)) from error
    given = {p.name for p in named[:count]}
    for node in reversed(list(graph.nodes)):
        # What only checked the arguments left at their defaults, and work that nothing reads.
        pure = (node.op in ('call_function', 'call_method', 'get_attr') and _written(node) is None
                and node.target is not operator.setitem)
        if not node.users and (pure or (node.op == 'placeholder' and node.name not in given)):
            graph.erase_node(node)
    return graph, tracer.untraced


def _written(node, modules=None):
    """The argument into which a node writes in place, or None."""
    if not node.args or not isinstance(node.args[0], fx.Node):
        return None
    if node.op == 'call_module':
        inplace = modules is not None and getattr(modules.get(node.target), 'inplace', False) is True
    elif node.op == 'call_method':
        inplace = node.target.endswith('_') and not node.target.endswith('__')
    elif node.op == 'call_function':
        name = getattr(node.target, '__name__', '')
        inplace = (node.target in IN_PLACE_OPERATORS or node.kwargs.get('inplace') is True
                   or (name.endswith('_') and not name.endswith('__')))
    else:
        inplace = False
    return node.args[0] if inplace else None


class _Normaliser:
    """Rewires readers, node by node in program order: what was overwritten in place is read from its writer,
    and a concatenation that begins with an earlier concatenation's inputs (DenseNet) reads that one."""

    def __init__(self, modules):
        self.modules = modules
        self.writer = {}
        self.concatenations = {}

    def visit(self, node):
        for old in node.all_input_nodes:
            new = old
            while new in self.writer and self.writer[new] is not node:
                new = self.writer[new]
            if new is not old:
                node.replace_input_with(old, new)
        if node.op == 'call_function' and node.target is torch.cat and isinstance(node.args[0], (list, tuple)):
            parts, rest = tuple(node.args[0]), (node.args[1:], tuple(node.kwargs.items()))
            for size in range(len(parts) - 1, 1, -1):
                earlier = self.concatenations.get((parts[:size], rest))
                if earlier is not None and earlier not in self.writer:
                    node.args = ([earlier, *parts[size:]], *node.args[1:])
                    break
            self.concatenations[(parts, rest)] = node
        return _written(node, self.modules)

    def wrote(self, old, node):
        self.writer[old] = node


def _tensors(value):
    return [leaf for leaf in tree_flatten(value)[0] if isinstance(leaf, torch.Tensor)]


def _storage(tensor):
    storage = tensor.untyped_storage() if hasattr(tensor, 'untyped_storage') else tensor.storage()
    return storage.data_ptr(), storage.nbytes()


def _run_node(node, modules, args, kwargs):
    if node.op == 'call_module':
        return modules[node.target](*args, **kwargs)
    if node.op == 'call_method':
        return getattr(args[0], node.target)(*args[1:], **kwargs)
    return node.target(*args, **kwargs)


def _lookup(model, target):
    for part in target.split('.'):
        model = getattr(model, part)
    return model


# -------------------------------------------------------------------------------------------- capturing

def capture(model, *inputs, path=None, name=None, batch=None):
    """Runs one forward of `model` in its present mode and returns its zigzag-graph/1 document.

    The ids are fx node names. `batch` rescales what was measured at the inputs' own first extent. The model's
    buffers and the random state are as before afterwards. `untraced` in the result lists, a sentence each, the
    modules that became one operation because their inside cannot be traced.

    Raises CannotCapture with one sentence when the model as a whole cannot be drawn.
    """
    graph, untraced = _trace(model, len(inputs))
    buffers = {key: buffer.clone() for key, buffer in model.named_buffers()}
    devices = [torch.cuda.current_device()] if any(t.is_cuda for t in _tensors(inputs)) else []
    try:
        with torch.random.fork_rng(devices=devices), torch.enable_grad():
            vertices, edges = _Measurement(model, graph).run(inputs)
    finally:
        for key, buffer in model.named_buffers():
            if not torch.equal(buffer, buffers[key]):
                buffer.data.copy_(buffers[key])
    if batch is not None:
        first = next((t.shape[0] for t in _tensors(inputs) if t.dim() > 0), 1)
        for vertex in vertices:
            _rescale(vertex, batch, first)
    document = {'format': 'zigzag-graph', 'version': 1, 'name': name or type(model).__name__,
                'untraced': untraced, 'vertices': vertices, 'edges': edges}
    if path is not None:
        with open(path, 'w', encoding='utf8') as file:
            json.dump(document, file)
    return document


def _rescale(vertex, batch, measured):
    def scale(value):
        return -(-value * batch // measured)
    for field in ('bytes', 'flops'):
        if field in vertex:
            vertex[field] = scale(vertex[field])
    if vertex.get('shape') and vertex['shape'][0] % measured == 0:
        vertex['shape'][0] = vertex['shape'][0] // measured * batch
    if 'auxBytes' in vertex.get('keeps', {}):
        vertex['keeps']['auxBytes'] = scale(vertex['keeps']['auxBytes'])


class _Measurement:
    """One forward under saved-tensor hooks. Everything stays alive until the end, so an address is a name."""

    def __init__(self, model, graph):
        self.model, self.graph = model, graph
        self.modules = dict(model.named_modules())
        self.stationary = {_storage(t)[0] for t in (*model.parameters(), *model.buffers())}
        self.values, self.saved, self.vertices, self.edges = {}, [], {}, []
        self.owners = collections.defaultdict(list)  # storage -> vertices whose value lies in it
        self.trained = collections.defaultdict(set)  # node that no input reaches -> parameters in its value
        self.counted = set()
        self.stale = {}  # vertex whose value an operation overwrote behind its back -> sentence

    def run(self, inputs):
        placeholders = [node for node in self.graph.nodes if node.op == 'placeholder']
        several = len(placeholders) != 1
        if several:
            size = sum(t.numel() * t.element_size() for t in _tensors(inputs))
            self.vertices[SOURCE] = {'id': SOURCE, 'op': 'inputs', 'bytes': size}
        normaliser = _Normaliser(self.modules)
        queue = list(inputs)
        for node in list(self.graph.nodes):
            if node.op == 'placeholder':
                self.place(node, queue.pop(0), several)
            elif node.op == 'get_attr':
                self.values[node] = value = _lookup(self.model, node.target)
                if isinstance(value, nn.Parameter) and value.requires_grad:
                    self.trained[node].add(value)
            elif node.op == 'output':
                self.finish(node)
            else:
                self.step(node, normaliser)
        return list(self.vertices.values()), self.edges

    def place(self, node, value, several):
        if not isinstance(value, torch.Tensor):
            raise CannotCapture(f'the input {node.name} is no tensor; bind it with functools.partial or a wrapper')
        self.values[node] = value
        self.owners[_storage(value)[0]].append(node)
        vertex = {'id': node.name, 'op': 'input', 'bytes': 0 if several else value.numel() * value.element_size()}
        if several:
            vertex['keeps'] = {'inputs': []}
            self.edges.append([SOURCE, node.name])
        elif value.dim() > 0:
            vertex.update(shape=list(value.shape), attrs={})
        self.vertices[node] = vertex

    def step(self, node, normaliser):
        target = normaliser.visit(node)
        sources = []
        fx.node.map_arg((node.args, node.kwargs), lambda n: sources.append(n) if n in self.vertices else None)
        for source in sources:
            if source in self.stale:
                raise CannotCapture(f'{node.name} reads {source.name} after {self.stale[source]} wrote into the '
                                    'same memory through a view; write out of place there')
        args, kwargs = fx.node.map_arg((node.args, node.kwargs), lambda n: self.values[n])
        versions = {s: [t._version for t in _tensors(self.values[s])] for s in sources}
        saved = []
        try:
            with saved_tensors_hooks(lambda t: saved.append(t) or t, lambda t: t):
                value = _run_node(node, self.modules, args, kwargs)
        except CannotCapture:
            raise
        except Exception as error:
            raise CannotCapture(f'{node.name} ({node.target}) fails: {str(error).splitlines()[0]}') from error
        self.values[node] = value
        self.saved.append(saved)
        for source, before in versions.items():
            if [t._version for t in _tensors(self.values[source])] != before and source is not target:
                raise CannotCapture(f'{node.name} ({node.target}) writes into {source.name} in a way that cannot '
                                    'be followed; write out of place there')
        module = self.modules.get(node.target) if node.op == 'call_module' else None
        trained = {p for p in module.parameters() if p.requires_grad} if module is not None else set()
        for constant in node.all_input_nodes:
            trained |= self.trained.get(constant, set())
        if not _tensors(value) or not sources:
            self.trained[node] = trained
            return
        self.record(node, sources, value, saved, target if target in self.vertices else None)
        # A parameter that several operations use counts once.
        count = sum(p.numel() for p in trained if id(p) not in self.counted)
        self.counted |= {id(p) for p in trained}
        if count:
            self.vertices[node]['params'] = count
        if target in self.vertices:
            for other in self.owners[_storage(self.values[target])[0]]:
                if other is not target and other is not node and other not in normaliser.writer:
                    self.stale[other] = node.name
            normaliser.wrote(target, node)

    def record(self, node, sources, value, saved, target):
        outputs = _tensors(value)
        out_keys = {_storage(t)[0] for t in outputs if _storage(t)[1] > 0}
        in_keys = [{_storage(t)[0] for t in _tensors(self.values[s]) if _storage(t)[1] > 0} for s in sources]
        shared = next((p for p, keys in enumerate(in_keys) if out_keys and out_keys <= keys), None)
        if shared is not None and shared > 0:  # an alias is of the first input
            sources = [sources[shared], *sources[:shared], *sources[shared + 1:]]
            in_keys = [in_keys[shared], *in_keys[:shared], *in_keys[shared + 1:]]
        alias = None if shared is None else 'inplace' if target is sources[0] else 'view'
        keeps = {'inputs': [], 'output': False, 'auxBytes': 0}
        seen = set()
        for tensor in saved:
            key, size = _storage(tensor)
            if key in seen or key in self.stationary or size == 0:
                continue
            seen.add(key)
            position = next((p for p, keys in enumerate(in_keys) if key in keys), None)
            if key in out_keys and (alias == 'inplace' or position is None):
                keeps['output'] = True
            elif position is not None:
                keeps['inputs'].append(position)
            elif not any(key == _storage(t)[0] for n, v in self.values.items()
                         if n not in self.vertices and n is not node for t in _tensors(v)):
                keeps['auxBytes'] += size
        keeps['inputs'].sort()
        module = self.modules.get(node.target) if node.op == 'call_module' else None
        vertex = {'id': node.name, 'op': _label(node, module), 'bytes': sum(t.numel() * t.element_size() for t in
                  ({_storage(t)[0]: t for t in outputs}.values() if alias is None else outputs))}
        if len(outputs) == 1 and outputs[0].dim() > 0 and outputs[0].numel() > 0:
            vertex['shape'] = list(outputs[0].shape)
            if outputs[0].dtype != torch.float32:
                vertex['dtype'] = str(outputs[0].dtype).replace('torch.', '')
        known = _known(node, module, [self.values[s] for s in sources], outputs, alias)
        if known is not None and known[2] == keeps and len(outputs) == 1 and 'dtype' not in vertex:
            vertex['op'], vertex['attrs'], vertex['keeps'] = known[0], known[1], keeps
            if known[0] == 'batch-norm':
                keeps['fixedAuxBytes'] = keeps.pop('auxBytes')
        else:
            vertex['op'] = known[0] if known is not None else vertex['op']
            vertex['keeps'], vertex['flops'] = keeps, _flops(node, module, self.values[sources[0]], outputs)
        if alias is not None:
            vertex['alias'] = alias
        self.vertices[node] = vertex
        for key in out_keys:
            self.owners[key].append(node)
        self.edges.extend([self.vertices[s]['id'], node.name] for s in sources)

    def finish(self, node):
        ids = {vertex['id'] for vertex in self.vertices.values()}
        ends = list(dict.fromkeys(n for n in node.all_input_nodes if n in self.vertices))
        read = {source for source, _ in self.edges}
        loose = [v['id'] for n, v in self.vertices.items() if v['id'] not in read and n not in ends]
        if not ids or not ends:
            raise CannotCapture('no output of the model depends on its inputs through tensors')
        if len(ends) > 1 or loose or ends[0].name in read:
            self.vertices[TARGET] = {'id': TARGET, 'op': 'outputs', 'bytes': 0, 'keeps': {'inputs': []}}
            self.edges.extend([[e.name, TARGET] for e in ends] + [[v, TARGET] for v in loose])


def _label(node, module):
    if module is not None:
        return type(module).__name__
    return node.target if node.op == 'call_method' else getattr(node.target, '__name__', str(node.target))


def _flops(node, module, first, outputs):
    """Products of what is known to be one; one operation an element elsewhere."""
    elements = sum(t.numel() for t in outputs)
    name = _label(node, module)
    inner = _tensors(first)[0].shape[-1] if _tensors(first) and _tensors(first)[0].dim() > 0 else 1
    if name in ('Linear', 'linear', 'matmul', 'bmm', 'baddbmm', 'addmm'):
        return 2 * inner * elements
    if module is not None and 'Conv' in name and hasattr(module, 'weight'):
        return 2 * module.weight[0].numel() * elements
    if name == 'scaled_dot_product_attention':
        return 4 * _tensors(first)[0].shape[-2] * elements
    trained = sum(p.numel() for p in module.parameters()) if module is not None else 0
    rows = elements // max(1, outputs[0].shape[-1]) if outputs[0].dim() > 0 else 1
    # A module that could not be traced: about a product with each of its weights for every row.
    return max(elements, 2 * trained * rows) if module is not None and list(module.children()) else elements


def _pair(value):
    return [int(value), int(value)] if not isinstance(value, (tuple, list)) else [int(v) for v in value]


def _pads(value):
    vertical, horizontal = _pair(value)
    return [vertical, vertical, horizontal, horizontal]


def _conv(m):
    if m.padding == 'same' or m.padding_mode != 'zeros':
        return None
    return {'outChannels': m.out_channels, 'kernel': _pair(m.kernel_size), 'stride': _pair(m.stride),
            'padding': _pads(0 if m.padding == 'valid' else m.padding), 'dilation': _pair(m.dilation),
            'groups': m.groups, 'bias': m.bias is not None}


def _pool(kernel_size, stride=None, padding=0, **named):
    return {'kernel': _pair(kernel_size), 'stride': _pair(kernel_size if stride in (None, (), []) else stride),
            'padding': _pads(padding), 'ceilMode': bool(named.get('ceil_mode', False)),
            'countIncludePad': bool(named.get('count_include_pad', True))}


def _known(node, module, inputs, outputs, alias):
    """(operation, attributes, what its backward is expected to keep) of Zigzag's own operations, or None."""
    x, y = inputs[0], outputs[0]
    if not isinstance(x, torch.Tensor) or y.dim() == 0 or x.dim() == 0:
        return None
    what = type(module) if module is not None else node.target
    named = dict(node.kwargs)
    rest = [a for a in node.args[1:] if not isinstance(a, fx.Node)]
    nothing = {'inputs': [], 'output': False, 'auxBytes': 0}
    first = {'inputs': [0], 'output': False, 'auxBytes': 0}
    plain = len(inputs) == 1 and len(rest) == len(node.args) - 1
    if what is nn.Conv2d and x.dim() == 4:
        attributes = _conv(module)
        return attributes and ('conv2d', attributes, first)
    if what in (nn.BatchNorm1d, nn.BatchNorm2d) and x.dim() in (2, 4) and module.affine and module.momentum:
        attributes = {'epsilon': module.eps, 'momentum': module.momentum}
        return 'batch-norm', attributes, {**first, 'auxBytes': 8 * x.shape[1]}
    if what in (nn.ReLU, F.relu, torch.relu, torch.relu_, 'relu', 'relu_'):
        return 'relu', {'inplace': alias == 'inplace'}, {**nothing, 'output': True}
    if what is nn.MaxPool2d or (what is F.max_pool2d and plain):
        options = {'ceil_mode': module.ceil_mode, 'dilation': module.dilation} if module is not None else named
        args = (module.kernel_size, module.stride, module.padding) if module is not None else rest[:3]
        args = [options.pop(k, d) if i >= len(args) else args[i] for i, (k, d) in
                enumerate((('kernel_size', 1), ('stride', None), ('padding', 0)))]
        if _pair(options.get('dilation', 1)) != [1, 1] or x.dim() != 4:
            return None
        return 'max-pool', _pool(*args, ceil_mode=options.get('ceil_mode')), {**first, 'auxBytes': 8 * y.numel()}
    if what is nn.AvgPool2d or (what is F.avg_pool2d and plain):
        options = dict(vars(module)) if module is not None else {**dict(zip(AVG_POOL, rest)), **named}
        if options.get('divisor_override') is not None or x.dim() != 4:
            return None
        return 'avg-pool', _pool(**{k: v for k, v in options.items() if k in AVG_POOL}), first
    if what in (nn.AdaptiveAvgPool2d, F.adaptive_avg_pool2d) and x.dim() == 4:
        return 'adaptive-avg-pool', {'output': list(y.shape[2:])}, first
    if what is nn.Linear and x.dim() == 2:
        return 'linear', {'outFeatures': module.out_features, 'bias': module.bias is not None}, first
    if what in (operator.add, operator.iadd, torch.add, 'add', 'add_') and len(inputs) == 2 and not named:
        if inputs[0].shape == inputs[1].shape and not rest:
            return 'add', {'inplace': alias == 'inplace'}, nothing
    if what in (operator.mul, torch.mul, 'mul') and len(inputs) == 2 and inputs[0].shape == inputs[1].shape:
        both = [0] if inputs[0] is inputs[1] else [0, 1]
        return 'multiply', {}, {**nothing, 'inputs': both}
    if what in (torch.cat, torch.concat) and x.dim() >= 2:
        axis = named.get('dim', rest[0] if rest else 0)
        whole = axis % x.dim() == 1 and sum(t.shape[1] for t in inputs) == y.shape[1]  # no constant among them
        return ('concat', {}, nothing) if whole else None
    if what in (nn.Dropout, F.dropout):
        rate = module.p if module is not None else named.get('p', 0.5)
        training = module.training if module is not None else named.get('training', True)
        if alias == 'view':
            return 'dropout', {'rate': 0}, nothing
        return ('dropout', {'rate': rate}, {**nothing, 'auxBytes': y.numel()}) if training else None
    if alias == 'view' and y.shape == x.shape and what is not operator.getitem:
        return 'identity', {}, nothing
    if alias == 'view' and len(inputs) == 1 and x.dim() > 2 and list(y.shape) == [x.shape[0], x[0].numel()]:
        return 'flatten', {}, nothing
    return None


AVG_POOL = ('kernel_size', 'stride', 'padding', 'ceil_mode', 'count_include_pad')


# --------------------------------------------------------------------------------------------- applying

PLAN = None


def apply(model, plan=None, executor=None):
    """A module that trains as `model` does, in the memory that a zigzag-plan/1 promises.

    `plan` is a path or the parsed document (by default the one that `zigzag export FILE --to torch` wrote into
    this file), made from a `capture` of this model with as many inputs. Parameters
    and buffers are the model's own. Gradients equal those of regular training: to the bit where the plan keeps
    the program's order, else up to the order of additions (a concatenation that begins with another's inputs is
    built from that one, so DenseNet's sums differ in their last digits). Batch norm updates its statistics once,
    dropout draws what it drew. Hooks of modules that are operations run again with their recompute.

    `executor` may be 'checkpoint' (torch.utils.checkpoint around segments; PlanMismatch says why where the plan
    is not made of them) or 'steps'; by default it is the first that can do what the plan says.
    """
    if executor not in (None, 'checkpoint', 'steps'):
        raise ValueError(f"executor is 'checkpoint' or 'steps', not {executor!r}")
    plan = PLAN if plan is None else plan
    if plan is None:
        raise PlanMismatch('there is no plan: make one with `zigzag export FILE --to plan`')
    if not isinstance(plan, dict):
        with open(plan, encoding='utf8') as file:
            plan = json.load(file)
    if plan.get('format') != 'zigzag-plan' or plan.get('version') != 1:
        raise PlanMismatch('this is no zigzag-plan/1 document; make one with `zigzag export FILE --to plan`')
    return Planned(model, plan, executor)


class Planned(nn.Module):
    def __init__(self, model, plan, asked=None):
        super().__init__()
        self.model = model
        self.plan = plan
        self._asked = asked
        self._programs = {}
        #: 'checkpoint' or 'steps', and why not the former; known from the first training step on.
        self.executor = self.reason = None

    def forward(self, *inputs):
        if not torch.is_grad_enabled():
            return self.model(*inputs)
        modes = (len(inputs), tuple(module.training for module in self.model.modules()))
        if modes not in self._programs:
            self._programs[modes] = _Program(self.model, self.plan, len(inputs))
        program = self._programs[modes]
        segments, self.reason = (None, 'steps were asked for') if self._asked == 'steps' else program.segments
        if segments is None and self._asked == 'checkpoint':
            raise PlanMismatch(f'this plan cannot be run by torch.utils.checkpoint: {self.reason}')
        self.executor = 'steps' if segments is None else 'checkpoint'
        if segments is not None:
            return _checkpointed(program, segments, inputs)
        run = _Run(program)
        outputs = _Replay.apply(run, torch.empty(0, requires_grad=True), *inputs)
        return run.arrange(outputs)

    def extra_repr(self):
        return f'strategy={self.plan.get("strategy")!r}, executor={self.executor!r}'

    def __deepcopy__(self, memo):
        return Planned(copy.deepcopy(self.model, memo), self.plan, self._asked)


class _Program:
    """A plan laid over the traced model: what to do in forward, what in backward."""

    def __init__(self, model, plan, count):
        self.model, self.graph = model, _trace(model, count)[0]
        self.modules = dict(model.named_modules())
        by_name = {node.name: node for node in self.graph.nodes}
        steps = [(kind, by_name.get(vertex, vertex), len(rest) > 0) for kind, vertex, *rest in plan['steps']]
        planned = {vertex for _, vertex, _ in steps}
        strangers = sorted(v for v in planned if isinstance(v, str) and v not in (SOURCE, TARGET))
        if strangers:
            raise PlanMismatch(f'the plan speaks of {strangers[0]!r}, which this model has not; '
                               'capture this model and make the plan from that file')
        self.placeholders = [n for n in self.graph.nodes if n.op == 'placeholder']
        self.vertices = {v for v in planned if isinstance(v, fx.Node) and v.op not in ('placeholder', 'output')}
        steps = [step for step in steps if step[1] in self.vertices]
        self.normalise()
        self.steps = steps
        seen, self.recomputed = set(), set()
        for kind, vertex, _ in steps:
            if kind == 'forward':
                (self.recomputed if vertex in seen else seen).add(vertex)
        opening = next((i for i, step in enumerate(steps) if step[0] == 'backward'), len(steps))
        left = set(seen)
        for i, (kind, vertex, _) in enumerate(steps[:opening]):
            left.discard(vertex if kind == 'forward' else None)
            if not left:
                opening = min(opening, i + 1)
                break
        while opening < len(steps) and steps[opening][0] == 'free':
            opening += 1
        self.opening = opening
        self.attach([vertex for kind, vertex, _ in steps[:opening] if kind == 'forward'])
        self.segments = _find_segments(self)

    def normalise(self):
        normaliser = _Normaliser(self.modules)
        self.writes = {}
        for node in list(self.graph.nodes):
            target = normaliser.visit(node)
            if node in self.vertices and target is not None and (
                    target in self.vertices or target in self.placeholders):
                normaliser.wrote(target, node)
                self.writes[node] = target
        self.output = next(n for n in self.graph.nodes if n.op == 'output')

    def compute(self, node, values, overwrite=True):
        """One operation; what it writes in place is copied first where it may not be overwritten."""
        if node.op == 'get_attr':
            return _lookup(self.model, node.target)
        args, kwargs = fx.node.map_arg((node.args, node.kwargs), lambda n: values[n])
        if not overwrite:
            args = (args[0].clone(), *args[1:])
        return _run_node(node, self.modules, args, kwargs)

    def only_reader(self, node, target):
        return sum(_reads(reader, target) for reader in target.users) == 1 and self.output not in target.users

    def attach(self, order):
        """Whatever is no vertex (sizes, masks, views of parameters) runs once, as early as it can."""
        position = {node: -1 for node in self.placeholders}
        position.update({node: i for i, node in enumerate(order)})
        self.prelude, self.after = [], collections.defaultdict(list)
        for node in self.graph.nodes:
            if node in position or node.op == 'output':
                continue
            unplanned = [n for n in node.all_input_nodes if n not in position]
            if unplanned:
                raise PlanMismatch(f'the plan never forwards {unplanned[0].name}; capture the model in this mode '
                                   '(train or eval) and make the plan from that file')
            position[node] = max((position[n] for n in node.all_input_nodes), default=-1)
            if position[node] < 0:
                self.prelude.append(node)
            else:
                self.after[order[position[node]]].append(node)


# ----------------------------------------------------------- segments, under torch.utils.checkpoint

class _Segment:
    """A run of operations that torch.utils.checkpoint forwards again as a whole, or that is kept as a whole."""

    def __init__(self, nodes, again):
        self.nodes, self.again, self.inputs, self.outputs, self.last = nodes, again, [], [], []


def _find_segments(program):
    """(the segments that a plan is made of, None), or (None, why it is not made of segments).

    It is where each backward run needs one recompute, of operations of that very run and from what is kept, and
    where nothing inside such a run is kept from its first forward but what other runs read. The run that comes first in backward is
    the last of the forward: it is kept, because forwarding it again would only cost time.
    """
    steps, opening = program.steps, program.opening
    forwards = [node for kind, node, _ in steps[:opening] if kind == 'forward']
    if len(set(forwards)) < len(forwards):
        return None, 'it recomputes before the first forward has ended'
    freed = {node for kind, node, auxiliary in steps[:opening] if kind == 'free' and not auxiliary}
    kept = set(forwards) - freed - set(program.writes.values())
    readers = {node: {n for n in node.users if n in program.vertices} for node in forwards}
    rank = {node: i for i, node in enumerate(forwards)}
    runs = []  # (recomputed, in the order of backward)
    for kind, node, _ in steps[opening:]:
        if kind == 'forward':
            if not runs or runs[-1][1]:
                runs.append((set(), []))
            if node in runs[-1][0]:
                return None, f'it recomputes {node.name} twice before a backward'
            runs[-1][0].add(node)
        elif kind == 'backward':
            if not runs:
                runs.append((set(), []))
            runs[-1][1].append(node)
    found = []
    for again, backward in runs:
        inside = set(backward)
        if not again <= inside:
            stranger = min(again - inside, key=rank.get)
            return None, f'it recomputes {stranger.name} for the backward of operations that are recomputed elsewhere'
        last = max((i for i, node in enumerate(backward) if node in again), default=-1)
        # What is kept before the recomputed part begins, and all before it, is a run of its own.
        cut = next((i for i in range(last + 1, len(backward)) if backward[i] in kept and readers[backward[i]] & inside),
                   len(backward)) if again else 0
        for part, is_again in ((backward[:cut], bool(found)), (backward[cut:], False)):
            inner = next((n for n in part if n in kept and not readers[n] - set(part) and readers[n]), None)
            if is_again and inner is not None:
                return None, f'it keeps {inner.name} inside a part that it recomputes'
            if part:
                found.append(_Segment(sorted(part, key=rank.get), is_again))
    found.reverse()
    _complete_segments(program, found)
    lost = next((n for segment in found if segment.again for n in segment.inputs if n in freed), None)
    if lost is not None:
        return None, f'it frees {lost.name}, from which a part begins that it recomputes'
    return found, None


def _complete_segments(program, segments):
    """Adds what is no vertex (sizes, masks, views of parameters), and finds what each segment reads and gives."""
    home = {node: i for i, segment in enumerate(segments) for node in segment.nodes}
    rank = {node: (i, 0) for segment in segments for i, node in enumerate(segment.nodes)}
    for place, node in enumerate(program.graph.nodes):
        at = max((home.get(n, -1) for n in node.all_input_nodes), default=-1)
        if node.op in ('placeholder', 'output') or node in home or at < 0:
            continue
        home[node] = at
        rank[node] = (max(rank[n][0] for n in node.all_input_nodes if home.get(n) == at), place + 1)
        segments[at].nodes.append(node)
    for i, segment in enumerate(segments):
        segment.nodes.sort(key=rank.get)
        segment.inputs = list(dict.fromkeys(
            n for node in segment.nodes for n in node.all_input_nodes if home.get(n) != i))
        segment.outputs = [node for node in segment.nodes if any(home.get(user) != i for user in node.users)]
    last = {node: segment for segment in segments for node in segment.inputs}
    for node, segment in last.items():
        if program.output not in node.users:
            segment.last.append(node)


def _checkpointed(program, segments, inputs):
    """One forward of the model, its segments under torch.utils.checkpoint."""
    values = dict(zip(program.placeholders, inputs))
    for node in program.prelude:
        values[node] = program.compute(node, values)
    for segment in segments:
        if segment.again:
            leaves, spec = tree_flatten([values[node] for node in segment.inputs])
            results = checkpoint(_Body(program, segment, spec), *leaves, use_reentrant=False)
            del leaves
        else:
            results = _forward_segment(program, segment, {node: values[node] for node in segment.inputs})
        values.update(zip(segment.outputs, results))
        for node in segment.last:
            values.pop(node, None)
    return fx.node.map_arg(program.output.args[0], lambda node: values[node])


class _Body:
    """What torch.utils.checkpoint calls: the second time it leaves the buffers as they are."""

    def __init__(self, program, segment, spec):
        self.program, self.segment, self.spec, self.again = program, segment, spec, False

    def __call__(self, *leaves):
        values = dict(zip(self.segment.inputs, tree_unflatten(list(leaves), self.spec)))
        again, self.again = self.again, True
        if not again:
            return _forward_segment(self.program, self.segment, values)
        modules = [self.program.modules[node.target] for node in self.segment.nodes if node.op == 'call_module']
        with _buffers_aside(modules):
            return _forward_segment(self.program, self.segment, values)


def _forward_segment(program, segment, values):
    left = collections.Counter(n for node in segment.nodes for n in node.all_input_nodes)
    outputs, own, views = set(segment.outputs), set(), set()
    for node in segment.nodes:
        target = program.writes.get(node)
        # A segment's input is forwarded from again, so that only what is its own may be overwritten.
        taken = target in own and target not in outputs and target not in views and program.only_reader(node, target)
        value = program.compute(node, values, overwrite=target is None or taken)
        own.add(node)
        if not taken and _shares_storage(value, [values[n] for n in node.all_input_nodes]):
            views.update((node, *node.all_input_nodes))
        values[node] = value
        del value
        for source in set(node.all_input_nodes):
            left[source] -= 1
            if left[source] == 0 and source not in outputs:
                del values[source]
    return tuple(values[node] for node in segment.outputs)


def _shares_storage(value, others):
    keys = {_storage(t)[0] for t in _tensors(value) if _storage(t)[1] > 0}
    return any(_storage(t)[0] in keys for other in others for t in _tensors(other))


@contextlib.contextmanager
def _buffers_aside(modules):
    """A recompute must not count twice in what modules gather (batch norm's statistics)."""
    owners = [(m, dict(m._buffers)) for module in modules for m in module.modules() if m._buffers]
    try:
        for owner, buffers in owners:
            owner._buffers.update({k: b if b is None else b.clone() for k, b in buffers.items()})
        yield
    finally:
        for owner, buffers in owners:
            owner._buffers.update(buffers)


class _Cell:
    """What one forward of one operation leaves for its backward."""

    def __init__(self, node):
        self.node, self.inputs, self.saved, self.grads, self.arrived = node, [], [], {}, []


class _Saved:
    """A tensor that an operation saved: a reference into the run's values, or the tensor itself."""

    def __init__(self, tensor):
        self.tensor, self.at, self.geometry = tensor, None, None

    def refer(self, node, slot, base):
        if self.tensor.dtype == base.dtype:
            self.geometry = (self.tensor.size(), self.tensor.stride(), self.tensor.storage_offset())
            self.at, self.tensor = (node, slot), None


class _Head(torch.autograd.Function):
    """Where an operation's own autograd graph begins: passes a value in and its gradient out, keeps neither."""

    @staticmethod
    def forward(ctx, token, cell, at, value):
        ctx.cell, ctx.at = cell, at
        return value.data

    @staticmethod
    def backward(ctx, gradient):
        ctx.cell.arrived.append((ctx.at, gradient))
        return None, None, None, None


class _Tail(torch.autograd.Function):
    """Where it ends: an empty tensor that holds the graph without holding the outputs."""

    @staticmethod
    def forward(ctx, cell, slots, *outputs):
        ctx.cell, ctx.slots = cell, slots
        return outputs[0].new_empty(0)

    @staticmethod
    def backward(ctx, _):
        gradients, ctx.cell.grads = ctx.cell.grads, {}
        return (None, None, *(gradients.get(slot) for slot in ctx.slots))


class _Replay(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, token, *inputs):
        ctx.run = run
        outputs = run.forward_pass(inputs)
        ctx.mark_non_differentiable(*(t for t in outputs if not t.is_floating_point() and not t.is_complex()))
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        run, ctx.run = ctx.run, None
        if run is None:
            raise RuntimeError('a planned step runs backward once: its plan has freed what a second time needs')
        return (None, None, *run.backward_pass(gradients))


class _Run:
    """One training step."""

    def __init__(self, program):
        self.program = program
        self.values, self.tails, self.grads, self.random = {}, {}, {}, {}
        self.differentiable = set()
        self.holders = collections.Counter()  # storage -> gradients that lie in it
        self.self_kept = set()
        self.views = set()
        self.token = torch.empty(0, requires_grad=True)

    # ---- the two halves

    def forward_pass(self, inputs):
        program = self.program
        self.modes = [(device, torch.is_autocast_enabled() if device == 'cuda' else torch.is_autocast_cpu_enabled(),
                       torch.get_autocast_gpu_dtype() if device == 'cuda' else torch.get_autocast_cpu_dtype())
                      for device in ('cuda', 'cpu')]
        self.cuda = sorted({t.get_device() for t in _tensors(inputs) if t.is_cuda})
        for node, value in zip(program.placeholders, inputs):
            self.values[node] = value.detach() if isinstance(value, torch.Tensor) else value
            if isinstance(value, torch.Tensor) and value.requires_grad:
                self.differentiable.add((node, 0))
        for node in program.prelude:
            self.forward(node)
        self.results = {n: self.values[n] for n in program.output.all_input_nodes if n in self.values}
        for kind, node, auxiliary in program.steps[:program.opening]:
            self.step(kind, node, auxiliary)
            if kind == 'forward':
                for other in program.after.get(node, ()):
                    self.forward(other)
                for result in (node, *program.after.get(node, ())):
                    if result in program.output.all_input_nodes:
                        self.results[result] = self.values[result]
        outputs = fx.node.map_arg(program.output.args[0], self.outgoing)
        self.leaves, self.spec = tree_flatten(outputs)
        self.ends = [leaf for leaf in self.leaves if isinstance(leaf, _End)]
        # A fresh handle each: what goes out must not be mistaken for one of the inputs.
        return [end.value.detach() for end in self.ends]

    def outgoing(self, node):
        flat, spec = tree_flatten(self.results[node])
        return tree_unflatten(
            [_End(node, i, t) if isinstance(t, torch.Tensor) else t for i, t in enumerate(flat)], spec)

    def arrange(self, outputs):
        queue = list(outputs)
        flat = [queue.pop(0) if isinstance(leaf, _End) else leaf for leaf in self.leaves]
        for end in self.ends:
            end.value = None  # the plan says how long the values stay
        self.results.clear()
        return tree_unflatten(flat, self.spec)

    def backward_pass(self, gradients):
        for end, gradient in zip(self.ends, gradients):
            if gradient is not None and (end.node, end.slot) in self.differentiable:
                self.holders[_storage(gradient)[0]] += 1  # the caller may hold it too
                self.add((end.node, end.slot), gradient)
        del gradients
        with contextlib.ExitStack() as stack:
            for device, enabled, dtype in self.modes:
                if enabled:
                    stack.enter_context(torch.autocast(device, dtype=dtype))
            for kind, node, auxiliary in self.program.steps[self.program.opening:]:
                self.step(kind, node, auxiliary)
            for nodes in (*reversed(self.program.after.values()), self.program.prelude):
                for node in reversed(nodes):
                    self.backward(node)
        results = [self.grads.get((node, 0)) for node in self.program.placeholders]
        self.__dict__.clear()
        return results

    def step(self, kind, node, auxiliary):
        if kind == 'forward':
            self.forward(node)
        elif kind == 'backward':
            self.backward(node)
        elif auxiliary:
            self.tails.pop(node, None)
        else:
            self.values.pop(node, None)

    # ---- one operation

    def forward(self, node):
        again = node in self.random
        if node.op == 'get_attr':
            self.values[node] = value = _lookup(self.program.model, node.target)
            if isinstance(value, torch.Tensor) and value.requires_grad:
                self.differentiable.add((node, 0))
            return
        cell = _Cell(node)
        run = weakref.ref(self)
        with torch.enable_grad(), saved_tensors_hooks(lambda t: _pack(cell, t), lambda s: _unpack(run, node, s)):
            args, kwargs = fx.node.map_arg((node.args, node.kwargs), lambda n: self.feed(cell, n))
            target = self.program.writes.get(node)
            taken = target is not None and self.may_overwrite(target)
            if target is not None and not taken:
                args = (args[0].clone(), *args[1:])
            with self.like_the_first_time(node, again):
                value = _run_node(node, self.program.modules, args, kwargs)
            self.close(cell, value, target if taken else None)

    def feed(self, cell, node):
        if node not in self.values:
            raise PlanMismatch(f'the plan forwards {cell.node.name} without {node.name}')
        flat, spec = tree_flatten(self.values[node])
        for slot, leaf in enumerate(flat):
            if isinstance(leaf, torch.Tensor):
                cell.inputs.append((node, slot, leaf))
                if (node, slot) in self.differentiable:
                    flat[slot] = _Head.apply(self.token, cell, (node, slot), leaf)
        return tree_unflatten(flat, spec)

    def may_overwrite(self, target):
        """The rule of the plan's memory model: nobody else needs the old value."""
        readers = sum(_reads(reader, target) for reader in target.users if reader.op != 'output')
        return (target in self.program.vertices and readers == 1 and target not in self.self_kept
                and target not in self.views and self.program.output not in target.users)

    def close(self, cell, value, overwritten):
        node = cell.node
        flat, spec = tree_flatten(value)
        bases = {_storage(leaf)[0]: (slot, leaf) for slot, leaf in enumerate(flat) if isinstance(leaf, torch.Tensor)}
        inputs = {_storage(leaf)[0] for _, _, leaf in cell.inputs}
        if any(key in inputs for key in bases) and overwritten is None:
            self.views.add(node)
        if overwritten is not None:
            self.values.pop(overwritten, None)
        for saved in cell.saved:
            if saved.at is not None and saved.at[0] is overwritten:
                saved.at = (node, 0)
                self.self_kept.add(node)
            elif saved.tensor is not None and _storage(saved.tensor)[0] in bases:
                saved.refer(node, *bases[_storage(saved.tensor)[0]])
                self.self_kept.add(node)
        cell.inputs, cell.saved = [], []  # the hooks' references are enough from here on
        ends = {slot: leaf for slot, leaf in enumerate(flat) if isinstance(leaf, torch.Tensor) and leaf.requires_grad}
        self.tails[node] = (cell, _Tail.apply(cell, list(ends), *ends.values())) if ends else None
        self.differentiable.update((node, slot) for slot in ends)
        self.values[node] = tree_unflatten(
            [leaf.detach() if isinstance(leaf, torch.Tensor) else leaf for leaf in flat], spec)

    @contextlib.contextmanager
    def like_the_first_time(self, node, again):
        """A recompute draws what was drawn and leaves the random state and the buffers as they are."""
        module = self.program.modules.get(node.target) if node.op == 'call_module' else None
        if not again:
            before = self.random_state() if node in self.program.recomputed else None
            yield
            drew = before is not None and any(
                not torch.equal(a, b) for a, b in zip(before, self.random_state()))
            self.random[node] = before if drew else None
            return
        now = self.random_state() if self.random[node] is not None else None
        try:
            if now is not None:
                self.set_random_state(self.random[node])
            with _buffers_aside([] if module is None else [module]):
                yield
        finally:
            if now is not None:
                self.set_random_state(now)

    def random_state(self):
        return [torch.get_rng_state(), *(torch.cuda.get_rng_state(device) for device in self.cuda)]

    def set_random_state(self, states):
        torch.set_rng_state(states[0])
        for device, state in zip(self.cuda, states[1:]):
            torch.cuda.set_rng_state(state, device)

    # ---- gradients

    def backward(self, node):
        if node.op == 'get_attr':
            gradient = self.grads.pop((node, 0), None)
            if gradient is not None:
                torch.autograd.backward([self.values[node]], [gradient])
            return
        entry = self.tails.pop(node, None)
        if entry is None:
            return
        cell, tail = entry
        slots = tail.grad_fn.slots
        cell.grads = {slot: self.take((node, slot)) for slot in slots if (node, slot) in self.grads}
        if not cell.grads:
            return
        torch.autograd.backward([tail], [torch.empty_like(tail)])
        del entry, tail
        arrived, cell.arrived = cell.arrived, []
        while arrived:
            self.add(*arrived.pop(0))

    def take(self, at):
        gradient = self.grads.pop(at)
        self.holders[_storage(gradient)[0]] -= 1
        return gradient

    def add(self, at, gradient):
        if gradient is None:
            return
        if at in self.grads:
            held = self.grads[at]
            key = _storage(held)[0]
            if self.holders[key] == 1 and key != _storage(gradient)[0] and held.is_contiguous():
                held.add_(gradient)
                return
            gradient = self.take(at) + gradient
        self.grads[at] = gradient
        self.holders[_storage(gradient)[0]] += 1


class _End:
    """An output of the model. No tuple, because a pytree would take it apart."""

    def __init__(self, node, slot, value):
        self.node, self.slot, self.value = node, slot, value


def _reads(reader, node):
    found = []
    fx.node.map_arg((reader.args, reader.kwargs), lambda n: found.append(n) if n is node else None)
    return len(found)


def _pack(cell, tensor):
    saved = _Saved(tensor)
    key, size = _storage(tensor)
    for node, slot, base in cell.inputs if size > 0 else ():
        if _storage(base)[0] == key:
            saved.refer(node, slot, base)
            break
    cell.saved.append(saved)
    return saved


def _unpack(run, node, saved):
    if saved.at is None:
        return saved.tensor
    source, slot = saved.at
    values = run().values
    if source not in values:
        raise PlanMismatch(f'backward of {node.name} needs {source.name}, which the plan has freed: capture the model '
                           'with this version of torch and make the plan from that file')
    base = tree_flatten(values[source])[0][slot]
    return base.as_strided(*saved.geometry)


# -------------------------------------------------------------------------------------------- measuring

def measure(model, *inputs, loss=None, steps=3):
    """Peak bytes and seconds of a training step of `model` (regular or planned) on `inputs`.

    `peakBytes` counts the inputs and what a step allocates and releases: activations and their gradients, not
    parameters and what lasts. On CUDA the allocator says it, kernels' workspace included. On a CPU the
    profiler does, and `peakBytes` leaves out what a convolution allocates and releases inside one kernel (the
    im2col buffer); `rawPeakBytes` has it. `loss` maps the outputs to a scalar; by default their sum.
    """
    def step():
        outputs = model(*inputs)
        value = loss(outputs) if loss is not None else sum(
            t.float().sum() for t in _tensors(outputs) if t.is_floating_point())
        del outputs
        value.backward()

    cuda = any(t.is_cuda for t in _tensors(inputs))
    size = sum(t.numel() * t.element_size() for t in _tensors(inputs))
    step()
    seconds = []
    for _ in range(steps):
        if cuda:
            torch.cuda.synchronize()
        start = time.perf_counter()
        step()
        if cuda:
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    result = {'device': 'cuda' if cuda else 'cpu', 'seconds': sorted(seconds)[len(seconds) // 2] if seconds else None}
    if cuda:
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        step()
        torch.cuda.synchronize()
        return {**result, 'peakBytes': torch.cuda.max_memory_allocated() - before + size}
    model.zero_grad(set_to_none=True)
    raw, peak = _profiled(step)
    return {**result, 'peakBytes': peak + size, 'rawPeakBytes': raw + size}


def _profiled(step):
    """(peak of all, peak outside convolution kernels) of the bytes that a step allocates and releases."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        step()
    changes, kernels = [], []

    def walk(events):
        for event in events:
            fields = event.extra_fields
            if hasattr(fields, 'alloc_size'):
                changes.append((event.start_time_ns, fields.ptr, fields.alloc_size))
            elif 'conv' in event.name and event.name.startswith('aten::'):
                kernels.append((event.start_time_ns, event.end_time_ns))
            walk(event.children)

    walk(profile.profiler.kineto_results.experimental_event_tree())
    changes.sort(key=lambda change: change[0])
    held, size_of = {}, [0] * len(changes)
    for index, (_, pointer, size) in enumerate(changes):
        if size > 0:
            held[pointer] = (index, size)
        elif pointer in held:  # released: count it from where it was allocated to here
            at, allocated = held.pop(pointer)
            size_of[at], size_of[index] = allocated, -allocated
    kernels.sort()
    live = raw = peak = kernel = 0
    for (when, _, _), size in zip(changes, size_of):
        while kernel < len(kernels) and kernels[kernel][1] < when:
            peak = max(peak, live)
            kernel += 1
        inside = kernel < len(kernels) and kernels[kernel][0] <= when
        live += size
        raw = max(raw, live)
        if not inside:
            peak = max(peak, live)
    return raw, max(peak, live)
