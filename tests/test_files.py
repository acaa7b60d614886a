"""Files written whole or not at all, onto whatever stands there."""

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

import tallymark as tm
from tallymark.files import written_beside

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes, pipes and devices of POSIX")


def write(target: Path, text: str = "new") -> None:
    with written_beside(target) as beside:
        beside.write_text(text)


def test_a_file_is_replaced_at_the_end_and_nothing_else_stays(tmp_path: Path) -> None:
    target = tmp_path / "r.csv"
    target.write_text("old")
    with written_beside(target) as beside:
        beside.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_after_a_failure_everything_is_as_before(tmp_path: Path) -> None:
    target = tmp_path / "r.csv"
    target.write_text("old")

    def failing() -> None:
        with written_beside(target) as beside:
            beside.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        failing()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@posix
def test_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "private.csv"
    target.write_text("old")
    target.chmod(0o600)
    write(target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@posix
def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "far"
    folder.mkdir()
    link = tmp_path / "link.csv"
    link.symlink_to("far/real.csv")
    for text in ("first", "second"):  # first there is nothing at its end
        write(link, text)
        assert link.is_symlink()
        assert (folder / "real.csv").read_text() == text
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["far", "link.csv", "real.csv"]


@posix
def test_a_pipe_and_a_device_stay_what_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    write(pipe, "through")
    reader.join(10)
    assert read == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]
    # Linking to it from here: were the device replaced, only the link would be.
    null = tmp_path / "null"
    null.symlink_to(os.devnull)
    write(null)
    assert null.is_symlink()
    assert stat.S_ISCHR(null.stat().st_mode)


def test_the_longest_name_a_folder_takes_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 251 + ".csv")
    write(target)
    assert target.read_text() == "new"


@posix
@pytest.mark.parametrize("name", ["x" * 300, "loop", "nowhere/r.csv", ".", "a\0b"])
def test_what_cannot_be_written_is_a_write_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(tm.WriteError):
        write(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]
