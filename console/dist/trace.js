// src/screens/trace.lazy.tsx
import { Failure as Failure4, kindOf, lazy, useQuery as useQuery4, useResolved } from "./main.js";

// src/screens/trace-data.ts
import { enumWords, joined, number, rate } from "./main.js";

// src/draw/units.ts
function unitWords(start, height) {
  if (start === null) return "no unit";
  const last = start + height - 1;
  return last > start ? `U${start}\u2013${last}` : `U${start}`;
}

// src/screens/trace-data.ts
var DEVICE = "device { id name status site { name } placement { rack { id name } startUnit unitHeight } parent { name placement { rack { id name } startUnit unitHeight } } }";
var HOP = `__typename
  ... on Port { id name enabled portType: type ${DEVICE} rack { id name } virtualMachine { id name } }
  ... on Cable { id name label media color lengthM cableStatus: status }
  ... on CircuitTermination { id name side circuit { id name } site { name } }
  ... on Circuit { id name circuitId circuitType: type circuitStatus: status bandwidthMbps latencyMs distanceM provider { name } }
  ... on Site { id name }
  ... on ProviderNetwork { id name provider { name } }
  ... on PowerFeed { id name feedStatus: status rack { id name } site { name } }`;
var TRACE_FIELDS = `revision complete active split truncated origin { ${HOP} } branches {
  direction outcome active lengthM knownLengthM latencyMs cableCount steps { ${HOP} }
}`;
var TRACE = `query Trace($from: ID!, $through: Boolean) { trace(from: $from, throughDevices: $through) { ${TRACE_FIELDS} } }`;
var TRACE_CHANGED = `subscription TraceChanged($from: ID!) { traceChanged(from: $from) { ${TRACE_FIELDS} } }`;
var ENDS = `query Ends($id: ID!) { node(id: $id) { ... on Cable {
  aEnds { __typename ... on Port { id } ... on PowerFeed { id } ... on CircuitTermination { id } }
  bEnds { __typename ... on Port { id } ... on PowerFeed { id } ... on CircuitTermination { id } }
} } }`;
var unless = (status, fine) => status === void 0 || status === fine ? null : enumWords(status).toLowerCase();
function placeOf(it) {
  const placed = it.placement ?? it.parent?.placement;
  const units = placed && placed.startUnit !== null ? unitWords(placed.startUnit, placed.unitHeight ?? 1) : "";
  return joined([it.site.name, placed?.rack.name, units, it.placement ? "" : it.parent && `in ${it.parent.name}`]);
}
function ownerOf(it) {
  if (it.device) return { id: it.device.id, kind: "Device", name: it.device.name, place: placeOf(it.device) };
  if (it.virtualMachine) return { ...it.virtualMachine, kind: "VirtualMachine", place: "Virtual machine" };
  if (it.circuit) return { ...it.circuit, kind: "Circuit", place: "" };
  if (it.__typename === "Port" && it.rack) return { ...it.rack, kind: "Rack", place: "Rack" };
  return null;
}
function factsOf(it) {
  const all = it.__typename === "Cable" ? [it.media && enumWords(it.media), it.lengthM != null && `${number(it.lengthM)} m`, it.color] : it.__typename === "Circuit" ? [it.provider?.name, it.bandwidthMbps != null && rate(it.bandwidthMbps * 1e6), it.latencyMs != null && `${number(it.latencyMs)} ms`] : [it.provider?.name, it.site?.name];
  return all.filter((one) => Boolean(one));
}
function hopOf(it) {
  const kind = it.__typename;
  const fault = kind === "Port" ? it.enabled === false ? "disabled" : unless(it.device?.status, "ACTIVE") : unless(it.cableStatus, "CONNECTED") ?? unless(it.circuitStatus ?? it.feedStatus, "ACTIVE");
  const name = kind === "CircuitTermination" ? `${it.side} side` : it.name;
  return { id: it.id, kind, name, owner: ownerOf(it), facts: factsOf(it), fault, color: it.color ?? null, label: it.label ?? null, lengthM: it.lengthM ?? null };
}
function branchesOf(trace) {
  return trace.branches.map((it) => ({
    steps: it.steps.map((step) => step.map(hopOf)),
    through: it.direction === "THROUGH",
    outcome: it.outcome,
    active: it.active
  }));
}
var hopWords = (it) => joined([it.owner?.name, it.name]);

// src/screens/trace-device.tsx
import { Failure, number as number2, pathOf, trail, url, useEffect, useQuery } from "./main.js";

