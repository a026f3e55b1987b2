"""Prints the figures of several of these files in one process: to import PyTorch and transformers takes as long as many cases.

    echo '{"torch_llm": [CASE...], "torch_experts": [CASE...]}' | python3 torch_each.py

Each file says what a case is, and what its figures count.
"""
import importlib
import json
import sys

import torch
import transformers

torch.set_num_threads(1)
transformers.logging.set_verbosity_error()
print(json.dumps([one for file, cases in json.load(sys.stdin).items() for one in importlib.import_module(file).figures(cases)]))
