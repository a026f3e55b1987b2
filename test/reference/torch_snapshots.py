"""Memory snapshots of the format of torch.cuda.memory._snapshot, made without a GPU.

Nothing here was measured on a GPU. Real: a training run on the CPU, whose storages are recorded with their Python stacks
when they are allocated and freed (a dispatch mode and weak references, as in torch.distributed._tools.mem_tracker).
Simulated: the places that PyTorch's caching allocator would choose for them (c10/cuda/CUDACachingAllocator.cpp: blocks of
512 bytes, segments of 2 and 20 MiB, best fit, splitting and merging). Left out: allocations inside kernels and the
workspaces of cuBLAS and cuDNN. torch/cuda/memory.py documents the keys.

    python torch_snapshots.py NETWORK FILE [PROTOCOL] [EVIDENCE] [MAX_ENTRIES] [CAPACITY_MIB] [STEPS]

NETWORK: resnet18 (torchvision, batch 8 at 64 pixels, SGD with momentum), tiny-gpt (transformers' GPT-2 of 2 layers,
batch 32 of 32 tokens, AdamW). EVIDENCE: stacks; threads (no stack in backward, as in autograd's own thread under
stacks="python"); annotations (record_function, no stacks); none. MAX_ENTRIES: length of the ring buffer; 0 is
unlimited. CAPACITY_MIB: memory of the device; 0 is unlimited. Prints the expected findings of a reader, as JSON.
"""
import json
import pickle
import sys
import time
import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

UNIT, SMALL, SMALL_SEGMENT, LARGE_SEGMENT, LARGEST_SHARED, STEP = 512, 1 << 20, 2 << 20, 20 << 20, 10 << 20, 2 << 20


class OutOfMemory(Exception):
    pass


class Block:
    def __init__(self, segment, address, size):
        self.segment, self.address, self.size = segment, address, size
        self.requested, self.used, self.frames = 0, False, []


