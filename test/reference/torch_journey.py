"""A model from capture to training, with the bridge that lies in the folder: torch_journey.py capture|train FOLDER."""
import copy
import json
import os
import sys

STEP, FOLDER = sys.argv[1], sys.argv[2]
sys.path.insert(0, FOLDER)

import torch
from torch import nn
import zigzag_torch as zigzag

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                                  nn.Dropout(0.1), nn.Conv2d(width, width, 3, padding=1, bias=False),
                                  nn.BatchNorm2d(width))

    def forward(self, x):
        return torch.relu(self.body(x) + x)


def network():
    torch.manual_seed(3)
    return nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), *(Block(16) for _ in range(6)), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(16, 10))


def train(model):
    """(losses, gradients) of three steps."""
    torch.manual_seed(4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses, gradients = [], []
    for _ in range(3):
        images, labels = torch.randn(4, 3, 32, 32), torch.randint(10, (4,))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        losses.append(loss.item())
        gradients.extend(p.grad.clone() for p in model.parameters())
        optimizer.step()
    return losses, gradients


def main():
    model, images = network(), torch.randn(4, 3, 32, 32)
    if STEP == 'capture':
        zigzag.capture(model, images, path=os.path.join(FOLDER, 'journey.json'), name='journey')
        return
    plan = os.path.join(FOLDER, 'plan.json')
    regular = zigzag.measure(model, images, steps=0)['peakBytes']
    model.load_state_dict(network().state_dict())
    planned = zigzag.apply(copy.deepcopy(model), plan)
    losses, gradients = train(model)
    under, same = train(planned)
    print(json.dumps({'losses': losses, 'underPlan': under,
                      'gradients': all(torch.equal(a, b) for a, b in zip(gradients, same)), **zigzag.followed(planned),
                      'regularPeakBytes': regular, 'peakBytes': zigzag.measure(planned, images, steps=0)['peakBytes']}))


main()
