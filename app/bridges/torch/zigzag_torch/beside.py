"""Results of a forward beside those of its vertices."""
import collections
import itertools
import os


def _beside(drawing):
    """{id of a vertex: bytes beside it, of results that are no value and are not saved, while it runs}. Those between the
    vertex before and it count as far as its own bytes do not cover them: frozen layers make such results, and modules that
    run as a whole. So does what is saved for a gradient that never comes, while autograd's graph is there."""
    recorder, units, group = drawing.recorder, drawing.units, drawing.group
    saved, until = set(), {key: time for key, (_, time) in recorder.held_until.items()}
    for number, unit in recorder.units.items():
        keys = [recorder.units[at[0]].keys[at[1]] for at in unit.saved if at[0] != 'held']
        if number not in drawing.unused:
            saved.update(keys)
        else:
            until.update((key, max(until.get(key, 0), recorder.ended.get(number, recorder.time))) for key in keys)
    owned = saved | {recorder.units[n].keys[slot] for n, slot in itertools.chain(*drawing.values.values())}
    made, changes, own = {}, collections.Counter(), collections.Counter()  # bytes by time, by vertex
    for number, unit in units.items():
        for key, size, time in zip(unit.keys, unit.results, unit.times):
            made.setdefault(key, (number, size, time))
    for key, (number, size, time) in made.items():
        vertex = group.get(number)
        changes[time] += size
        if key in drawing.held:
            changes[0] -= size  # counts from the start, as inputs do
        elif key in owned and vertex is not None:
            own[vertex] += size
            changes[units[vertex].time + 1] -= size  # counts as the vertex's from then on
        else:
            changes[until.get(key, time) + 1] -= size
    there, before, found = [changes[0]], 0, {}
    for time in range(1, recorder.time + 1):
        there.append(there[-1] + changes[time])
    for number in drawing.order:
        time = units[number].time
        most = max(there[before + 1:time + 1])
        if most > own[number]:
            found[drawing.name(number)] = most - own[number]
        before = time
    return found


def _wasted(drawing):
    """(bytes, path of the innermost module around them) that autograd saves for nothing: it drops them with the forward, before a
    gradient can come."""
    recorder, numbers = drawing.recorder, drawing.unused
    made = {at for n in numbers for at in recorder.units[n].saved if at[0] in drawing.units and at[0] not in drawing.live}
    size = {recorder.units[n].keys[slot]: recorder.units[n].results[slot] for n, slot in made}
    return sum(size.values()), '.'.join(os.path.commonprefix([recorder.units[n].path.split('.') for n in numbers]))