// src/draw/line.ts
var SHAPES = { Port: "device", CircuitTermination: "circuit", Circuit: "circuit", PowerFeed: "feed" };
var ownerKey = (hop) => hop.kind === "Circuit" ? hop.id : hop.owner?.id ?? hop.id;
var stepKey = (step) => step.map((it) => it.id).sort().join(" ");
function boxOf(step) {
  const [first] = step;
  const shape = SHAPES[first?.kind ?? ""] ?? "place";
  const own = step.find((it) => it.kind === "Circuit" || it.kind !== "CircuitTermination" && it.owner === null);
  const owners = [...new Set(step.map((it) => it.owner?.name ?? it.name))];
  const to = first?.owner ?? first;
  return {
    shape,
    title: owners.join(", "),
    kind: to?.kind ?? "",
    id: to?.id ?? "",
    place: first?.owner?.place ?? "",
    facts: own?.facts ?? [],
    inside: [step],
    fault: step.find((it) => it.fault)?.fault ?? null
  };
}
var joins = (box, step) => {
  const last = box.inside.at(-1)?.[0];
  return last !== void 0 && step[0] !== void 0 && (box.shape === "device" || box.shape === "circuit") && SHAPES[step[0].kind] === box.shape && ownerKey(last) === ownerKey(step[0]);
};
function stemOf(step) {
  return { step, outcome: null, next: /* @__PURE__ */ new Map() };
}
function grow(root, steps, outcome) {
  let at = root;
  for (const step of steps) {
    const key = stepKey(step);
    let next = at.next.get(key);
    if (!next) {
      next = stemOf(step);
      at.next.set(key, next);
    }
    at = next;
  }
  at.outcome = outcome;
}
function nodeOf(stem, cables, here) {
  const box = boxOf(stem.step);
  let last = stem;
  for (let only = onlyNext(last); only && last.outcome === null && joins(box, only.step); only = onlyNext(last)) {
    box.inside.push(only.step);
    if (only.step[0]?.kind === "Circuit") box.facts = only.step[0].facts;
    box.fault ??= only.step.find((it) => it.fault)?.fault ?? null;
    last = only;
  }
  const node = { box, cables, outcome: last.outcome, here: box.inside.some((step) => step.some((it) => it.id === here)), children: [] };
  for (const next of last.next.values()) node.children.push(...below(next, here));
  return node;
}
var onlyNext = (stem) => stem.next.size === 1 ? [...stem.next.values()][0] : void 0;
function below(stem, here) {
  if (stem.step[0]?.kind !== "Cable") return [nodeOf(stem, [], here)];
  const nodes = [...stem.next.values()].map((it) => nodeOf(it, stem.step, here));
  if (stem.outcome !== null || nodes.length === 0) nodes.push({ box: openEnd(stem.step), cables: stem.step, outcome: stem.outcome ?? "OPEN", here: false, children: [] });
  return nodes;
}
var openEnd = (step) => ({ shape: "place", title: "Open end", kind: "Cable", id: step[0]?.id ?? "", place: "", facts: [], inside: [], fault: null });
function treeOf(branches, origin) {
  const root = stemOf([]);
  const [through, plugged] = [branches.filter((it) => it.through), branches.filter((it) => !it.through)];
  const [back, on] = [through[0], plugged[0]];
  if (through.length === 1 && plugged.length === 1 && back && on) {
    grow(root, [...[...back.steps].reverse(), ...on.steps.slice(1)], on.outcome);
    const [top] = [...root.next.values()].flatMap((it) => below(it, origin));
    if (top) return [{ ...top, outcome: top.outcome ?? (back.outcome === "COMPLETE" ? null : back.outcome) }];
  }
  for (const it of branches) grow(root, it.steps, it.outcome);
  const tree = [...root.next.values()].flatMap((it) => below(it, origin));
  return tree.map((it) => ({ ...it, children: it.here ? sides(it.children) : it.children }));
}
function sides(children) {
  const groups = [children.filter((it) => it.cables.length > 0), children.filter((it) => it.cables.length === 0)];
  const count = (nodes) => nodes.reduce((sum, it) => sum + leaves(it), 0);
  return groups.sort((a, b) => count(a) - count(b)).flat();
}
var leaves = (node) => node.children.length === 0 ? 1 : node.children.reduce((sum, it) => sum + leaves(it), 0);
var BOX_PX = 290;
var GAP_PX = 28;
var PINS_PX = 21;
var HEAD_PX = 39;
var CABLE_PX = 50;
var THROUGH_PX = 26;
var OUTCOME_PX = 34;
function pinsOf(box) {
  if (box.shape !== "device" && box.shape !== "circuit") return "";
  const steps = box.inside.filter((step) => step[0]?.kind !== "Circuit");
  return steps.map((step) => step.map((it) => [it.name, ...it.facts].join(" \xB7 ")).join(", ")).join(" \u2192 ");
}
var boxHeight = (node) => HEAD_PX + (pinsOf(node.box) ? PINS_PX : 0);
var cableHeight = (cables) => cables.length === 0 ? THROUGH_PX : CABLE_PX + Math.min(cables.length, MAX_NAMED) * 14 - 14;
var MAX_NAMED = 4;
function layoutOf(tree) {
  const positions = [];
  let column = 0;
  let bottom = 0;
  const place = (node, parent, y) => {
    const position = { node, x: column * (BOX_PX + GAP_PX), y, height: boxHeight(node), parent };
    positions.push(position);
    bottom = Math.max(bottom, y + position.height + (node.outcome ? OUTCOME_PX : 0));
    node.children.forEach((it, at) => {
      if (at > 0) column += 1;
      place(it, position, y + position.height + cableHeight(it.cables));
    });
  };
  tree.forEach((it, at) => {
    if (at > 0) column += 1;
    place(it, null, 0);
  });
  return { positions, width: (column + 1) * (BOX_PX + GAP_PX) - GAP_PX, height: bottom };
}
var OUTCOMES = {
  COMPLETE: "The line ends here.",
  OPEN: "The line is open: nothing is plugged in, or nothing leads on.",
  LOOP: "The line returns to a place where it has been before.",
  UNMAPPED: "The patch port is not connected inside at this position."
};
var SHORT = { COMPLETE: "end", OPEN: "open end", LOOP: "loop", UNMAPPED: "not connected inside" };
var shortOutcome = (outcome) => SHORT[outcome] ?? outcome;
var outcomeWords = (outcome) => OUTCOMES[outcome] ?? outcome;
var NAMED = {
  aqua: "#29b6c6",
  black: "#3c3c3c",
  blue: "#2f6fd0",
  brown: "#8a5a2b",
  green: "#2f9e44",
  grey: "#808890",
  gray: "#808890",
  orange: "#e8730c",
  pink: "#e0559a",
  purple: "#7d4cc0",
  red: "#d6332a",
  violet: "#7d4cc0",
  white: "#e4e7ea",
  yellow: "#e3b505",
  turquoise: "#1fb5a6",
  magenta: "#c2308f",
  cyan: "#29b6c6"
};
function strokeOf(color) {
  if (!color) return null;
  const text = color.trim().toLowerCase();
  if (/^#?[\da-f]{6}$/.test(text)) return text.startsWith("#") ? text : `#${text}`;
  return NAMED[text] ?? null;
}
function linksOf(steps) {
  return steps.flatMap((step, at) => step[0]?.kind === "Cable" || step[0]?.kind === "Circuit" ? [{ from: steps[at - 1] ?? [], via: step, to: steps[at + 1] ?? [] }] : []);
}
var thing = (it) => it.owner ? { kind: it.owner.kind, id: it.owner.id, name: it.owner.name } : { kind: it.kind, id: it.id, name: it.name };
function commonOf(lines, own) {
  const branches = lines.flat().map((it) => new Map(it.steps.flat().map(thing).filter((one) => one.id !== own).map((one) => [one.id, one])));
  const [first, ...others] = branches;
  if (!first || lines.some((it) => it.length === 0)) return [];
  return [...first.values()].filter((it) => others.every((one) => one.has(it.id)));
}

// src/screens/trace-device.tsx
import { Fragment, jsx, jsxs } from "./main.js";
var END = "__typename ... on Port { id name device { id name status site { name } placement { rack { id name } startUnit unitHeight } parent { name placement { rack { id name } startUnit unitHeight } } } } ... on PowerFeed { id name } ... on CircuitTermination { id name side circuit { id name } } ... on ProviderNetwork { id name } ... on Site { id name }";
var DOCUMENT = `query DeviceLines($id: ID!) { node(id: $id) { ... on Device { id name site { name } ports(first: 500, filter: {not: {type: {in: [VIRTUAL, LAG]}}}) { totalCount nodes {
  id name cable { id name color } trace { complete active branches { outcome cableCount lengthM knownLengthM end { ${END} } } }
} } } } }`;
function DeviceLines({ id }) {
  const query = useQuery(DOCUMENT, { id }, ["Port", "Cable", "Circuit", "CircuitTermination", "Device"]);
  const device = query.data.value?.node;
  useEffect(() => {
    if (!device) return void 0;
    trail.value = [{ name: device.name, path: pathOf("Device", { ...device }) }, { name: "Trace", path: url.value.pathname }];
    document.title = `${device.name} \xB7 Trace \xB7 Underlay`;
    return () => {
      trail.value = [];
    };
  }, [device?.name]);
  if (query.error.value && !device) return /* @__PURE__ */ jsx(Failure, { error: query.error.value, again: () => void query.read() });
  if (!query.data.value) return /* @__PURE__ */ jsx("p", { class: "waiting", children: "Reading\u2026" });
  if (!device) return /* @__PURE__ */ jsx("p", { class: "empty", children: "This device was deleted." });
  const cabled = device.ports.nodes.filter((it) => it.cable);
  return /* @__PURE__ */ jsxs("section", { class: "trace", "aria-label": `Lines of ${device.name}`, children: [
    /* @__PURE__ */ jsxs("header", { class: "list-bar", children: [
      /* @__PURE__ */ jsxs("h1", { title: device.name, children: [
        "Lines of ",
        /* @__PURE__ */ jsx("bdi", { children: device.name }),
        " ",
        /* @__PURE__ */ jsxs("span", { class: "count", children: [
          number2(cabled.length),
          " of ",
          number2(device.ports.totalCount),
          " ports have a cable"
        ] })
      ] }),
      /* @__PURE__ */ jsx("a", { class: "button", href: pathOf("Device", { ...device }), children: "Details" })
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "trace-body", tabIndex: 0, role: "region", "aria-label": "Ports and their ends", children: [
      /* @__PURE__ */ jsxs("table", { class: "units", children: [
        /* @__PURE__ */ jsx("caption", { class: "hidden", children: "Ports and the ends that they lead to" }),
        /* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
          /* @__PURE__ */ jsx("th", { scope: "col", children: "Port" }),
          /* @__PURE__ */ jsx("th", { scope: "col", children: "Leads to" }),
          /* @__PURE__ */ jsx("th", { scope: "col", children: "Place" }),
          /* @__PURE__ */ jsx("th", { scope: "col", children: "Cables" }),
          /* @__PURE__ */ jsx("th", { scope: "col", children: "Length" }),
          /* @__PURE__ */ jsx("th", { scope: "col", children: "State" })
        ] }) }),
        /* @__PURE__ */ jsx("tbody", { children: cabled.map((it) => /* @__PURE__ */ jsx(PortLine, { port: it }, it.id)) })
      ] }),
      cabled.length === 0 && /* @__PURE__ */ jsx("p", { class: "empty", children: "No port of this device has a cable." })
    ] })
  ] });
}
var MAX_ENDS = 4;
function PortLine({ port }) {
  const branches = port.trace?.branches ?? [];
  const ends = branches.flatMap((it) => it.end ? [hopOf(it.end)] : []).slice(0, MAX_ENDS);
  const longest = Math.max(0, ...branches.map((it) => it.lengthM ?? it.knownLengthM));
  const broken = branches.find((it) => it.outcome !== "COMPLETE");
  return /* @__PURE__ */ jsxs("tr", { children: [
    /* @__PURE__ */ jsx("th", { scope: "row", children: /* @__PURE__ */ jsx("a", { href: `${pathOf("Port", { id: port.id })}/trace`, children: /* @__PURE__ */ jsx("bdi", { children: port.name }) }) }),
    /* @__PURE__ */ jsxs("td", { children: [
      ends.map((it) => /* @__PURE__ */ jsx("span", { class: "item", children: /* @__PURE__ */ jsx("a", { href: pathOf(it.kind, { id: it.id }), children: /* @__PURE__ */ jsx("bdi", { children: hopWords(it) }) }) }, it.id)),
      branches.length > MAX_ENDS && /* @__PURE__ */ jsxs(Fragment, { children: [
        " and ",
        number2(branches.length - MAX_ENDS),
        " more"
      ] })
    ] }),
    /* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx("bdi", { children: ends[0]?.owner?.place }) }),
    /* @__PURE__ */ jsx("td", { children: number2(Math.max(0, ...branches.map((it) => it.cableCount))) }),
    /* @__PURE__ */ jsxs("td", { children: [
      number2(longest),
      " m"
    ] }),
    /* @__PURE__ */ jsxs("td", { children: [
      /* @__PURE__ */ jsx("span", { class: `state ${port.trace?.complete ? port.trace.active ? "good" : "warn" : "bad"}`, children: port.trace?.complete ? port.trace.active ? "Active" : "Not active" : "Broken" }),
      broken && /* @__PURE__ */ jsxs("span", { class: "fault-words", children: [
        " ",
        outcomeWords(broken.outcome)
      ] })
    ] })
  ] });
}

