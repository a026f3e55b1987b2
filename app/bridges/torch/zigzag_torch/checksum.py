"""Checksums of tensors."""
import torch


def _checksum(tensor):
    """(sums over the bits of a tensor, sum of its absolute values), on the tensor's device."""
    parts = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    # In memory order, so that a dense tensor is not copied.
    parts = parts.permute(sorted(range(parts.dim()), key=lambda d: -parts.stride(d))).reshape(-1)
    integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[parts.element_size()]
    exact, total = [], torch.zeros((), dtype=torch.float64, device=tensor.device)
    # A part takes 32 bytes an element: a small share of the tensor, and few parts.
    for part in parts.split(min(1 << 20, max(1 << 10, len(parts) // 256))) if len(parts) else ():
        bits = part.view(integer).to(torch.int64)
        exact.append(torch.stack([bits.sum(), (bits * torch.arange(1, len(bits) + 1, device=bits.device)).sum()]))
        total += part.double().nan_to_num(0, 0, 0).abs().sum()
    return torch.stack(exact) if exact else torch.zeros(0, 2, dtype=torch.int64, device=tensor.device), total
