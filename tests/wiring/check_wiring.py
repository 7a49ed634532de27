#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what `railyard wiring` exports and checks it without any of railyard's code.

check_wiring.py PROGRAM SOURCE FOLDER: shipped designs of drawn sizes, and drawn radices, ratios and sizes (one seed). From the GraphML: names once, ports once, the
same number of links from a leaf to each of its spines, max-flow between halves as `railyard design` claims. From the cut
sheet and NetBox's CSV: a row a cable, the same links, as many module ports as optical ends.
"""
import collections
import csv
import json
import pathlib
import random
import shutil
import subprocess
import sys

try:
    import networkx
except ImportError:
    print("python3-networkx is not installed")
    sys.exit(77)

program, source, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
# Design, GPU, GPUs of a node, largest size drawn.
designs = [
    ("ndr-rail", "h100", 8, 1536), ("hdr-rail", "a100", 8, 512), ("spectrum-x-rail", "h100", 8, 1024),
    ("xdr-rail", "b300", 8, 1024), ("roce-25t-rail", "mi300x", 8, 512), ("spectrum-x-dual-plane", "b300", 8, 512),
    ("single-switch", "h100", 8, 64), ("dual-tor-200g", "h100", 8, 512), ("ndr-dragonfly", "h100", 8, 512),
    ("rail-only-51t", "h100", 8, 512), ("roce-tor-chassis", "h100", 8, 512), ("scheduled-jericho3", "h100", 8, 512),
]


data = folder / "data"  # the shipped data and what is drawn


def railyard(*arguments: str) -> str:
    return subprocess.run([program, "--data", data, *arguments], cwd=source, check=True, capture_output=True, text=True).stdout


def drawn_design(draw: random.Random, index: int) -> str:
    """Adds a switch of another radix and a design of another ratio, after QM9700 and ndr-rail; the design's name."""
    name, cages = f"drawn-{index}", draw.choice([8, 12, 16, 20, 24, 32])
    switches = (source / "topologies/parts/switches.yaml").read_text()
    sources, part = switches[: switches.index("switches:")], switches[switches.index("  qm9700:") : switches.index("  q3400:")]
    part = part.replace("qm9700:", f"{name}:").replace("cages: 32", f"cages: {cages}")
    (data / f"topologies/parts/{name}.yaml").write_text(f"{sources}switches:\n{part}")
    design = (source / "topologies/designs/ndr-rail.yaml").read_text()
    design = design.replace("design: ndr-rail", f"design: {name}").replace("switch: qm9700", f"switch: {name}")
    ratio, by = draw.choice([1, 1, 1.5, 2, 3]), draw.choice(["fewer-uplinks", "more-downlinks"])
    tiers = draw.choice(["auto", "auto", "2", "3"])
    group = draw.choice(["pods", "rail"])
    keys = f"tiers: {tiers}\noversubscription: {ratio}\noversubscribed_by: {by}\nspine_group: {group}"
    assert "tiers: auto" in design
    (data / f"topologies/designs/{name}.yaml").write_text(design.replace("tiers: auto", keys))
    return name


def copy_data() -> None:
    shutil.rmtree(data, ignore_errors=True)
    for room in ("pricing", "calibrate", "sim", "topologies/sites"):
        (data / room).parent.mkdir(parents=True, exist_ok=True)
        (data / room).symlink_to(source / room)
    for room in ("parts", "designs"):
        shutil.copytree(source / "topologies" / room, data / "topologies" / room)


