#pragma once

/// COMPACTION_ARCHITECTURES: an inline namespace named after the architectures that a file is compiled for,
/// such as sm_750900 for sm_75 and sm_90. It holds all kernels and all host functions that name kernels. The
/// linker keeps one copy of a function for all files of a program, and without the namespace that copy could
/// launch kernels of a file that is compiled for other GPUs. Objects that such files pass to each other, such
/// as SelectState, are outside.
///
/// Source: CUB 3.0, CUB_DETAIL_MAGIC_NS_BEGIN.
#ifdef __CUDA_ARCH_LIST__
#define COMPACTION_JOIN_ARCHITECTURES(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ...) \
    sm_##a##b##c##d##e##f##g##h##i##j##k##l##m##n##o##p
#define COMPACTION_NAME_ARCHITECTURES(...) \
    COMPACTION_JOIN_ARCHITECTURES(__VA_ARGS__, , , , , , , , , , , , , , , , )
#define COMPACTION_ARCHITECTURES COMPACTION_NAME_ARCHITECTURES(__CUDA_ARCH_LIST__)
#else
#define COMPACTION_ARCHITECTURES unknown_architectures
#endif
