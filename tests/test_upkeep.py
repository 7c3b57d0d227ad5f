"""The house itself: lint, types, arrows between modules, and the subset of Python that the rules keep to."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from suitors.fast.compiler import MODULES, UNCOMPILED

ROOT = Path(__file__).parent.parent
RULES = sorted((ROOT / "src/suitors/rules").glob("*.py"))


TOOLS = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "import-linter": ["-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"],
}


@pytest.mark.parametrize("tool", TOOLS)
def test_tools_find_nothing(tool: str) -> None:
    words = [sys.executable, *TOOLS[tool]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_rules_import_the_standard_library_alone(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            assert all(alias.name.split(".")[0] in sys.stdlib_module_names for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 1 or (node.module or "").split(".")[0] in sys.stdlib_module_names


FORBIDDEN = (
    ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda | ast.Try | ast.Raise | ast.Assert
    | ast.With | ast.Yield | ast.YieldFrom | ast.Await | ast.Dict | ast.Set | ast.List | ast.JoinedStr | ast.Global
    | ast.Nonlocal | ast.Import | ast.ImportFrom | ast.ClassDef | ast.Delete | ast.Starred
)  # fmt: skip


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_compiled_functions_keep_to_the_subset(module: object) -> None:
    source = Path(str(vars(module)["__file__"])).read_text("utf-8")
    for function in ast.parse(source).body:
        if not isinstance(function, ast.FunctionDef) or function.name in UNCOMPILED:
            continue
        assert function.args.kwarg is None
        assert function.args.vararg is None
        for node in [part for statement in function.body[1:] for part in ast.walk(statement)]:
            assert not isinstance(node, FORBIDDEN), f"{function.name}: {ast.dump(node)[:80]}"
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes | float))


def test_files_stay_readable() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in ("src", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert long == {}
