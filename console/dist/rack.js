// src/screens/rack.lazy.tsx
import { Failure as Failure5, filterOf, kindOf as kindOf2, lazy as lazy2, narrow, narrowedTo, pathOf as pathOf6, trail, Unfit, unfitOf, url as url4, useEffect as useEffect5, useQuery as useQuery5, useResolved } from "./main.js";

// src/screens/rack-data.ts
import { enumWords } from "./main.js";

// src/screens/effects.tsx
import { jsx } from "./main.js";
var EFFECT_WORDS = {
  DOWN: { word: "Down", tone: "bad" },
  ISOLATED: { word: "Cut off", tone: "warn" },
  DEGRADED: { word: "Less redundant", tone: "plan" }
};
var effectWords = (effect) => EFFECT_WORDS[effect].word;
var lightWords = (effect) => effect in EFFECT_WORDS ? effectWords(effect) : "Fails";

// src/draw/tones.ts
var BYS = ["role", "status", "tenant", "feed"];
var ROLES = {
  SERVER: 1,
  SPINE: 0,
  LEAF: 7,
  BORDER_ROUTER: 6,
  ROUTER: 6,
  SWITCH: 5,
  FIREWALL: 4,
  LOAD_BALANCER: 3,
  CONSOLE_SERVER: 8,
  PDU: 2,
  UPS: 2,
  PATCH_PANEL: 9,
  CHASSIS: 8,
  STORAGE: 3,
  OTHER: 9
};
var STATUSES = {
  ACTIVE: "good",
  PLANNED: "plan",
  STAGED: "plan",
  FAILED: "bad",
  OFFLINE: "off",
  DECOMMISSIONING: "warn",
  RETIRED: "off"
};
var EFFECTS = { FAILS: "4", DOWN: "bad", ISOLATED: "warn", DEGRADED: "plan" };
var HUES = 9;
var GREY = "tone-9";
var UNKNOWN = "\u2026";
function keyOf(it, by) {
  if (by === "role") return it.role;
  if (by === "status") return it.status;
  if (by === "tenant") return it.tenant ?? "";
  if (by === "effect") return it.effect ?? "";
  return it.feeds === null ? UNKNOWN : [...it.feeds].sort().join(" + ");
}
function legendOf(devices, by) {
  const counts = /* @__PURE__ */ new Map();
  for (const it of devices) counts.set(keyOf(it, by), (counts.get(keyOf(it, by)) ?? 0) + 1);
  const named = [...counts.keys()].filter((it) => it && it !== UNKNOWN).sort();
  const toneOf = (key) => {
    if (!key || key === UNKNOWN) return GREY;
    if (by === "role") return `tone-${ROLES[key] ?? 9}`;
    if (by === "status") return `tone-${STATUSES[key] ?? "off"}`;
    if (by === "effect") return `tone-${EFFECTS[key] ?? "off"}`;
    return `tone-${named.indexOf(key) % HUES}`;
  };
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([key, count]) => ({ key, tone: toneOf(key), count }));
}

// src/draw/units.ts
var FACES = ["FRONT", "REAR"];
var HALF = 0.5;
var other = (face) => face === "FRONT" ? "REAR" : "FRONT";
function takes(it, face) {
  return it.start !== null && (it.face === face || it.fullDepth);
}
function freeRuns(heightU, spans, face) {
  const slots = Math.round(heightU / HALF);
  const taken = new Array(slots).fill(false);
  for (const it of spans) {
    if (it.start === null || !takes(it, face)) continue;
    const from = Math.round((it.start - 1) / HALF);
    for (let slot = Math.max(0, from); slot < Math.min(slots, from + Math.round(it.height / HALF)); slot += 1) taken[slot] = true;
  }
  const runs = [];
  let begin = -1;
  for (let slot = 0; slot <= slots; slot += 1) {
    const free = slot < slots && !taken[slot];
    if (free && begin < 0) begin = slot;
    if (!free && begin >= 0) {
      runs.push({ start: 1 + begin * HALF, height: (slot - begin) * HALF });
      begin = -1;
    }
  }
  return runs.reverse();
}
function spaceOf(heightU, spans) {
  const runs = freeRuns(heightU, spans.map((it) => ({ ...it, fullDepth: true })), "FRONT");
  const free = runs.reduce((sum, it) => sum + it.height, 0);
  return { used: heightU - free, free, largest: Math.max(0, ...runs.map((it) => it.height)) };
}
function firstFit(heightU, spans, face, height, fullDepth) {
  const all = fullDepth ? spans.map((it) => ({ ...it, fullDepth: true })) : spans;
  const run = freeRuns(heightU, all, face).find((it) => it.height >= height);
  return run ? Math.floor((run.start + run.height - height) / HALF) * HALF : null;
}
function within(heightU, start, height) {
  return Math.max(1, Math.min(heightU + 1 - height, Math.round(start / HALF) * HALF));
}
function unitWords(start, height) {
  if (start === null) return "no unit";
  const last = start + height - 1;
  return last > start ? `U${start}\u2013${last}` : `U${start}`;
}
var fromTop = (heightU, start, height) => heightU - (start - 1) - height;

// src/screens/rack-data.ts
var RACKS_AT_ONCE = 100;
var DEVICE = "id name role status tenant model serial assetTag version placement { startUnit unitHeight face fullDepth }";
var RACKS = `query Elevations($filter: RackFilter, $after: String) {
  racks(filter: $filter, first: ${RACKS_AT_ONCE}, after: $after, orderBy: {by: KEY}) {
    totalCount pageInfo { endCursor hasNextPage }
    nodes { __typename id name heightU row cage status site { __typename id name } location { __typename id name } devices(first: 200) { nodes { ${DEVICE} } } }
  }
}`;
var PORTS = `query Faces($rack: ID!) {
  ports(first: 1000, filter: {within: $rack, not: {type: {in: [VIRTUAL, LAG, WIRELESS]}}}) {
    nodes { id type enabled markConnected device { id } cable { id } }
  }
  inlets: ports(first: 500, filter: {within: $rack, type: {eq: POWER_INLET}}) {
    nodes { device { id } peers { ... on Port { device { id name } } ... on PowerFeed { name } } }
  }
}`;
var UNPLACED = `query Unplaced($sites: [ID!]!) {
  devices(first: 100, orderBy: {by: NAME}, filter: {site: {id: {in: $sites}}, rack: {isNull: true}, parent: {isNull: true}, not: {status: {in: [RETIRED]}}}) {
    totalCount nodes { ${DEVICE} }
  }
}`;
function deviceOf(row) {
  const { placement: it, ...rest } = row;
  return {
    ...rest,
    start: it?.startUnit ?? null,
    height: it?.unitHeight ?? 1,
    face: it?.face ?? "FRONT",
    fullDepth: it?.fullDepth ?? false,
    feeds: null,
    dots: null,
    effect: null
  };
}
var rackOf = (row) => ({ ...row, devices: row.devices.nodes.map(deviceOf) });
var OTHER_SIDE = /* @__PURE__ */ new Set(["POWER_INLET", "PATCH_REAR"]);
var POWER_DEPTH = 6;
function feedsOf(id, inlets, depth = 0) {
  const names = (inlets.get(id) ?? []).flatMap((it) => {
    if (!it.device) return it.name ? [it.name] : [];
    const behind = depth < POWER_DEPTH && it.device.id !== id ? feedsOf(it.device.id, inlets, depth + 1) : [];
    return behind.length > 0 ? behind : [it.device.name];
  });
  return [...new Set(names)].sort();
}
function byDevice(rows, valuesOf) {
  const found = /* @__PURE__ */ new Map();
  for (const it of rows) if (it.device) found.set(it.device.id, [...found.get(it.device.id) ?? [], ...valuesOf(it)]);
  return found;
}
function withPorts(rack, answer) {
  if (!answer) return rack;
  const inlets = byDevice(answer.inlets.nodes, (it) => it.peers);
  const dots = byDevice(answer.ports.nodes, (it) => [{
    id: it.id,
    own: !OTHER_SIDE.has(it.type),
    state: !it.enabled ? "off" : it.cable || it.markConnected ? "cabled" : "open"
  }]);
  return { ...rack, devices: rack.devices.map((it) => ({ ...it, feeds: feedsOf(it.id, inlets), dots: dots.get(it.id) ?? [] })) };
}
var NONE = { role: "No role", status: "No status", tenant: "Shared", feed: "No feed", effect: "Not affected" };
function keyWords(by, key) {
  if (!key) return NONE[by];
  if (key === UNKNOWN) return "Reading\u2026";
  if (by === "effect") return lightWords(key);
  return by === "role" || by === "status" ? enumWords(key) : key;
}
function drawn(it, by, legend, ports) {
  const key = keyOf(it, by);
  const face = it.face === "FRONT" ? "front" : "rear";
  const words = [it.effect && lightWords(it.effect), enumWords(it.role), enumWords(it.status), `${unitWords(it.start, it.height)}, ${face}${it.fullDepth ? ", full depth" : ""}`, it.planned && "moved, not written yet", it.model, it.tenant];
  return {
    id: it.id,
    name: it.name,
    start: it.start,
    height: it.height,
    face: it.face,
    fullDepth: it.fullDepth,
    tone: legend.find((entry) => entry.key === key)?.tone ?? "tone-9",
    // The drawing is about those that are affected: the others stay silent.
    tag: by === "effect" && !key ? "" : keyWords(by, key),
    tagBehind: by === "effect" && key !== "",
    about: words.filter(Boolean).join(" \xB7 "),
    planned: it.planned ?? false,
    dots: ports ? it.dots ?? [] : []
  };
}
function fits(it, text) {
  const all = [it.name, it.role, enumWords(it.role), it.status, it.tenant, it.model, it.serial, it.assetTag, ...it.feeds ?? []].join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/).filter(Boolean).every((word) => all.includes(word));
}
function inOrder(racks) {
  const compare = new Intl.Collator(void 0, { numeric: true }).compare;
  return [...racks].sort((a, b) => compare(a.site.name, b.site.name) || compare(a.location?.name ?? "", b.location?.name ?? "") || compare(a.name, b.name));
}
var isRetired = (it) => it.status === "RETIRED" || it.status === "DECOMMISSIONING";

