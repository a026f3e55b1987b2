"""A plan that needs no engine: one checkpoint a block."""
import collections
import re

BLOCK = re.compile(r'blocks\.(\d+)\.')


def _plan_of_blocks(document):
    """(zigzag-plan/1, bytes that it saves at the peak) of a captured network whose modules are `blocks.0`, `blocks.1`, ...

    What a block gives to the next is kept, and all blocks but the last run again. The most is held at the start of the
    backward pass, with and without the plan.
    """
    vertices = {v['id']: v for v in document['vertices'] if v['op'] != 'input'}
    names, inputs, readers = list(vertices), collections.defaultdict(list), collections.defaultdict(list)
    for source, target in document['edges']:
        inputs[target].append(source)
        readers[source].append(target)
    block = {name: int(found[1]) if found else None for name, found in ((name, BLOCK.match(name)) for name in names)}
    last = max(number for number in block.values() if number is not None)
    again = {name for name in names if block[name] not in (None, last)}
    given = {name for name in again if any(block[reader] != block[name] for reader in readers[name])}
    saved = {name for name in names if vertices[name]['keeps']['output']}
    saved |= {inputs[name][i] for name in names for i in vertices[name]['keeps']['inputs']} & set(names)
    masks = {name: sum(vertices[name]['keeps'][key] for key in ('auxBytes', 'fixedAuxBytes')) for name in again - given}
    steps = []

    def forward(part, kept):
        left = {name: sum(reader in part for reader in readers[name]) for name in part}
        for name in part:
            steps.append(['forward', name])
            for value in (name, *inputs[name]):
                if value != name and value in left:
                    left[value] -= 1
                if left.get(value) == 0 and value not in kept:
                    del left[value]
                    steps.append(['free', value])
            if masks.get(name) and kept is not saved:
                steps.append(['free', name, 'aux'])

    def needed(part):
        found = set()
        for name in reversed(part):
            if name not in given and (name in saved or masks[name] or found.intersection(readers[name])):
                found.add(name)
        return [name for name in part if name in found]

    forward(names, given | (saved - again))
    ran = set(names) - again
    for name in reversed(names):
        if name not in ran:
            part = [other for other in names if block[other] == block[name]]
            forward(needed(part), saved)
            ran.update(part)
        steps.append(['backward', name])
        if name in saved | given:
            steps.append(['free', name])

    def held(values):
        return sum(vertices[name]['bytes'] for name in values)

    saves = held((saved & again) - given) - held(given - saved) + sum(masks.values())
    return {'format': 'zigzag-plan', 'version': 1, 'steps': steps}, saves
