"""Writes ONNX files of the reference networks, for test/app/bridges/torch-onnx.test.ts.

    python3 torch_onnx.py FOLDER NAME:OPSET...      writes FOLDER/NAME.onnx and FOLDER/NAME.json (the capture)
"""
import os
import sys
import warnings

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import torch_networks  # noqa: E402
import zigzag_torch  # noqa: E402


def main(folder, cases):
    warnings.simplefilter('ignore')
    for case in cases:
        name, opset = case.split(':')
        model, inputs = torch_networks.build(name)
        if name == 'vgg16':  # ONNX has no adaptive pool that enlarges
            model.avgpool = torch.nn.Identity()
            model.classifier[0] = torch.nn.Linear(512 * 2 * 2, 4096)
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        zigzag_torch.capture(model, *inputs, path=os.path.join(folder, f'{name}.json'), name=name)
        torch.onnx.export(model, inputs, os.path.join(folder, f'{name}.onnx'), opset_version=int(opset),
                          training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False,
                          input_names=['x'], output_names=['y'], dynamic_axes={'x': {0: 'batch'}, 'y': {0: 'batch'}})


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