// src/screens/rack-elevations.tsx
import { Failure as Failure4, go as go4, intoBasket as intoBasket2, kindOf, lazy, openForm, pathOf as pathOf5, refusal as refusal4, review, setParams as setParams3, url as url3, useCommands as useCommands2, useEffect as useEffect4, useMemo as useMemo3, useRef as useRef3, useState as useState4 } from "./main.js";

// src/screens/rack-bar.tsx
import { go, Menu, number, pathOf, say as say2, setParams, useCommands, useRef } from "./main.js";
import { gathered as gathered2, takeAllBack } from "./writes.js";

// src/screens/rack-gathered.ts
import { gather, gathered, presentOf, takeBack, withoutVersion, withVersion } from "./writes.js";
var known = /* @__PURE__ */ new Map();
var several = (count) => `Move ${count} devices`;
async function gatherMove(title, device, step) {
  const present = (await presentOf("Device", [device.id], false)).get(device.id);
  if (!known.has(device.id)) known.set(device.id, device);
  return gather(title, present ? { ...withVersion(step, present.version), base: present.item } : step, several);
}
var takeMoveBack = () => takeBack(several);
function movesBut(device) {
  return gathered().filter((it) => it.kind === "Device" && it.id !== device).map(withoutVersion);
}
function gatheredPlaces() {
  return new Map(gathered().flatMap((it) => it.id ? [[it.id, it.item.device.placement]] : []));
}
function withMoves(racks) {
  const places = gatheredPlaces();
  if (places.size === 0) return [...racks];
  const devices = new Map([...known, ...racks.flatMap((rack) => rack.devices.map((it) => [it.id, it]))]);
  return racks.map((rack) => {
    const stay = rack.devices.filter((it) => !places.has(it.id));
    const come = [...places].flatMap(([id, to]) => {
      const it = devices.get(id);
      return it && to?.rack.id === rack.id ? [{ ...it, start: to.startUnit, height: to.unitHeight, face: to.face, fullDepth: to.fullDepth, planned: true }] : [];
    });
    return { ...rack, devices: [...stay, ...come] };
  });
}

// src/screens/rack-move.ts
import { ask, asRefused, refusal, say, signal, titleOfCode, upright } from "./main.js";
var TRY = `mutation Try($input: ApplyInput!) { apply(input: $input) { results { status error { code message } } } }`;
var move = signal(null);
var announcement = signal("");
var running;
var answered = Promise.resolve();
var positionWords = (it) => `${unitWords(it.start, it.height)}, ${it.face === "FRONT" ? "front" : "rear"} of ${it.rack.name}`;
function stepTo(device, to) {
  const placement = to && { rack: { id: to.rack.id }, startUnit: to.start, unitHeight: to.height, face: to.face, fullDepth: to.fullDepth };
  return { kind: "Device", id: device.id, name: device.name, item: { device: { id: device.id, placement } } };
}
async function verdictOf(step, abort) {
  try {
    const before = step.id ? movesBut(step.id) : [];
    const { data } = await ask(TRY, { input: { items: [...before, step].map((it) => it.item), dryRun: true } }, abort);
    const result = data.apply.results.at(-1);
    const refused = result?.error ?? data.apply.results.find((it) => it.error)?.error;
    if (refused) return { verdict: "bad", why: `${titleOfCode(refused.code)}: ${upright(refused.message)}` };
    return { verdict: "good", why: result?.status === "UNCHANGED" ? "it stands there now" : "fits" };
  } catch (error) {
    const refused = asRefused(error);
    return { verdict: "bad", why: `${titleOfCode(refused.code)}: ${refused.message}` };
  }
}
function allowed() {
  const why = refusal("apply");
  if (why) say(why);
  return why === void 0;
}
function pickUp(device, to) {
  if (!allowed()) return;
  announcement.value = "";
  move.value = { device, to: null, verdict: "asking", why: "" };
  if (to) moveTo(to);
}
var same = (a, b) => a === b || a !== null && b !== null && a.rack.id === b.rack.id && a.start === b.start && a.face === b.face && a.height === b.height && a.fullDepth === b.fullDepth;
function moveTo(to) {
  const now = move.value;
  if (!now || now.to && same(now.to, to)) return;
  running?.abort();
  if (!to) {
    move.value = { ...now, to, verdict: "bad", why: "over no rack" };
    return;
  }
  const abort = new AbortController();
  running = abort;
  move.value = { ...now, to, verdict: "asking", why: "asking" };
  answered = verdictOf(stepTo(now.device, to), abort.signal).then((it) => {
    if (abort.signal.aborted || !move.value) return;
    move.value = { ...move.value, ...it };
    announcement.value = `${positionWords(to)}: ${it.why}.`;
  });
}
function putBack() {
  running?.abort();
  const now = move.value;
  move.value = null;
  if (now) announcement.value = `${now.device.name} is put back.`;
}
async function drop() {
  await answered;
  const now = move.value;
  if (!now) return;
  if (!now.to || now.verdict !== "good") {
    if (now.to) say(`${now.device.name} does not go to ${positionWords(now.to)}. ${now.why}.`);
    putBack();
    return;
  }
  move.value = null;
  if (now.why !== "fits") return;
  if (await gatherStep(now.device, now.to)) setTimeout(() => document.querySelector(`.rack-face [data-device="${now.device.id}"]`)?.focus(), 0);
}
async function gatherStep(device, to) {
  try {
    if (!await gatherMove(to ? `Move ${device.name} to ${positionWords(to)}` : `Take ${device.name} out of its rack`, device, stepTo(device, to))) return false;
    announcement.value = `${device.name} is moved in the drawing. Nothing is written yet.`;
    return true;
  } catch (error) {
    say(asRefused(error).message);
    return false;
  }
}

// src/screens/rack-impact.ts
import { ask as ask2, asRefused as asRefused2, impactPath, setBasket, url, useEffect, useMemo, useQuery, useState } from "./main.js";
var PAGE = 1e3;
var DOCUMENT = `query Lit($of: [ID!]!, $after: String) {
  nodes(ids: $of) { __typename id ... on Device { rack { id } } }
  impact(of: $of) { affected(kinds: ["Device"], first: ${PAGE}, after: $after) { pageInfo { hasNextPage endCursor } nodes { effect node { id ... on Device { rack { id } } } } } }
}`;
var FAILS = "FAILS";
var askedOf = () => url.value.searchParams.getAll("of");
var keptOf = () => impactPath(askedOf()).slice("/impact".length);
function useLit() {
  const of = askedOf();
  const asked = of.join();
  const query = useQuery(of.length > 0 ? DOCUMENT : "{ revision }", of.length > 0 ? { of, after: null } : {}, of.length > 0 ? "all" : []);
  const answer = of.length > 0 ? query.data.value : null;
  const [rest, setRest] = useState({ of: null, nodes: [], error: null });
  useEffect(() => {
    if (of.length > 0) setBasket(of);
  }, [asked]);
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      const nodes = [];
      for (let info = answer?.impact.affected.pageInfo; info?.hasNextPage && !abort.signal.aborted; ) {
        const { data } = await ask2(DOCUMENT, { of, after: info.endCursor }, abort.signal);
        nodes.push(...data.impact.affected.nodes);
        info = data.impact.affected.pageInfo;
      }
      if (!abort.signal.aborted && nodes.length > 0) setRest({ of: answer, nodes, error: null });
    };
    read().catch((error) => {
      if (!abort.signal.aborted) setRest({ of: answer, nodes: [], error: asRefused2(error) });
    });
    return () => abort.abort();
  }, [answer]);
  const lit = useMemo(() => answer ? litOf(answer, rest.of === answer ? rest : null) : null, [answer, rest]);
  return { lit, error: query.error.value };
}
function litOf(answer, rest) {
  const own = answer.nodes.flatMap((it) => it ? [it] : []);
  const affected = [...answer.impact.affected.nodes, ...rest?.nodes ?? []];
  const effects = new Map([
    ...affected.map((it) => [it.node.id, it.effect]),
    ...own.filter((it) => it.__typename === "Device").map((it) => [it.id, FAILS])
  ]);
  const racks = [...own.filter((it) => it.__typename === "Rack"), ...[...own, ...affected.map((it) => it.node)].flatMap((it) => it.rack ?? [])];
  const whole2 = !answer.impact.affected.pageInfo.hasNextPage || rest !== null;
  return { effects, racks: [...new Set(racks.map((it) => it.id))], whole: whole2, error: rest?.error ?? null };
}
var withLight = (rack, lit) => lit ? { ...rack, devices: rack.devices.map((it) => ({ ...it, effect: lit.effects.get(it.id) ?? null })) } : rack;

