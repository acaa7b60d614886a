"""Hands the formulas and the loops to numba as they stand. Importing this is what loads numba; nothing else does.

Compiled code is kept on disk, in `NUMBA_CACHE_DIR` where that is set and else in the user's cache folder. numba's own
check looks at the file of the loop alone, so the hash of every source that can go into one names the folder: a
changed formula can never go on with its old machine code.
"""

import hashlib
import os
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from llvmlite import ir
from numba import config, njit, types
from numba.core.caching import FunctionCache
from numba.extending import intrinsic, overload, register_jitable

import tallymark.numeric
from tallymark.numeric import primitives
from tallymark.numeric.formula import FORMULAS
from tallymark.replay import integers, sharing

F = TypeVar("F", bound=Callable[..., object])

_DOUBLE: Final = ir.DoubleType()
_INT: Final = ir.IntType(64)
_MANTISSA: Final = (1 << 52) - 1
_HALF_EXPONENT: Final = 1022
_TWO_52_BITS: Final = 0x4330000000000000  # the double 2**52: an exponent field put under it reads as an integer


# The two primitives: the same exact results as their Python bodies, from the bits. numba's own types are untyped, so
# these bodies are too; nothing outside this module sees them.


def _pow2_bits(context: Any, n: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        shifted = b.fadd(args[0], _DOUBLE(6755399441055744.0))  # 1.5 * 2**52: n sits in the low bits now
        biased = b.add(b.bitcast(shifted, _INT), _INT(1023))  # no float-to-int conversion: AVX2 has none for int64
        return b.bitcast(b.shl(biased, _INT(52)), _DOUBLE)

    return types.float64(types.float64), body


def _split_bits(context: Any, x: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        bits = b.bitcast(args[0], _INT)
        m = b.bitcast(b.or_(b.and_(bits, _INT(_MANTISSA)), _INT(_HALF_EXPONENT << 52)), _DOUBLE)
        field = b.or_(b.lshr(bits, _INT(52)), _INT(_TWO_52_BITS))
        e = b.fsub(b.bitcast(field, _DOUBLE), _DOUBLE(4503599627370496.0 + 1022.0))
        return context.make_tuple(b, signature.return_type, [m, e])

    pair: Any = types.UniTuple
    return pair(types.float64, 2)(types.float64), body


_pow2: Final[Any] = intrinsic(_pow2_bits)
_split: Final[Any] = intrinsic(_split_bits)


# numba wants the signatures of an overload and of its body to be the same to the letter: of one, types are the
# arguments, of the other values.
overload(primitives.pow2)(lambda n: lambda n: _pow2(n))
overload(primitives.split)(lambda x: lambda x: _split(x))


def _read_now(context: Any, address: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        return b.load_atomic(b.inttoptr(args[0], _INT.as_pointer()), "acquire", 8)

    return types.int64(types.int64), body


def _add_now(context: Any, address: Any, more: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        return b.atomic_rmw("add", b.inttoptr(args[0], _INT.as_pointer()), args[1], "acq_rel")

    return types.int64(types.int64, types.int64), body


def _rest_now(context: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        if os.name == "posix":  # elsewhere the system alone takes turns
            whole = ir.IntType(32)
            known = b.module.globals.get("usleep")
            b.call(known or ir.Function(b.module, ir.FunctionType(whole, [whole]), "usleep"), [whole(20)])
        return context.get_dummy_value()

    return types.void(), body


def _fetch_now(context: Any, address: Any) -> Any:
    def body(context: Any, b: Any, signature: Any, args: Any) -> Any:
        where, whole = ir.PointerType(), ir.IntType(32)
        known = b.module.globals.get("llvm.prefetch.p0")
        kind = ir.FunctionType(ir.VoidType(), [where, whole, whole, whole])
        to_write, near, data = whole(1), whole(3), whole(1)
        function = known or ir.Function(b.module, kind, "llvm.prefetch.p0")
        b.call(function, [b.inttoptr(args[0], where), to_write, near, data])
        return context.get_dummy_value()

    return types.void(types.int64), body


_read: Final[Any] = intrinsic(_read_now)
_fetch: Final[Any] = intrinsic(_fetch_now)
_rest: Final[Any] = intrinsic(_rest_now)
_add: Final[Any] = intrinsic(_add_now)


overload(sharing.read)(lambda counters, at: lambda counters, at: _read(counters.ctypes.data + 8 * at))
overload(sharing.rest)(lambda: lambda: _rest())
overload(sharing.add)(lambda counters, at, more: lambda counters, at, more: _add(counters.ctypes.data + 8 * at, more))
overload(sharing.fetch)(lambda rows, row: lambda rows, row: _fetch(rows.ctypes.data + rows.strides[0] * row))


_NO_WRAPPER: Final[dict[str, Any]] = {"no_cfunc_wrapper": True}
"""Nobody calls these functions from C, and a wrapper for each of them is a fifth of the time of compiling."""

_LOCK: Final = threading.Lock()
_known: Final[set[Callable[..., object]]] = set()


def _hand_over() -> None:
    """Every formula marked so far, handed to numba; those of modules imported later follow at the next kernel."""
    for marked in (*integers.MARKED, *FORMULAS):
        if marked.function not in _known:
            # Arrays are the caller's for as long as a formula runs, so nobody has to count who else holds them.
            register_jitable(forceinline=marked.inline, _nrt=marked.allocates, **_NO_WRAPPER)(marked.function)
            _known.add(marked.function)


@cache
def cache_folder(module: str) -> Path | None:
    """Where kernels of a module are kept, named by the sources that go into them; None where nothing can be written."""
    home = Path(tallymark.numeric.__file__).parents[1]
    folders = ("numeric", "fixedpoint", "systems", "methodology", "replay", "evidence/exactness")
    sources = [source for folder in folders for source in sorted((home / folder).glob("*.py"))]
    sources.append(Path(cast(str, sys.modules[module].__file__)))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    try:
        chosen = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
        folder = (Path(chosen) if chosen else Path.home() / ".cache") / "tallymark" / digest
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, RuntimeError):  # RuntimeError: no home folder
        return None
    return folder


class _ByName(FunctionCache):
    """The files of a kernel, which are found by what it is called with: its folder and its name say which code it is.

    numba also asks for the bytes of what the loop closes over as a pickle, and those are others where a process read
    its modules from bytecode than where it parsed them: what the first process compiled no later one would find.
    """

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple()


class Compiled:
    """A function that is compiled at its first call.

    Where the folder of compiled code fails then (a full disk, a file cut short), it is compiled again without one.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._folder = cache_folder(function.__module__)
        self.kernel = _kernel(function, self._folder)

    def __call__(self, *arguments: object) -> object:
        try:
            return self.kernel(*arguments)
        except Exception:  # whatever numba's files can raise; the loops themselves raise nothing
            if self._folder is None:
                raise
            self._folder = None
            self.kernel = _kernel(self._function, None)
            return self.kernel(*arguments)


def compiled(function: F) -> F:
    """The function compiled: no fast-math, nothing fused, division as the processor does it, the GIL released."""
    return cast(F, Compiled(function))


def _kernel(function: Callable[..., object], folder: Path | None) -> Callable[..., object]:
    settings = cast(Any, config)  # numba sets its names at run time
    with _LOCK:  # the folder is numba's global while a kernel is made
        _hand_over()
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(folder or before)
        try:
            kernel = njit(error_model="numpy", nogil=True, **_NO_WRAPPER)(function)
            if folder is not None:
                kernel._cache = cast(Any, _ByName)(function)  # untyped as all of numba
        finally:
            settings.CACHE_DIR = before
    return cast(Callable[..., object], kernel)
