/**
 * PyTorch's allocator on CUDA gives every tensor a multiple of 512 bytes (`kMinBlockSize`, c10/cuda/
 * CUDACachingAllocator), and `max_memory_allocated` counts these. What it reserves beyond them (segments of 2 and 20 MiB,
 * fragmentation) depends on the order of requests: unknown, and in no term.
 */
export const ALLOCATION_BYTES = 512;

/** Bytes that rounding adds to a tensor. */
export const roundingOf = (bytes: number): number =>
  (ALLOCATION_BYTES - (bytes % ALLOCATION_BYTES)) % ALLOCATION_BYTES;

/**
 * The workspace that cuBLAS is given on its first product: two buffers of 4,096 KiB and eight of 16 KiB (PyTorch,
 * "CUDA semantics", cuBLAS workspaces; on Hopper 32 MiB). What convolutions ask for besides is cuDNN's choice:
 * unknown, and in no term.
 */
export const CUBLAS_WORKSPACE_BYTES = 2 * 4096 * 1024 + 8 * 16 * 1024;
