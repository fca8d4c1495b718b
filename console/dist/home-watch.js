// src/screens/home-watch.lazy.tsx
import { EnumValue, Failure as Failure2, impactPath, nameById, narrowedTo as narrowedTo2, number as number2, pathOf as pathOf2, placeFilter, since, useQuery as useQuery2 } from "./main.js";

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
var TOLD = "kind path node { id ... on Object { name } }";
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

// src/screens/home-space.tsx
import { Failure, narrow, narrowedTo, kindOf, number, useQuery } from "./main.js";

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
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var MOST = 1e3;
var DOCUMENT = `query Space($filter: RackFilter) { racks(filter: $filter, first: ${MOST}) { totalCount nodes {
  site { id name } location { id name } unitsUsed unitsFree largestFree powerDrawW { maximum unknown } powerRatedW
} } }`;
function Space() {
  const rack = kindOf("Rack");
  const filter = rack ? narrow(rack, null, narrowedTo()) : null;
  const query = useQuery(DOCUMENT, { filter }, ["Rack", "Device"]);
  const racks = query.data.value?.racks;
  if (query.error.value) return /* @__PURE__ */ jsx2(Failure, { error: query.error.value, again: () => void query.read() });
  if (!racks || racks.nodes.length === 0) return null;
  const sums = sumsOf(racks.nodes);
  return /* @__PURE__ */ jsxs2("section", { "aria-label": "Space and power", children: [
    /* @__PURE__ */ jsxs2("h2", { class: "sub", children: [
      "Space and power ",
      racks.totalCount > racks.nodes.length && /* @__PURE__ */ jsxs2("span", { class: "quiet", children: [
        "of the first ",
        number(racks.nodes.length),
        " of ",
        number(racks.totalCount),
        " racks: narrow it to a place"
      ] })
    ] }),
    /* @__PURE__ */ jsx2("div", { class: "counts-box", tabIndex: 0, role: "region", "aria-label": "Space and power as a table", children: /* @__PURE__ */ jsxs2("table", { class: "units space", children: [
      /* @__PURE__ */ jsx2("thead", { children: /* @__PURE__ */ jsxs2("tr", { children: [
        /* @__PURE__ */ jsx2("th", { scope: "col", children: "Place" }),
        /* @__PURE__ */ jsx2("th", { scope: "col", class: "numeric", children: "Racks" }),
        /* @__PURE__ */ jsx2("th", { scope: "col", children: "Taken" }),
        /* @__PURE__ */ jsx2("th", { scope: "col", class: "numeric", children: "Units free" }),
        /* @__PURE__ */ jsx2("th", { scope: "col", class: "numeric", children: "Largest run" }),
        /* @__PURE__ */ jsx2("th", { scope: "col", class: "numeric", children: "Rated power" }),
        /* @__PURE__ */ jsx2("th", { scope: "col", class: "numeric", children: "Most drawn" })
      ] }) }),
      /* @__PURE__ */ jsx2("tbody", { children: sums.map((it) => /* @__PURE__ */ jsxs2("tr", { children: [
        /* @__PURE__ */ jsx2("th", { scope: "row", children: /* @__PURE__ */ jsx2("a", { href: `/elevations?within=${it.id}`, title: "Show its racks", children: /* @__PURE__ */ jsx2("bdi", { children: it.name }) }) }),
        /* @__PURE__ */ jsx2("td", { class: "numeric", children: number(it.racks) }),
        /* @__PURE__ */ jsx2("td", { children: /* @__PURE__ */ jsxs2("span", { class: "bar", children: [
          /* @__PURE__ */ jsxs2("b", { children: [
            number(Math.round(100 * it.used / Math.max(1, it.used + it.free))),
            " %"
          ] }),
          /* @__PURE__ */ jsx2("svg", { "aria-hidden": "true", viewBox: "0 0 100 8", preserveAspectRatio: "none", children: /* @__PURE__ */ jsx2("rect", { class: "bar-fill", width: 100 * it.used / Math.max(1, it.used + it.free), height: "8" }) })
        ] }) }),
        /* @__PURE__ */ jsxs2("td", { class: "numeric", children: [
          number(it.free),
          " U"
        ] }),
        /* @__PURE__ */ jsxs2("td", { class: "numeric", children: [
          number(it.largest),
          " U"
        ] }),
        /* @__PURE__ */ jsx2("td", { class: "numeric", children: /* @__PURE__ */ jsx2(Power, { sum: it.rated }) }),
        /* @__PURE__ */ jsx2("td", { class: "numeric", children: /* @__PURE__ */ jsx2(Power, { sum: it.drawn }) })
      ] }, it.id)) })
    ] }) })
  ] });
}
function Power({ sum: sum2 }) {
  if (!sum2) return /* @__PURE__ */ jsx2("span", { class: "quiet", children: "not recorded" });
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    sum2.unknown ? "at least " : "",
    number(Math.round(sum2.watts / 100) / 10),
    " kW"
  ] });
}

// src/screens/home-watch.lazy.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./main.js";
var BEHIND = `{ sources(filter: {health: {in: [HELD, FAILING, STALE, NEVER]}}, first: 20) { totalCount nodes { id name health lastSuccessAt } }
  hosts(filter: {state: {eq: FAILED}}, first: 20) { totalCount nodes { id name failure { reason message } } } }`;
