"""Compiles a function that only compiled code calls as what it is: code to be linked into its caller.

numba optimises each function and turns it into machine code by itself, and then once more within each of its callers.
For hundreds of small functions that are all inlined, that is half of the time that compiling takes.
"""

from typing import Any

import llvmlite.binding
import llvmlite.ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of the variables begin that hold a function's environment."""


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function for its callers, who optimise all of it at once."""

    def _optimize_final_module(self) -> None:
        """Leave it to the caller."""

    def _finalize_final_module(self) -> None:
        """Make no machine code; only the variable in which numba puts the function's environment has to be there."""
        self._finalize_dynamic_globals()
        self._codegen._add_module(self._environments())
        self._finalized = True

    def _environments(self) -> llvmlite.binding.ModuleRef:
        module = self._codegen._create_empty_module(self.name)
        for name in (variable.name for variable in self._final_module.global_variables):
            if name.startswith(ENVIRONMENT) and not self._codegen._engine.is_symbol_defined(name):
                pointer = llvmlite.ir.IntType(8).as_pointer()
                variable = llvmlite.ir.GlobalVariable(module, pointer, name)
                variable.linkage = "common"
                variable.initializer = llvmlite.ir.Constant(pointer, None)
        return llvmlite.binding.parse_assembly(str(module))


class InnerCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler, with a library for the callers of the function only, and without counts of references.

    Its caller keeps every array that such a function is given, but nobody would keep one that it returns.
    """

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library or InnerLibrary(targetctx.codegen(), "inner"), *rest)

    def compile_extra(self, function: Any) -> Any:
        """Compile a function; one that returns arrays is refused."""
        compiled = super().compile_extra(function)
        returned = compiled.signature.return_type
        if self.state.targetctx.data_model_manager[returned].contains_nrt_meminfo():
            raise TypeError(f"{function.__qualname__} returns {returned}, for which nobody counts references.")
        return compiled
