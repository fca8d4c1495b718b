// src/screens/paths.lazy.tsx
import { useState as useState2 } from "./main.js";
import { enumWords as enumWords2, Failure, number as number3, pathOf as pathOf4, setParams, titleOf as titleOf6, url, useQuery as useQuery2 } from "./main.js";

// src/draw/paths-layout.ts
function columnsOf(paths) {
  const columns = /* @__PURE__ */ new Map();
  const longest = Math.max(0, ...paths.map((it) => it.nodes.length));
  for (const path of paths) path.nodes.forEach((it, at) => columns.set(it.id, Math.max(columns.get(it.id) ?? 0, at)));
  const all = columns.size;
  for (let round = 0; round < all; round += 1) {
    let moved = false;
    for (const path of paths) {
      for (let at = 1; at < path.nodes.length; at += 1) {
        const least = (columns.get(path.nodes[at - 1]?.id ?? "") ?? 0) + 1;
        const id = path.nodes[at]?.id ?? "";
        if ((columns.get(id) ?? 0) < least) {
          columns.set(id, least);
          moved = true;
        }
      }
    }
    if (!moved) return columns;
  }
  columns.clear();
  for (const path of paths) path.nodes.forEach((it, at) => {
    if (!columns.has(it.id)) columns.set(it.id, Math.min(at, longest - 1));
  });
  return columns;
}
function layoutOf(paths) {
  const columns = columnsOf(paths);
  const last = Math.max(0, ...columns.values());
  for (const path of paths) {
    const end = path.nodes.at(-1);
    if (end) columns.set(end.id, last);
  }
  const found = /* @__PURE__ */ new Map();
  paths.forEach((path, number4) => {
    for (const it of path.nodes) {
      const placed = found.get(it.id) ?? { ...it, column: columns.get(it.id) ?? 0, row: 0, paths: [] };
      if (!placed.paths.includes(number4)) placed.paths.push(number4);
      found.set(it.id, placed);
    }
  });
  const nodes = [...found.values()];
  let rows = 1;
  for (let column = 0; column <= last; column += 1) {
    const here = nodes.filter((it) => it.column === column).sort((a, b) => mean(a.paths) - mean(b.paths));
    rows = Math.max(rows, here.length);
  }
  for (let column = 0; column <= last; column += 1) {
    const here = nodes.filter((it) => it.column === column).sort((a, b) => mean(a.paths) - mean(b.paths));
    here.forEach((it, at) => {
      it.row = at + (rows - here.length) / 2;
    });
  }
  return { nodes, columns: last + 1, rows };
}
var mean = (numbers) => numbers.reduce((sum, it) => sum + it, 0) / Math.max(1, numbers.length);

