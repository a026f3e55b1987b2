"""Uses the Python package unpacked in SITE, for test/app/bridges/wheel.test.ts.

    python3 torch_wheel.py solve SITE FOLDER NAME...    writes FOLDER/NAME.json, and .KEY.plan and .KEY.row
    python3 torch_wheel.py fit SITE FOLDER              writes FOLDER/fit.json and FOLDER/report.html
"""
import contextlib
import copy
import io
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [sys.argv[2], HERE]

import torch  # noqa: E402
import torch_networks  # noqa: E402
import zigzag_lab as zigzag  # noqa: E402

ASKED = {'optimal': {}, 'live': {'strategy': 'live'}, 'share': {'budget': '85%'}, 'knee': {'budget': 'knee'},
         'revolve': {'strategy': 'revolve', 'slots': 3}, 'random': {'strategy': 'random', 'seed': 7, 'batch': 2}}


def solve(folder, names):
    for name in names:
        model, inputs = torch_networks.build(name)
        path = os.path.join(folder, f'{name}.json')
        document = zigzag.capture(model, *inputs, path=path, name=name)
        for key, asked in ASKED.items():
            # By path and by the document that capture returned.
            try:
                solved = zigzag.solve(path if key == 'live' else document, **asked)
                solved.save(os.path.join(folder, f'{name}.{key}.plan'))
                said = {**solved.head, 'rows': [solved.row], 'budgetBytes': solved.budget_bytes}
            except zigzag.BadInput as error:
                said = {'refused': str(error)}
            with open(os.path.join(folder, f'{name}.{key}.row'), 'w') as file:
                json.dump(said, file)


def refusal(call):
    try:
        call()
    except Exception as error:
        return {'type': type(error).__name__, 'message': str(error), 'least': getattr(error, 'least_budget', None)}
    return None


def step(model, inputs):
    torch.manual_seed(5)
    value = model(*inputs).float().square().mean()
    value.backward()
    return value.item(), [p.grad for p in model.parameters()]


def fit(folder):
    torch.manual_seed(7)
    model, inputs = torch_networks.Transformer(depth=1), (torch.randint(0, 128, (8, 64)),)
    regular = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters())
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        planned = zigzag.fit(model, *inputs, budget='60%', optimizer=optimizer)
    same = planned is model
    made = zigzag.report(planned)
    with open(os.path.join(folder, 'report.html'), 'w', encoding='utf8') as file:
        file.write(made._repr_html_())
    loss, gradients = step(planned, inputs)
    loss0, gradients0 = step(regular, inputs)
    stationary, remark = zigzag.stationary_bytes(regular, torch.optim.SGD(regular.parameters(), lr=0.1, momentum=0.9))
    size = sum(p.numel() * p.element_size() for p in regular.parameters())
    with contextlib.redirect_stdout(io.StringIO()):
        small = refusal(lambda: zigzag.fit(copy.deepcopy(regular), *inputs, budget='1%'))
        again = refusal(lambda: zigzag.fit(copy.deepcopy(regular), *inputs, budget=small['least']))
        device = refusal(lambda: zigzag.fit(copy.deepcopy(regular), *inputs, budget='100kB'))
        device_again = refusal(lambda: zigzag.fit(copy.deepcopy(regular), *inputs, budget=device['least']))
        roomy = zigzag.fit(copy.deepcopy(regular), *inputs, budget='24GB')
    with contextlib.redirect_stdout(io.StringIO()):
        twice = zigzag.fit(copy.deepcopy(regular), *inputs, budget='80%')
        twice = zigzag.fit(twice, *inputs, budget='60%')
        worse = refusal(lambda: zigzag.fit(twice, *inputs, budget='1%'))
        step(twice, inputs)
        still = zigzag.followed(twice)['recomputed'] > 0
        plain = zigzag.fit(twice, *inputs, budget='24GB')
    result = {
        'same': same, 'twice': [worse['type'], still, zigzag.report(plain).applied], 'followed': zigzag.followed(plain)['left'],
        'document': made.document,
        'said': said.getvalue(), 'sentence': made.sentence, 'rows': made.rows, 'applied': made.applied,
        'loss': loss == loss0,
        'worst': max(float((a - b).abs().max() / b.abs().max().clamp_min(1e-30)) for a, b in zip(gradients, gradients0)),
        'peak': made.solved.row['peakBytes'], 'regular': made.solved.head['regularPeakBytes'],
        'parameters': size, 'stationary': stationary, 'remark': remark,
        'small': small, 'again': again, 'device': device, 'deviceAgain': device_again,
        'roomy': [zigzag.report(roomy).applied, zigzag.report(roomy).sentence],
        'nonsense': refusal(lambda: zigzag.fit(model, *inputs, budget='much')),
        'uncheckpointed': refusal(lambda: zigzag.fit(model, *inputs, budget='checkpointing')),
        'half': refusal(lambda: zigzag.fit(model, *inputs, budget=0.5)),
        'stranger': refusal(lambda: zigzag.report(regular)),
    }
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        os.environ.pop('ZIGZAG_HOME', None)
        os.environ['PATH'] = ''  # no lab
        address = zigzag.open_lab(planned)
    result['opened'] = [address, shown.getvalue()]
    with open(os.path.join(folder, 'fit.json'), 'w') as file:
        json.dump(result, file)


if sys.argv[1] == 'solve':
    solve(sys.argv[3], sys.argv[4:])
else:
    fit(sys.argv[3])
