"""Local search over sets of saved values for less recompute within a budget."""
import math

# Tried sets times nodes of the graph: about half a second.
WORK = 300_000
SWAPS, PARTNERS = 24, 6


class Search:
    """Local search over the values that a compiled forward saves.

    Each start is made to fit by dropping, of the values live at the peak, those with the cheapest recompute per byte
    first. Then values are added while the peak allows it, and single values are exchanged. Peaks are those of the
    actual partition (`Joint.tried`). No start gets worse. Time: O(WORK) steps of a node; space O(nodes).
    """

    def __init__(self, joint, budget):
        self.joint, self.budget = joint, budget
        self.best = None  # (cost, peak, saved)
        self.least = math.inf
        self.left = WORK // max(1, len(joint.nodes))

    def tried(self, saved):
        self.left -= 1
        made = self.joint.tried(saved)
        self.least = min(self.least, made[0])
        return made

    def chain(self, value, saved):
        """Cost of computing one value if these are saved."""
        joint, seen, pending = self.joint, set(), [value]
        while pending:
            i = pending.pop()
            if i not in seen:
                seen.add(i)
                pending.extend(j for j in joint.reads[i] if j not in saved and not joint.is_input[j])
        return sum(joint.cost[i] for i in seen)

    def worth(self, value, saved):
        return self.chain(value, saved - {value}) / self.joint.size[value]

    def begin(self, saved):
        self.grow_from(self.fitted(saved))

    def begin_first(self, starts):
        """Takes the first of several starts that fits; later ones save less."""
        made = ((peak, again, saved) for saved in starts for peak, again, _ in [self.tried(saved)])
        self.grow_from(next((one for one in made if one[0] <= self.budget), None))

    def grow_from(self, fitting):
        if fitting is not None:
            self.keep(*self.grown(*fitting))

    def keep(self, peak, again, saved):
        if self.best is None or (again, peak) < self.best[:2]:
            self.best = again, peak, saved

    def fitted(self, saved):
        """(peak, cost, saved) within the budget, or None."""
        stays = set(self.joint.forced)
        peak, again, live = self.tried(saved)
        while peak > self.budget:
            found = [i for i in saved & live if i not in stays and self.joint.size[i]]
            if not found or self.left <= 0:
                return None
            value = min(found, key=lambda i: (self.worth(i, saved), i))
            made = self.tried(saved - {value})
            if made[0] > peak:
                stays.add(value)
            else:
                (peak, again, live), saved = made, saved - {value}
        return peak, again, saved

    def grown(self, peak, again, saved, most=None):
        order, read = self.joint.run_backward(saved)
        joint = self.joint
        saved = {i for i in saved if i in read or i in joint.forced}
        found = [i for i in order if i in joint.needed and i not in joint.never and joint.size[i]]
        for i in sorted(found, key=lambda i: (-self.worth(i, saved), i))[:most]:
            if self.left <= 0:
                break
            made_peak, cost, _ = self.tried(saved | {i})
            if made_peak <= self.budget and cost < again:
                peak, again, saved = made_peak, cost, saved | {i}
        return peak, again, saved

    def improved(self):
        """The best plan after exchanging values while that makes it cheaper."""
        is_better = True
        while is_better and self.left > 0:
            again, _, saved = self.best
            free = sorted((i for i in saved - self.joint.forced if self.joint.size[i]), key=lambda i: (self.worth(i, saved), i))
            for value in free[:SWAPS]:
                made = self.tried(saved - {value})
                if made[0] <= self.budget:
                    self.keep(*self.grown(made[0], made[1], saved - {value}, PARTNERS))
            is_better = self.best[0] < again
        return self.best
