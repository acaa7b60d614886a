"""`import tallymark.fixedpoint` loads the standard library and itself, in a fresh process."""

import subprocess
import sys

OURS = {"tallymark", "tallymark.errors"}


def test_only_the_standard_library_is_loaded() -> None:
    code = "import sys; before = set(sys.modules); import tallymark.fixedpoint; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "tallymark.fixedpoint.formulas" in loaded
    foreign = {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names}
    assert {name for name in foreign if not name.startswith("tallymark.fixedpoint")} == OURS