// src/screens/trace-power.tsx
import { EnumValue, Failure as Failure2, number as number4, pathOf as pathOf3, setParams, trail as trail2, url as url2, useEffect as useEffect2, useQuery as useQuery2 } from "./main.js";

// src/draw/text.ts
function widthOf(character) {
  if ((character.codePointAt(0) ?? 0) >= 4352) return 1.05;
  if (/[ijlI.,:;|!'()[\]]/.test(character)) return 0.36;
  if (/[mwMW@%]/.test(character)) return 0.96;
  return /[A-Z]/.test(character) ? 0.72 : 0.63;
}
var BOLD = 1.16;
function fit(text, px, size) {
  const room = px / size;
  let taken = 0;
  const kept = [];
  for (const character of text) {
    taken += widthOf(character);
    if (taken > room) return kept.length > 1 ? `${kept.slice(0, -1).join("")}\u2026` : "";
    kept.push(character);
  }
  return text;
}
function spoken(shown, whole) {
  const [seen, full] = [shown, whole].map((it) => it.filter(Boolean).join(" "));
  return seen === full || !seen ? full ?? "" : `${seen} \xB7 ${full}`;
}

// src/draw/line.tsx
import { Fragment as Fragment2, jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var MARGIN = 14;
var CABLE_NAME_PX = 262;
function LineDrawing(props) {
  const { positions, width, height } = layoutOf(props.tree);
  const [across, down] = [width + 2 * MARGIN, height + 2 * MARGIN];
  return /* @__PURE__ */ jsxs2("svg", { class: "line", viewBox: `${-MARGIN} ${-MARGIN} ${across} ${down}`, width: across, height: down, role: "group", "aria-label": props.label, children: [
    positions.map((it) => it.parent && /* @__PURE__ */ jsx2(Wires, { position: it, parent: it.parent, ...props }, keyOf(it))),
    positions.map((it) => /* @__PURE__ */ jsx2(BoxShape, { position: it, ...props }, keyOf(it)))
  ] });
}
var keyOf = (it) => `${it.x} ${it.y} ${it.node.box.id}`;
var wordsOf = (fault, facts) => [fault, ...facts].filter(Boolean).join(" \xB7 ");
function To({ kind, id, title, more, fault, x, y, room, strong, ...props }) {
  const size = strong ? 12.5 : 11.5;
  const shown = [fit(title, (room - 12) / (strong ? BOLD : 1), size), fit(more, (room - 12) / (fault ? BOLD : 1), 10.5)];
  return /* @__PURE__ */ jsxs2("a", { class: props.selected === id ? "hop selected" : "hop", href: props.pathOf(kind, id), "aria-label": spoken(shown, [title, more]), children: [
    /* @__PURE__ */ jsx2("title", { children: [title, more].filter(Boolean).join(" \xB7 ") }),
    /* @__PURE__ */ jsx2("rect", { class: "hit", x: x - 5, y: y - 14, width: room, height: 31, rx: "3" }),
    /* @__PURE__ */ jsx2("text", { class: strong ? "title" : "cable-name", x, y, "font-size": size, children: shown[0] }),
    " ",
    /* @__PURE__ */ jsx2("text", { class: fault ? "fault" : "facts", x, y: y + 13, "font-size": "10.5", children: shown[1] })
  ] });
}
var STRAND_PX = 7;
function Wires({ position, parent, ...props }) {
  const { cables } = position.node;
  const [x, top] = [position.x + 40, parent.y + parent.height];
  const fromX = parent.x + 40;
  const bend = top + 12;
  const path = (by) => fromX === x ? `M${x + by} ${top}V${position.y}` : `M${parent.x + BOX_PX - 30} ${top}V${bend}H${x + by}V${position.y}`;
  if (cables.length === 0) return /* @__PURE__ */ jsx2("path", { class: "gap", d: path(0) });
  const strands = cables.slice(0, MAX_NAMED);
  const middle = top + (position.y - top) / 2 + (fromX === x ? 0 : 6);
  return /* @__PURE__ */ jsxs2(Fragment2, { children: [
    strands.map((it, at) => {
      const by = at * STRAND_PX;
      return /* @__PURE__ */ jsxs2("g", { class: it.fault ? "cable broken" : "cable", children: [
        /* @__PURE__ */ jsx2("path", { class: "sheath", d: path(by) }),
        /* @__PURE__ */ jsx2("path", { class: strokeOf(it.color) ? "core" : "core plain", stroke: strokeOf(it.color) ?? void 0, d: path(by) })
      ] }, it.id);
    }),
    strands.map((it, at) => {
      const y = middle + at * 24 - (strands.length - 1) * 12;
      const left = x + strands.length * STRAND_PX + 6;
      return /* @__PURE__ */ jsx2("g", { children: /* @__PURE__ */ jsx2(To, { ...props, kind: "Cable", id: it.id, title: it.name, more: wordsOf(it.fault, it.facts), fault: it.fault, x: left, y: y - 1, room: CABLE_NAME_PX - strands.length * STRAND_PX }) }, it.id);
    }),
    cables.length > MAX_NAMED && /* @__PURE__ */ jsxs2("text", { class: "facts", x: x + 40, y: position.y - 4, "font-size": "10.5", children: [
      "and ",
      cables.length - MAX_NAMED,
      " more cables"
    ] })
  ] });
}
var KINDS = { device: "", circuit: "Circuit", place: "", feed: "Power feed" };
function BoxShape({ position, ...props }) {
  const { node, x, y, height } = position;
  const { box } = node;
  const head = [KINDS[box.shape] ?? "", box.place, ...box.facts];
  return /* @__PURE__ */ jsxs2("g", { class: ["box", box.shape, node.here && "here", box.fault && "broken"].filter(Boolean).join(" "), children: [
    box.shape === "circuit" ? /* @__PURE__ */ jsx2("path", { class: "shape", d: cloud(x, y, height) }) : /* @__PURE__ */ jsx2("rect", { class: "shape", x, y, width: BOX_PX, height, rx: box.shape === "feed" ? 14 : 5 }),
    /* @__PURE__ */ jsx2(To, { ...props, kind: box.kind, id: box.id, title: box.title, more: wordsOf(box.fault, head), fault: box.fault, x: x + 12, y: y + 17, room: BOX_PX - 14, strong: true }),
    pinsOf(box) && /* @__PURE__ */ jsxs2(Fragment2, { children: [
      /* @__PURE__ */ jsx2("circle", { class: "pin", cx: x + 40, cy: y + 46, r: "3" }),
      /* @__PURE__ */ jsx2("text", { class: "pin-name", x: x + 50, y: y + 50, "font-size": "11.5", children: fit(pinsOf(box), BOX_PX - 62, 11.5) })
    ] }),
    node.outcome && /* @__PURE__ */ jsx2(Outcome, { outcome: node.outcome, x, y: y + height })
  ] });
}
function Outcome({ outcome, x, y }) {
  if (outcome === "COMPLETE") {
    return /* @__PURE__ */ jsxs2("g", { class: "outcome good", children: [
      /* @__PURE__ */ jsx2("path", { d: `M${x + 40} ${y}v12M${x + 32} ${y + 12}h16` }),
      /* @__PURE__ */ jsx2("text", { x: x + 56, y: y + 16, "font-size": "10.5", children: shortOutcome(outcome) })
    ] });
  }
  return /* @__PURE__ */ jsxs2("g", { class: "outcome bad", children: [
    /* @__PURE__ */ jsx2("path", { d: `M${x + 40} ${y}v10M${x + 34} ${y + 10}l12 12M${x + 46} ${y + 10}l-12 12` }),
    /* @__PURE__ */ jsx2("text", { x: x + 56, y: y + 20, "font-size": "10.5", children: shortOutcome(outcome) }),
    /* @__PURE__ */ jsx2("title", { children: outcomeWords(outcome) })
  ] });
}
function cloud(x, y, height) {
  const bump = 20;
  const across = Math.round(BOX_PX / bump);
  const down = Math.max(2, Math.round(height / bump));
  const [w, h] = [BOX_PX / across, height / down];
  const arcs = (count, dx, dy) => `a${Math.abs(dx + dy) / 1.7} ${Math.abs(dx + dy) / 1.7} 0 0 1 ${dx} ${dy}`.repeat(count);
  return `M${x} ${y}${arcs(across, w, 0)}${arcs(down, 0, h)}${arcs(across, -w, 0)}${arcs(down, 0, -h)}z`;
}

// src/screens/trace-list.tsx
import { number as number3, pathOf as pathOf2 } from "./main.js";
import { Fragment as Fragment3, jsx as jsx3, jsxs as jsxs3 } from "./main.js";
function TraceList({ trace }) {
  return /* @__PURE__ */ jsx3("div", { class: "trace-lists", children: trace.branches.map((branch, at) => {
    const links = linksOf(branch.steps.map((step) => step.map(hopOf)));
    const title = trace.branches.length === 1 ? "The line" : `Branch ${number3(at + 1)} of ${number3(trace.branches.length)}`;
    return /* @__PURE__ */ jsxs3("table", { class: "units links", children: [
      /* @__PURE__ */ jsxs3("caption", { children: [
        title,
        branch.outcome !== "COMPLETE" && /* @__PURE__ */ jsxs3("span", { class: "fault-words", children: [
          " ",
          outcomeWords(branch.outcome)
        ] }),
        " ",
        /* @__PURE__ */ jsxs3("span", { class: "quiet", children: [
          number3(branch.cableCount),
          " ",
          branch.cableCount === 1 ? "cable" : "cables",
          ", ",
          branch.lengthM === null ? `at least ${number3(branch.knownLengthM)}` : number3(branch.lengthM),
          " m"
        ] })
      ] }),
      /* @__PURE__ */ jsx3("thead", { children: /* @__PURE__ */ jsxs3("tr", { children: [
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "#" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "From" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Place" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Cable or circuit" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "To" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Place" })
      ] }) }),
      /* @__PURE__ */ jsxs3("tbody", { children: [
        links.map((it, index) => /* @__PURE__ */ jsxs3("tr", { children: [
          /* @__PURE__ */ jsx3("td", { children: number3(index + 1) }),
          /* @__PURE__ */ jsx3("td", { children: /* @__PURE__ */ jsx3(End, { hops: it.from }) }),
          /* @__PURE__ */ jsx3("td", { children: /* @__PURE__ */ jsx3("bdi", { children: placeOf2(it.from) }) }),
          /* @__PURE__ */ jsxs3("th", { scope: "row", children: [
            /* @__PURE__ */ jsx3("span", { children: /* @__PURE__ */ jsx3(End, { hops: it.via }) }),
            " ",
            /* @__PURE__ */ jsx3("span", { class: "quiet", children: it.via[0]?.facts.join(" \xB7 ") }),
            it.via[0]?.label && /* @__PURE__ */ jsxs3("div", { class: "quiet printed", children: [
              "Label ",
              /* @__PURE__ */ jsx3("bdi", { children: it.via[0].label })
            ] })
          ] }),
          /* @__PURE__ */ jsx3("td", { children: /* @__PURE__ */ jsx3(End, { hops: it.to }) }),
          /* @__PURE__ */ jsx3("td", { children: /* @__PURE__ */ jsx3("bdi", { children: placeOf2(it.to) }) })
        ] }, index)),
        links.length === 0 && /* @__PURE__ */ jsx3("tr", { children: /* @__PURE__ */ jsx3("td", { colSpan: 6, children: "Nothing is plugged in." }) })
      ] })
    ] }, at);
  }) });
}
var placeOf2 = (hops) => hops[0]?.owner?.place || (hops[0]?.facts.join(" \xB7 ") ?? "");
function End({ hops }) {
  if (hops.length === 0) return /* @__PURE__ */ jsx3("span", { class: "quiet", children: "nothing" });
  return /* @__PURE__ */ jsx3(Fragment3, { children: hops.map((it) => /* @__PURE__ */ jsxs3("span", { class: "item", children: [
    it.owner && /* @__PURE__ */ jsxs3(Fragment3, { children: [
      /* @__PURE__ */ jsx3("a", { href: pathOf2(it.owner.kind, { id: it.owner.id }), children: /* @__PURE__ */ jsx3("bdi", { children: it.owner.name }) }),
      " "
    ] }),
    /* @__PURE__ */ jsx3("a", { href: pathOf2(it.kind, { id: it.id }), children: /* @__PURE__ */ jsx3("b", { children: /* @__PURE__ */ jsx3("bdi", { children: it.name }) }) }),
    it.fault && /* @__PURE__ */ jsxs3("span", { class: "fault-words", children: [
      " ",
      it.fault
    ] })
  ] }, it.id)) });
}

// src/screens/trace-power.tsx
import { jsx as jsx4, jsxs as jsxs4 } from "./main.js";
var DOCUMENT2 = `query PowerChain($id: ID!) { node(id: $id) { ... on Device { id name inletsRequired site { id name }
  ports(first: 40, filter: {type: {eq: POWER_INLET}}) { nodes { id name trace(throughDevices: true) { ${TRACE_FIELDS} } } }
} } }`;
function PowerChain({ id }) {
  const query = useQuery2(DOCUMENT2, { id }, ["Port", "Cable", "PowerFeed", "Device"]);
  const device = query.data.value?.node;
  useEffect2(() => {
    if (!device) return void 0;
    trail2.value = [{ name: device.name, path: pathOf3("Device", { ...device }) }, { name: "Power", path: url2.value.pathname }];
    document.title = `${device.name} \xB7 Power \xB7 Underlay`;
    return () => {
      trail2.value = [];
    };
  }, [device?.name]);
  if (query.error.value && !device) return /* @__PURE__ */ jsx4(Failure2, { error: query.error.value, again: () => void query.read() });
  if (!query.data.value) return /* @__PURE__ */ jsx4("p", { class: "waiting", children: "Reading\u2026" });
  if (!device) return /* @__PURE__ */ jsx4("p", { class: "empty", children: "This device was deleted." });
  const list = url2.value.searchParams.get("view") === "list";
  const inlets = device.ports.nodes;
  return /* @__PURE__ */ jsxs4("section", { class: "trace", "aria-label": `Power of ${device.name}`, children: [
    /* @__PURE__ */ jsxs4("header", { class: "list-bar", children: [
      /* @__PURE__ */ jsxs4("h1", { title: device.name, children: [
        "Power of ",
        /* @__PURE__ */ jsx4("bdi", { children: device.name }),
        " ",
        /* @__PURE__ */ jsxs4("span", { class: "count", children: [
          number4(inlets.length),
          " ",
          inlets.length === 1 ? "inlet" : "inlets",
          ", ",
          number4(device.inletsRequired),
          " required"
        ] })
      ] }),
      /* @__PURE__ */ jsx4("a", { class: "button", href: pathOf3("Device", { ...device }), children: "Details" }),
      /* @__PURE__ */ jsx4("span", { class: "grow" }),
      /* @__PURE__ */ jsxs4("div", { class: "switch", role: "group", "aria-label": "View", children: [
        /* @__PURE__ */ jsx4("button", { type: "button", "aria-pressed": !list, onClick: () => setParams({ view: null }, "replace"), children: "Drawing" }),
        /* @__PURE__ */ jsx4("button", { type: "button", "aria-pressed": list, onClick: () => setParams({ view: "list" }, "replace"), children: "Table" })
      ] })
    ] }),
    /* @__PURE__ */ jsx4(Common, { inlets, own: device.id }),
    /* @__PURE__ */ jsxs4("div", { class: list ? "trace-body" : "trace-body drawn", tabIndex: 0, role: "region", "aria-label": list ? "Tables" : "Drawings", children: [
      /* @__PURE__ */ jsx4("div", { class: list ? "chains listed" : "chains", children: inlets.map((it) => /* @__PURE__ */ jsx4(Chain, { inlet: it, drawn: !list }, it.id)) }),
      inlets.length === 0 && /* @__PURE__ */ jsx4("p", { class: "empty", children: "This device has no power inlet." })
    ] })
  ] });
}
function Common({ inlets, own }) {
  if (inlets.length < 2) return null;
  const common = commonOf(inlets.map((it) => it.trace ? branchesOf(it.trace) : []), own);
  if (common.length === 0) return /* @__PURE__ */ jsxs4("p", { class: "trace-sum", children: [
    /* @__PURE__ */ jsx4("span", { class: "state good", children: "Independent" }),
    " The inlets have nothing in common."
  ] });
  return /* @__PURE__ */ jsxs4("p", { class: "trace-sum", children: [
    /* @__PURE__ */ jsx4("span", { class: "state warn", children: "Shared" }),
    " All inlets depend on",
    " ",
    /* @__PURE__ */ jsx4("span", { children: common.map((it) => /* @__PURE__ */ jsx4("span", { class: "item", children: /* @__PURE__ */ jsx4("a", { href: pathOf3(it.kind, { id: it.id }), children: /* @__PURE__ */ jsx4("bdi", { children: it.name }) }) }, it.id)) })
  ] });
}
function Chain({ inlet, drawn }) {
  const { trace } = inlet;
  const state = !trace?.complete ? "BROKEN" : trace.active ? "ACTIVE" : "DEGRADED";
  return /* @__PURE__ */ jsxs4("article", { class: "chain", "aria-label": inlet.name, children: [
    /* @__PURE__ */ jsxs4("h2", { children: [
      /* @__PURE__ */ jsx4("a", { href: `${pathOf3("Port", { id: inlet.id })}/trace?through=on`, children: /* @__PURE__ */ jsx4("bdi", { children: inlet.name }) }),
      " ",
      /* @__PURE__ */ jsx4(EnumValue, { field: "state", value: state })
    ] }),
    trace && drawn && /* @__PURE__ */ jsx4(LineDrawing, { tree: treeOf(branchesOf(trace), inlet.id), label: `Power of ${inlet.name}`, selected: null, pathOf: (kind, id) => pathOf3(kind, { id }) }),
    trace && /* @__PURE__ */ jsx4(TraceList, { trace })
  ] });
}

// src/screens/trace-view.tsx
import { Failure as Failure3, go, Menu, number as number5, pathOf as pathOf4, say, setParams as setParams2, trail as trail3, url as url3, useCommands, useEffect as useEffect3, useMemo, useQuery as useQuery3, useRef, useState } from "./main.js";

// src/server/watch.ts
import { asRefused, Refused, remedyOf } from "./main.js";
import { pause, subscribe } from "./main.js";
function refusedOf([first]) {
  return new Refused(String(first?.extensions?.code ?? "INVALID"), first?.message ?? "The subscription was refused.", first?.extensions);
}
function watch(document2, variables, next, failed) {
  let ended = false;
  let stop = () => {
  };
  const follow = async () => {
    for (let failures = 1; !ended; failures += 1) {
      const subscription = subscribe(document2, variables(), (it) => {
        failures = 0;
        if (!ended) next(it);
      });
      stop = subscription.stop;
      const { errors } = await subscription.ended;
      if (ended) return;
      const error = errors && refusedOf(errors);
      if (error && !["retry", "sign-in"].includes(remedyOf(error))) {
        ended = true;
        failed(error);
        return;
      }
      await pause(failures);
    }
  };
  follow().catch((error) => {
    if (!ended) failed(asRefused(error));
  });
  return () => {
    ended = true;
    stop();
  };
}

// src/screens/trace-view.tsx
import { jsx as jsx5, jsxs as jsxs5 } from "./main.js";
var POWER_KINDS = ["Port", "Cable", "PowerFeed", "Device"];
function useTrace(from, through) {
  const query = useQuery3(TRACE, { from, through }, through ? POWER_KINDS : []);
  const [latest, setLatest] = useState(null);
  const [refused, setRefused] = useState(null);
  useEffect3(() => {
    setLatest(null);
    if (through) return void 0;
    return watch(TRACE_CHANGED, () => ({ from }), (it) => setLatest({ trace: it.traceChanged }), setRefused);
  }, [from, through]);
  return { trace: latest ? latest.trace : query.data.value?.trace, error: query.error.value ?? refused, again: () => void query.read() };
}
function TraceOf({ from, of }) {
  const params = url3.value.searchParams;
  const through = params.get("through") === "on";
  const { trace, error, again } = useTrace(from, through);
  const list = params.get("view") === "list";
  const box = useRef(null);
  const tree = useMemo(() => trace ? treeOf(branchesOf(trace), from) : [], [trace]);
  const origin = trace ? hopOf(trace.origin) : null;
  const name = origin ? hopWords(origin) : "";
  useEffect3(() => {
    if (!name) return void 0;
    trail3.value = [{ name, path: pathOf4(of.kind, { id: of.id }) }, { name: "Trace", path: url3.value.pathname }];
    document.title = `${name} \xB7 Trace \xB7 Underlay`;
    return () => {
      trail3.value = [];
    };
  }, [name]);
  useCommands({ up: () => go(pathOf4(of.kind, { id: of.id })) });
  if (!trace) {
    if (error) return /* @__PURE__ */ jsx5(Failure3, { error, again });
    return trace === null ? /* @__PURE__ */ jsx5("p", { class: "empty", children: "This object was deleted." }) : /* @__PURE__ */ jsx5("p", { class: "waiting", children: "Reading\u2026" });
  }
  const power = trace.branches.some((it) => it.steps.flat().some((hop) => hop.portType?.startsWith("POWER") || hop.__typename === "PowerFeed"));
  return /* @__PURE__ */ jsxs5("section", { class: "trace", "aria-label": `Trace of ${name}`, children: [
    /* @__PURE__ */ jsxs5("header", { class: "list-bar", children: [
      /* @__PURE__ */ jsxs5("h1", { title: name, children: [
        "Trace of ",
        /* @__PURE__ */ jsx5("bdi", { children: name })
      ] }),
      /* @__PURE__ */ jsx5("a", { class: "button", href: pathOf4(of.kind, { id: of.id }), children: "Details" }),
      /* @__PURE__ */ jsx5("span", { class: "grow" }),
      power && /* @__PURE__ */ jsxs5("label", { class: "check", children: [
        /* @__PURE__ */ jsx5("input", { type: "checkbox", checked: through, onChange: (event) => setParams2({ through: event.currentTarget.checked ? "on" : null }, "replace") }),
        " Through power devices"
      ] }),
      /* @__PURE__ */ jsxs5("div", { class: "switch", role: "group", "aria-label": "View", children: [
        /* @__PURE__ */ jsx5("button", { type: "button", "aria-pressed": !list, onClick: () => setParams2({ view: null }, "replace"), children: "Drawing" }),
        /* @__PURE__ */ jsx5("button", { type: "button", "aria-pressed": list, onClick: () => setParams2({ view: "list" }, "replace"), children: "Table" })
      ] }),
      /* @__PURE__ */ jsx5(Export, { box, name, list })
    ] }),
    error && /* @__PURE__ */ jsx5(Failure3, { error, again }),
    /* @__PURE__ */ jsx5(Sum, { trace }),
    /* @__PURE__ */ jsxs5("div", { class: list ? "trace-body" : trace.branches.length > 2 ? "trace-body drawn" : "trace-body drawn narrow", ref: box, tabIndex: 0, role: "region", "aria-label": list ? "Table" : "Drawing", children: [
      !list && /* @__PURE__ */ jsx5(LineDrawing, { tree, label: `Line of ${name}`, selected: of.id, pathOf: (kind, id) => pathOf4(kind, { id }) }),
      /* @__PURE__ */ jsx5(TraceList, { trace })
    ] })
  ] });
}
function Sum({ trace }) {
  const broken = trace.branches.filter((it) => it.outcome !== "COMPLETE");
  const [only] = trace.branches;
  return /* @__PURE__ */ jsxs5("p", { class: "trace-sum", role: "status", children: [
    /* @__PURE__ */ jsx5("span", { class: `state ${trace.complete ? "good" : "bad"}`, children: trace.complete ? "Complete" : "Broken" }),
    /* @__PURE__ */ jsx5("span", { class: `state ${trace.active ? "good" : "warn"}`, children: trace.active ? "Active" : "Not active throughout" }),
    trace.split && /* @__PURE__ */ jsx5("span", { class: "state warn", children: "A position was guessed" }),
    trace.truncated && /* @__PURE__ */ jsx5("span", { class: "state warn", children: "Cut: the line is longer than what is shown" }),
    trace.branches.length === 1 && only ? /* @__PURE__ */ jsxs5("span", { children: [
      number5(only.cableCount),
      " ",
      only.cableCount === 1 ? "cable" : "cables",
      ", ",
      only.lengthM === null ? `at least ${number5(only.knownLengthM)}` : number5(only.lengthM),
      " m",
      only.latencyMs !== null && `, ${number5(only.latencyMs)} ms`
    ] }) : /* @__PURE__ */ jsxs5("span", { children: [
      number5(trace.branches.length),
      " branches",
      broken.length > 0 && `, ${number5(broken.length)} of them broken`
    ] }),
    broken.length > 0 && /* @__PURE__ */ jsx5("span", { class: "fault-words", children: [...new Set(broken.map((it) => outcomeWords(it.outcome)))].join(" ") })
  ] });
}
function Export({ box, name, list }) {
  const file = `trace ${name.replace(/[^\p{L}\p{N}.-]+/gu, " ")}`;
  const save = async (type) => {
    const drawings = [...box.current?.querySelectorAll("svg.line") ?? []].map((svg) => ({ svg, title: `Trace of ${name}` }));
    const { saveDrawings } = await import("./svg.js");
    if (!await saveDrawings(drawings, type, file)) say("The browser cannot draw a picture of this size. Take SVG.");
  };
  return /* @__PURE__ */ jsx5(Menu, { label: "Export", title: "Print or save", children: (close) => /* @__PURE__ */ jsxs5("div", { class: "choices-down", children: [
    /* @__PURE__ */ jsx5("button", { type: "button", onClick: () => {
      close();
      setTimeout(() => window.print(), 50);
    }, children: "Print the table" }),
    /* @__PURE__ */ jsx5("button", { type: "button", disabled: list, onClick: () => {
      close();
      void save("svg");
    }, children: "Save as SVG" }),
    /* @__PURE__ */ jsx5("button", { type: "button", disabled: list, onClick: () => {
      close();
      void save("png");
    }, children: "Save as PNG" })
  ] }) });
}

// src/screens/trace.lazy.tsx
import { jsx as jsx6 } from "./main.js";
var Gone = lazy(async () => (await import("./detail.js")).Gone);
function TraceScreen({ kind, rest, power }) {
  const found = useResolved(kind, rest);
  if (found.error) return /* @__PURE__ */ jsx6(Failure4, { error: found.error });
  if (found.waiting) return /* @__PURE__ */ jsx6("p", { class: "waiting", children: "Reading\u2026" });
  if (!found.id) return /* @__PURE__ */ jsx6(Gone, { kind, rest });
  if (power) return /* @__PURE__ */ jsx6(PowerChain, { id: found.id }, found.id);
  if (kind.name === "Device") return /* @__PURE__ */ jsx6(DeviceLines, { id: found.id }, found.id);
  if (kind.name === "Cable") return /* @__PURE__ */ jsx6(CableTrace, { id: found.id }, found.id);
  return /* @__PURE__ */ jsx6(TraceOf, { from: found.id, of: { kind: kind.name, id: found.id } }, found.id);
}
function CableTrace({ id }) {
  const query = useQuery4(ENDS, { id }, ["Cable"]);
  const cable = query.data.value?.node;
  if (query.error.value) return /* @__PURE__ */ jsx6(Failure4, { error: query.error.value, again: () => void query.read() });
  if (!query.data.value) return /* @__PURE__ */ jsx6("p", { class: "waiting", children: "Reading\u2026" });
  const from = [...cable?.aEnds ?? [], ...cable?.bEnds ?? []].find((it) => it.id)?.id;
  if (!from || !kindOf("Cable")) return /* @__PURE__ */ jsx6("p", { class: "empty", children: "This cable is plugged in nowhere." });
  return /* @__PURE__ */ jsx6(TraceOf, { from, of: { kind: "Cable", id } }, from);
}
export {
  TraceScreen
};
