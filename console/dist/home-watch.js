// src/screens/home-watch.lazy.tsx
import { EnumValue as EnumValue2, Failure as Failure3, impactPath, nameById, narrowedTo as narrowedTo3, number as number3, pathOf as pathOf2, placeFilter, since as since2, useQuery as useQuery3 } from "./main.js";

// src/screens/source-words.ts
var HEALTH = {
  NEVER: "No full run has succeeded yet. Start its synchronizer, and look at its messages.",
  FRESH: "The last full run succeeded in time.",
  STALE: "No full run has succeeded for twice the interval. See that its synchronizer runs and reaches the source.",
  FAILING: "The last three runs failed. Their errors say why.",
  HELD: "A run would remove or empty more than the limits allow. Nothing is removed until somebody decides below.",
  PAUSED: "It is paused: no run starts until it goes on."
};
var healthWords = (health) => HEALTH[health] ?? "";

// src/screens/thing.tsx
import { pathOf, titleOf } from "./main.js";

// src/screens/things.ts
var REPORTED = "kind path node { id ... on Object { name } }";
function whereOf(path, name) {
  const whole = path.slice(path.indexOf("/") + 1);
  return whole.endsWith(name) ? whole.slice(0, -name.length).replace(/\/$/, "") : "";
}
function thingOf(it) {
  return { id: it.node.id, name: it.node.name ?? it.path.slice(it.path.indexOf("/") + 1), kind: it.kind, path: it.path };
}

// src/screens/thing.tsx
import { jsx, jsxs } from "./main.js";
function ThingLink({ it, quiet, kind = true }) {
  const where = whereOf(it.path, it.name);
  return /* @__PURE__ */ jsxs("span", { class: "thing", children: [
    kind && /* @__PURE__ */ jsx("span", { class: "thing-kind", children: titleOf(it.kind) }),
    /* @__PURE__ */ jsx("a", { href: pathOf(it.kind, { id: it.id }), tabIndex: quiet ? -1 : void 0, title: it.name, children: /* @__PURE__ */ jsx("bdi", { children: it.name }) }),
    where && /* @__PURE__ */ jsx("bdi", { class: "quiet", children: where })
  ] });
}

