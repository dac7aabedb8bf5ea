"""Selection on a GPU for arrays of CuPy and PyTorch, without a copy: masked_select(x, mask), select_nonzero(x), nonzero(x), and
select(x, "x > 0.5f") by a predicate that is a C++ expression.

The kernels are those of compaction/cuda/select_kernels.cuh. NVRTC compiles them at the first call of each kind and predicate. No
other package, compiler or header is needed: only libnvrtc and the driver. Tested with NVRTC 13.0 on Linux.

Arrays are anything with __cuda_array_interface__: cupy.ndarray, torch.Tensor, DeviceArray. They are contiguous, on the current
device, and their items have 1, 2, 4, 8 or 16 bytes. Each call waits for the number of selected items, since the result has that length. The result is
a view of an array as long as the input, whose memory is freed with the view; `.copy()` or `.clone()` makes it shorter.
Calls of several threads must not overlap.
"""

import collections
import ctypes
import functools
import math
import os
import pathlib
import struct
import sys

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "compaction/include"
OPTIONS = ("-std=c++17", f"-I{INCLUDE}", f"-I{INCLUDE / 'compaction/nvrtc'}")

SOURCE = """#include "compaction/cuda/select_kernels.cuh"
using Item = {item};
struct Predicate {{
    __device__ bool operator()(const Item& x) const {{ return {predicate}; }}
}};
using namespace compaction::cuda;
using Kernels = SelectKernels<Item, {selector}>;
extern "C" __device__ SelectShapes shapes = Kernels::shapes;
"""
SINGLE_WAVE = tuple(f"Kernels::single_wave<{i}>" for i in range(4))
PIPELINE = "Kernels::pipeline"
TICKETED = tuple(f"Kernels::ticketed<{i}>" for i in range(2))

BY_PREDICATE = "ByPredicate<Predicate>"
POSITIONS = "PositionsOf<ByPredicate<Predicate>>"
POSITIONS_OF_OTHERS = "PositionsOf<ByFlagIf<{item}, Predicate>>"  # of items that are not as long as the positions
BY_FLAG = "ByFlag<unsigned char>"
NO_MEMBERS = bytes(1)  # a predicate without members has one byte

TYPES = {"|b1": "bool", "|u1": "unsigned char", "|i1": "signed char", "<u2": "unsigned short", "<i2": "short", "<f4": "float",
         "<f8": "double", "<i4": "int", "<u4": "unsigned", "<i8": "long long", "<u8": "unsigned long long"}
WORDS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long", 16: "uint4"}


class SelectionError(RuntimeError):
    """Why a selection is not possible, in a sentence."""


# --- The arrays ---


def masked_select(x, mask):
    """The items of x whose element of mask, an array of bool or uint8 of the same length, is not zero."""
    items, flags = buffer_of(x), buffer_of(mask)
    if flags.typestr not in ("|b1", "|u1") or flags.size != items.size:
        raise SelectionError("The mask must be an array of bool or uint8, as long as the items.")
    return run(x, items, None, WORDS.get(items.item_bytes), BY_FLAG, "false", struct.pack("<Q", flags.address))


def select(x, predicate):
    """The items of x for which the C++ expression of x is true, such as "x > 0.5f". The rules are those of C++: 0.5 is a double."""
    items = buffer_of(x)
    return run(x, items, None, TYPES.get(items.typestr), BY_PREDICATE, predicate, NO_MEMBERS)


def select_nonzero(x):
    """x[x != 0]"""
    return select(x, "x != 0")


def positions(x, predicate):
    """The positions of the items that select returns: int32 for items of 4 bytes, int64 for others."""
    items = buffer_of(x)
    if items.item_bytes == 4 and items.size > 1 << 31:
        raise SelectionError("Positions of 4-byte items are int32, so there may be 2^31 items at most.")
    item_type = TYPES.get(items.typestr)
    if item_type and items.item_bytes < 4:  # the items are taken for flags
        no_items = Buffer(0, items.size, "<i8", 8)
        selector = POSITIONS_OF_OTHERS.format(item=item_type)
        return run(x, no_items, "<i8", "long long", selector, predicate, struct.pack("<QQ", items.address, 0))
    typestr = "<i4" if items.item_bytes == 4 else "<i8"
    return run(x, items, typestr, item_type, POSITIONS, predicate, NO_MEMBERS)