class Allocator:
    """Segments of blocks, and every event that PyTorch would record."""

    def __init__(self, capacity):
        self.segments, self.events, self.capacity, self.next = [], [], capacity, 0x7F0000000000
        self.recording, self.reserved, self.allocated, self.peak, self.asked = False, 0, 0, (0, 0, 0), 0

    def record(self, action, address, size, frames, **more):
        if self.recording:
            entry = {'action': action, 'size': size, 'stream': 0, 'time_us': time.time_ns() // 1000,
                     'compile_context': 'N/A', 'user_metadata': '', 'frames': frames, 'pool_id': (0, 0)}
            entry.update({'device_free': address} if action == 'oom' else {'addr': address}, **more)
            self.events.append(entry)

    def malloc(self, requested, frames):
        size = max(UNIT, -(-requested // UNIT) * UNIT)
        small = size <= SMALL
        free = [b for kind, blocks in self.segments if kind == small for b in blocks if not b.used and b.size >= size]
        block = min(free, key=lambda b: (b.size, b.address), default=None)
        if block is None:
            wanted = SMALL_SEGMENT if small else LARGE_SEGMENT if size < LARGEST_SHARED else -(-size // STEP) * STEP
            if self.capacity and self.reserved + wanted > self.capacity:
                self.record('oom', self.capacity - self.reserved, requested, frames)
                raise OutOfMemory(f'{requested} bytes')
            segment = (small, [])
            block = Block(segment, self.next, wanted)
            segment[1].append(block)
            self.segments.append(segment)
            self.next += wanted + (1 << 25)
            self.reserved += wanted
            self.record('segment_alloc', block.address, wanted, frames)
        left = block.size - size
        if left >= UNIT if small else left > SMALL:
            rest = Block(block.segment, block.address + size, left)
            block.size = size
            block.segment[1].insert(block.segment[1].index(block) + 1, rest)
        block.requested, block.used, block.frames = requested, True, frames
        self.allocated += block.size
        self.asked += requested
        self.record('alloc', block.address, requested, frames)
        if self.recording and self.allocated > self.peak[0]:
            self.peak = (self.allocated, self.asked, self.reserved)
        return block

    def free(self, block, frames):
        self.record('free_requested', block.address, block.requested, frames)
        self.record('free_completed', block.address, block.requested, frames)
        self.allocated -= block.size
        self.asked -= block.requested
        block.used = False
        blocks = block.segment[1]
        at = blocks.index(block)
        for left, right in ((at, at + 1), (at - 1, at)):
            if left >= 0 and right < len(blocks) and not blocks[left].used and not blocks[right].used:
                blocks[left].size += blocks.pop(right).size

    def snapshot(self, entries, annotations):
        def of(blocks):
            return [{'address': b.address, 'size': b.size, 'requested_size': b.requested if b.used else 0,
                     'state': 'active_allocated' if b.used else 'inactive', 'frames': b.frames if b.used else []}
                    for b in blocks]
        return {'segments': [{'device': 0, 'address': blocks[0].address, 'total_size': sum(b.size for b in blocks),
                              'allocated_size': sum(b.size for b in blocks if b.used),
                              'active_size': sum(b.size for b in blocks if b.used),
                              'requested_size': sum(b.requested for b in blocks if b.used), 'stream': 0,
                              'segment_type': 'small' if small else 'large', 'segment_pool_id': (0, 0),
                              'is_expandable': False, 'frames': [], 'blocks': of(blocks)}
                             for small, blocks in self.segments],
                'device_traces': [self.events[-entries:] if entries else self.events],
                'allocator_settings': {'PYTORCH_CUDA_ALLOC_CONF': '', 'max_split_size': -1, 'garbage_collection_threshold': 0.0,
                                       'expandable_segments': False, 'pinned_num_register_threads': 1,
                                       'release_lock_on_cudamalloc': False, 'pinned_use_cuda_host_register': False,
                                       'roundup_power2_divisions': {'1': 0, '2': 0}},
                'external_annotations': annotations}


class Recorder(TorchDispatchMode):
    """Reports each allocated and freed storage to the allocator."""

    def __init__(self, allocator, evidence):
        super().__init__()
        self.allocator, self.evidence, self.seen, self.stacks, self.annotations = allocator, evidence, {}, {}, []

    def frames(self):
        if self.evidence in ('annotations', 'none'):
            return []
        found, frame = [], sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            path = code.co_filename.replace('\\', '/')
            if not path.endswith('torch_snapshots.py') or code.co_name in ('step', 'main'):
                name = path.split('site-packages/')[-1] if 'site-packages/' in path else 'train.py'
                if '_python_dispatch' not in name and '_dispatch' not in code.co_name:
                    found.append((name, frame.f_lineno, code.co_name))
            frame = frame.f_back
        if self.evidence == 'threads' and any(name == '_engine_run_backward' for _, _, name in found):
            return []
        key = tuple(found)
        if key not in self.stacks:
            self.stacks[key] = [{'filename': f, 'line': line, 'name': n} for f, line, n in found]
        return self.stacks[key]

    def watch(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self.seen or storage.nbytes() == 0:
            return
        block = self.allocator.malloc(storage.nbytes(), self.frames())

        def gone(_, key=key, block=block):
            del self.seen[key]
            self.allocator.free(block, self.frames())
        self.seen[key] = weakref.ref(storage, gone)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        results = function(*args, **(kwargs or {}))
        for value in tree_leaves(results):
            if isinstance(value, torch.Tensor):
                self.watch(value)
        return results

    def named(self, name):
        recorder = self

        class Named:
            def __enter__(self):
                recorder.note(name, 'START')

            def __exit__(self, *_):
                recorder.note(name, 'END')
        return Named()

    def note(self, name, stage):
        time.sleep(0.00001)
        if self.evidence == 'annotations':
            self.annotations.append({'name': name, 'stage': stage, 'device': 0, 'time_us': time.time_ns() // 1000})
        time.sleep(0.00001)


def network(name):
    torch.manual_seed(0)
    if name == 'resnet18':
        from torchvision.models import resnet18
        model = resnet18()
        return (model, lambda: torch.randn(8, 3, 64, 64), lambda: torch.randint(1000, (8,)),
                torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), lambda outputs: outputs)
    from transformers import GPT2Config, GPT2LMHeadModel
    config = GPT2Config(vocab_size=64, n_positions=64, n_embd=32, n_layer=2, n_head=4, resid_pdrop=0, embd_pdrop=0,
                        attn_pdrop=0, use_cache=False, activation_function='gelu')
    model = GPT2LMHeadModel(config)
    return (model, lambda: torch.randint(64, (32, 32)), lambda: torch.randint(64, (1024,)),
            torch.optim.AdamW(model.parameters()), lambda outputs: outputs.logits.view(-1, 64))


def main():
    name, path = sys.argv[1:3]
    protocol, evidence, entries, capacity, steps = (sys.argv[3:] + ['4', 'stacks', '0', '0', '2'][len(sys.argv) - 3:])[:5]
    allocator = Allocator(int(capacity) << 20)
    recorder = Recorder(allocator, evidence)
    model, images, labels, optimizer, scores = network(name)
    for tensor in [*model.parameters(), *model.buffers()]:
        recorder.watch(tensor)

    def step():
        x, y = images(), labels()
        with recorder.named('## forward ##'):
            loss = torch.nn.functional.cross_entropy(scores(model(x)), y)
        with recorder.named('## backward ##'):
            loss.backward()
        with recorder.named('Optimizer.step#' + type(optimizer).__name__ + '.step'):
            optimizer.step()
        optimizer.zero_grad()

    allocator.recording = True
    failed = None
    with recorder:
        try:
            for _ in range(int(steps)):
                step()
        except OutOfMemory as error:
            failed = str(error)
    recorded = len(allocator.events)
    document = allocator.snapshot(int(entries), recorder.annotations)
    allocator.recording = False
    with open(path, 'wb') as file:
        pickle.dump(document, file, protocol=int(protocol))
    allocated, requested, reserved = allocator.peak
    print(json.dumps({'events': recorded, 'peakAllocated': allocated, 'peakRequested': requested,
                      'peakReserved': reserved, 'failed': failed}))


main()
