#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the example study and calibrate, and checks what they print against the schemas in sim/report/schema."""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError:
    print("python3-jsonschema and python3-yaml are not installed")
    sys.exit(77)

program, source, output = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
study = source / "examples/h100-mi300x/study.yaml"
subprocess.run([program, "report", study, "-o", output], check=True, capture_output=True)

schemas = {name: json.loads((source / f"sim/report/schema/{name}.schema.json").read_text())
           for name in ("study", "results", "floor", "wiring", "calibrate", "what-if", "check", "design-check")}
for schema in schemas.values():
    jsonschema.Draft202012Validator.check_schema(schema)
results = json.loads((output / "results.json").read_text())
jsonschema.Draft202012Validator(schemas["results"]).validate(results)
jsonschema.Draft202012Validator(schemas["study"]).validate(yaml.safe_load(study.read_text()))

# A study at a site, and the plan of its racks.
subprocess.run([program, "--format", "json", "report", study, "-o", output, "--site", "air-40kw", "--set", "gpus=[1024]"],
                         check=True, capture_output=True)
jsonschema.Draft202012Validator(schemas["results"]).validate(json.loads((output / "results.json").read_text()))
assert json.loads((output / "results.json").read_text())["rows"][0]["site"] == "air-40kw"
plan = subprocess.run([program, "--format", "json", "design", "ndr-rail", "--gpus", "1024", "--site", "air-40kw"],
                      check=True, capture_output=True)
jsonschema.Draft202012Validator(schemas["floor"]).validate(json.loads(plan.stdout))

# Checks of a design that passes, and of one that cannot be built.
for design, gpus, code in (("ndr-rail", "1024", 0), ("ndr-rail", "70000", 3)):
    checks = subprocess.run([program, "--format", "json", "design", design, "--gpus", gpus, "--check"], capture_output=True)
    assert checks.returncode == code
    jsonschema.Draft202012Validator(schemas["design-check"]).validate(json.loads(checks.stdout))
    assert (json.loads(checks.stdout)["failed"] > 0) == (code == 3)

# What-ifs that run and that do not; files with and without mistakes.
for changes in (["--set", "fabric.oversubscription=2"], ["--fail", "leaf:1"]):
    asked = subprocess.run([program, "--format", "json", "whatif", source / "examples/what-if/study.yaml", *changes],
                           check=True, capture_output=True)
    jsonschema.Draft202012Validator(schemas["what-if"]).validate(json.loads(asked.stdout))
checked = subprocess.run([program, "--format", "json", "check", study, source / "README.md"], capture_output=True)
assert checked.returncode == 2
jsonschema.Draft202012Validator(schemas["check"]).validate(json.loads(checked.stdout))
changed = {**yaml.safe_load(study.read_text()), "fabric": {"oversubscription": 2}}
jsonschema.Draft202012Validator(schemas["study"]).validate(changed)

# The schema must be able to fail: a row without its headline, a study with an unknown key.
broken = json.loads(json.dumps(results))
del broken["rows"][0]["usd_per_effective_pflop_hour"]
assert not jsonschema.Draft202012Validator(schemas["results"]).is_valid(broken)
assert not jsonschema.Draft202012Validator(schemas["study"]).is_valid({**yaml.safe_load(study.read_text()), "gpu": 1})

# Every cable of a wiring, and a wiring compared with a sheet that lacks a row.
wiring = jsonschema.Draft202012Validator(schemas["wiring"])
order = [program, "wiring", "ndr-rail", "--gpus", "128"]
cables = json.loads(subprocess.run([*order, "--format", "json"], check=True, capture_output=True, cwd=source).stdout)
wiring.validate(cables)
assert cables["links"] == sum(len(cable["z"]["ports"]) for cable in cables["cables"])
sheet = subprocess.run([*order, "--as", "p2p"], check=True, capture_output=True, cwd=source, text=True).stdout
(output / "built.csv").write_text(sheet[: sheet.rindex("\n", 0, -1) + 1])
compared = subprocess.run([*order, "--from", output / "built.csv", "--format", "json"], capture_output=True, cwd=source)
assert compared.returncode == 3
wiring.validate(json.loads(compared.stdout))
assert [each["fault"] for each in json.loads(compared.stdout)["differences"]] == ["missing"]
del cables["cables"][0]["part"]
assert not wiring.is_valid(cables)

# Every document of calibrate: import, fit, show of a log and of a profile, compare. Each is of one kind and has no other key.
calibrate = jsonschema.Draft202012Validator(schemas["calibrate"])
log = source / "examples/calibrate-nccl/all_gather.log"
for command in (["import", log], ["fit", log], ["show", log], ["show", "h100-cuda"], ["compare", log, "h100-cuda"]):
    printed = subprocess.run([program, "calibrate", *command, "--format", "json"], check=True, capture_output=True, text=True)
    document = json.loads(printed.stdout)
    calibrate.validate(document)
    assert not calibrate.is_valid({**document, "colour": "red"}), command
    assert not calibrate.is_valid({key: value for key, value in document.items() if key != "version"}), command

# Collectives: one schema for the results of three commands.
collectives = json.loads((source / "sim/report/schema/collectives.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(collectives)
table = source / "sim/study/validation/collectives-measured.csv"
log = source / "examples/calibrate-nccl/all_gather.log"
for arguments in (["collective", "ndr-rail", "--gpus", "16"], ["collective", "ndr-rail", "--gpus", "16,64", "--routing", "ecmp", "--seeds", "3"],
                  ["expect", log], ["validate", "--collectives", table]):
    run = subprocess.run([program, *arguments, "--format", "json"], check=True, capture_output=True, text=True)
    result = json.loads(run.stdout)
    jsonschema.Draft202012Validator(collectives).validate(result)
    for key in ("rows", "clusters", "runs", "cases"):
        if key in result:
            del result[key]
            break
    assert not jsonschema.Draft202012Validator(collectives).is_valid(result), arguments
