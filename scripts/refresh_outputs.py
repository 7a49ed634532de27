#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the program prints now into the README's console blocks and the examples' expected.txt.

For a commit that says why the numbers change: scripts/refresh_outputs.py [PROGRAM]
"""
import pathlib
import shlex
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/railyard").resolve()


def output_of(command: str, folder: str) -> str:
    """What `railyard ...` prints; files it writes under out/ go to `folder` instead."""
    arguments = shlex.split(command)[1:]
    arguments = [argument.replace("out/", folder + "/") if argument.startswith("out/") else argument for argument in arguments]
    run = subprocess.run([program, *arguments], cwd=root, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{command}\n{run.stderr}")
    return run.stdout


def refreshed(markdown: str, folder: str) -> str:
    lines, inside, dropping = [], False, False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            inside, dropping = line == "```console", False
        elif inside and line.startswith("$ railyard "):
            lines += [line, *output_of(line[2:], folder).rstrip("\n").split("\n")]
            dropping = True
            continue
        if not (inside and dropping):
            lines.append(line)
    return "\n".join(lines)


with tempfile.TemporaryDirectory() as scratch:
    readme = root / "README.md"
    readme.write_text(refreshed(readme.read_text(), scratch))
    for command in sorted(root.glob("examples/*/command")):
        text = output_of(command.read_text().strip(), scratch)
        (command.parent / "expected.txt").write_text(text)