def rows(path: pathlib.Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def check_graph(graph: networkx.MultiGraph, claimed_bisection: float) -> None:
    ports: set[tuple[str, str]] = set()
    pairs: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for a, b, link in graph.edges(data=True):
        lower, upper = link["lower"], link["upper"]
        for end in ((lower, link["lower_port"]), (upper, link["upper_port"])):
            assert end not in ports, f"port {end} is used twice"
            ports.add(end)
        if link["layer"] != "node-leaf":
            pairs[lower][upper] += 1
    for lower, uppers in pairs.items():
        assert len(set(uppers.values())) == 1, f"{lower} has {dict(uppers)} links up"
    leaves = [name for name, device in graph.nodes(data=True) if device["kind"] == "leaf"]
    spines = {name for name, device in graph.nodes(data=True) if device["kind"] == "spine"}
    if spines:
        by_group = collections.defaultdict(set)
        for leaf in leaves:
            by_group[graph.nodes[leaf]["group"]].add(frozenset(pairs[leaf]))
        for group, reached in by_group.items():
            assert len(reached) == 1, f"leaves of group {group} reach different spines"
    flow = bisection(graph)
    assert abs(flow - claimed_bisection) <= 1e-9 * claimed_bisection, f"max-flow {flow}, claimed {claimed_bisection}"


def bisection(graph: networkx.MultiGraph) -> float:
    """Max-flow in bytes/s from the nodes of the first half of the pods (of the nodes, with one pod) to the second."""
    nodes = {name: device for name, device in graph.nodes(data=True) if device["kind"] == "node"}
    pods = len({device["pod"] for device in nodes.values()})

    def first_half(name: str) -> bool:
        device = nodes[name]
        return device["pod"] < pods // 2 if pods > 1 else device["index"] < len(nodes) // 2

    flow = networkx.DiGraph()
    flow.add_nodes_from(["source", "sink"])
    for _, _, link in graph.edges(data=True):
        lower, upper = link["lower"], link["upper"]
        if graph.nodes[lower]["kind"] == "manager":
            continue
        ends = [(lower, upper), (upper, lower)]
        if lower in nodes:
            ends = [("source", upper)] if first_half(lower) else [(upper, "sink")]
        for a, b in ends:
            before = flow.edges[a, b]["capacity"] if flow.has_edge(a, b) else 0
            flow.add_edge(a, b, capacity=before + link["speed_bit_per_s"] // 8)
    return networkx.maximum_flow_value(flow, "source", "sink", flow_func=networkx.algorithms.flow.preflow_push)


def expand(devices: str, ports: str, separator: str) -> list[tuple[str, str]]:
    names, port_names = devices.split(separator), ports.split(separator)
    return list(zip(names * len(port_names) if len(names) == 1 else names, port_names))


def check_lists(graph: networkx.MultiGraph, out: pathlib.Path) -> None:
    links = {frozenset([(link["lower"], link["lower_port_name"]), (link["upper"], link["upper_port_name"])])
             for _, _, link in graph.edges(data=True)}
    assert len(links) == graph.number_of_edges()
    sheet, netbox = rows(out / "cut-sheet.csv"), rows(out / "netbox-8-cables.csv")
    cables = {link["cable"] for _, _, link in graph.edges(data=True)}
    assert len(sheet) == len(cables) == len(netbox), (len(sheet), len(cables), len(netbox))
    assert len({row["cable"] for row in sheet}) == len(sheet), "cable names are not unique"
    in_sheet, in_netbox, optical_ports = set(), set(), 0
    for row in sheet:
        ends = list(zip(expand(row["a_device"], row["a_port"], ";"), expand(row["z_device"], row["z_port"], ";")))
        assert len(ends) == int(row["links"])
        in_sheet |= {frozenset(pair) for pair in ends}
        assert (row["a_module"] == "") == (row["z_module"] == "")
        assert (row["a_module"] == "") == (row["medium"] in ("copper", "active-copper", "active-optical"))
        optical_ports += 2 * len(ends) if row["a_module"] else 0
        assert float(row["length_m"]) >= float(row["routed_m"]) - 0.051, row
    for row in netbox:
        in_netbox |= {frozenset(pair) for pair in zip(expand(row["side_a_device"], row["side_a_name"], ","),
                                                      expand(row["side_b_device"], row["side_b_name"], ","))}
    assert in_sheet == links and in_netbox == links
    # Ports that modules serve: those of the links whose cables need modules, at both ends.
    ends = sum(2 for _, _, link in graph.edges(data=True) if link["medium"] in ("multimode", "singlemode"))
    assert optical_ports == ends, (optical_ports, ends)
    devices, interfaces = rows(out / "netbox-6-devices.csv"), rows(out / "netbox-7-interfaces.csv")
    assert {row["name"] for row in devices} == set(graph.nodes) and len(devices) == graph.number_of_nodes()
    assert {(row["device"], row["name"]) for row in interfaces} == {end for link in links for end in link}
    assert len(interfaces) == 2 * len(links)
    places = collections.Counter()
    for row in devices:
        assert (row["rack"], row["position"]) not in places
        places[row["rack"], row["position"]] += 1
    assert len(rows(out / "point-to-point.csv")) == len(links)


def read_graph(path: pathlib.Path) -> networkx.MultiGraph:
    """networkx forgets which end is the source: the lower end is found by kind, between spines by group."""
    graph = networkx.read_graphml(path, force_multigraph=True)
    order = {"manager": 0, "node": 0, "leaf": 1, "spine": 2, "core": 3}
    for a, b, link in graph.edges(data=True):
        lower, upper = sorted((a, b), key=lambda name: (order[graph.nodes[name]["kind"]], graph.nodes[name]["group"]))
        link["lower"], link["upper"] = lower, upper
    return graph


def check(design: str, gpu: str, gpus: int) -> None:
    out = folder / f"{design}-{gpus}"
    railyard("wiring", design, "--gpus", str(gpus), "--gpu", gpu, "-o", str(out))
    graph = read_graph(out / "fabric.graphml")
    claim = json.loads(railyard("design", design, "--gpus", str(gpus), "--gpu", gpu, "--format", "json"))
    counts = collections.Counter(device["kind"] for _, device in graph.nodes(data=True))
    assert graph.graph["gpus"] == gpus and counts["node"] == claim["nodes"]
    assert {kind: counts[kind] for kind in ("leaf", "spine", "core")} == claim["switches"]
    check_graph(graph, claim["bisection_bytes_per_s"])
    check_lists(graph, out)


copy_data()
draw = random.Random(20261201)
checked = 0
for design, gpu, node, largest in designs:
    check(design, gpu, node * draw.randint(2, largest // node))
    checked += 1
for index in range(12):
    design = drawn_design(draw, index)
    gpus = 8 * draw.randint(1, 64)
    try:
        check(design, "h100", gpus)
        checked += 1
    except subprocess.CalledProcessError as error:  # too many GPUs for the switch, or ports of one cage that differ
        assert error.returncode == 2 and "error: design" in error.stderr, error.stderr
assert checked > len(designs) + 6, checked
print(f"{checked} wirings hold")

# The checks must be able to fail: a link moved to a used port, a link taken away, a row left out.
def fails(action) -> bool:
    try:
        action()
    except AssertionError:
        return True
    return False


out = folder / "ndr-rail-broken"
railyard("wiring", "ndr-rail", "--gpus", "512", "--gpu", "h100", "-o", str(out))
claim = json.loads(railyard("design", "ndr-rail", "--gpus", "512", "--gpu", "h100", "--format", "json"))["bisection_bytes_per_s"]
graph = read_graph(out / "fabric.graphml")
check_graph(graph, claim)
broken = graph.copy()
next(iter(broken.edges(data=True)))[2]["upper_port"] += 1
assert fails(lambda: check_graph(broken, claim))
broken = graph.copy()
broken.remove_edge(*next((a, b, key) for a, b, key, link in broken.edges(keys=True, data=True) if link["layer"] == "leaf-spine"))
assert fails(lambda: check_graph(broken, claim)) and fails(lambda: check_lists(broken, out))
lines = (out / "cut-sheet.csv").read_text().splitlines(keepends=True)
(out / "cut-sheet.csv").write_text("".join(lines[:-1]))
assert fails(lambda: check_lists(graph, out))