// src/screens/rack-look.ts
import { signal as signal2 } from "./main.js";
var KEPT = "underlay-rack-size";
var whole = signal2(localStorage.getItem(KEPT) === "whole");
var onPage = signal2(1);
function switchWhole(on) {
  whole.value = on;
  localStorage.setItem(KEPT, on ? "whole" : "large");
}
function lookOf(params, single) {
  const by = params.get("by");
  const lit = params.has("of");
  const face = params.get("face");
  return {
    by: by && BYS.includes(by) ? by : lit ? "effect" : "role",
    lit,
    q: params.get("q") ?? "",
    ports: (params.get("ports") ?? (single ? "on" : "off")) === "on",
    hideRetired: params.get("retired") === "off",
    list: params.get("view") === "list",
    face: face === "rear" || face === "both" ? face : "front",
    print: onPage.value,
    whole: whole.value
  };
}
function facesOf(look, single) {
  if (single || look.face === "both") return FACES;
  return look.face === "front" ? ["FRONT"] : ["REAR"];
}

// src/screens/rack-bar.tsx
import { Fragment, jsx as jsx2, jsxs } from "./main.js";
var BY_WORDS = { role: "Role", status: "Status", tenant: "Tenant", feed: "Power feed", effect: "Impact" };
function RackBar({ title, rack, look, single, total, count, found, next, box }) {
  const search = useRef(null);
  useCommands({ filter: () => search.current?.focus() });
  const toggle = (name, on, is, usual) => setParams({ [name]: on === (is === usual) ? null : on ? is : is === "on" ? "off" : "on" }, "replace");
  return /* @__PURE__ */ jsxs("header", { class: "list-bar", children: [
    /* @__PURE__ */ jsxs("h1", { title, children: [
      /* @__PURE__ */ jsx2("bdi", { children: title }),
      rack ? /* @__PURE__ */ jsxs("span", { class: "count", children: [
        rack.heightU,
        " U at ",
        /* @__PURE__ */ jsx2("bdi", { children: rack.site.name })
      ] }) : /* @__PURE__ */ jsxs("span", { class: "count", children: [
        number(total),
        " ",
        total === 1 ? "rack" : "racks"
      ] })
    ] }),
    rack && /* @__PURE__ */ jsx2("a", { href: pathOf("Rack", { ...rack }), children: "Details" }),
    rack && /* @__PURE__ */ jsx2("a", { href: rowPath(rack), children: "Whole row" }),
    /* @__PURE__ */ jsx2(
      "input",
      {
        ref: search,
        type: "search",
        "aria-label": "Highlight devices",
        placeholder: "Highlight\u2026",
        value: look.q,
        onInput: (event) => setParams({ q: event.currentTarget.value || null }, "replace")
      }
    ),
    /* @__PURE__ */ jsx2("span", { class: "quiet", role: "status", children: found === null ? "" : `${number(found)} found` }),
    /* @__PURE__ */ jsxs("label", { class: "choice", children: [
      "Colour by",
      /* @__PURE__ */ jsx2("select", { value: look.by, onChange: (event) => setParams({ by: event.currentTarget.value === (look.lit ? "effect" : "role") ? null : event.currentTarget.value }, "replace"), children: [...BYS, ...look.lit ? ["effect"] : []].map((it) => /* @__PURE__ */ jsx2("option", { value: it, children: BY_WORDS[it] }, it)) })
    ] }),
    !single && /* @__PURE__ */ jsxs("label", { class: "choice", children: [
      "Faces",
      /* @__PURE__ */ jsxs("select", { value: look.face, onChange: (event) => setParams({ face: event.currentTarget.value === "front" ? null : event.currentTarget.value }, "replace"), children: [
        /* @__PURE__ */ jsx2("option", { value: "front", children: "Front" }),
        /* @__PURE__ */ jsx2("option", { value: "rear", children: "Rear" }),
        /* @__PURE__ */ jsx2("option", { value: "both", children: "Both" })
      ] })
    ] }),
    /* @__PURE__ */ jsx2("span", { class: "grow" }),
    /* @__PURE__ */ jsxs("label", { class: "check", children: [
      /* @__PURE__ */ jsx2("input", { type: "checkbox", checked: look.ports, onChange: (event) => toggle("ports", event.currentTarget.checked, "on", single ? "on" : "off") }),
      " Ports"
    ] }),
    /* @__PURE__ */ jsxs("label", { class: "check", children: [
      /* @__PURE__ */ jsx2("input", { type: "checkbox", checked: !look.hideRetired, onChange: (event) => setParams({ retired: event.currentTarget.checked ? null : "off" }, "replace") }),
      " Retired"
    ] }),
    /* @__PURE__ */ jsxs("label", { class: "check", children: [
      /* @__PURE__ */ jsx2("input", { type: "checkbox", checked: look.whole, onChange: (event) => switchWhole(event.currentTarget.checked) }),
      " Whole height"
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "switch", role: "group", "aria-label": "View", children: [
      /* @__PURE__ */ jsx2("button", { type: "button", "aria-pressed": !look.list, onClick: () => setParams({ view: null }, "replace"), children: "Drawing" }),
      /* @__PURE__ */ jsx2("button", { type: "button", "aria-pressed": look.list, onClick: () => setParams({ view: "list" }, "replace"), children: "Table" })
    ] }),
    next && /* @__PURE__ */ jsxs("button", { type: "button", onClick: () => setParams({ after: next }), children: [
      "Next ",
      number(total - count)
    ] }),
    /* @__PURE__ */ jsx2(Export, { box, title, list: look.list })
  ] });
}
function rowPath(rack) {
  const within2 = rack.location ?? rack.site;
  return `/elevations?within=${encodeURIComponent(within2.id)}${keptOf().replace("?", "&")}`;
}
function print(racks) {
  onPage.value = racks;
  setTimeout(() => window.print(), 50);
}
function Export({ box, title, list: list2 }) {
  const save = async (type) => {
    const drawings = [...box.current?.querySelectorAll("svg.rack-face") ?? []].map((svg) => ({ svg, title: svg.getAttribute("aria-label") ?? "" }));
    const { saveDrawings } = await import("./svg.js");
    if (!await saveDrawings(drawings, type, title)) say2("The browser cannot draw a picture of this size. Take SVG.");
  };
  const run = (close, what) => () => {
    close();
    what();
  };
  return /* @__PURE__ */ jsx2(Menu, { label: "Export", title: "Print or save", children: (close) => /* @__PURE__ */ jsxs("div", { class: "choices-down", children: [
    /* @__PURE__ */ jsx2("button", { type: "button", onClick: run(close, () => print(1)), children: "Print, 1 rack a page" }),
    /* @__PURE__ */ jsx2("button", { type: "button", onClick: run(close, () => print(2)), children: "Print, 2 racks a page" }),
    /* @__PURE__ */ jsx2("button", { type: "button", onClick: run(close, () => print(4)), children: "Print, 4 racks a page" }),
    /* @__PURE__ */ jsx2("button", { type: "button", disabled: list2, onClick: run(close, () => void save("svg")), children: "Save as SVG" }),
    /* @__PURE__ */ jsx2("button", { type: "button", disabled: list2, onClick: run(close, () => void save("png")), children: "Save as PNG" })
  ] }) });
}
function MoveBar() {
  const now = move.value;
  const count = gathered2().length;
  useCommands(count > 0 && !now ? { review: () => go("/review") } : {});
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx2("p", { class: "hidden", role: "status", "aria-live": "polite", children: announcement.value }),
    now && /* @__PURE__ */ jsxs("div", { class: `move-bar ${now.verdict}`, role: "group", "aria-label": "Moving", children: [
      /* @__PURE__ */ jsxs("span", { class: "move-what", children: [
        "Moving ",
        /* @__PURE__ */ jsx2("b", { children: /* @__PURE__ */ jsx2("bdi", { children: now.device.name }) }),
        now.to && /* @__PURE__ */ jsxs(Fragment, { children: [
          " to ",
          /* @__PURE__ */ jsx2("b", { children: positionWords(now.to) })
        ] })
      ] }),
      /* @__PURE__ */ jsxs("span", { class: "move-why", children: [
        now.verdict === "good" ? "\u2713" : now.verdict === "bad" ? "\u2715" : "\u2026",
        " ",
        now.why
      ] }),
      /* @__PURE__ */ jsx2("span", { class: "grow" }),
      /* @__PURE__ */ jsxs("button", { type: "button", class: "main", disabled: now.verdict !== "good", onClick: () => void drop(), children: [
        "Put here ",
        /* @__PURE__ */ jsx2("kbd", { children: "Enter" })
      ] }),
      /* @__PURE__ */ jsxs("button", { type: "button", onClick: putBack, children: [
        "Put back ",
        /* @__PURE__ */ jsx2("kbd", { children: "Esc" })
      ] }),
      /* @__PURE__ */ jsxs("span", { class: "move-keys", children: [
        /* @__PURE__ */ jsx2("kbd", { children: "\u2191" }),
        " ",
        /* @__PURE__ */ jsx2("kbd", { children: "\u2193" }),
        " unit, ",
        /* @__PURE__ */ jsx2("kbd", { children: "\u2190" }),
        " ",
        /* @__PURE__ */ jsx2("kbd", { children: "\u2192" }),
        " face or rack, ",
        /* @__PURE__ */ jsx2("kbd", { children: "Shift" }),
        " half a unit"
      ] })
    ] }),
    !now && count > 0 && /* @__PURE__ */ jsxs("div", { class: "move-bar", role: "group", "aria-label": "Gathered moves", children: [
      /* @__PURE__ */ jsxs("span", { class: "move-what", children: [
        /* @__PURE__ */ jsx2("b", { children: count === 1 ? "1 move" : `${number(count)} moves` }),
        " in the drawing, not written yet"
      ] }),
      /* @__PURE__ */ jsx2("span", { class: "grow" }),
      /* @__PURE__ */ jsxs("button", { type: "button", class: "main", onClick: () => go("/review"), children: [
        "Review ",
        count === 1 ? "it" : "them",
        " ",
        /* @__PURE__ */ jsx2("kbd", { children: "r" })
      ] }),
      /* @__PURE__ */ jsx2("button", { type: "button", onClick: takeMoveBack, children: "Take the last back" }),
      count > 1 && /* @__PURE__ */ jsx2("button", { type: "button", onClick: takeAllBack, children: "Take all back" })
    ] })
  ] });
}

