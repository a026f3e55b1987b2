"""From a model and a budget to the same model within it."""
from . import zigzag_torch as bridge
from .engine import solve
from .report import Report, keep


def fit(model, *inputs, budget, optimizer=None, loss=None, **kwargs):
    """Makes `model` train on `inputs` within `budget`, prints one line of it, and returns it.

    `budget` is '60%' of the peak of a step as it is; the memory of a device, as a text ('24GB', '24GiB') or bytes; or
    'knee', from where a byte less costs more time than it did on the average (see `solve`). From the memory of a
    device what lies beside a step is taken off: parameters and buffers, a gradient for each trained parameter, and
    what `optimizer` keeps (see `stationary_bytes`; without an optimizer that is nothing). What the driver, the
    libraries and the allocator take is not known here: leave them some.

    Captures the model (one training step's forward on these inputs, in its present mode), solves with the strategy
    `budget`, verifies that the plan gives the same results, and applies it. A model that fits as it is stays
    unchanged. `loss` maps the outputs to a scalar; `kwargs` go to the model. `report(model)` tells more.

    Raises CannotFit with the least budget known to work; BadInput for what is no budget; CannotCapture and
    PlanMismatch of the bridge; EngineMissing. One sentence each, and the model is as before.
    """
    call = kwargs if loss is None else {**kwargs, 'loss': loss}
    document = bridge.capture(model, *inputs, **call)
    stationary, remark = stationary_bytes(model, optimizer)
    solved = solve(document, budget=budget, stationary=list(stationary.items()))
    regular = solved.head['regularPeakBytes']
    rows = [('Budget asked for', str(budget)), *solved.rows]
    if remark:
        rows.append(('Optimizer', remark))
    if regular <= solved.budget_bytes:
        sentence = f"{solved.head['model']} fits as it is: nothing was changed."
        made = Report(solved, document, False, sentence, rows)
    else:
        verify = getattr(bridge, 'verify', None)
        if verify is not None:
            verify(model, solved.plan, *inputs, **call)
            rows.append(('Verified', 'a step gives the same results under the plan'))
        model = bridge.apply(model, solved.plan)
        made = Report(solved, document, True, solved.sentence, rows)
    keep(model, made)
    print(made.sentence)
    return model


# Tensors as large as a parameter that an optimizer keeps for it, by the options that decide. Subclasses come as the
# classes that they are made of.
STATE_COPIES = {
    'ASGD': lambda group: 1,
    'Adadelta': lambda group: 2,
    'Adagrad': lambda group: 1,
    'Adam': lambda group: 2 + bool(group.get('amsgrad')),
    'AdamW': lambda group: 2 + bool(group.get('amsgrad')),
    'Adamax': lambda group: 2,
    'LBFGS': lambda group: 2 * group.get('history_size', 100) + 3,
    'NAdam': lambda group: 2,
    'RAdam': lambda group: 2,
    'RMSprop': lambda group: 1 + (group.get('momentum', 0) > 0) + bool(group.get('centered')),
    'Rprop': lambda group: 2,
    'SGD': lambda group: int(group.get('momentum', 0) != 0),
    'SparseAdam': lambda group: 2,
}
ASSUMED_COPIES = 2


def stationary_bytes(model, optimizer=None):
    """({name: bytes}, remark): what lies in memory beside a training step of `model`.

    Parameters and buffers, each storage once; a gradient for each parameter that is trained; what the optimizer keeps,
    counted where it has stepped already and known by its type where it has not. Of a type that is not known two
    tensors a parameter are assumed, and the remark, else None, says so.
    """
    storages = {}
    for tensor in (*model.parameters(), *model.buffers()):
        storage = tensor.untyped_storage() if hasattr(tensor, 'untyped_storage') else tensor.storage()
        storages[str(tensor.device), storage.data_ptr()] = storage.nbytes()
    amounts = {'Parameters and buffers': sum(storages.values()),
               'Their gradients': sum(_size(p) for p in model.parameters() if p.requires_grad)}
    if optimizer is None:
        return amounts, None
    copies = next((STATE_COPIES[kind.__name__] for kind in type(optimizer).__mro__ if kind.__name__ in STATE_COPIES),
                  None)
    state, assumed = 0, False
    for group in optimizer.param_groups:
        for parameter in group['params']:
            kept = [_size(value) for value in optimizer.state.get(parameter, {}).values() if hasattr(value, 'numel')]
            if kept:
                state += sum(kept)
            elif parameter.requires_grad:
                assumed = assumed or copies is None
                state += _size(parameter) * (ASSUMED_COPIES if copies is None else copies(group))
    name = type(optimizer).__name__
    amounts[f'State of {name}'] = state
    return amounts, f'{name} has not stepped yet: two tensors a parameter are assumed' if assumed else None


def _size(tensor):
    return tensor.numel() * tensor.element_size()
