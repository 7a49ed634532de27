#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens report.html of the example in headless Chromium: no console message, no request, the script has run, nothing
overflows at 390 and 1200 px, and it prints. Usage: check_browser.py RAILYARD SOURCE_FOLDER OUTPUT_FOLDER"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

program, source, output = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
browser = next((path for path in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if path), None)
if not browser:
    print("skipped: no chromium")
    sys.exit(77)

shutil.rmtree(output, ignore_errors=True)
output.mkdir(parents=True)
study = output / "study.yaml"
text = (source / "examples/h100-mi300x/study.yaml").read_text()
study.write_text(text.replace("name: H100 InfiniBand", "name: \"H100 <b>&</b> </script><script>alert(1)</script>\""))
subprocess.run([program, "report", str(study), "--set", "gpus=[1024, 4096]", "-o", str(output / "report")], cwd=source,
               check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
page = (output / "report/report.html").resolve()


def run(url, *options):
    command = [browser, "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
               "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
               "--allow-file-access-from-files", "--hide-scrollbars", "--virtual-time-budget=2000", f"--user-data-dir={output}/profile",
               "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--v=0", *options, url]
    if os.geteuid() == 0:
        command.insert(1, "--no-sandbox")
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


failures = []


def check(condition, message):
    if not condition:
        failures.append(message)


# The document as the script leaves it, the console, and all requests.
log = output / "net.json"
shown = run(page.as_uri(), f"--log-net-log={log}", "--dump-dom")
console = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
check(not console, f"console: {console}")
check(re.search(r"\d+ of \d+ shown", shown.stdout), "the script did not make the filter of the assumptions")
check("<script>alert(1)" not in shown.stdout, "a cluster's name became a script")
requests = set(re.findall(r'"url":"((?:https?|wss?|ftp):[^"]*)"', log.read_text()))
# What the browser asks for on its own account does not come from the page: no initiator is set for it.
events = json.loads(log.read_text() if log.read_text().rstrip().endswith("}") else log.read_text().rstrip().rstrip(",") + "]}")
from_page = [event["params"]["url"] for event in events["events"]
             if str(event.get("params", {}).get("url", "")).startswith(("http", "ws", "ftp"))
             and event["params"].get("initiator", "not an origin") != "not an origin"]
check(not from_page, f"requests: {from_page} (all: {sorted(requests)})")

# A frame of a phone's and a desk's width: the page must not be wider.
for width in (390, 1200):
    frame = output / f"frame-{width}.html"
    frame.write_text(f"""<body style="margin:0"><iframe id=f style="border:0;width:{width}px;height:900px"
        src="{page.as_uri()}"></iframe><script>onload = () => {{
          const inner = document.getElementById("f").contentDocument;
          const wide = [...inner.querySelectorAll("main *")].filter(e => !e.closest(".scroll, .wide, svg") &&
            e.getBoundingClientRect().right > {width} + 0.5).map(e => e.tagName + "." + e.className);
          document.title = "width " + inner.documentElement.scrollWidth + " wide [" + wide + "]";
        }}</script>""")
    title = html.unescape(re.search(r"<title>(.*?)</title>", run(frame.as_uri(), "--dump-dom").stdout).group(1))
    check(title == f"width {width} wide []", f"at {width} px: {title}")

pdf = output / "report.pdf"
run(page.as_uri(), "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
check(pdf.exists() and pdf.read_bytes().startswith(b"%PDF") and pdf.stat().st_size > 20000, "it does not print")

for failure in failures:
    print("FAILED:", failure)
print(f"{page.stat().st_size} bytes of page, {pdf.stat().st_size if pdf.exists() else 0} bytes of PDF")
sys.exit(1 if failures else 0)
