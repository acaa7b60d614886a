"""The plain compiled implementation: Glicko-2 in Rust as it is usually written, taken from a description at run time.

The description is not part of this project (`TALLYMARK_SOURCES` or ../shared/sources); what is ours is the small main
around it. Nothing of it is kept.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

_REPOSITORY: Final = Path(__file__).resolve().parent.parent
_SOURCES: Final = Path(os.environ.get("TALLYMARK_SOURCES") or _REPOSITORY.parent / "shared" / "sources")
_DESCRIPTION: Final = "001_6f1fbdaec67cba6f.txt"
_FLAGS: Final = ("--edition", "2021", "-O", "-C", "target-cpu=native")

_MAIN: Final = """
use std::time::Instant;

fn column<const W: usize>(raw: &[u8], from: usize, n: usize) -> Vec<[u8; W]> {
    (0..n).map(|i| raw[from + W * i..from + W * (i + 1)].try_into().unwrap()).collect()
}

fn main() {
    let v: Vec<String> = std::env::args().collect();
    let (n, p): (usize, usize) = (v[2].parse().unwrap(), v[3].parse().unwrap());
    let raw = std::fs::read(&v[1]).unwrap();
    let a: Vec<usize> = column::<4>(&raw, 0, n).into_iter().map(|x| u32::from_le_bytes(x) as usize).collect();
    let b: Vec<usize> = column::<4>(&raw, 4 * n, n).into_iter().map(|x| u32::from_le_bytes(x) as usize).collect();
    let s: Vec<f64> = column::<8>(&raw, 8 * n, n).into_iter().map(f64::from_le_bytes).collect();
    let mut best = f64::INFINITY;
    let mut after: Vec<Rating> = Vec::new();
    for _ in 0..v[5].parse::<usize>().unwrap() {
        let mut r = vec![Rating::default(); p];
        let begun = Instant::now();
        if v[4] == "games" {
            for i in 0..n {
                let (one, two) = (r[a[i]], r[b[i]]);
                r[a[i]] = update(one, &[(two, s[i])], 0.5);
                r[b[i]] = update(two, &[(one, 1.0 - s[i])], 0.5);
            }
        } else {
            let mut start = vec![0usize; p + 1];
            for i in 0..n {
                start[a[i] + 1] += 1;
                start[b[i] + 1] += 1;
            }
            for i in 0..p {
                start[i + 1] += start[i];
            }
            let mut at = start.clone();
            let mut games = vec![(Rating::default(), 0.0f64); 2 * n];
            for i in 0..n {
                games[at[a[i]]] = (r[b[i]], s[i]);
                at[a[i]] += 1;
                games[at[b[i]]] = (r[a[i]], 1.0 - s[i]);
                at[b[i]] += 1;
            }
            r = (0..p).map(|x| update(r[x], &games[start[x]..start[x + 1]], 0.5)).collect();
        }
        best = best.min(begun.elapsed().as_secs_f64());
        after = r;
    }
    println!("{}", best);
    let out: Vec<u8> = after.iter().flat_map(|x| x.r.to_le_bytes()).collect();
    std::fs::write(&v[6], out).unwrap();
}
"""


class Missing(Exception):
    """The plain implementation cannot be built here; says why."""


def built(folder: Path) -> Path:
    """The program, compiled into the folder."""
    text = _SOURCES / _DESCRIPTION
    if not text.is_file():
        raise Missing("no description: neither TALLYMARK_SOURCES nor ../shared/sources has it")
    compiler = shutil.which("rustc") or str(Path.home() / ".cargo" / "bin" / "rustc")
    if not Path(compiler).is_file():
        raise Missing("no rustc")
    words = text.read_text(encoding="utf-8")
    code = words[words.index("use std::f64::consts::PI;") : words.index("#[test]")]
    source, program = folder / "plain.rs", folder / "plain"
    source.write_text(code + _MAIN, encoding="utf-8")
    subprocess.run([compiler, *_FLAGS, str(source), "-o", str(program)], check=True, capture_output=True)
    return program


def seconds(
    program: Path,
    way: str,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    s: NDArray[np.float64],
    players: int,
    runs: int,
) -> tuple[float, NDArray[np.float64]]:
    """Best of some runs over the games, each a period of its own ("games") or all of one ("period"); the ratings."""
    given, out = program.parent / "games.bin", program.parent / "ratings.bin"
    given.write_bytes(a.astype("<u4").tobytes() + b.astype("<u4").tobytes() + s.astype("<f8").tobytes())
    command = [str(program), str(given), str(len(a)), str(players), way, str(runs), str(out)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout), np.fromfile(out, "<f8")