// src/screens/home-lately.tsx
import { EnumValue, Failure, idOrPath, lastRevision, nameOfChange, narrowedTo, number, revision, since, titleOf as titleOf2, useEffect, useQuery, useState } from "./main.js";
import { jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var ASKED = 200;
var CHANGES = `query Lately($filter: ChangeFilter) { changes(filter: $filter, first: ${ASKED}) {
  nodes { revision position kind objectId name operation actor at }
} }`;
var SHOWN = 15;
function alike(changes) {
  const groups = /* @__PURE__ */ new Map();
  for (const it of changes) {
    const key = `${it.revision} ${it.kind} ${it.operation}`;
    const found = groups.get(key);
    if (found) found.more += 1;
    else groups.set(key, { first: it, more: 0 });
  }
  return [...groups.values()];
}
function Lately() {
  const [last] = useState(lastRevision);
  const [from, setFrom] = useState(last);
  const query = useQuery(CHANGES, { filter: from > 0 ? { fromRevision: from + 1 } : {} }, "all");
  const nodes = query.data.value?.changes?.nodes ?? [];
  const groups = alike(nodes);
  useEffect(() => {
    if (last > revision.value && revision.value > 0) setFrom(0);
  }, [last, revision.value]);
  if (query.error.value?.code === "FORBIDDEN") return null;
  return /* @__PURE__ */ jsxs2("section", { "aria-label": "Changes", children: [
    /* @__PURE__ */ jsxs2("h2", { class: "sub", children: [
      from > 0 ? `Since you were last here, at revision ${from}` : "The latest changes",
      narrowedTo() && /* @__PURE__ */ jsx2("span", { class: "quiet", children: " in all places" })
    ] }),
    query.error.value && /* @__PURE__ */ jsx2(Failure, { error: query.error.value }),
    query.data.value && nodes.length === 0 && /* @__PURE__ */ jsxs2("p", { class: "quiet", children: [
      "Nothing changed. ",
      /* @__PURE__ */ jsx2("button", { type: "button", onClick: () => setFrom(0), children: "Show the latest changes" })
    ] }),
    /* @__PURE__ */ jsx2("ul", { class: "lately", children: groups.slice(0, SHOWN).map(({ first: it, more }) => /* @__PURE__ */ jsxs2("li", { children: [
      /* @__PURE__ */ jsx2("a", { href: `/changes/${it.revision}`, children: it.revision }),
      /* @__PURE__ */ jsx2(EnumValue, { field: "operation", value: it.operation }),
      /* @__PURE__ */ jsx2("span", { class: "quiet", children: titleOf2(it.kind) }),
      it.operation === "DELETED" ? /* @__PURE__ */ jsx2("bdi", { children: nameOfChange(it) }) : /* @__PURE__ */ jsx2("a", { href: idOrPath(it.kind, it.objectId), children: /* @__PURE__ */ jsx2("bdi", { children: nameOfChange(it) }) }),
      more > 0 && /* @__PURE__ */ jsxs2("a", { href: `/changes/${it.revision}`, children: [
        "and ",
        nodes.length === ASKED ? "at least " : "",
        number(more),
        " more"
      ] }),
      /* @__PURE__ */ jsxs2("span", { class: "quiet", children: [
        /* @__PURE__ */ jsx2("bdi", { children: it.actor }),
        ", ",
        /* @__PURE__ */ jsx2("time", { dateTime: it.at, children: since(it.at) })
      ] })
    ] }, `${it.revision} ${it.position}`)) })
  ] });
}

// src/screens/home-space.tsx
import { Failure as Failure2, narrow, narrowedTo as narrowedTo2, kindOf, number as number2, useQuery as useQuery2 } from "./main.js";

// src/screens/space-sums.ts
function sumsOf(racks) {
  const several = new Set(racks.map((it) => it.site.id)).size > 1;
  const groups = /* @__PURE__ */ new Map();
  for (const it of racks) {
    const place = several ? it.site : it.location ?? it.site;
    const group = groups.get(place.id) ?? { place, racks: [] };
    group.racks.push(it);
    groups.set(place.id, group);
  }
  const compare = new Intl.Collator(void 0, { numeric: true }).compare;
  return [...groups.values()].map((it) => sum(it.place, it.racks)).sort((a, b) => compare(a.name, b.name));
}
function sum(place, racks) {
  const all = (of) => racks.reduce((total, it) => total + of(it), 0);
  return {
    ...place,
    racks: racks.length,
    used: all((it) => it.unitsUsed),
    free: all((it) => it.unitsFree),
    largest: Math.max(0, ...racks.map((it) => it.largestFree)),
    rated: watts(racks.map((it) => it.powerRatedW), false),
    drawn: watts(racks.map((it) => it.powerDrawW?.maximum ?? null), racks.some((it) => (it.powerDrawW?.unknown ?? 0) > 0))
  };
}
function watts(parts, unknown) {
  const known = parts.filter((it) => it !== null);
  return known.length === 0 ? null : { watts: known.reduce((total, it) => total + it, 0), unknown: unknown || known.length < parts.length };
}

// src/screens/home-space.tsx
import { Fragment, jsx as jsx3, jsxs as jsxs3 } from "./main.js";
var MOST = 1e3;
var DOCUMENT = `query Space($filter: RackFilter) { racks(filter: $filter, first: ${MOST}) { totalCount nodes {
  site { id name } location { id name } unitsUsed unitsFree largestFree powerDrawW { maximum unknown } powerRatedW
} } }`;
function Space() {
  const rack = kindOf("Rack");
  const filter = rack ? narrow(rack, null, narrowedTo2()) : null;
  const query = useQuery2(DOCUMENT, { filter }, ["Rack", "Device"]);
  const racks = query.data.value?.racks;
  if (query.error.value) return /* @__PURE__ */ jsx3(Failure2, { error: query.error.value, again: () => void query.read() });
  if (!racks || racks.nodes.length === 0) return null;
  const sums = sumsOf(racks.nodes);
  return /* @__PURE__ */ jsxs3("section", { "aria-label": "Space and power", children: [
    /* @__PURE__ */ jsxs3("h2", { class: "sub", children: [
      "Space and power ",
      racks.totalCount > racks.nodes.length && /* @__PURE__ */ jsxs3("span", { class: "quiet", children: [
        "of the first ",
        number2(racks.nodes.length),
        " of ",
        number2(racks.totalCount),
        " racks: narrow it to a place"
      ] })
    ] }),
    /* @__PURE__ */ jsx3("div", { class: "counts-box", tabIndex: 0, role: "region", "aria-label": "Space and power as a table", children: /* @__PURE__ */ jsxs3("table", { class: "units space", children: [
      /* @__PURE__ */ jsx3("thead", { children: /* @__PURE__ */ jsxs3("tr", { children: [
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Place" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", class: "numeric", children: "Racks" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Taken" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", class: "numeric", children: "Units free" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", class: "numeric", children: "Largest run" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", class: "numeric", children: "Rated power" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", class: "numeric", children: "Most drawn" })
      ] }) }),
      /* @__PURE__ */ jsx3("tbody", { children: sums.map((it) => /* @__PURE__ */ jsxs3("tr", { children: [
        /* @__PURE__ */ jsx3("th", { scope: "row", children: /* @__PURE__ */ jsx3("a", { href: `/elevations?within=${it.id}`, title: "Show its racks", children: /* @__PURE__ */ jsx3("bdi", { children: it.name }) }) }),
        /* @__PURE__ */ jsx3("td", { class: "numeric", children: number2(it.racks) }),
        /* @__PURE__ */ jsx3("td", { children: /* @__PURE__ */ jsxs3("span", { class: "bar", children: [
          /* @__PURE__ */ jsxs3("b", { children: [
            number2(Math.round(100 * it.used / Math.max(1, it.used + it.free))),
            " %"
          ] }),
          /* @__PURE__ */ jsx3("svg", { "aria-hidden": "true", viewBox: "0 0 100 8", preserveAspectRatio: "none", children: /* @__PURE__ */ jsx3("rect", { class: "bar-fill", width: 100 * it.used / Math.max(1, it.used + it.free), height: "8" }) })
        ] }) }),
        /* @__PURE__ */ jsxs3("td", { class: "numeric", children: [
          number2(it.free),
          " U"
        ] }),
        /* @__PURE__ */ jsxs3("td", { class: "numeric", children: [
          number2(it.largest),
          " U"
        ] }),
        /* @__PURE__ */ jsx3("td", { class: "numeric", children: /* @__PURE__ */ jsx3(Power, { sum: it.rated }) }),
        /* @__PURE__ */ jsx3("td", { class: "numeric", children: /* @__PURE__ */ jsx3(Power, { sum: it.drawn }) })
      ] }, it.id)) })
    ] }) })
  ] });
}
function Power({ sum: sum2 }) {
  if (!sum2) return /* @__PURE__ */ jsx3("span", { class: "quiet", children: "not recorded" });
  return /* @__PURE__ */ jsxs3(Fragment, { children: [
    sum2.unknown ? "at least " : "",
    number2(Math.round(sum2.watts / 100) / 10),
    " kW"
  ] });
}

// src/screens/home-watch.lazy.tsx
import { jsx as jsx4, jsxs as jsxs4 } from "./main.js";
var BEHIND = `{ sources(filter: {health: {in: [HELD, FAILING, STALE, NEVER]}}, first: 20) { totalCount nodes { id name health lastSuccessAt } }
  hosts(filter: {state: {eq: FAILED}}, first: 20) { totalCount nodes { id name failure { reason message } } } }`;
var SITES = "query Sites($place: SiteFilter!) { sites(filter: {and: [{status: {eq: ACTIVE}}, $place]}, first: 12) { nodes { id name } } }";
var WORST = 4;
var PLACES = /* @__PURE__ */ new Set(["Region", "Site", "Location"]);
var ASKED2 = 60;
function Attention() {
  const query = useQuery3(BEHIND, {}, ["Source", "Host"]);
  const it = query.data.value;
  if (query.error.value) return /* @__PURE__ */ jsx4(Failure3, { error: query.error.value });
  if (!it || it.sources.totalCount + it.hosts.totalCount === 0) return null;
  return /* @__PURE__ */ jsxs4("div", { class: "cards watch", children: [
    it.sources.totalCount > 0 && /* @__PURE__ */ jsxs4("section", { class: "card", "aria-label": "Sources behind", children: [
      /* @__PURE__ */ jsxs4("h2", { children: [
        "Sources behind ",
        /* @__PURE__ */ jsx4("span", { class: "count", children: number3(it.sources.totalCount) })
      ] }),
      /* @__PURE__ */ jsx4("ul", { children: it.sources.nodes.map((one) => /* @__PURE__ */ jsxs4("li", { children: [
        /* @__PURE__ */ jsxs4("a", { href: `/sources-board?source=${encodeURIComponent(one.name)}`, title: healthWords(one.health), children: [
          /* @__PURE__ */ jsx4("bdi", { children: one.name }),
          /* @__PURE__ */ jsx4(EnumValue2, { field: "health", value: one.health })
        ] }),
        /* @__PURE__ */ jsx4("p", { class: "quiet", children: one.lastSuccessAt ? `read ${since2(one.lastSuccessAt)}` : "never read" })
      ] }, one.id)) })
    ] }),
    it.hosts.totalCount > 0 && /* @__PURE__ */ jsxs4("section", { class: "card", "aria-label": "Failed hosts", children: [
      /* @__PURE__ */ jsxs4("h2", { children: [
        /* @__PURE__ */ jsx4("a", { href: "/hosts-board?state=FAILED", children: "Failed hosts" }),
        " ",
        /* @__PURE__ */ jsx4("span", { class: "count", children: number3(it.hosts.totalCount) })
      ] }),
      /* @__PURE__ */ jsx4("ul", { children: it.hosts.nodes.map((one) => /* @__PURE__ */ jsxs4("li", { children: [
        /* @__PURE__ */ jsxs4("a", { href: pathOf2("Host", one), children: [
          /* @__PURE__ */ jsx4("bdi", { children: one.name }),
          /* @__PURE__ */ jsx4("b", { children: one.failure?.reason })
        ] }),
        /* @__PURE__ */ jsx4("p", { class: "quiet", children: one.failure?.message })
      ] }, one.id)) })
    ] })
  ] });
}
function SinglePoints() {
  const place = narrowedTo3();
  const query = useQuery3(SITES, { place: placeFilter("Site", place) ?? {} }, ["Site"]);
  const found = query.data.value?.sites.nodes ?? [];
  const sites = query.data.value && found.length === 0 && place ? [{ id: place, name: nameById(place) ?? "\u2026" }] : found;
  if (query.error.value) return /* @__PURE__ */ jsx4(Failure3, { error: query.error.value });
  return sites.length > 0 ? /* @__PURE__ */ jsx4(Worst, { sites }, sites.map((it) => it.id).join()) : null;
}
function Worst({ sites }) {
  const text = `query Worst(${sites.map((_, at) => `$s${at}: ID!`).join(", ")}) { ${sites.map((_, at) => `s${at}: singlePointsOfFailure(within: $s${at}, first: ${ASKED2}) { ${REPORTED} count }`).join(" ")} }`;
  const query = useQuery3(text, Object.fromEntries(sites.map((it, at) => [`s${at}`, it.id])), []);
  return /* @__PURE__ */ jsxs4("section", { "aria-label": "Single points of failure by place", children: [
    /* @__PURE__ */ jsxs4("h2", { class: "sub", children: [
      "Single points of failure by place ",
      /* @__PURE__ */ jsx4("button", { type: "button", class: "plain", disabled: query.waiting.value, onClick: () => void query.read(), children: query.waiting.value ? "Working it out\u2026" : "Look again" })
    ] }),
    query.error.value && /* @__PURE__ */ jsx4(Failure3, { error: query.error.value }),
    query.data.value && /* @__PURE__ */ jsx4("div", { class: "cards watch", children: sites.map((site, at) => {
      const points = (query.data.value?.[`s${at}`] ?? []).filter((it) => !PLACES.has(it.kind)).slice(0, WORST);
      return /* @__PURE__ */ jsxs4("section", { class: "card", "aria-label": site.name, children: [
        /* @__PURE__ */ jsx4("h2", { children: /* @__PURE__ */ jsx4("a", { href: `/single-points?within=${site.id}`, children: /* @__PURE__ */ jsx4("bdi", { children: site.name }) }) }),
        /* @__PURE__ */ jsxs4("ul", { children: [
          points.map((it) => /* @__PURE__ */ jsxs4("li", { class: "watch-point", children: [
            /* @__PURE__ */ jsx4(ThingLink, { it: thingOf(it) }),
            /* @__PURE__ */ jsxs4("a", { href: impactPath([it.node.id]), children: [
              "takes ",
              number3(it.count)
            ] })
          ] }, it.node.id)),
          points.length === 0 && /* @__PURE__ */ jsx4("li", { class: "quiet", children: "none" })
        ] })
      ] }, site.id);
    }) })
  ] });
}
export {
  Attention,
  Lately,
  SinglePoints,
  Space
};
