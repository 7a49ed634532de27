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


def shortened(new: list[str], old: list[str]) -> list[str]:
    """As many lines as the page showed before its "..." line; all when it has none. A choice of lines stays by hand."""
    if old and old[0] == "...":
        return old
    return new[: old.index("...")] + ["..."] if "..." in old else new


def refreshed(markdown: str, folder: str) -> str:
    lines, inside, command, old = [], False, None, []

    def finish() -> None:
        if command is not None:
            lines.extend([f"$ {command}", *shortened(output_of(command, folder).rstrip("\n").split("\n"), old)])

    for line in markdown.split("\n"):
        if line.startswith("```") or (inside and line.startswith("$ ")):
            finish()
            command, old = None, []
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ railyard "):
            command = line[2:]
            continue
        if command is None:
            lines.append(line)
        else:
            old.append(line)
    return "\n".join(lines)


with tempfile.TemporaryDirectory() as scratch:
    readme = root / "README.md"
    readme.write_text(refreshed(readme.read_text(), scratch))
    for command in sorted(root.glob("examples/*/command")):
        text = output_of(command.read_text().strip(), scratch)
        (command.parent / "expected.txt").write_text(text)