// src/screens/rack-column.tsx
import { computed, number as number2, pathOf as pathOf2, useEffect as useEffect2, useMemo as useMemo2, useQuery as useQuery2, useRef as useRef2, useState as useState2 } from "./main.js";

// src/draw/text.ts
function widthOf(character) {
  if ((character.codePointAt(0) ?? 0) >= 4352) return 1.05;
  if (/[ijlI.,:;|!'()[\]]/.test(character)) return 0.36;
  if (/[mwMW@%]/.test(character)) return 0.96;
  return /[A-Z]/.test(character) ? 0.72 : 0.63;
}
function widthOfText(text, size) {
  return [...text].reduce((sum, it) => sum + widthOf(it), 0) * size;
}
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
function fitWords(text, px, size) {
  const words = text.split(" ");
  while (words.length > 0 && widthOfText(words.join(" "), size) > px) words.pop();
  return words.join(" ");
}

// src/draw/rack.tsx
import { jsx as jsx3, jsxs as jsxs2 } from "./main.js";
var NUMBERS = 24;
var RAIL = 7;
var HEAD = 20;
var faceWidth = (across) => NUMBERS + across + 2 * RAIL;
var faceHeight = (heightU, unit) => HEAD + heightU * unit + RAIL;
var headOf = HEAD;
var wordsOf = (face) => face === "FRONT" ? "Front" : "Rear";
function RackFace(props) {
  const { rack, face, devices, unit, across, ghost } = props;
  const [width, height] = [faceWidth(across), faceHeight(rack.heightU, unit)];
  const units = Array.from({ length: rack.heightU }, (_, it) => rack.heightU - it);
  const seen = devices.filter((it) => takes(it, face));
  const size = Math.min(10, unit - 5);
  return /* @__PURE__ */ jsxs2(
    "svg",
    {
      class: "rack-face",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": `${rack.name}, ${wordsOf(face).toLowerCase()}`,
      "data-rack": rack.id,
      "data-face": face,
      children: [
        /* @__PURE__ */ jsx3("text", { class: "face-name", x: NUMBERS + RAIL, y: 13, "font-size": "11", children: wordsOf(face) }),
        /* @__PURE__ */ jsx3("rect", { class: "cabinet", x: NUMBERS, y: HEAD - 1, width: across + 2 * RAIL, height: rack.heightU * unit + RAIL, rx: "3" }),
        /* @__PURE__ */ jsx3("rect", { class: "inside", x: NUMBERS + RAIL, y: HEAD, width: across, height: rack.heightU * unit }),
        units.map((it, at) => /* @__PURE__ */ jsxs2("g", { children: [
          at > 0 && /* @__PURE__ */ jsx3("line", { class: "unit-line", x1: NUMBERS + RAIL, x2: NUMBERS + RAIL + across, y1: HEAD + at * unit, y2: HEAD + at * unit }),
          (unit >= 14 || it % 5 === 0 || it === 1) && /* @__PURE__ */ jsx3("text", { class: "unit-number", x: NUMBERS - 5, y: HEAD + at * unit + unit / 2 + size * 0.36, "text-anchor": "end", "font-size": size, children: it })
        ] }, it)),
        freeRuns(rack.heightU, devices, face).filter((it) => it.height >= 2).map((it) => /* @__PURE__ */ jsxs2(
          "text",
          {
            class: "free",
            "text-anchor": "middle",
            "font-size": "10",
            x: NUMBERS + RAIL + across / 2,
            y: HEAD + (fromTop(rack.heightU, it.start, it.height) + it.height / 2) * unit + 3.5,
            children: [
              it.height,
              " U free"
            ]
          },
          it.start
        )),
        seen.map((it) => /* @__PURE__ */ jsx3(DeviceShape, { ...props, device: it }, it.id)),
        ghost && takes(ghost, face) && /* @__PURE__ */ jsx3(GhostShape, { ghost, heightU: rack.heightU, unit, across })
      ]
    }
  );
}
function DeviceShape(props) {
  const { device, face, rack, unit, across, found, selected, held } = props;
  const [x, y] = [NUMBERS + RAIL, HEAD + fromTop(rack.heightU, device.start ?? 1, device.height) * unit];
  const high = device.height * unit - 1;
  const behind = device.face !== face;
  if (props.veiled.has(device.id)) return /* @__PURE__ */ jsx3("rect", { class: "veiled", x, y, width: across, height: high });
  const classes = [
    "device",
    device.tone,
    behind && "behind",
    found && !found.has(device.id) && "pale",
    found?.has(device.id) && "found",
    selected === device.id && "selected",
    held === device.id && "held",
    device.planned && "planned"
  ];
  const texts = textsOf(device, face, across, unit);
  const middle = y + device.height * unit / 2 + texts.size * 0.34;
  const shortened = texts.name === device.name ? "" : ` \xB7 ${device.name}`;
  return /* @__PURE__ */ jsxs2(
    "g",
    {
      class: classes.filter(Boolean).join(" "),
      role: "button",
      tabindex: props.stop === device.id ? 0 : -1,
      "data-device": device.id,
      "aria-label": `${texts.name} ${tagOf(device, face)}${shortened} \xB7 ${device.about}`,
      "aria-pressed": held === device.id,
      onClick: () => props.onSelect(device.id),
      onPointerDown: (event) => props.onDown(event, device.id, face),
      onKeyDown: (event) => props.onKey(event, device.id, face),
      children: [
        /* @__PURE__ */ jsx3("title", { children: `${device.name} \xB7 ${device.about}` }),
        /* @__PURE__ */ jsx3("rect", { class: "body", x: x + 0.5, y: y + 0.5, width: across - 1, height: high, rx: "2" }),
        /* @__PURE__ */ jsx3("rect", { class: "stripe", x: x + 0.5, y: y + 0.5, width: "4", height: high }),
        /* @__PURE__ */ jsx3("text", { class: "device-name", x: x + 10, y: middle, "font-size": texts.size, children: texts.name }),
        " ",
        /* @__PURE__ */ jsx3("text", { class: "device-tag", x: x + texts.end, y: middle, "font-size": texts.size - 1, "text-anchor": "end", children: texts.tag }),
        /* @__PURE__ */ jsx3(Dots, { dots: device.dots.filter((it) => it.own !== behind), x, y, across, high })
      ]
    }
  );
}
var tagOf = (device, face) => device.face === face || device.tagBehind ? device.tag : `${wordsOf(face).toLowerCase()} side`;
var PORTS_SHARE = 0.27;
var NAME_PX = 96;
var BETWEEN_PX = 10;
function textsOf(device, face, across, unit) {
  const size = Math.max(7, Math.min(11, unit * Math.min(1, device.height) - 4));
  const end = across * (device.dots.length > 0 ? 1 - PORTS_SHARE : 1) - 6;
  const room = end - BETWEEN_PX;
  const least = Math.min(room - NAME_PX - BETWEEN_PX, room * 0.28);
  const tag = fitWords(tagOf(device, face), Math.max(least, room - widthOfText(device.name, size) - BETWEEN_PX), size - 1);
  const name = fit(device.name, room - widthOfText(tag, size - 1) - BETWEEN_PX, size);
  return { name, tag, size, end };
}
var MAX_DOTS = 96;
function Dots({ dots, x, y, across, high }) {
  if (dots.length === 0 || high < 11) return null;
  const shown = dots.slice(0, MAX_DOTS);
  const rows = shown.length > 8 ? 2 : 1;
  const columns = Math.ceil(shown.length / rows);
  const room = across * PORTS_SHARE - 12;
  const pitch = Math.min(7, room / columns);
  const radius = Math.min(2.2, pitch * 0.38);
  const gap = Math.max(2.5 * radius, Math.min(8, high / 3));
  const left = x + across - 6 - pitch * (columns - 1) - radius;
  return /* @__PURE__ */ jsx3("g", { class: "ports", children: shown.map((it, at) => {
    const [cx, cy] = [left + Math.floor(at / rows) * pitch, y + high / 2 + (rows === 1 ? 0 : at % 2 * gap - gap / 2)];
    return it.state === "off" ? /* @__PURE__ */ jsx3("line", { class: "port off", x1: cx - radius, x2: cx + radius, y1: cy, y2: cy }, it.id) : /* @__PURE__ */ jsx3("circle", { class: `port ${it.state}`, cx, cy, r: it.state === "open" ? radius - 0.4 : radius }, it.id);
  }) });
}
var SIGNS = { asking: "\u2026", good: "\u2713", bad: "\u2715" };
function GhostShape({ ghost, heightU, unit, across }) {
  const y = HEAD + fromTop(heightU, ghost.start ?? 1, ghost.height) * unit;
  const size = Math.max(8, Math.min(11, unit - 4));
  return /* @__PURE__ */ jsxs2("g", { class: `ghost ${ghost.verdict}`, "aria-hidden": "true", children: [
    /* @__PURE__ */ jsx3("rect", { x: NUMBERS + RAIL + 0.5, y: y + 0.5, width: across - 1, height: ghost.height * unit - 1, rx: "2" }),
    /* @__PURE__ */ jsxs2("text", { x: NUMBERS + RAIL + 10, y: y + ghost.height * unit / 2 + size * 0.34, "font-size": size, children: [
      SIGNS[ghost.verdict],
      " ",
      fit(`${unitWords(ghost.start, ghost.height)} ${ghost.name}`, across - 34, size)
    ] })
  ] });
}

// src/screens/rack-column.tsx
import { jsx as jsx4, jsxs as jsxs3 } from "./main.js";
var LARGE_PX = 24;
var LEAST_PX = 9;
var NAME_PX2 = 46;
var ACROSS = { single: 372, plain: 204, ports: 280, small: 140 };
function useSeen(element) {
  const [seen, setSeen] = useState2(false);
  useEffect2(() => {
    if (!element.current || seen) return void 0;
    const observer = new IntersectionObserver((them) => {
      if (them.some((it) => it.isIntersecting)) setSeen(true);
    }, { rootMargin: "400px" });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [seen]);
  return seen;
}
function RackColumn({ rack, look, single, sites, few, legend, found, selected, room, handlers, onPorts }) {
  const box = useRef2(null);
  const seen = useSeen(box);
  const ghost = useMemo2(() => computed(() => {
    const it = move.value;
    return it?.to && it.to.rack.id === rack.id ? { ...it.to, id: it.device.id, name: it.device.name, verdict: it.verdict } : null;
  }), [rack.id]);
  const held = useMemo2(() => computed(() => move.value?.device.id ?? null), []);
  const heldHere = rack.devices.some((it) => it.id === held.value) ? held.value : null;
  useEffect2(() => box.current?.querySelector(".ghost")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [ghost.value]);
  useEffect2(() => {
    if (selected) box.current?.querySelector(`[data-device="${CSS.escape(selected)}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected]);
  const fitting = (room - NAME_PX2 - headOf - 14) / rack.heightU;
  const unit = look.whole ? Math.max(LEAST_PX, Math.min(LARGE_PX, Math.floor(fitting * 4) / 4)) : LARGE_PX;
  const across = single ? ACROSS.single : look.ports ? ACROSS.ports : look.whole ? ACROSS.small : ACROSS.plain;
  const devices = rack.devices.map((it) => drawn(it, look.by, legend, look.ports));
  const veiled = new Set(look.hideRetired ? rack.devices.filter(isRetired).map((it) => it.id) : []);
  const space = spaceOf(rack.heightU, rack.devices);
  const stopOf = (face) => {
    const there = rack.devices.filter((it) => takes(it, face) && !veiled.has(it.id));
    if (there.some((it) => it.id === selected)) return selected;
    return there.reduce((best, it) => (it.start ?? 0) > (best?.start ?? 0) ? it : best, there[0])?.id ?? null;
  };
  return /* @__PURE__ */ jsxs3("article", { class: "rack-column", "aria-label": rack.name, ref: box, children: [
    (seen ? look.ports || look.by === "feed" : look.by === "feed" && few) && /* @__PURE__ */ jsx4(Ports, { rack: rack.id, onPorts }),
    /* @__PURE__ */ jsxs3("header", { children: [
      /* @__PURE__ */ jsx4("h2", { children: single ? /* @__PURE__ */ jsx4("bdi", { children: rack.name }) : /* @__PURE__ */ jsx4("a", { href: `${pathOf2("Rack", { ...rack })}/elevation${keptOf()}`, title: `${rack.site.name} \xB7 ${rack.name}`, children: /* @__PURE__ */ jsx4("bdi", { children: rack.name }) }) }),
      /* @__PURE__ */ jsx4("span", { class: sites ? "quiet" : "quiet on-paper", children: /* @__PURE__ */ jsx4("bdi", { children: rack.site.name }) }),
      /* @__PURE__ */ jsxs3("p", { class: "quiet", title: "Units that are free on both faces, and the longest run of them", children: [
        number2(space.free),
        " U free",
        single ? `, ${number2(space.largest)} U together` : ""
      ] })
    ] }),
    /* @__PURE__ */ jsx4("div", { class: "rack-faces", style: { minHeight: `${faceHeight(rack.heightU, unit)}px` }, children: facesOf(look, single).map((face) => /* @__PURE__ */ jsx4(
      RackFace,
      {
        rack,
        face,
        devices,
        unit,
        across,
        found,
        veiled,
        selected,
        held: heldHere,
        ghost: ghost.value,
        stop: stopOf(face),
        ...handlers
      },
      face
    )) })
  ] });
}
function Ports({ rack, onPorts }) {
  const query = useQuery2(PORTS, { rack }, ["Port", "Cable", "PowerFeed"]);
  const data = query.data.value;
  useEffect2(() => {
    if (data) onPorts(data);
  }, [data]);
  return null;
}

// src/screens/rack-dialog.tsx
import { Dialog, Failure, go as go2, useEffect as useEffect3, useQuery as useQuery3, useState as useState3 } from "./main.js";

// src/screens/rack-place.ts
function fromPlace(it, rack, face = it.face) {
  const start = it.start ?? firstFit(rack.heightU, rack.devices, face, it.height, it.fullDepth);
  return start === null ? null : { rack, start, height: it.height, face, fullDepth: it.fullDepth };
}
function higher(position, by) {
  return { ...position, start: within(position.rack.heightU, position.start + by, position.height) };
}
function beside(position, columns, by) {
  const at = columns.findIndex((it) => it.rack.id === position.rack.id && it.face === position.face);
  const rackAt = at >= 0 ? at : columns.findIndex((it) => it.rack.id === position.rack.id);
  const next = columns[rackAt + by];
  return next ? { ...position, rack: next.rack, face: next.face, start: within(next.rack.heightU, position.start, position.height) } : null;
}
function faceWhenDragged(it, grabbed, over) {
  return grabbed === over ? it.face : other(it.face);
}

// src/screens/rack-dialog.tsx
import { jsx as jsx5, jsxs as jsxs4 } from "./main.js";
var OTHERS = `query Racks($site: ID!) { racks(first: 1000, orderBy: {by: NAME}, filter: {site: {id: {eq: $site}}}) { nodes { id name heightU } } }`;
var WAIT_MS = 120;
function MoveDialog({ device, racks, onClose }) {
  const home = racks.find((it) => it.devices.some((one) => one.id === device.id)) ?? racks[0];
  const query = useQuery3(OTHERS, { site: home?.site.id ?? "" }, ["Rack"]);
  const there = query.data.value?.racks.nodes ?? [];
  const all = [...racks.filter((it) => !there.some((one) => one.id === it.id)), ...there];
  const begin = home && fromPlace(device, home);
  const [position, setPosition] = useState3(begin ?? (home ? { rack: home, start: 1, height: device.height, face: device.face, fullDepth: device.fullDepth } : null));
  const [answer, setAnswer] = useState3({ verdict: "asking", why: "" });
  const key = position && JSON.stringify(stepTo(device, position).item);
  useEffect3(() => {
    if (!position) return void 0;
    if (Number.isNaN(position.start + position.height)) {
      setAnswer({ verdict: "bad", why: "a number is missing" });
      return void 0;
    }
    const abort = new AbortController();
    setAnswer({ verdict: "asking", why: "asking the server" });
    const timer = setTimeout(() => {
      void verdictOf(stepTo(device, position), abort.signal).then((it) => {
        if (!abort.signal.aborted) setAnswer(it);
      });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  if (!position) return null;
  const change = (more) => setPosition({ ...position, ...more });
  const submit = (event) => {
    event.preventDefault();
    if (answer.verdict !== "good") return;
    onClose();
    void gatherStep(device, position).then((done) => {
      if (done) go2("/review");
    });
  };
  const drawn2 = racks.find((it) => it.id === position.rack.id);
  const runs = drawn2 ? freeRuns(drawn2.heightU, drawn2.devices.filter((it) => it.id !== device.id), position.face) : [];
  return /* @__PURE__ */ jsx5(Dialog, { title: `Move ${device.name}`, class: "move-dialog", onClose, children: /* @__PURE__ */ jsxs4("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs4("h2", { children: [
      "Move ",
      /* @__PURE__ */ jsx5("bdi", { children: device.name })
    ] }),
    query.error.value && /* @__PURE__ */ jsx5(Failure, { error: query.error.value }),
    /* @__PURE__ */ jsxs4("label", { children: [
      "Rack",
      /* @__PURE__ */ jsx5("select", { value: position.rack.id, onChange: (event) => {
        const rack = all.find((it) => it.id === event.currentTarget.value);
        if (rack) change({ rack });
      }, children: all.map((it) => /* @__PURE__ */ jsx5("option", { value: it.id, children: it.name }, it.id)) })
    ] }),
    /* @__PURE__ */ jsxs4("div", { class: "move-fields", children: [
      /* @__PURE__ */ jsxs4("label", { children: [
        "Lowest unit ",
        /* @__PURE__ */ jsx5("input", { type: "number", step: "0.5", min: "1", max: position.rack.heightU, required: true, value: Number.isNaN(position.start) ? "" : position.start, onInput: (event) => change({ start: event.currentTarget.valueAsNumber }) })
      ] }),
      /* @__PURE__ */ jsxs4("label", { children: [
        "Height in units ",
        /* @__PURE__ */ jsx5("input", { type: "number", step: "0.5", min: "0.5", max: position.rack.heightU, required: true, value: Number.isNaN(position.height) ? "" : position.height, onInput: (event) => change({ height: event.currentTarget.valueAsNumber }) })
      ] }),
      /* @__PURE__ */ jsxs4("label", { children: [
        "Face",
        /* @__PURE__ */ jsxs4("select", { value: position.face, onChange: (event) => change({ face: event.currentTarget.value }), children: [
          /* @__PURE__ */ jsx5("option", { value: "FRONT", children: "Front" }),
          /* @__PURE__ */ jsx5("option", { value: "REAR", children: "Rear" })
        ] })
      ] })
    ] }),
    /* @__PURE__ */ jsxs4("label", { class: "check", children: [
      /* @__PURE__ */ jsx5("input", { type: "checkbox", checked: position.fullDepth, onChange: (event) => change({ fullDepth: event.currentTarget.checked }) }),
      " Full depth: it takes its units on both faces"
    ] }),
    runs.length > 0 && /* @__PURE__ */ jsxs4("p", { class: "quiet", children: [
      "Free on this face: ",
      runs.map((it) => unitWords(it.start, it.height)).join(", ")
    ] }),
    /* @__PURE__ */ jsxs4("p", { class: `move-why ${answer.verdict}`, role: "status", children: [
      answer.verdict === "good" ? "\u2713" : answer.verdict === "bad" ? "\u2715" : "\u2026",
      " ",
      !Number.isNaN(position.start + position.height) && `${positionWords(position)}: `,
      answer.why
    ] }),
    /* @__PURE__ */ jsxs4("div", { class: "dialog-actions", children: [
      /* @__PURE__ */ jsx5("button", { type: "submit", class: "main", disabled: answer.verdict !== "good", children: "Review the move" }),
      /* @__PURE__ */ jsx5("button", { type: "button", onClick: onClose, children: "Cancel" })
    ] })
  ] }) });
}

// src/screens/rack-drag.ts
import { refusal as refusal2 } from "./main.js";
var STILL_PX = 4;
var EDGE_PX = 36;
var SCROLL_PX = 14;
function under(x, y, racks) {
  const svg = document.elementsFromPoint(x, y).map((it) => it.closest("svg.rack-face")).find((it) => it !== null);
  const rack = racks.find((it) => it.id === svg?.dataset.rack);
  if (!svg || !rack) return null;
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.height / box.height;
  const unit = (svg.viewBox.baseVal.height - faceHeight(0, 0)) / rack.heightU;
  return { rack, face: svg.dataset.face, height: rack.heightU - ((y - box.top) * scale - headOf) / unit };
}
function scroll(box, x, y) {
  if (!box) return;
  const at = box.getBoundingClientRect();
  const push = (point, from, to) => point < from + EDGE_PX ? -SCROLL_PX : point > to - EDGE_PX ? SCROLL_PX : 0;
  box.scrollBy(push(x, at.left, at.right), push(y, at.top, at.bottom));
}
function beginDrag(event, device, racks, box) {
  if (event.button !== 0 || move.value || refusal2("apply")) return;
  const start = { x: event.clientX, y: event.clientY };
  const grabbed = device.start === null ? null : under(start.x, start.y, racks);
  const offset = grabbed && device.start !== null ? grabbed.height - (device.start - 1) : device.height / 2;
  const abort = new AbortController();
  const positionAt = (x, y) => {
    const over = under(x, y, racks);
    if (!over) return null;
    const face = grabbed ? faceWhenDragged(device, grabbed.face, over.face) : over.face;
    return { rack: over.rack, face, height: device.height, fullDepth: device.fullDepth, start: within(over.rack.heightU, Math.round(over.height - offset) + 1, device.height) };
  };
  const moved = (at) => {
    if (!move.value) {
      if (Math.hypot(at.clientX - start.x, at.clientY - start.y) < STILL_PX) return;
      pickUp(device, null);
    }
    scroll(box, at.clientX, at.clientY);
    moveTo(positionAt(at.clientX, at.clientY));
  };
  const end = () => {
    abort.abort();
    if (!move.value) return;
    const click = new AbortController();
    window.addEventListener("click", (it) => {
      it.stopPropagation();
      it.preventDefault();
    }, { capture: true, once: true, signal: click.signal });
    setTimeout(() => click.abort(), 0);
    void drop();
  };
  const options = { signal: abort.signal };
  window.addEventListener("pointermove", moved, options);
  window.addEventListener("pointerup", end, options);
  window.addEventListener("pointercancel", () => {
    abort.abort();
    putBack();
  }, options);
  window.addEventListener("keydown", (key) => {
    if (key.key === "Escape") {
      abort.abort();
      putBack();
    }
  }, options);
}

// src/screens/rack-keys.ts
var PAGE_UNITS = 5;
var top = (it) => (it.start ?? 0) + it.height;
var drawnIn = ({ rack, face }) => rack.devices.filter((it) => takes(it, face)).sort((a, b) => top(b) - top(a));
function elementOf({ rack, face }, id) {
  return document.querySelector(`svg[data-rack="${rack.id}"][data-face="${face}"] [data-device="${id}"]`);
}
function walkKeys(event, id, columns, walk) {
  if (move.value || event.ctrlKey || event.metaKey || event.altKey) return;
  const svg = event.currentTarget.closest("svg");
  const at = columns.findIndex((it) => it.rack.id === svg?.dataset.rack && it.face === svg.dataset.face);
  const column = columns[at];
  if (!column) return;
  const go5 = (to, device) => {
    event.preventDefault();
    if (!to || !device) return;
    walk.focus(device.id);
    elementOf(to, device.id)?.focus();
  };
  const all = drawnIn(column);
  const index = all.findIndex((it) => it.id === id);
  if (event.key === "ArrowDown") go5(column, all[index + 1]);
  else if (event.key === "ArrowUp") go5(column, all[index - 1]);
  else if (event.key === "Home") go5(column, all[0]);
  else if (event.key === "End") go5(column, all.at(-1));
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const own = all[index];
    const next = nearest(columns, at, event.key === "ArrowRight" ? 1 : -1, own);
    go5(next?.column, next?.device);
  } else if (event.key === " ") {
    event.preventDefault();
    event.stopPropagation();
    walk.pick(id);
  } else if (event.key === "Enter") {
    event.preventDefault();
    walk.open(id);
  }
}
function nearest(columns, from, by, own) {
  for (let at = from + by; at >= 0 && at < columns.length; at += by) {
    const column = columns[at];
    const [device] = column ? drawnIn(column).sort((a, b) => Math.abs((a.start ?? 0) - (own?.start ?? 0)) - Math.abs((b.start ?? 0) - (own?.start ?? 0))) : [];
    if (column && device) return { column, device };
  }
  return void 0;
}
function moveKeys(event, columns) {
  const now = move.value;
  if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, dialog")) return;
  const onButton = event.target.closest(".move-bar button") !== null;
  const step = event.shiftKey ? 0.5 : 1;
  const ways = { ArrowUp: step, ArrowDown: -step, PageUp: PAGE_UNITS, PageDown: -PAGE_UNITS };
  const up = ways[event.key];
  const across = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (up !== void 0 && now.to) moveTo(higher(now.to, up));
  else if (across !== 0 && now.to) moveTo(beside(now.to, columns, across) ?? now.to);
  else if (event.key === "Escape") putBack();
  else if ((event.key === "Enter" || event.key === " ") && !onButton) void drop();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// src/screens/rack-lit.tsx
import { Failure as Failure2, impactPath as impactPath2, number as number3, setParams as setParams2 } from "./main.js";

// src/screens/reasons.ts
var EFFECTS2 = ["DOWN", "ISOLATED", "DEGRADED"];

// src/screens/rack-lit.tsx
import { Fragment as Fragment2, jsx as jsx6, jsxs as jsxs5 } from "./main.js";
var list = new Intl.ListFormat("en", { type: "conjunction" });
function LitLine({ lit, devices, part }) {
  const of = askedOf();
  const count = (effect) => devices.filter((it) => it.effect === effect).length;
  const here = [FAILS, ...EFFECTS2].filter((it) => count(it) > 0).map((it) => `${number3(count(it))} ${it === FAILS ? "in the basket" : lightWords(it).toLowerCase()}`);
  const elsewhere = (lit?.effects.size ?? 0) - devices.filter((it) => it.effect !== null).length;
  return /* @__PURE__ */ jsxs5("p", { class: "lit-line", children: [
    /* @__PURE__ */ jsxs5("span", { role: "status", children: [
      "If ",
      number3(of.length),
      " ",
      of.length === 1 ? "object fails" : "objects fail",
      ", ",
      !lit ? "these devices are affected: reading\u2026" : here.length === 0 ? "no device in these racks is affected." : /* @__PURE__ */ jsxs5(Fragment2, { children: [
        "the devices in these racks are affected: ",
        list.format(here),
        "."
      ] }),
      elsewhere > 0 && /* @__PURE__ */ jsxs5("span", { class: "quiet", children: [
        " ",
        number3(elsewhere),
        " more devices are affected elsewhere."
      ] }),
      lit && !lit.whole && /* @__PURE__ */ jsx6("span", { class: "quiet", children: " More are being read." })
    ] }),
    lit?.error && /* @__PURE__ */ jsx6(Failure2, { error: lit.error }),
    /* @__PURE__ */ jsx6("a", { href: impactPath2(of), children: "Show the reasons" }),
    part && /* @__PURE__ */ jsx6("a", { href: `/elevations${keptOf()}`, children: "All racks that it reaches" }),
    /* @__PURE__ */ jsx6("button", { type: "button", onClick: () => setParams2({ of: null, by: null }), children: "Do not show it" })
  ] });
}

// src/screens/rack-pane.tsx
import { Act, EnumValue, enumWords as enumWords2, Failure as Failure3, intoBasket, number as number4, pathOf as pathOf3, refusal as refusal3, useQuery as useQuery4 } from "./main.js";
import { Fragment as Fragment3, jsx as jsx7, jsxs as jsxs6 } from "./main.js";
function RackPane(props) {
  const { racks, single, look, legend, device } = props;
  return /* @__PURE__ */ jsxs6("aside", { class: "rack-pane", "aria-label": device ? device.name : "Racks", tabIndex: 0, children: [
    device ? /* @__PURE__ */ jsx7(Facts, { ...props, device }) : /* @__PURE__ */ jsx7(Sums, { racks, single }),
    /* @__PURE__ */ jsx7("h3", { children: "Colours" }),
    /* @__PURE__ */ jsx7("ul", { class: "legend", "aria-label": "Colours", children: legend.map((it) => /* @__PURE__ */ jsxs6("li", { children: [
      /* @__PURE__ */ jsx7("span", { class: `swatch ${it.tone}`, "aria-hidden": "true" }),
      /* @__PURE__ */ jsx7("bdi", { children: keyWords(look.by, it.key) }),
      /* @__PURE__ */ jsx7("span", { class: "count", children: number4(it.count) })
    ] }, it.key)) }),
    look.ports && /* @__PURE__ */ jsxs6("p", { class: "port-key", children: [
      /* @__PURE__ */ jsx7("span", { class: "dot-cabled", "aria-hidden": "true" }),
      " with a cable ",
      /* @__PURE__ */ jsx7("span", { class: "dot-open", "aria-hidden": "true" }),
      " without ",
      /* @__PURE__ */ jsx7("span", { class: "dot-off", "aria-hidden": "true" }),
      " disabled"
    ] }),
    /* @__PURE__ */ jsx7(Tray, { ...props })
  ] });
}
function Facts({ device, racks, look, onMove, onPick, onClose }) {
  const rack = racks.find((it) => it.devices.some((one) => one.id === device.id));
  const cabled = device.dots?.filter((it) => it.state === "cabled").length ?? 0;
  const lines = [
    ["Place", `${rack?.name ?? ""} \xB7 ${unitWords(device.start, device.height)} \xB7 ${device.face === "FRONT" ? "front" : "rear"}${device.fullDepth ? ", full depth" : ""}`],
    ["Impact", look.lit ? keyWords("effect", device.effect ?? "") : null],
    ["Model", device.model],
    ["Serial", device.serial],
    ["Asset tag", device.assetTag],
    ["Tenant", device.tenant],
    ["Feeds", device.feeds?.join(", ") || null],
    ["Ports", device.dots && `${number4(cabled)} of ${number4(device.dots.length)} with a cable`]
  ];
  return /* @__PURE__ */ jsxs6(Fragment3, { children: [
    /* @__PURE__ */ jsx7("button", { type: "button", class: "close", "aria-label": "Close", onClick: onClose, children: "\u2715" }),
    /* @__PURE__ */ jsx7("h2", { children: /* @__PURE__ */ jsx7("a", { href: pathOf3("Device", { id: device.id }), children: /* @__PURE__ */ jsx7("bdi", { children: device.name }) }) }),
    /* @__PURE__ */ jsxs6("p", { class: "parts", children: [
      /* @__PURE__ */ jsx7("span", { children: enumWords2(device.role) }),
      /* @__PURE__ */ jsx7(EnumValue, { field: "status", value: device.status })
    ] }),
    /* @__PURE__ */ jsx7("dl", { class: "facts", children: lines.filter(([, text]) => text).map(([title, text]) => /* @__PURE__ */ jsxs6("div", { children: [
      /* @__PURE__ */ jsx7("dt", { children: title }),
      /* @__PURE__ */ jsx7("dd", { children: /* @__PURE__ */ jsx7("bdi", { children: text }) })
    ] }, title)) }),
    /* @__PURE__ */ jsxs6("div", { class: "pane-actions", children: [
      /* @__PURE__ */ jsxs6(Act, { refusal: refusal3("apply"), onClick: () => onPick(device.id), children: [
        "Pick up ",
        /* @__PURE__ */ jsx7("kbd", { children: "Space" })
      ] }),
      /* @__PURE__ */ jsxs6(Act, { refusal: refusal3("apply"), onClick: () => onMove(device), children: [
        "Move to\u2026 ",
        /* @__PURE__ */ jsx7("kbd", { children: "m" })
      ] }),
      /* @__PURE__ */ jsxs6("button", { type: "button", onClick: () => intoBasket([device.id]), children: [
        "What if it fails ",
        /* @__PURE__ */ jsx7("kbd", { children: "i" })
      ] }),
      /* @__PURE__ */ jsx7("a", { href: `${pathOf3("Device", { id: device.id })}/trace`, children: "Trace its ports" }),
      /* @__PURE__ */ jsx7(Act, { refusal: refusal3("apply"), onClick: () => void gatherStep(device, null), children: "Take out" })
    ] })
  ] });
}
function Sums({ racks, single }) {
  const spaces = racks.map((it) => spaceOf(it.heightU, it.devices));
  const sum = (of) => spaces.reduce((all, it) => all + of(it), 0);
  const lines = [
    ["Taken", `${number4(sum((it) => it.used))} U`],
    ["Free", `${number4(sum((it) => it.free))} U`],
    ["Largest run", `${number4(Math.max(0, ...spaces.map((it) => it.largest)))} U`],
    ["Devices", number4(racks.reduce((all, it) => all + it.devices.length, 0))]
  ];
  return /* @__PURE__ */ jsxs6(Fragment3, { children: [
    /* @__PURE__ */ jsx7("h2", { children: single ? "This rack" : "These racks" }),
    /* @__PURE__ */ jsx7("dl", { class: "facts", children: lines.map(([title, text]) => /* @__PURE__ */ jsxs6("div", { children: [
      /* @__PURE__ */ jsx7("dt", { children: title }),
      /* @__PURE__ */ jsx7("dd", { children: text })
    ] }, title)) }),
    /* @__PURE__ */ jsx7("p", { class: "quiet", children: "Select a device to see more. Space picks it up, the arrow keys move it, and each step is tried by the server." })
  ] });
}
function Tray({ racks, box, onMove }) {
  const sites = [...new Set(racks.map((it) => it.site.id))];
  const query = useQuery4(UNPLACED, { sites }, ["Device"]);
  const answer = query.data.value?.devices;
  const without = racks.flatMap((rack) => rack.devices.filter((it) => it.start === null).map((it) => ({ it, rack })));
  const moved = gatheredPlaces();
  const unplaced = (answer?.nodes ?? []).map(deviceOf).filter((it) => !moved.has(it.id));
  const first = racks[0];
  const chip = (it, rack, where) => /* @__PURE__ */ jsxs6("li", { children: [
    /* @__PURE__ */ jsxs6(
      "button",
      {
        type: "button",
        class: "tray-device",
        title: "Drag it into a rack, or press it to place it by keys",
        onPointerDown: (event) => beginDrag(event, it, racks, box.current),
        onClick: () => {
          const position = rack && fromPlace(it, rack);
          if (position) pickUp(it, position);
          else onMove(it);
        },
        children: [
          /* @__PURE__ */ jsx7("bdi", { children: it.name }),
          /* @__PURE__ */ jsxs6("span", { class: "quiet", children: [
            enumWords2(it.role),
            where && /* @__PURE__ */ jsxs6(Fragment3, { children: [
              " \xB7 ",
              /* @__PURE__ */ jsx7("bdi", { children: where })
            ] })
          ] })
        ]
      }
    ),
    /* @__PURE__ */ jsx7("button", { type: "button", class: "plain", "aria-label": `Move ${it.name} to\u2026`, title: "Move to\u2026", onClick: () => onMove(it), children: "\u2026" })
  ] }, it.id);
  return /* @__PURE__ */ jsxs6(Fragment3, { children: [
    query.error.value && /* @__PURE__ */ jsx7(Failure3, { error: query.error.value }),
    unplaced.length > 0 && /* @__PURE__ */ jsxs6(Fragment3, { children: [
      /* @__PURE__ */ jsxs6("h3", { children: [
        "Without a rack (",
        number4(answer?.totalCount ?? 0),
        ")"
      ] }),
      /* @__PURE__ */ jsx7("ul", { class: "tray", children: unplaced.map((it) => chip(it, first, "")) })
    ] }),
    without.length > 0 && /* @__PURE__ */ jsxs6(Fragment3, { children: [
      /* @__PURE__ */ jsxs6("h3", { children: [
        "Without a unit (",
        number4(without.length),
        ")"
      ] }),
      /* @__PURE__ */ jsx7("ul", { class: "tray", children: without.map(({ it, rack }) => chip(it, rack, racks.length > 1 ? rack.name : "")) })
    ] })
  ] });
}

// src/screens/rack-step.ts
import { ask as ask3, asRefused as asRefused3, go as go3, pathOf as pathOf4, say as say3, url as url2 } from "./main.js";
var MOST = 1e3;
var DOCUMENT2 = `query Row($filter: RackFilter) { racks(filter: $filter, first: ${MOST}, orderBy: {by: KEY}) { nodes { __typename id name site { __typename id name } location { id name } } } }`;
async function stepRack(rack, by) {
  const filter = rack.location ? { location: { id: { eq: rack.location.id } } } : { site: { id: { eq: rack.site.id } }, location: { isNull: true } };
  try {
    const row = inOrder((await ask3(DOCUMENT2, { filter })).data.racks.nodes);
    const next = row[row.findIndex((it) => it.id === rack.id) + by];
    if (!next) return say3(by > 0 ? "This is the last rack of its row." : "This is the first rack of its row.");
    const params = new URLSearchParams(url2.value.search);
    params.delete("device");
    go3(`${pathOf4("Rack", next)}/elevation?${params}`, "replace");
  } catch (error) {
    say3(asRefused3(error).message);
  }
}

// src/screens/rack-elevations.tsx
import { jsx as jsx8, jsxs as jsxs7 } from "./main.js";
var RackList = lazy(async () => (await import("./rack-list.js")).RackList);
var FEW_RACKS = 30;
function useRoom() {
  const box = useRef3(null);
  const [height, setHeight] = useState4(720);
  useEffect4(() => {
    const element = box.current;
    if (!element) return void 0;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, height };
}
function Elevations({ racks: rows, lit, total, single, title, next, error }) {
  const look = lookOf(url3.value.searchParams, single);
  const [ports, setPorts] = useState4(/* @__PURE__ */ new Map());
  const selected = url3.value.searchParams.get("device");
  const setSelected = (id) => setParams3({ device: id }, "replace");
  const [asked, setAsked] = useState4(null);
  const { box, height } = useRoom();
  const there = useMemo3(() => rows.map((it) => withLight(withPorts(it, ports.get(it.id)), lit)), [rows, ports, lit]);
  const racks = useMemo3(() => withMoves(there), [there, review.value]);
  const devices = racks.flatMap((it) => it.devices);
  const shown = look.hideRetired ? devices.filter((it) => !isRetired(it)) : devices;
  const legend = legendOf(shown, look.by);
  const found = look.q ? new Set(shown.filter((it) => fits(it, look.q)).map((it) => it.id)) : null;
  const device = devices.find((it) => it.id === selected) ?? null;
  const ask4 = (it) => {
    putBack();
    if (allowed()) setAsked(it);
  };
  const sites = new Set(racks.map((it) => it.site.id)).size;
  const columns = racks.flatMap((rack) => facesOf(look, single).map((face) => ({ rack, face })));
  useEffect4(() => putBack, []);
  const open = (id) => {
    const it = devices.find((one) => one.id === id);
    if (it) go4(pathOf5("Device", { id: it.id }));
  };
  useCommands2({
    ...device ? {
      out: () => setSelected(null),
      impact: () => intoBasket2([device.id]),
      trace: () => go4(`${pathOf5("Device", { id: device.id })}/trace`)
    } : {},
    ...device && !refusal4("apply") ? { move: () => ask4(device), edit: () => edit(device.id) } : {},
    ...single && racks[0] ? { up: () => go4(pathOf5("Rack", { ...racks[0] })), "back-one": () => void stepRack(racks[0], -1), "on-one": () => void stepRack(racks[0], 1) } : {}
  });
  const edit = (id) => {
    const kind = kindOf("Device");
    if (kind) openForm({ kind, objects: [id] });
  };
  const pick = (id) => {
    const rack = racks.find((it2) => it2.devices.some((one) => one.id === id));
    const it = devices.find((one) => one.id === id);
    if (rack && it) pickUp(it, fromPlace(it, rack));
  };
  const handlers = {
    onSelect: setSelected,
    onDown: (event, id) => {
      const it = devices.find((one) => one.id === id);
      if (it) beginDrag(event, it, racks, box.current);
    },
    onKey: (event, id) => walkKeys(event, id, columns, { focus: setSelected, pick, open })
  };
  return /* @__PURE__ */ jsxs7("section", { class: "racks", "aria-label": title, onKeyDown: (event) => moveKeys(event, columns), children: [
    /* @__PURE__ */ jsx8(RackBar, { title, rack: single ? racks[0] ?? null : null, look, single, total, count: racks.length, found: found?.size ?? null, next, box }),
    error && /* @__PURE__ */ jsx8(Failure4, { error }),
    look.lit && /* @__PURE__ */ jsx8(LitLine, { lit, devices, part: single || url3.value.searchParams.has("within") }),
    /* @__PURE__ */ jsxs7("div", { class: "rack-beside", children: [
      /* @__PURE__ */ jsxs7("div", { class: `rack-drawings print-${look.print}`, ref: box, tabIndex: 0, role: "region", "aria-label": `${title}, ${look.list ? "as a table" : "drawing"}`, children: [
        look.list ? /* @__PURE__ */ jsx8(RackList, { racks, look, found, onMove: ask4 }) : racks.map((rack) => /* @__PURE__ */ jsx8(
          RackColumn,
          {
            rack,
            look,
            single,
            sites: sites > 1,
            few: racks.length <= FEW_RACKS,
            legend,
            found,
            selected,
            room: height,
            handlers,
            onPorts: (answer) => setPorts((before) => new Map(before).set(rack.id, answer))
          },
          rack.id
        )),
        racks.length === 0 && /* @__PURE__ */ jsx8("p", { class: "empty", children: "No rack fits these filters." })
      ] }),
      /* @__PURE__ */ jsx8(RackPane, { racks, single, look, legend, device, onMove: ask4, onPick: pick, onClose: () => setSelected(null), box })
    ] }),
    /* @__PURE__ */ jsx8(MoveBar, {}),
    asked && /* @__PURE__ */ jsx8(MoveDialog, { device: asked, racks, onClose: () => setAsked(null) })
  ] });
}

// src/screens/rack.lazy.tsx
import { jsx as jsx9 } from "./main.js";
var Gone = lazy2(async () => (await import("./detail.js")).Gone);
var TOUCHED = ["Rack", "Device"];
function RackScreen({ rest }) {
  const kind = kindOf2("Rack");
  if (!kind) return null;
  const found = useResolved(kind, rest);
  if (found.error) return /* @__PURE__ */ jsx9(Failure5, { error: found.error });
  if (found.waiting) return /* @__PURE__ */ jsx9("p", { class: "waiting", children: "Reading\u2026" });
  if (!found.id) return /* @__PURE__ */ jsx9(Gone, { kind, rest });
  return /* @__PURE__ */ jsx9(One, { id: found.id }, found.id);
}
function One({ id }) {
  const query = useQuery5(RACKS, { filter: { id: { eq: id } }, after: null }, TOUCHED);
  const row = query.data.value?.racks.nodes[0];
  const { lit } = useLit();
  useEffect5(() => {
    if (!row) return void 0;
    trail.value = [{ name: row.name, path: pathOf6("Rack", { ...row }) }, { name: "Elevation", path: url4.value.pathname }];
    document.title = `${row.name} \xB7 Elevation \xB7 Underlay`;
    return () => {
      trail.value = [];
    };
  }, [row?.name]);
  if (!query.data.value) return query.error.value ? /* @__PURE__ */ jsx9(Failure5, { error: query.error.value, again: () => void query.read() }) : /* @__PURE__ */ jsx9("p", { class: "waiting", children: "Reading\u2026" });
  const kind = kindOf2("Rack");
  if (!row) return kind ? /* @__PURE__ */ jsx9(Gone, { kind, rest: [id] }) : null;
  return /* @__PURE__ */ jsx9(Elevations, { racks: [rackOf(row)], lit, total: 1, single: true, title: row.name, next: null, error: query.error.value });
}
function RowScreen() {
  const kind = kindOf2("Rack");
  const params = url4.value.searchParams;
  const unfit = kind ? unfitOf(kind, params, OWN) : [];
  const { lit, error } = useLit();
  const own = kind ? filterOf(kind, filtersIn(params)) : null;
  const reached = lit && !own ? { id: { in: lit.racks } } : own;
  const filter = kind ? narrow(kind, reached, narrowedTo()) : null;
  const wait = askedOf().length > 0 && !lit && !own;
  const query = useQuery5(wait ? "{ revision }" : RACKS, wait ? {} : { filter, after: params.get("after") }, TOUCHED);
  const answer = query.data.value?.racks;
  useEffect5(() => {
    document.title = "Elevations \xB7 Underlay";
  }, []);
  if (unfit.length > 0) return /* @__PURE__ */ jsx9(Unfit, { title: "Elevations", unfit });
  if (error && !lit) return /* @__PURE__ */ jsx9(Failure5, { error });
  if (!answer) return query.error.value ? /* @__PURE__ */ jsx9(Failure5, { error: query.error.value, again: () => void query.read() }) : /* @__PURE__ */ jsx9("p", { class: "waiting", children: "Reading\u2026" });
  return /* @__PURE__ */ jsx9(
    Elevations,
    {
      racks: inOrder(answer.nodes.map(rackOf)),
      lit,
      total: answer.totalCount,
      single: false,
      title: "Elevations",
      error: query.error.value,
      next: answer.pageInfo.hasNextPage ? answer.pageInfo.endCursor : null
    }
  );
}
var OWN = ["by", "ports", "retired", "view", "face", "device", "after", "of"];
function filtersIn(params) {
  const copy = new URLSearchParams(params);
  for (const name of ["q", "device", "of"]) copy.delete(name);
  return copy;
}
export {
  RackScreen,
  RowScreen
};
