"""ATen operations in the engine's words: kinds, attributes, FLOPs, what backward keeps."""
import torch

from .engine_facts import ENGINE
from .tensors import _product


def _flops(label, args, kwargs, outputs):
    """Two per multiply-add of a product, and the engine's figure per element for other operations."""
    tensors = [a for a in args if isinstance(a, torch.Tensor)]
    own = outputs[0].numel() if outputs else 0
    if label in ('mm', 'bmm', '_scaled_mm') and tensors:
        return 2 * tensors[0].shape[-1] * own
    if label in ('addmm', 'baddbmm', 'addbmm', 'addmv') and len(tensors) > 1:
        return 2 * tensors[1].shape[-1] * own + own
    if 'convolution' in label and len(tensors) > 1:
        transposed = len(args) > 6 and args[6] is True
        bias = own if len(args) > 2 and args[2] is not None else 0
        return 2 * _product(tensors[1].shape[1:]) * (tensors[0].numel() if transposed else own) + bias
    if 'scaled_dot_product' in label and len(tensors) > 2:
        q, k, v = tensors[:3]
        return 2 * _product(q.shape[:-1]) * k.shape[-2] * (q.shape[-1] + v.shape[-1])
    if label in ENGINE['flopsPerElement']:
        return ENGINE['flopsPerElement'][label] * own
    return sum(t.numel() for t in outputs)


def _pair(value):
    return [int(value)] * 2 if not isinstance(value, (tuple, list)) else [int(v) for v in (*value, *value)[:2]]


def _pads(value):
    vertical, horizontal = _pair(value)
    return [vertical, vertical, horizontal, horizontal]


NORMS = {'native_batch_norm': (6, 7), 'cudnn_batch_norm': (6, 7), 'miopen_batch_norm': (6, 7),
         '_native_batch_norm_legit': (6, 7), '_batch_norm_with_update': (5, 6), 'batch_norm_with_update': (5, 6)}


def _kind(label, args, kwargs, outputs):
    """(operation, attributes) if the engine knows it, or None. Shapes are checked again when drawn."""
    if kwargs and label != 'bernoulli_' and any(v is not None for v in kwargs.values()):
        return None
    x = args[0] if args and isinstance(args[0], torch.Tensor) else None
    if label in ('convolution', 'cudnn_convolution') and len(args) == 9 and x.dim() == 4 and not args[6]:
        return 'conv2d', {'outChannels': outputs[0].shape[1], 'kernel': list(args[1].shape[2:]),
                          'stride': _pair(args[3]), 'padding': _pads(args[4]), 'dilation': _pair(args[5]), 'groups': args[8],
                          'bias': args[2] is not None}
    if label in NORMS and x.dim() in (2, 4) and args[1] is not None:
        momentum, epsilon = (args[i] for i in NORMS[label])
        training = label not in ('native_batch_norm', 'cudnn_batch_norm', '_native_batch_norm_legit') or args[5]
        return ('batch-norm', {'epsilon': epsilon, 'momentum': momentum}) if training and momentum else None
    if label in ('relu', 'relu_'):
        return 'relu', {'inplace': label == 'relu_'}
    if label == 'max_pool2d_with_indices' and x.dim() == 4:
        kernel, stride, padding, dilation, ceil = (*args[1:], *(([], 0, 1, False)[len(args) - 2:]))
        return ('max-pool', _pool(kernel, stride, padding, ceil, True)) if _pair(dilation) == [1, 1] else None
    if label == 'avg_pool2d' and x.dim() == 4:
        kernel, stride, padding, ceil, include, divisor = (*args[1:], *(([], 0, False, True, None)[len(args) - 2:]))
        return ('avg-pool', _pool(kernel, stride, padding, ceil, include)) if divisor is None else None
    if label == '_adaptive_avg_pool2d' and x.dim() == 4:
        return 'adaptive-avg-pool', {'output': list(outputs[0].shape[2:])}
    if label == 'addmm':
        return 'linear', {'outFeatures': outputs[0].shape[1], 'bias': True}
    if label == 'mm':
        return 'linear', {'outFeatures': outputs[0].shape[1], 'bias': False}
    if label in ('add', 'add_', 'mul') and len(args) == 2 and isinstance(args[1], torch.Tensor):
        if args[0].shape == args[1].shape:
            return ('add', {'inplace': label == 'add_'}) if label != 'mul' else ('multiply', {})
    if label == 'cat' and outputs[0].dim() >= 2 and (args[1] if len(args) > 1 else 0) % outputs[0].dim() == 1:
        return 'concat', {}
    if label == 'bernoulli_' and len(args) > 1 and isinstance(args[1], float):
        return 'dropout', {'rate': round(1 - args[1], 12)}
    if label == 'native_dropout':
        return 'dropout', {'rate': args[1]}
    return None


def _pool(kernel, stride, padding, ceil, include):
    return {'kernel': _pair(kernel), 'stride': _pair(stride if stride not in (None, [], ()) else kernel),
            'padding': _pads(padding), 'ceilMode': bool(ceil), 'countIncludePad': bool(include)}


def _expected(kind, shape):
    """Tensors that an engine operation saves for backward in profile pytorch; one that saves others is unsupported."""
    keeps = ENGINE['kinds'][kind]['keeps']
    return {'inputs': keeps['inputs'], 'output': keeps['output'], 'auxBytes': keeps['auxPerElement'] * _product(shape),
            'fixedAuxBytes': keeps['fixedPerChannel'] * shape[1] if keeps['fixedPerChannel'] else 0}


def _takes(kind, count):
    facts = ENGINE['kinds'][kind]
    return facts['fewest'] <= count and (facts['most'] is None or count <= facts['most'])
