// src/screens/rack-list.lazy.tsx
import { Act, EnumValue, enumWords as enumWords2, number, pathOf, refusal } from "./main.js";

// src/draw/units.ts
var FACES = ["FRONT", "REAR"];
var HALF = 0.5;
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
function unitWords(start, height) {
  if (start === null) return "no unit";
  const last = start + height - 1;
  return last > start ? `U${start}\u2013${last}` : `U${start}`;
}
function linesOf(heightU, devices) {
  const placed = devices.filter((it) => it.start !== null).map((it) => ({ device: it, start: it.start, height: it.height, face: it.face }));
  const free = FACES.flatMap((face) => freeRuns(heightU, devices, face).map((it) => ({ device: null, ...it, face })));
  const top = (it) => (it.start ?? 0) + it.height;
  const sorted = [...placed, ...free].sort((a, b) => top(b) - top(a) || (a.face === b.face ? 0 : a.face === "FRONT" ? -1 : 1));
  const without = devices.filter((it) => it.start === null).map((it) => ({ device: it, start: null, height: it.height, face: it.face }));
  return [...sorted, ...without];
}

// src/screens/effects.tsx
import { jsx } from "./main.js";
var EFFECT_WORDS = {
  DOWN: { word: "Down", tone: "bad" },
  ISOLATED: { word: "Cut off", tone: "warn" },
  DEGRADED: { word: "Less redundant", tone: "plan" }
};
var effectWords = (effect) => EFFECT_WORDS[effect].word;
var lightWords = (effect) => effect in EFFECT_WORDS ? effectWords(effect) : "Fails";

// src/screens/rack-data.ts
import { enumWords } from "./main.js";
var RACKS_AT_ONCE = 100;
var DEVICE = "id name role status tenant model serial assetTag version placement { startUnit unitHeight face fullDepth }";
var RACKS = `query Elevations($filter: RackFilter, $after: String) {
  racks(filter: $filter, first: ${RACKS_AT_ONCE}, after: $after, orderBy: {by: KEY}) {
    totalCount pageInfo { endCursor hasNextPage }
    nodes { __typename id name heightU row cage status site { __typename id name } location { __typename id name } devices(first: 200) { nodes { ${DEVICE} } } }
  }
}`;
var UNPLACED = `query Unplaced($sites: [ID!]!) {
  devices(first: 100, orderBy: {by: NAME}, filter: {site: {id: {in: $sites}}, rack: {isNull: true}, parent: {isNull: true}, not: {status: {in: [RETIRED]}}}) {
    totalCount nodes { ${DEVICE} }
  }
}`;
var isRetired = (it) => it.status === "RETIRED" || it.status === "DECOMMISSIONING";

// src/screens/rack-list.lazy.tsx
import { jsx as jsx2, jsxs } from "./main.js";
function RackList({ racks, look, found, onMove }) {
  return /* @__PURE__ */ jsx2("div", { class: "rack-lists", children: racks.map((rack) => /* @__PURE__ */ jsxs("table", { class: "units", children: [
    /* @__PURE__ */ jsxs("caption", { children: [
      /* @__PURE__ */ jsx2("a", { href: pathOf("Rack", { ...rack }), children: /* @__PURE__ */ jsx2("bdi", { children: rack.name }) }),
      " ",
      /* @__PURE__ */ jsxs("span", { class: "quiet", children: [
        rack.heightU,
        " U at ",
        /* @__PURE__ */ jsx2("bdi", { children: rack.site.name })
      ] })
    ] }),
    /* @__PURE__ */ jsx2("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Units" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Face" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Device" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Role" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Status" }),
      look.lit && /* @__PURE__ */ jsx2("th", { scope: "col", children: "Impact" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Tenant" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Ports" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: /* @__PURE__ */ jsx2("span", { class: "hidden", children: "Actions" }) })
    ] }) }),
    /* @__PURE__ */ jsx2("tbody", { children: linesOf(rack.heightU, rack.devices).filter((it) => !(look.hideRetired && it.device && isRetired(it.device))).map((it) => /* @__PURE__ */ jsx2(UnitRow, { lit: look.lit, line: it, pale: found !== null && !found.has(it.device?.id ?? ""), onMove }, it.device?.id ?? `${it.face} ${it.start}`)) })
  ] }, rack.id)) });
}
function UnitRow({ line, pale, lit, onMove }) {
  const { device } = line;
  const face = `${line.face === "FRONT" ? "Front" : "Rear"}${device?.fullDepth ? ", full depth" : ""}`;
  if (!device) {
    return /* @__PURE__ */ jsxs("tr", { class: "free", children: [
      /* @__PURE__ */ jsx2("td", { children: unitWords(line.start, line.height) }),
      /* @__PURE__ */ jsx2("td", { children: face }),
      /* @__PURE__ */ jsxs("td", { colSpan: lit ? 7 : 6, children: [
        number(line.height),
        " U free"
      ] })
    ] });
  }
  const cabled = device.dots?.filter((it) => it.state === "cabled").length ?? 0;
  return /* @__PURE__ */ jsxs("tr", { class: pale ? "pale" : void 0, children: [
    /* @__PURE__ */ jsx2("td", { children: unitWords(line.start, line.height) }),
    /* @__PURE__ */ jsx2("td", { children: face }),
    /* @__PURE__ */ jsxs("th", { scope: "row", children: [
      /* @__PURE__ */ jsx2("a", { href: pathOf("Device", { id: device.id }), children: /* @__PURE__ */ jsx2("bdi", { children: device.name }) }),
      device.planned && /* @__PURE__ */ jsx2("span", { class: "quiet", children: " moved, not written yet" })
    ] }),
    /* @__PURE__ */ jsx2("td", { children: enumWords2(device.role) }),
    /* @__PURE__ */ jsx2("td", { children: /* @__PURE__ */ jsx2(EnumValue, { field: "status", value: device.status }) }),
    lit && /* @__PURE__ */ jsx2("td", { children: device.effect && lightWords(device.effect) }),
    /* @__PURE__ */ jsx2("td", { children: /* @__PURE__ */ jsx2("bdi", { children: device.tenant }) }),
    /* @__PURE__ */ jsx2("td", { children: device.dots && `${number(cabled)} of ${number(device.dots.length)}` }),
    /* @__PURE__ */ jsx2("td", { children: /* @__PURE__ */ jsx2(Act, { refusal: refusal("apply"), label: `Move ${device.name} to\u2026`, onClick: () => onMove(device), children: "Move\u2026" }) })
  ] });
}
export {
  RackList
};