def nonzero(x):
    """The positions of the items that are not zero, of a one-dimensional array."""
    if getattr(x, "ndim", 1) != 1:
        raise SelectionError("nonzero takes one-dimensional arrays.")
    return positions(x, "x != 0")


def run(x, items, out_typestr, item_type, selector, predicate, selector_bytes):
    """Selects from x into a new array of the same library. out_typestr: None for the type of x."""
    if not item_type:
        raise SelectionError(f"Items of type {items.typestr} are not supported here.")
    if items.address % items.item_bytes:
        raise SelectionError("The array must be aligned to its items.")
    library = library_of(x)
    out = library.empty(x, items.size, out_typestr)
    if items.size == 0:
        return out
    context = current_context()
    kernels = kernels_for(context, item_type, selector, predicate)
    state = state_for(context, library.stream(x))
    return library.shorten(out, kernels.launch(state, items, library.buffer(out).address, selector_bytes))


Buffer = collections.namedtuple("Buffer", "address size typestr item_bytes")


def buffer_of(x):
    """The memory of an array."""
    return library_of(x).buffer(x)


def buffer_by_interface(x):
    facts = getattr(x, "__cuda_array_interface__", None)
    if facts is None:
        raise SelectionError(f"{type(x).__name__} is not an array on a GPU: it has no __cuda_array_interface__.")
    shape, typestr = facts["shape"], facts["typestr"]
    item_bytes = int(typestr[2:])
    expected = item_bytes
    for length, stride in zip(reversed(shape), reversed(facts.get("strides") or ())):
        if length > 1 and stride != expected:
            raise SelectionError("The array is not contiguous.")
        expected *= length
    return Buffer(facts["data"][0], math.prod(shape), typestr, item_bytes)


Library = collections.namedtuple("Library", "buffer empty stream shorten")


@functools.lru_cache(maxsize=None)
def library_named(name):
    """For arrays of a library: the memory of x, a new array like x (typestr: None for the type of x), the current stream, and the
    first items of a new array."""
    def first_items(out, size):
        return out[:size]

    if name == "cupy":
        import cupy
        return Library(buffer_by_interface, lambda x, size, typestr: cupy.empty(size, typestr or x.dtype),
                       lambda x: cupy.cuda.get_current_stream().ptr, first_items)
    if name == "torch":
        return library_torch()
    return Library(buffer_by_interface, lambda x, size, typestr: DeviceArray(typestr or buffer_of(x).typestr, size), lambda x: 0,
                   first_items)


def library_torch():
    """Asks a tensor itself, and PyTorch for the address of the stream instead of a Stream: that takes longer than a short
    selection."""
    import torch
    types = {"<f4": torch.float32, "<f8": torch.float64, "<i4": torch.int32, "<i8": torch.int64, "<i2": torch.int16, "|i1": torch.int8,
             "|b1": torch.bool, "|u1": torch.uint8}
    typestrs = {dtype: typestr for typestr, dtype in types.items()}
    raw_stream = torch._C._cuda_getCurrentRawStream

    def buffer(x):
        if not x.is_cuda or x.requires_grad or not x.is_contiguous() or x.is_conj() or x.is_neg():
            raise SelectionError("The tensor must be contiguous, on a GPU, without gradient and without a lazy conjugate or sign.")
        return Buffer(x.data_ptr(), x.numel(), typestrs.get(x.dtype) or str(x.dtype), x.element_size())

    return Library(buffer, lambda x, size, typestr: torch.empty(size, dtype=types[typestr] if typestr else x.dtype, device=x.device),
                   lambda x: raw_stream(x.get_device()), lambda out, size: out.resize_(size))


def library_of(x):
    return library_of_type(type(x))


@functools.lru_cache(maxsize=None)
def library_of_type(kind):
    return library_named(kind.__module__.partition(".")[0])