// src/draw/text.ts
function widthOf(character) {
  if ((character.codePointAt(0) ?? 0) >= 4352) return 1.05;
  if (/[ijlI.,:;|!'()[\]]/.test(character)) return 0.36;
  if (/[mwMW@%]/.test(character)) return 0.96;
  return /[A-Z]/.test(character) ? 0.72 : 0.63;
}
var BOLD = 1.16;
function widthOfText(text, size) {
  return [...text].reduce((sum, it) => sum + widthOf(it), 0) * size;
}
function fitMiddle(text, px, size) {
  if (widthOfText(text, size) <= px) return text;
  const letters = [...text];
  const room = (px / size - 1) / 2;
  const taken = (from) => {
    let width = 0;
    return from.slice(0, from.findIndex((it) => {
      width += widthOf(it);
      return width > room;
    }));
  };
  return `${taken(letters).join("")}\u2026${taken(letters.reverse()).reverse().join("")}`;
}

// src/draw/paths.tsx
import { jsx, jsxs } from "./main.js";
var BOX = { width: 138, height: 42 };
var STEP = { x: 206, y: 30 };
var EDGE = 14;
var LEAST_SCALE = 0.8;
var LABEL_PX = 66;
var BADGE = 8;
var LOOKS = 6;
function PathsDrawing({ paths, label, marked, canAvoid, onAvoid }) {
  const layout = layoutOf(paths);
  const high = Math.max(BOX.height, 8 + BESIDE * Math.max(...layout.nodes.map((it) => it.paths.length)));
  const width = (layout.columns - 1) * STEP.x + BOX.width + 2 * EDGE;
  const height = (layout.rows - 1) * (high + STEP.y) + high + 2 * EDGE + 8;
  const placed = new Map(layout.nodes.map((it) => [it.id, it]));
  return /* @__PURE__ */ jsx("div", { class: "drawing", role: "group", "aria-label": label, tabIndex: 0, children: /* @__PURE__ */ jsxs("svg", { width, style: { minWidth: `${Math.round(width * LEAST_SCALE)}px` }, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label, children: [
    layout.nodes.map((it) => /* @__PURE__ */ jsx(Node, { node: it, high, marked: marked.has(it.id), ...canAvoid(it.id) ? { onAvoid: () => onAvoid(it.id) } : {}, ends: endsOf(layout, it) }, it.id)),
    paths.map((path, number4) => path.segments.map((segment, at) => {
      const from = placed.get(path.nodes[at]?.id ?? "");
      const to = placed.get(path.nodes[at + 1]?.id ?? "");
      if (!from || !to) return null;
      return /* @__PURE__ */ jsx(Segment, { from, to, high, number: number4, starts: shiftOf(paths, placed, number4, from.id, 1), ends: shiftOf(paths, placed, number4, to.id, -1), label: segment.label, labelled: isLabelled(paths, number4, at), logical: segment.logical, marked: segment.over.some((it) => marked.has(it)) }, `${number4} ${at}`);
    }))
  ] }) });
}
var xOf = (it) => EDGE + it.column * STEP.x;
var yOf = (it, high) => EDGE + it.row * (high + STEP.y);
var endsOf = (layout, it) => it.column === 0 || it.column === layout.columns - 1;
var BESIDE = 15;
function shiftOf(paths, placed, number4, id, side) {
  const there = paths.flatMap((path, at) => {
    const index = path.nodes.findIndex((it) => it.id === id);
    const other = placed.get(path.nodes[index + side]?.id ?? "");
    return index >= 0 && other ? [{ at, row: other.row }] : [];
  }).sort((a, b) => a.row - b.row || a.at - b.at);
  return (there.findIndex((it) => it.at === number4) - (there.length - 1) / 2) * BESIDE;
}
function isLabelled(paths, number4, at) {
  const [from, to, label] = [paths[number4]?.nodes[at]?.id, paths[number4]?.nodes[at + 1]?.id, paths[number4]?.segments[at]?.label];
  return !paths.slice(0, number4).some((path) => path.segments.some((it, index) => it.label === label && path.nodes[index]?.id === from && path.nodes[index + 1]?.id === to));
}
function Segment({ from, to, high, number: number4, starts, ends, label, labelled, logical, marked }) {
  const [x1, y1] = [xOf(from) + BOX.width, yOf(from, high) + high / 2 + starts];
  const [x2, y2] = [xOf(to), yOf(to, high) + high / 2 + ends];
  const bend = Math.max(30, (x2 - x1) / 2);
  const classes = ["segment", `look-${number4 % LOOKS}`, logical && "logical", marked && "struck"].filter(Boolean).join(" ");
  return /* @__PURE__ */ jsxs("g", { class: classes, children: [
    /* @__PURE__ */ jsx("title", { children: `Path ${number4 + 1}: ${label}` }),
    /* @__PURE__ */ jsx("path", { d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }),
    /* @__PURE__ */ jsx("circle", { cx: x1, cy: y1, r: BADGE }),
    /* @__PURE__ */ jsx("text", { class: "segment-number", x: x1, y: y1 + 3.5, "text-anchor": "middle", children: number4 + 1 }),
    label && labelled && /* @__PURE__ */ jsx("text", { class: "segment-label", x: (x1 + x2 + BADGE) / 2, y: (y1 + y2) / 2 - 4, "text-anchor": "middle", children: fitMiddle(label, LABEL_PX, 11) }),
    marked && /* @__PURE__ */ jsx("text", { class: "segment-strike", x: (x1 + x2 + BADGE) / 2, y: (y1 + y2) / 2 + 5, "text-anchor": "middle", children: "\u2715" })
  ] });
}
function Node({ node, high, marked, ends, onAvoid }) {
  const shared = node.paths.length > 1 && !ends;
  const classes = ["path-node", shared && "shared", marked && "struck", onAvoid && "can"].filter(Boolean).join(" ");
  const what = `${node.name}${node.detail ? `, ${node.detail}` : ""}${shared ? `, on ${node.paths.length} paths` : ""}${marked ? ", taken down" : ""}`;
  const keys = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onAvoid?.();
  };
  return /* @__PURE__ */ jsxs("g", { class: classes, transform: `translate(${xOf(node)} ${yOf(node, high)})`, ...onAvoid ? {} : { role: "img", "aria-label": what }, children: [
    /* @__PURE__ */ jsx("rect", { class: "path-box", width: BOX.width, height: high, rx: "6" }),
    /* @__PURE__ */ jsx("text", { "aria-hidden": "true", class: "path-name", x: "10", y: "18", children: fitMiddle(node.name, (BOX.width - 20) / BOLD, 12) }),
    /* @__PURE__ */ jsx("text", { "aria-hidden": "true", class: "path-detail", x: "10", y: "33", children: fitMiddle([marked ? "\u2715 taken down" : "", node.detail, shared ? `on ${node.paths.length} paths` : ""].filter(Boolean).join(" \xB7 "), BOX.width - 16, 11) }),
    onAvoid ? /* @__PURE__ */ jsx("rect", { class: "path-hit", width: BOX.width, height: high, rx: "6", role: "button", tabindex: 0, "aria-label": `Avoid ${what}`, onClick: onAvoid, onKeyDown: keys, children: /* @__PURE__ */ jsx("title", { children: `Avoid ${what}` }) }) : /* @__PURE__ */ jsx("title", { children: what })
  ] });
}

// src/store/find.ts
import { ask, titleOf } from "./main.js";
var DOCUMENT = `query Find($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) {
  kind path field text node { id ... on Object { name } }
} }`;
function finder(kinds) {
  return async (text, abort) => {
    const found = (await ask(DOCUMENT, { text, kinds: kinds ?? null }, abort)).data.search ?? [];
    return found.map((it) => {
      const where = it.path.slice(it.path.indexOf("/") + 1);
      const by = it.field === "name" ? "" : ` \xB7 ${it.field} ${it.text}`;
      return { id: it.node.id, title: it.node.name ?? where, detail: `${titleOf(it.kind)} \xB7 ${where}${by}` };
    });
  };
}

// src/screens/chosen.tsx
import { pathOf, titleOf as titleOf2, useQuery } from "./main.js";

// src/parts/picker.tsx
import { useEffect, useId, useRef, useState } from "./main.js";
import { jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var WAIT_MS = 120;
function Picker({ label, placeholder, find: find2, onPick }) {
  const id = useId();
  const field = useRef(null);
  const [text, setText] = useState("");
  const [choices, setChoices] = useState([]);
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState("");
  useEffect(() => {
    const asked = text.trim();
    if (!asked) {
      setChoices([]);
      setNote("");
      return void 0;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      find2(asked, abort.signal).then(
        (it) => {
          if (!abort.signal.aborted) {
            setChoices(it);
            setAt(0);
            setNote(it.length === 0 ? "Nothing is found." : `${it.length} found`);
          }
        },
        (error) => {
          if (!abort.signal.aborted) {
            setChoices([]);
            setNote(error.message);
          }
        }
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const pick = (choice) => {
    if (!choice) return;
    setText("");
    setOpen(false);
    setChoices([]);
    onPick(choice);
    field.current?.focus();
  };
  const keys = (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      setAt(Math.max(0, Math.min(choices.length - 1, at + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      pick(choices[at]);
    } else if (event.key === "Escape" && open && text) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    }
  };
  const shown = open && text.trim() !== "";
  return /* @__PURE__ */ jsxs2("div", { class: "finder", children: [
    /* @__PURE__ */ jsx2("label", { for: `${id}-field`, children: label }),
    /* @__PURE__ */ jsx2(
      "input",
      {
        id: `${id}-field`,
        ref: field,
        type: "text",
        role: "combobox",
        "aria-expanded": shown && choices.length > 0,
        "aria-controls": `${id}-list`,
        "aria-autocomplete": "list",
        "aria-activedescendant": shown && choices[at] ? `${id}-${at}` : void 0,
        autocomplete: "off",
        spellcheck: false,
        placeholder,
        value: text,
        maxLength: 253,
        onKeyDown: keys,
        onBlur: () => setOpen(false),
        onFocus: () => setOpen(true),
        onInput: (event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }
      }
    ),
    /* @__PURE__ */ jsxs2("div", { class: "finder-list", hidden: !shown, children: [
      /* @__PURE__ */ jsx2("ul", { id: `${id}-list`, role: "listbox", "aria-label": label, children: choices.map((it, index) => /* @__PURE__ */ jsxs2(
        "li",
        {
          id: `${id}-${index}`,
          role: "option",
          "aria-selected": index === at,
          onMouseDown: (event) => event.preventDefault(),
          onClick: () => pick(it),
          onMouseMove: () => setAt(index),
          children: [
            /* @__PURE__ */ jsx2("bdi", { children: it.title }),
            /* @__PURE__ */ jsx2("span", { class: "detail", children: it.detail })
          ]
        },
        it.id
      )) }),
      choices.length === 0 && /* @__PURE__ */ jsx2("p", { class: "quiet", children: note || "Searching\u2026" })
    ] }),
    /* @__PURE__ */ jsx2("span", { class: "hidden", role: "status", children: shown ? note : "" })
  ] });
}

// src/screens/chosen.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./main.js";
var OBJECT = "query Chosen($id: ID!) { node(id: $id) { __typename id ... on Object { name } } }";
function Chosen({ label, placeholder, id, find: find2, remove, onChange }) {
  const query = useQuery(OBJECT, { id: id ?? "" }, id ? "all" : []);
  if (!id) return /* @__PURE__ */ jsx3(Picker, { label, placeholder, find: find2, onPick: (it) => onChange(it.id) });
  const node = query.data.value?.node;
  return /* @__PURE__ */ jsxs3("div", { class: "chosen", role: "group", "aria-label": label, children: [
    /* @__PURE__ */ jsx3("span", { children: label }),
    /* @__PURE__ */ jsxs3("span", { class: "chip", children: [
      node ? /* @__PURE__ */ jsxs3("span", { class: "thing", children: [
        /* @__PURE__ */ jsx3("span", { class: "thing-kind", children: titleOf2(String(node.__typename)) }),
        /* @__PURE__ */ jsx3("a", { href: pathOf(String(node.__typename), { id }), children: /* @__PURE__ */ jsx3("bdi", { children: String(node.name) }) })
      ] }) : /* @__PURE__ */ jsx3("bdi", { children: query.data.value ? "It does not exist any more" : "\u2026" }),
      /* @__PURE__ */ jsx3("button", { type: "button", "aria-label": remove, onClick: () => onChange(null), children: "\u2715" })
    ] })
  ] });
}

// src/screens/path-answer.ts
var NAMED = `hops lengthM knownLengthM latencyMs knownLatencyMs unknownLatencies bandwidthBps active logical
  nodes { __typename ... on Device { id name role } ... on ProviderNetwork { id name } ... on Site { id name } ... on Cluster { id name } }
  segments { type lengthM logical active link { id name } steps { __typename
    ... on Port { id name device { id name } rack { id name } } ... on Cable { id name media } ... on CircuitTermination { id name side }
    ... on Circuit { id name } ... on Site { id name } ... on ProviderNetwork { id name } ... on PowerFeed { id name } } }`;
var DECLARED = "$from: ID!, $to: ID!, $avoid: [ID!], $weight: PathWeight, $plane: Plane, $planned: Boolean, $logical: Boolean";
var ARGUMENTS = "from: $from, to: $to, avoid: $avoid, weight: $weight, plane: $plane, includePlanned: $planned, includeLogical: $logical";
var PATHS = `query Paths(${DECLARED}, $mode: PathMode, $limit: Int) { found: paths(${ARGUMENTS}, mode: $mode, limit: $limit) { revision paths { ${NAMED} } } }`;
var DIVERSITY = `query Diversity(${DECLARED}) { found: diversity(${ARGUMENTS}) { revision disjoint paths { ${NAMED} }
  risks { kind path node { id ... on Object { name } } riskGroup takesEnd breaks { id } } } }`;
function labelOf(it) {
  const hops = it.steps.flat();
  const circuits = hops.filter((hop) => hop.__typename === "Circuit");
  if (circuits.length > 0) return circuits.map((hop) => hop.name).join(", ");
  if (it.link) return it.link.name;
  if (it.type === "PARENT") return "one chassis";
  if (it.type === "MEMBER") return "belongs to";
  const cables = hops.filter((hop) => hop.__typename === "Cable").length;
  return cables === 0 ? "" : cables === 1 ? "1 cable" : `${cables} cables`;
}
function overOf(it) {
  const hops = it.steps.flat().flatMap((hop) => [hop.id, ...hop.device ? [hop.device.id] : []]);
  return [...hops, ...it.link ? [it.link.id] : []];
}
function drawnOf(path, words) {
  return {
    nodes: path.nodes.map((it) => ({ id: it.id, name: it.name, detail: it.role ? words(it.role) : words(it.__typename.replace(/(?!^)([A-Z])/g, "_$1").toUpperCase()) })),
    segments: path.segments.map((it) => ({ label: labelOf(it), over: overOf(it), logical: it.logical }))
  };
}
function passedOf(it, ends) {
  const passed = [];
  const add = (one) => {
    const before = passed.at(-1);
    if (before?.id === one.id) before.detail = [before.detail, one.detail].filter(Boolean).join(" \u2192 ");
    else passed.push(one);
  };
  for (const hop of it.steps.flat()) {
    if (hop.__typename === "CircuitTermination") continue;
    if (hop.__typename !== "Port") add({ id: hop.id, kind: hop.__typename, name: hop.name, detail: hop.media ?? "" });
    else if (hop.device && !ends.includes(hop.device.id)) add({ id: hop.device.id, kind: "Device", name: hop.device.name, detail: hop.name });
    else add({ id: hop.id, kind: "Port", name: hop.name, detail: "" });
  }
  if (it.link) add({ id: it.link.id, kind: "Link", name: it.link.name, detail: "" });
  return passed;
}

// src/screens/path-list.tsx
import { enumWords, number, pathOf as pathOf2, rate, titleOf as titleOf3 } from "./main.js";
import { jsx as jsx4, jsxs as jsxs4 } from "./main.js";
function PathList({ path, number: at, canAvoid, onAvoid }) {
  return /* @__PURE__ */ jsxs4("section", { class: "path-list", "aria-label": `Path ${at + 1}`, children: [
    /* @__PURE__ */ jsxs4("h2", { children: [
      /* @__PURE__ */ jsx4("span", { class: `path-badge look-${at % 6}`, children: at + 1 }),
      " ",
      factsOf(path).join(" \xB7 ")
    ] }),
    /* @__PURE__ */ jsx4("ol", { children: path.nodes.flatMap((node, index) => {
      const segment = path.segments[index];
      const ends = [node.id, path.nodes[index + 1]?.id ?? ""];
      return [
        /* @__PURE__ */ jsxs4("li", { class: "path-stop", children: [
          /* @__PURE__ */ jsx4(Named, { kind: node.__typename, id: node.id, name: node.name, detail: node.role ? enumWords(node.role) : "" }),
          /* @__PURE__ */ jsx4(Avoid, { id: node.id, name: node.name, canAvoid, onAvoid })
        ] }, `n${index}`),
        ...(segment ? passedOf(segment, ends) : []).map((it, hop) => /* @__PURE__ */ jsxs4("li", { class: it.kind === "Port" ? "path-hop quiet" : "path-hop", children: [
          /* @__PURE__ */ jsx4(Named, { kind: it.kind, id: it.id, name: it.name, detail: it.kind === "Cable" && it.detail ? enumWords(it.detail) : it.detail }),
          it.kind !== "Port" && /* @__PURE__ */ jsx4(Avoid, { id: it.id, name: it.name, canAvoid, onAvoid })
        ] }, `h${index}-${hop}`)),
        ...segment && passedOf(segment, ends).length === 0 ? [/* @__PURE__ */ jsx4("li", { class: "path-hop quiet", children: TYPES[segment.type] ?? "" }, `j${index}`)] : []
      ];
    }) })
  ] });
}
var TYPES = {
  PARENT: "parts of one chassis or stack",
  BARE_SITE: "a circuit that ends at the site",
  LINK: "a link without cables",
  MEMBER: "belongs to it",
  LINE: ""
};
function factsOf(path) {
  return [
    `${number(path.hops)} ${path.hops === 1 ? "hop" : "hops"}`,
    path.lengthM !== null ? `${number(path.lengthM)} m` : path.knownLengthM > 0 ? `more than ${number(path.knownLengthM)} m` : "length unknown",
    ...latencyOf(path),
    path.bandwidthBps !== null ? rate(path.bandwidthBps) : "bandwidth unknown",
    ...path.active ? [] : ["not active"],
    ...path.logical ? ["partly logical"] : []
  ];
}
function latencyOf(path) {
  if (path.unknownLatencies === 0) return path.latencyMs !== null ? [`${number(path.latencyMs)} ms one way`] : [];
  return [path.knownLatencyMs > 0 ? `more than ${number(path.knownLatencyMs)} ms one way` : "latency unknown"];
}
function Named({ kind, id, name, detail }) {
  return /* @__PURE__ */ jsxs4("span", { class: "thing", children: [
    /* @__PURE__ */ jsx4("span", { class: "thing-kind", children: titleOf3(kind) }),
    /* @__PURE__ */ jsx4("a", { href: pathOf2(kind, { id }), children: /* @__PURE__ */ jsx4("bdi", { children: name }) }),
    detail && /* @__PURE__ */ jsx4("bdi", { class: "quiet", children: detail })
  ] });
}
function Avoid({ id, name, canAvoid, onAvoid }) {
  return canAvoid(id) ? /* @__PURE__ */ jsx4("button", { type: "button", class: "plain small", "aria-label": `Avoid ${name}`, title: `Look for paths around ${name}`, onClick: () => onAvoid(id), children: "\u2298" }) : null;
}

// src/screens/path-risks.tsx
import { impactPath, number as number2, titleOf as titleOf5 } from "./main.js";

// src/screens/thing.tsx
import { pathOf as pathOf3, titleOf as titleOf4 } from "./main.js";

// src/screens/things.ts
function whereOf(path, name) {
  const whole = path.slice(path.indexOf("/") + 1);
  return whole.endsWith(name) ? whole.slice(0, -name.length).replace(/\/$/, "") : "";
}

// src/screens/thing.tsx
import { jsx as jsx5, jsxs as jsxs5 } from "./main.js";
function ThingLink({ it, quiet, kind = true }) {
  const where = whereOf(it.path, it.name);
  return /* @__PURE__ */ jsxs5("span", { class: "thing", children: [
    kind && /* @__PURE__ */ jsx5("span", { class: "thing-kind", children: titleOf4(it.kind) }),
    /* @__PURE__ */ jsx5("a", { href: pathOf3(it.kind, { id: it.id }), tabIndex: quiet ? -1 : void 0, title: it.name, children: /* @__PURE__ */ jsx5("bdi", { children: it.name }) }),
    where && /* @__PURE__ */ jsx5("bdi", { class: "quiet", children: where })
  ] });
}

// src/screens/path-risks.tsx
import { jsx as jsx6, jsxs as jsxs6 } from "./main.js";
function Risks({ risks, struck, onStrike, canAvoid, onAvoid }) {
  const own = risks.filter((it) => !it.takesEnd);
  const ends = risks.filter((it) => it.takesEnd);
  const rows = (list) => list.map((it) => /* @__PURE__ */ jsx6(RiskRow, { risk: it, struck, onStrike, canAvoid, onAvoid }, keyOf(it)));
  return /* @__PURE__ */ jsxs6("section", { class: "risks", "aria-label": "What both paths share", children: [
    /* @__PURE__ */ jsx6("h2", { children: own.length === 0 ? "No failure on the way breaks both" : `${number2(own.length)} single ${own.length === 1 ? "failure breaks" : "failures break"} both` }),
    own.length > 0 && /* @__PURE__ */ jsx6("ul", { children: rows(own) }),
    ends.length > 0 && /* @__PURE__ */ jsxs6("details", { children: [
      /* @__PURE__ */ jsxs6("summary", { children: [
        number2(ends.length),
        " more take an end with them, so that no other path would help"
      ] }),
      /* @__PURE__ */ jsx6("ul", { children: rows(ends) })
    ] })
  ] });
}
var keyOf = (it) => it.riskGroup ?? it.path ?? "";
function RiskRow({ risk, struck, onStrike, canAvoid, onAvoid }) {
  const key = keyOf(risk);
  const on = struck === key;
  const ids = /* @__PURE__ */ new Set([...risk.breaks.flat().map((it) => it.id), ...risk.node ? [risk.node.id] : []]);
  const name = risk.riskGroup ?? risk.node?.name ?? risk.path ?? "";
  return /* @__PURE__ */ jsxs6("li", { children: [
    /* @__PURE__ */ jsx6("button", { type: "button", class: "plain", "aria-pressed": on, "aria-label": `Show in the drawing what ${name} takes`, title: "Show in the drawing what it takes", onClick: () => onStrike(on ? null : { name: key, ids }), children: "Show" }),
    risk.riskGroup ? /* @__PURE__ */ jsxs6("span", { class: "thing", children: [
      /* @__PURE__ */ jsx6("span", { class: "thing-kind", children: "Risk group" }),
      /* @__PURE__ */ jsx6("bdi", { children: risk.riskGroup })
    ] }) : risk.node && /* @__PURE__ */ jsx6(ThingLink, { it: { id: risk.node.id, name, kind: risk.kind ?? "", path: risk.path ?? "" } }),
    /* @__PURE__ */ jsxs6("span", { class: "quiet", children: [
      "takes ",
      risk.breaks.map((it, at) => `${number2(it.length)} of path ${at + 1}`).join(", ")
    ] }),
    /* @__PURE__ */ jsx6("span", { class: "grow" }),
    risk.node && canAvoid(risk.node.id) && !risk.takesEnd && /* @__PURE__ */ jsx6("button", { type: "button", class: "plain", "aria-label": `Avoid the ${titleOf5(risk.kind ?? "").toLowerCase()} ${name}`, onClick: () => onAvoid(risk.node?.id ?? ""), children: "Avoid" }),
    risk.node && /* @__PURE__ */ jsxs6("a", { href: impactPath([risk.node.id]), children: [
      "Impact",
      /* @__PURE__ */ jsxs6("span", { class: "hidden", children: [
        " of ",
        name
      ] })
    ] })
  ] });
}

// src/screens/paths.lazy.tsx
import { Fragment, jsx as jsx7, jsxs as jsxs7 } from "./main.js";
var find = finder(["Device", "Port", "VirtualMachine", "Cluster", "Site", "Circuit", "Provider", "ProviderNetwork"]);
var LOOKS2 = ["shortest", "disjoint", "diverse"];
var LOOK_WORDS = { shortest: "Shortest", disjoint: "All disjoint ones", diverse: "Two, and what they share" };
var WEIGHTS = { HOPS: "Hops", LENGTH: "Length", LATENCY: "Latency" };
var AVOIDED = "query Avoided($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Object { name } } }";
function PathsScreen() {
  const params = url.value.searchParams;
  const [from, to] = [params.get("from"), params.get("to")];
  const set = (name) => (id) => setParams({ [name]: id });
  return /* @__PURE__ */ jsxs7("section", { class: "page wide", "aria-label": "Paths", children: [
    /* @__PURE__ */ jsxs7("header", { class: "page-head", children: [
      /* @__PURE__ */ jsx7("h1", { children: "Paths" }),
      /* @__PURE__ */ jsx7("p", { class: "quiet", children: "How traffic can get from one object to another, and around what." })
    ] }),
    /* @__PURE__ */ jsxs7("div", { class: "narrow", children: [
      /* @__PURE__ */ jsx7(Chosen, { label: "From", placeholder: "A device, site, circuit\u2026", id: from, find, remove: "Choose another start", onChange: set("from") }),
      /* @__PURE__ */ jsx7("button", { type: "button", disabled: !from && !to, "aria-label": "Exchange start and end", title: "Exchange start and end", onClick: () => setParams({ from: to, to: from }), children: "\u21C4" }),
      /* @__PURE__ */ jsx7(Chosen, { label: "To", placeholder: "A device, site, circuit\u2026", id: to, find, remove: "Choose another end", onChange: set("to") }),
      /* @__PURE__ */ jsx7(Options, {})
    ] }),
    /* @__PURE__ */ jsx7(Avoided, { ids: params.getAll("avoid") }),
    from && to ? /* @__PURE__ */ jsx7(Found, { from, to }) : /* @__PURE__ */ jsx7("p", { class: "empty", children: "Choose where the paths begin and end. A site, a cluster or a provider stands for the devices in it." })
  ] });
}
function lookOf(params) {
  return LOOKS2.find((it) => it === params.get("look")) ?? "shortest";
}
function Options() {
  const params = url.value.searchParams;
  const look = lookOf(params);
  const check = (name, title) => /* @__PURE__ */ jsxs7("label", { class: "check", children: [
    /* @__PURE__ */ jsx7("input", { type: "checkbox", checked: params.get(name) === "1", onChange: (event) => setParams({ [name]: event.currentTarget.checked ? "1" : null }) }),
    " ",
    title
  ] });
  return /* @__PURE__ */ jsxs7(Fragment, { children: [
    /* @__PURE__ */ jsxs7("label", { children: [
      "Look for",
      /* @__PURE__ */ jsx7("select", { value: look, onChange: (event) => setParams({ look: event.currentTarget.value === "shortest" ? null : event.currentTarget.value }), children: LOOKS2.map((it) => /* @__PURE__ */ jsx7("option", { value: it, children: LOOK_WORDS[it] }, it)) })
    ] }),
    /* @__PURE__ */ jsxs7("label", { children: [
      "By",
      /* @__PURE__ */ jsx7("select", { value: params.get("by") ?? "HOPS", onChange: (event) => setParams({ by: event.currentTarget.value === "HOPS" ? null : event.currentTarget.value }), children: Object.entries(WEIGHTS).map(([it, word]) => /* @__PURE__ */ jsx7("option", { value: it, children: word }, it)) })
    ] }),
    look !== "diverse" && /* @__PURE__ */ jsxs7("label", { children: [
      "At most",
      /* @__PURE__ */ jsx7("input", { type: "number", min: 1, max: 20, value: limitOf(params, look), onChange: (event) => setParams({ limit: event.currentTarget.value || null }) })
    ] }),
    /* @__PURE__ */ jsxs7("label", { children: [
      "Network",
      /* @__PURE__ */ jsxs7("select", { value: params.get("plane") ?? "DATA", onChange: (event) => setParams({ plane: event.currentTarget.value === "DATA" ? null : event.currentTarget.value }), children: [
        /* @__PURE__ */ jsx7("option", { value: "DATA", children: "Data" }),
        /* @__PURE__ */ jsx7("option", { value: "MANAGEMENT", children: "Management" })
      ] })
    ] }),
    /* @__PURE__ */ jsxs7("span", { class: "checks", children: [
      check("planned", "Planned and inactive, too"),
      check("logical", "Links without cables, too")
    ] })
  ] });
}
function limitOf(params, look) {
  const asked = Number(params.get("limit"));
  return asked >= 1 && asked <= 20 ? Math.floor(asked) : look === "shortest" ? 3 : 10;
}
function Avoided({ ids }) {
  const query = useQuery2(AVOIDED, { ids }, ids.length > 0 ? "all" : []);
  if (ids.length === 0) return null;
  return /* @__PURE__ */ jsxs7("div", { class: "chips avoided", role: "group", "aria-label": "Avoided", children: [
    /* @__PURE__ */ jsx7("span", { class: "quiet", children: "Around" }),
    ids.map((id, at) => {
      const node = query.data.value?.nodes[at];
      const name = node ? String(node.name) : "\u2026";
      return /* @__PURE__ */ jsxs7("span", { class: "chip", children: [
        node ? /* @__PURE__ */ jsxs7("span", { class: "thing", children: [
          /* @__PURE__ */ jsx7("span", { class: "thing-kind", children: titleOf6(String(node.__typename)) }),
          /* @__PURE__ */ jsx7("a", { href: pathOf4(String(node.__typename), { id }), children: /* @__PURE__ */ jsx7("bdi", { children: name }) })
        ] }) : /* @__PURE__ */ jsx7("bdi", { children: name }),
        /* @__PURE__ */ jsx7("button", { type: "button", "aria-label": `Do not avoid ${name}`, onClick: () => setParams({ avoid: ids.filter((it) => it !== id) }), children: "\u2715" })
      ] }, id);
    }),
    ids.length > 1 && /* @__PURE__ */ jsx7("button", { type: "button", onClick: () => setParams({ avoid: null }), children: "Avoid nothing" }),
    /* @__PURE__ */ jsx7("span", { class: "quiet", children: "and what their failure takes down" })
  ] });
}
var NONE = /* @__PURE__ */ new Set();
function Found({ from, to }) {
  const params = url.value.searchParams;
  const look = lookOf(params);
  const avoid = params.getAll("avoid");
  const common = { from, to, avoid, weight: params.get("by") ?? "HOPS", plane: params.get("plane") ?? "DATA", planned: params.get("planned") === "1", logical: params.get("logical") === "1" };
  const variables = look === "diverse" ? common : { ...common, mode: look === "disjoint" ? "DISJOINT" : "SHORTEST", limit: limitOf(params, look) };
  const query = useQuery2(look === "diverse" ? DIVERSITY : PATHS, variables, "all");
  const [struck, setStruck] = useState2(null);
  const found = query.data.value?.found;
  if (query.error.value) return /* @__PURE__ */ jsx7(Failure, { error: query.error.value, again: () => void query.read() });
  if (!found) return /* @__PURE__ */ jsx7("p", { class: "waiting", children: "Looking\u2026" });
  const { paths } = found;
  const ends = new Set(paths.flatMap((it) => [it.nodes[0]?.id, it.nodes.at(-1)?.id]));
  const canAvoid = (id) => !ends.has(id) && id !== from && id !== to && !avoid.includes(id);
  const onAvoid = (id) => {
    setStruck(null);
    setParams({ avoid: [...avoid, id] });
  };
  if (paths.length === 0) {
    return /* @__PURE__ */ jsxs7("p", { class: "empty", role: "status", children: [
      "There is no path",
      avoid.length > 0 ? " around these" : "",
      ". ",
      params.get("logical") === "1" ? "" : "Links without cables and planned objects are not used unless you say so above."
    ] });
  }
  const words = look !== "diverse" ? `${number3(paths.length)} ${paths.length === 1 ? "path" : "paths"}` : found.disjoint ? "Two paths without a device or line in common" : paths.length === 1 ? "There is one path only" : "There are no two paths without a device or line in common: these share the least";
  return /* @__PURE__ */ jsxs7("div", { class: "found", children: [
    /* @__PURE__ */ jsxs7("p", { class: "verdict", role: "status", children: [
      words,
      ". ",
      /* @__PURE__ */ jsx7("span", { class: "quiet", children: "Press a device to look for paths around it." })
    ] }),
    /* @__PURE__ */ jsx7(
      PathsDrawing,
      {
        label: "The paths, drawn",
        paths: paths.map((it) => drawnOf(it, enumWords2)),
        marked: struck?.ids ?? NONE,
        canAvoid,
        onAvoid
      }
    ),
    found.risks && /* @__PURE__ */ jsx7(Risks, { risks: found.risks, struck: struck?.name ?? null, onStrike: setStruck, canAvoid, onAvoid }),
    /* @__PURE__ */ jsx7("div", { class: "path-lists", children: paths.map((it, at) => /* @__PURE__ */ jsx7(PathList, { path: it, number: at, canAvoid, onAvoid }, at)) })
  ] });
}
export {
  PathsScreen as default
};