var SITES = "query Sites($place: SiteFilter!) { sites(filter: {and: [{status: {eq: ACTIVE}}, $place]}, first: 12) { nodes { id name } } }";
var WORST = 4;
var PLACES = /* @__PURE__ */ new Set(["Region", "Site", "Location"]);
var ASKED = 60;
function Attention() {
  const query = useQuery2(BEHIND, {}, ["Source", "Host"]);
  const it = query.data.value;
  if (query.error.value) return /* @__PURE__ */ jsx3(Failure2, { error: query.error.value });
  if (!it || it.sources.totalCount + it.hosts.totalCount === 0) return null;
  return /* @__PURE__ */ jsxs3("div", { class: "cards watch", children: [
    it.sources.totalCount > 0 && /* @__PURE__ */ jsxs3("section", { class: "card", "aria-label": "Sources behind", children: [
      /* @__PURE__ */ jsxs3("h2", { children: [
        "Sources behind ",
        /* @__PURE__ */ jsx3("span", { class: "count", children: number2(it.sources.totalCount) })
      ] }),
      /* @__PURE__ */ jsx3("ul", { children: it.sources.nodes.map((one) => /* @__PURE__ */ jsxs3("li", { children: [
        /* @__PURE__ */ jsxs3("a", { href: `/sources-board?source=${encodeURIComponent(one.name)}`, title: healthWords(one.health), children: [
          /* @__PURE__ */ jsx3("bdi", { children: one.name }),
          /* @__PURE__ */ jsx3(EnumValue, { field: "health", value: one.health })
        ] }),
        /* @__PURE__ */ jsx3("p", { class: "quiet", children: one.lastSuccessAt ? `read ${since(one.lastSuccessAt)}` : "never read" })
      ] }, one.id)) })
    ] }),
    it.hosts.totalCount > 0 && /* @__PURE__ */ jsxs3("section", { class: "card", "aria-label": "Failed hosts", children: [
      /* @__PURE__ */ jsxs3("h2", { children: [
        /* @__PURE__ */ jsx3("a", { href: "/hosts-board?state=FAILED", children: "Failed hosts" }),
        " ",
        /* @__PURE__ */ jsx3("span", { class: "count", children: number2(it.hosts.totalCount) })
      ] }),
      /* @__PURE__ */ jsx3("ul", { children: it.hosts.nodes.map((one) => /* @__PURE__ */ jsxs3("li", { children: [
        /* @__PURE__ */ jsxs3("a", { href: pathOf2("Host", one), children: [
          /* @__PURE__ */ jsx3("bdi", { children: one.name }),
          /* @__PURE__ */ jsx3("b", { children: one.failure?.reason })
        ] }),
        /* @__PURE__ */ jsx3("p", { class: "quiet", children: one.failure?.message })
      ] }, one.id)) })
    ] })
  ] });
}
function SinglePoints() {
  const place = narrowedTo2();
  const query = useQuery2(SITES, { place: placeFilter("Site", place) ?? {} }, ["Site"]);
  const found = query.data.value?.sites.nodes ?? [];
  const sites = query.data.value && found.length === 0 && place ? [{ id: place, name: nameById(place) ?? "\u2026" }] : found;
  if (query.error.value) return /* @__PURE__ */ jsx3(Failure2, { error: query.error.value });
  return sites.length > 0 ? /* @__PURE__ */ jsx3(Worst, { sites }, sites.map((it) => it.id).join()) : null;
}
function Worst({ sites }) {
  const text = `query Worst(${sites.map((_, at) => `$s${at}: ID!`).join(", ")}) { ${sites.map((_, at) => `s${at}: singlePointsOfFailure(within: $s${at}, first: ${ASKED}) { ${TOLD} count }`).join(" ")} }`;
  const query = useQuery2(text, Object.fromEntries(sites.map((it, at) => [`s${at}`, it.id])), []);
  return /* @__PURE__ */ jsxs3("section", { "aria-label": "Single points of failure by place", children: [
    /* @__PURE__ */ jsxs3("h2", { class: "sub", children: [
      "Single points of failure by place ",
      /* @__PURE__ */ jsx3("button", { type: "button", class: "plain", disabled: query.waiting.value, onClick: () => void query.read(), children: query.waiting.value ? "Working it out\u2026" : "Look again" })
    ] }),
    query.error.value && /* @__PURE__ */ jsx3(Failure2, { error: query.error.value }),
    query.data.value && /* @__PURE__ */ jsx3("div", { class: "cards watch", children: sites.map((site, at) => {
      const points = (query.data.value?.[`s${at}`] ?? []).filter((it) => !PLACES.has(it.kind)).slice(0, WORST);
      return /* @__PURE__ */ jsxs3("section", { class: "card", "aria-label": site.name, children: [
        /* @__PURE__ */ jsx3("h2", { children: /* @__PURE__ */ jsx3("a", { href: `/single-points?within=${site.id}`, children: /* @__PURE__ */ jsx3("bdi", { children: site.name }) }) }),
        /* @__PURE__ */ jsxs3("ul", { children: [
          points.map((it) => /* @__PURE__ */ jsxs3("li", { class: "watch-point", children: [
            /* @__PURE__ */ jsx3(ThingLink, { it: thingOf(it) }),
            /* @__PURE__ */ jsxs3("a", { href: impactPath([it.node.id]), children: [
              "takes ",
              number2(it.count)
            ] })
          ] }, it.node.id)),
          points.length === 0 && /* @__PURE__ */ jsx3("li", { class: "quiet", children: "none" })
        ] })
      ] }, site.id);
    }) })
  ] });
}
export {
  Attention,
  SinglePoints,
  Space
};