class DeviceArray:
    """Device memory as an array, for programs without CuPy and PyTorch. Calls use the default stream."""

    def __init__(self, typestr, size, owner=None, address=None):
        self.typestr, self.size, self.owner = typestr, size, owner
        self.item_bytes = int(typestr[2:])
        current_context()
        if owner is None and size > 0:
            pointer = ctypes.c_uint64()
            driver().cuMemAlloc_v2(pointer, size * self.item_bytes)
            address = pointer.value
        self.address = address or 0
        self.__cuda_array_interface__ = {"shape": (size,), "typestr": typestr, "data": (self.address, False), "version": 3}

    @classmethod
    def of_bytes(cls, typestr, data):
        """A copy of bytes of the host."""
        array = cls(typestr, len(data) // int(typestr[2:]))
        if data:
            driver().cuMemcpyHtoD_v2(array.address, bytes(data), len(data))
        return array

    def to_bytes(self):
        data = ctypes.create_string_buffer(max(self.size * self.item_bytes, 1))
        if self.size:
            driver().cuMemcpyDtoH_v2(data, self.address, self.size * self.item_bytes)
        return data.raw[:self.size * self.item_bytes]

    def __getitem__(self, part):
        first, last, _ = part.indices(self.size)
        return DeviceArray(self.typestr, max(last - first, 0), self, self.address + first * self.item_bytes)

    def __del__(self):
        if self.owner is None and getattr(self, "address", 0) and not sys.is_finalizing():
            driver().cuMemFree_v2(self.address)


# --- The kernels ---


class Shape(ctypes.LittleEndianStructure):
    """KernelShape"""
    _fields_ = [(name, ctypes.c_uint32) for name in ("tile_items", "threads", "shared_bytes")]

    def tiles(self, end):
        return max(1, -(-end // self.tile_items))


class SingleWaveShape(Shape):
    """SingleWaveShape"""
    _fields_ = [(name, ctypes.c_uint32) for name in ("max_tiles", "tiles_per_two_multiprocessors")]


class Shapes(ctypes.LittleEndianStructure):
    """SelectShapes"""
    _fields_ = [("single_wave", SingleWaveShape * 4), ("pipeline", Shape), ("ticketed", Shape * 2),
                *((name, ctypes.c_uint32) for name in ("chunk_items", "max_pipeline_blocks", "few_tiles_per_multiprocessor",
                                                       "tile_state_bytes", "spin_limit", "poll_limit", "item_bytes"))]


# The parameters of a kernel, one after the other, and where each begins; the selector is the last.
Layout = collections.namedtuple("Layout", "format offsets")
SINGLE_WAVE_LAYOUT = Layout(struct.Struct("<3Q 16xI4x QQQ"), (0, 24, 48, 56, 64, 72))
PIPELINE_LAYOUT = Layout(struct.Struct("<3Q II Q Q16xI4x QQ"), (0, 24, 32, 40, 72, 80, 88))
TICKETED_LAYOUT = Layout(struct.Struct("<3Q I4x QQQ"), (0, 24, 32, 40, 48, 56))

# `numbers`: the values of the parameters that the plan decides.
Plan = collections.namedtuple("Plan", "kernel blocks shape layout numbers")


class Kernels:
    """The kernels of one source in one context."""

    paths = ("single_wave", "pipeline", "ticketed")  # tests leave some out

    def __init__(self, context, source):
        self.device = context.device
        self.architecture = architecture_for(self.device.compute_capability)
        image, names = compile_source(source, SINGLE_WAVE + (PIPELINE,) + TICKETED, self.architecture,
                                      binary=self.architecture == self.device.compute_capability)
        self.module = ctypes.c_void_p()
        driver().cuModuleLoadData(self.module, image)
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        driver().cuModuleGetGlobal_v2(address, size, self.module, b"shapes")
        self.shapes = Shapes()
        assert size.value == ctypes.sizeof(Shapes)
        driver().cuMemcpyDtoH_v2(ctypes.byref(self.shapes), address.value, size.value)
        shapes = (*self.shapes.single_wave, self.shapes.pipeline, *self.shapes.ticketed)
        self.plans, self.pointers = {}, {}
        self.parameters = ctypes.create_string_buffer(256)
        self.functions, self.resident = {}, {}
        for (name, lowered), shape in zip(names.items(), shapes):
            self.functions[name] = function = ctypes.c_void_p()
            driver().cuModuleGetFunction(function, self.module, lowered)
            self.resident[name] = self.resident_blocks(function, shape)

    def resident_blocks(self, function, shape):
        """How many blocks are resident on a multiprocessor at once."""
        if shape.shared_bytes > self.device.max_shared_bytes:
            return 0
        driver().cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED_SIZE_BYTES, shape.shared_bytes)
        blocks = ctypes.c_int()
        driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, shape.threads, shape.shared_bytes)
        return blocks.value

    def plan(self, end):
        """The kernel for an input that ends at that position."""
        key = (end, self.paths)
        if key not in self.plans:
            if len(self.plans) > 1000:
                self.plans.clear()
            self.plans[key] = self.make_plan(end)
        return self.plans[key]

    def make_plan(self, end):
        """As the head of select_kernels.cuh describes."""
        shapes, processors = self.shapes, self.device.multiprocessors
        if "single_wave" in self.paths:
            for name, shape in zip(SINGLE_WAVE, shapes.single_wave):
                tiles = shape.tiles(end)
                limit = max(1, processors * shape.tiles_per_two_multiprocessors // 2)
                if tiles <= min(limit, shape.max_tiles, self.resident[name] * processors):
                    return Plan(name, tiles, shape, SINGLE_WAVE_LAYOUT, (shapes.spin_limit,))
        if "pipeline" in self.paths and self.architecture >= 90 and self.resident[PIPELINE] > 0:
            blocks = min(shapes.pipeline.tiles(end), processors, shapes.max_pipeline_blocks)
            chunks = shapes.pipeline.tile_items // shapes.chunk_items
            chunks_per_block = -(-end // (blocks * shapes.chunk_items))
            rounds = -(-chunks_per_block // chunks)
            return Plan(PIPELINE, blocks, shapes.pipeline, PIPELINE_LAYOUT, (rounds, chunks_per_block - (rounds - 1) * chunks))
        few = not self.resident[TICKETED[1]] or shapes.ticketed[1].tiles(end) <= shapes.few_tiles_per_multiprocessor * processors
        shape, name = shapes.ticketed[not few], TICKETED[not few]
        tiles = shape.tiles(end)
        return Plan(name, min(tiles, self.resident[name] * processors), shape, TICKETED_LAYOUT, (tiles,))

    def launch(self, state, items, out, selector):
        """Selects, waits, and returns the number of selected items."""
        lead = items.address // items.item_bytes % (16 // items.item_bytes)
        end = lead + items.size
        plan = self.plan(end)
        max_tickets = 1 + self.shapes.ticketed[0].tiles(end)
        if plan.layout is SINGLE_WAVE_LAYOUT:
            middle = (*plan.numbers, state.tile_state(self.shapes.tile_state_bytes))
        elif plan.layout is PIPELINE_LAYOUT:
            middle = (*plan.numbers, state.tile_state(self.shapes.tile_state_bytes), state.tickets(max_tickets), self.shapes.poll_limit)
        else:
            middle = (*plan.numbers, state.tickets(max_tickets))
            driver().cuMemsetD32Async(state.tickets_address, 0, 1 + plan.shape.tiles(end), state.stream)
        plan.layout.format.pack_into(self.parameters, 0, items.address - lead * items.item_bytes, lead, end, *middle, out,
                                     state.count_address)
        begin = plan.layout.offsets[-1]
        self.parameters[begin:begin + len(selector)] = selector
        driver().cuLaunchKernel(self.functions[plan.kernel], plan.blocks, 1, 1, plan.shape.threads, 1, 1, plan.shape.shared_bytes,
                                state.stream, self.pointers_for(plan.layout), None)
        driver().cuStreamSynchronize(state.stream)
        return state.count.value

    def pointers_for(self, layout):
        """The addresses of the parameters."""
        if layout not in self.pointers:
            begin = ctypes.addressof(self.parameters)
            self.pointers[layout] = (ctypes.c_void_p * len(layout.offsets))(*(begin + offset for offset in layout.offsets))
        return self.pointers[layout]


@functools.lru_cache(maxsize=None)
def kernels_for(context, item_type, selector, predicate):
    return Kernels(context, SOURCE.format(item=item_type, selector=selector, predicate=predicate))


class State:
    """Memory that the selections of one stream use, one after the other. It is freed when the process ends."""

    def __init__(self, stream):
        self.stream = stream
        self.state_address = self.tickets_address = self.num_tickets = 0
        # The kernels write the count to memory of the host, so that reading it needs no copy.
        memory = ctypes.c_void_p()
        driver().cuMemHostAlloc(memory, 8, DEVICE_MAP)
        self.count_address = memory.value
        self.count = ctypes.c_uint64.from_address(memory.value)

    def tile_state(self, num_bytes):
        if not self.state_address:
            self.state_address = allocate(num_bytes)
            driver().cuMemsetD32Async(self.state_address, 0, num_bytes // 4, self.stream)
        return self.state_address

    def tickets(self, num_words):
        """The words of the tickets, of any content."""
        if num_words > self.num_tickets:
            if self.tickets_address:
                address, self.tickets_address, self.num_tickets = self.tickets_address, 0, 0
                driver().cuMemFree_v2(address)
            self.tickets_address, self.num_tickets = allocate(4 * num_words), num_words
        return self.tickets_address


@functools.lru_cache(maxsize=None)
def state_for(context, stream):
    return State(stream)


def allocate(num_bytes):
    pointer = ctypes.c_uint64()
    driver().cuMemAlloc_v2(pointer, num_bytes)
    return pointer.value


# --- NVRTC ---


def architecture_for(compute_capability):
    """The newest architecture that NVRTC knows and the GPU runs."""
    number = ctypes.c_int()
    nvrtc().nvrtcGetNumSupportedArchs(number)
    known = (ctypes.c_int * number.value)()
    nvrtc().nvrtcGetSupportedArchs(known)
    fitting = [each for each in known if each <= compute_capability]
    if not fitting:
        raise SelectionError(f"This NVRTC knows no architecture of compute capability {compute_capability / 10} or lower.")
    return max(fitting)


def compile_source(source, names, architecture, binary=True):
    """Compiles with NVRTC: the image for cuModuleLoadData, which is a binary or PTX, and the symbol of each name expression."""
    library = nvrtc()
    options = [option.encode() for option in (*OPTIONS, f"--gpu-architecture={'sm' if binary else 'compute'}_{architecture}")]
    program = ctypes.c_void_p()
    library.nvrtcCreateProgram(program, source.encode(), b"selection.cu", 0, None, None)
    try:
        for name in names:
            library.nvrtcAddNameExpression(program, name.encode())
        status = library.raw("nvrtcCompileProgram")(program, len(options), (ctypes.c_char_p * len(options))(*options))
        if status:
            raise SelectionError(f"NVRTC does not compile the selection:\n{text_of(library, program, 'ProgramLog').decode()}")
        lowered = {}
        for name in names:
            symbol = ctypes.c_char_p()
            library.nvrtcGetLoweredName(program, name.encode(), symbol)
            lowered[name] = symbol.value
        return text_of(library, program, "CUBIN" if binary else "PTX"), lowered
    finally:
        library.nvrtcDestroyProgram(program)


def text_of(library, program, what):
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, size)
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, text)
    return text.raw if what == "CUBIN" else text.value


# --- The C libraries ---

MULTIPROCESSOR_COUNT, COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR, MAX_SHARED_BYTES_OPTIN = 16, 75, 76, 97
MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
DEVICE_MAP = 2

INT, UINT, SIZE, WORD, POINTER = ctypes.c_int, ctypes.c_uint, ctypes.c_size_t, ctypes.c_uint64, ctypes.c_void_p
TEXT = ctypes.c_char_p


def to(kind):
    return ctypes.POINTER(kind)


DRIVER = {
    "cuInit": (UINT,), "cuCtxGetCurrent": (to(POINTER),), "cuCtxSetCurrent": (POINTER,), "cuCtxGetDevice": (to(INT),),
    "cuDevicePrimaryCtxRetain": (to(POINTER), INT), "cuDeviceGetCount": (to(INT),), "cuDeviceGetName": (TEXT, INT, INT),
    "cuDeviceGetAttribute": (to(INT), INT, INT), "cuModuleLoadData": (to(POINTER), TEXT),
    "cuModuleGetFunction": (to(POINTER), POINTER, TEXT), "cuModuleGetGlobal_v2": (to(WORD), to(SIZE), POINTER, TEXT),
    "cuFuncSetAttribute": (POINTER, INT, INT), "cuOccupancyMaxActiveBlocksPerMultiprocessor": (to(INT), POINTER, INT, SIZE),
    "cuMemAlloc_v2": (to(WORD), SIZE), "cuMemFree_v2": (WORD,), "cuMemHostAlloc": (to(POINTER), SIZE, UINT),
    "cuMemcpyHtoD_v2": (WORD, TEXT, SIZE), "cuMemcpyDtoH_v2": (POINTER, WORD, SIZE), "cuMemsetD32Async": (WORD, UINT, SIZE, POINTER),
    "cuStreamSynchronize": (POINTER,), "cuGetErrorString": (INT, to(TEXT)),
    "cuLaunchKernel": (POINTER, *[UINT] * 7, POINTER, POINTER, POINTER),
}
NVRTC = {
    "nvrtcGetNumSupportedArchs": (to(INT),), "nvrtcGetSupportedArchs": (POINTER,),
    "nvrtcCreateProgram": (to(POINTER), TEXT, TEXT, INT, POINTER, POINTER), "nvrtcDestroyProgram": (to(POINTER),),
    "nvrtcAddNameExpression": (POINTER, TEXT), "nvrtcCompileProgram": (POINTER, INT, POINTER),
    "nvrtcGetLoweredName": (POINTER, TEXT, to(TEXT)), "nvrtcGetProgramLogSize": (POINTER, to(SIZE)), "nvrtcGetProgramLog": (POINTER, TEXT),
    "nvrtcGetPTXSize": (POINTER, to(SIZE)), "nvrtcGetPTX": (POINTER, TEXT), "nvrtcGetCUBINSize": (POINTER, to(SIZE)),
    "nvrtcGetCUBIN": (POINTER, TEXT),
}


class CLibrary:
    """A C library. Its functions, as attributes, raise SelectionError where they do not return 0."""

    def __init__(self, library, functions, error_of):
        for name, types in functions.items():
            function = getattr(library, name)
            function.argtypes = types
            setattr(self, name, self.checked(name, function, error_of))
        self.library = library

    def raw(self, name):
        return getattr(self.library, name)

    @staticmethod
    def checked(name, function, error_of):
        def call(*arguments):
            if status := function(*arguments):
                raise SelectionError(f"{name}: {error_of(status)}")
        return call


@functools.lru_cache(maxsize=None)
def driver():
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise SelectionError("There is no NVIDIA driver here: libcuda.so.1 is missing.") from error

    def error_of(status):
        text = ctypes.c_char_p()
        library.cuGetErrorString(status, ctypes.byref(text))
        return (text.value or b"unknown error").decode()

    return CLibrary(library, DRIVER, error_of)


@functools.lru_cache(maxsize=None)
def nvrtc():
    for name in nvrtc_names():
        try:
            library = ctypes.CDLL(str(name))
        except OSError:
            continue
        library.nvrtcGetErrorString.restype = ctypes.c_char_p
        return CLibrary(library, NVRTC, lambda status: library.nvrtcGetErrorString(status).decode())
    raise SelectionError("There is no NVRTC here: libnvrtc.so.13 comes with the CUDA toolkit and with the package nvidia-cuda-nvrtc.")


def nvrtc_names():
    """Where NVRTC may be: in a CUDA toolkit, known to the loader, or in a Python package."""
    names = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
    toolkits = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if name in os.environ]
    yield from (pathlib.Path(folder, "lib64", name) for folder in toolkits for name in names)
    yield from names
    yield from (pathlib.Path("/usr/local/cuda/lib64", name) for name in names)
    for folder in sys.path:
        yield from sorted(pathlib.Path(folder).glob("nvidia/*/lib/libnvrtc.so.1?"), reverse=True)


Device = collections.namedtuple("Device", "multiprocessors compute_capability max_shared_bytes")
Context = collections.namedtuple("Context", "handle device")


def current_context():
    """The current context; if there is none, the primary one of the first device, made current."""
    start_driver()
    handle = ctypes.c_void_p()
    driver().cuCtxGetCurrent(handle)
    if not handle.value:
        driver().cuDevicePrimaryCtxRetain(handle, 0)
        driver().cuCtxSetCurrent(handle)
    return context_of(handle.value)


@functools.lru_cache(maxsize=None)
def start_driver():
    driver().cuInit(0)


@functools.lru_cache(maxsize=None)
def context_of(handle):
    """Facts of the context, which is current."""
    device = ctypes.c_int()
    driver().cuCtxGetDevice(device)

    def attribute(which):
        value = ctypes.c_int()
        driver().cuDeviceGetAttribute(value, which, device.value)
        return value.value

    return Context(handle, Device(attribute(MULTIPROCESSOR_COUNT), 10 * attribute(COMPUTE_CAPABILITY_MAJOR) +
                                  attribute(COMPUTE_CAPABILITY_MINOR), attribute(MAX_SHARED_BYTES_OPTIN)))


def device_name():
    """The name of the current GPU; raises SelectionError where there is none."""
    name, device = ctypes.create_string_buffer(256), ctypes.c_int()
    current_context()
    driver().cuCtxGetDevice(device)
    driver().cuDeviceGetName(name, 256, device.value)
    return name.value.decode()
