// src/screens/home-watch.lazy.tsx
import { EnumValue, Failure, impactPath, number, pathOf as pathOf2, since, useQuery } from "./main.js";

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

// src/screens/home-watch.lazy.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var BEHIND = `{ sources(filter: {health: {in: [HELD, FAILING, STALE, NEVER]}}, first: 20) { totalCount nodes { id name health lastSuccessAt } }
  hosts(filter: {state: {eq: FAILED}}, first: 20) { totalCount nodes { id name failure { reason message } } } }`;
var SITES = "query Sites { sites(filter: {status: {eq: ACTIVE}}, first: 12) { nodes { id name } } }";
var WORST = 4;
var PLACES = /* @__PURE__ */ new Set(["Region", "Site", "Location"]);
var ASKED = 60;
function Attention() {
  const query = useQuery(BEHIND, {}, ["Source", "Host"]);
  const it = query.data.value;
  if (query.error.value) return /* @__PURE__ */ jsx2(Failure, { error: query.error.value });
  if (!it || it.sources.totalCount + it.hosts.totalCount === 0) return null;
  return /* @__PURE__ */ jsxs2("div", { class: "cards watch", children: [
    it.sources.totalCount > 0 && /* @__PURE__ */ jsxs2("section", { class: "card", "aria-label": "Sources behind", children: [
      /* @__PURE__ */ jsxs2("h2", { children: [
        "Sources behind ",
        /* @__PURE__ */ jsx2("span", { class: "count", children: number(it.sources.totalCount) })
      ] }),
      /* @__PURE__ */ jsx2("ul", { children: it.sources.nodes.map((one) => /* @__PURE__ */ jsxs2("li", { children: [
        /* @__PURE__ */ jsxs2("a", { href: `/sources-board?source=${encodeURIComponent(one.name)}`, title: healthWords(one.health), children: [
          /* @__PURE__ */ jsx2("bdi", { children: one.name }),
          /* @__PURE__ */ jsx2(EnumValue, { field: "health", value: one.health })
        ] }),
        /* @__PURE__ */ jsx2("p", { class: "quiet", children: one.lastSuccessAt ? `read ${since(one.lastSuccessAt)}` : "never read" })
      ] }, one.id)) })
    ] }),
    it.hosts.totalCount > 0 && /* @__PURE__ */ jsxs2("section", { class: "card", "aria-label": "Failed hosts", children: [
      /* @__PURE__ */ jsxs2("h2", { children: [
        /* @__PURE__ */ jsx2("a", { href: "/hosts-board?state=FAILED", children: "Failed hosts" }),
        " ",
        /* @__PURE__ */ jsx2("span", { class: "count", children: number(it.hosts.totalCount) })
      ] }),
      /* @__PURE__ */ jsx2("ul", { children: it.hosts.nodes.map((one) => /* @__PURE__ */ jsxs2("li", { children: [
        /* @__PURE__ */ jsxs2("a", { href: pathOf2("Host", one), children: [
          /* @__PURE__ */ jsx2("bdi", { children: one.name }),
          /* @__PURE__ */ jsx2("b", { children: one.failure?.reason })
        ] }),
        /* @__PURE__ */ jsx2("p", { class: "quiet", children: one.failure?.message })
      ] }, one.id)) })
    ] })
  ] });
}
function SinglePoints() {
  const query = useQuery(SITES, {}, ["Site"]);
  const sites = query.data.value?.sites.nodes ?? [];
  if (query.error.value) return /* @__PURE__ */ jsx2(Failure, { error: query.error.value });
  return sites.length > 0 ? /* @__PURE__ */ jsx2(Worst, { sites }, sites.map((it) => it.id).join()) : null;
}
function Worst({ sites }) {
  const text = `query Worst(${sites.map((_, at) => `$s${at}: ID!`).join(", ")}) { ${sites.map((_, at) => `s${at}: singlePointsOfFailure(within: $s${at}, first: ${ASKED}) { ${TOLD} count }`).join(" ")} }`;
  const query = useQuery(text, Object.fromEntries(sites.map((it, at) => [`s${at}`, it.id])), []);
  return /* @__PURE__ */ jsxs2("section", { "aria-label": "Single points of failure by site", children: [
    /* @__PURE__ */ jsxs2("h2", { class: "sub", children: [
      "Single points of failure by site ",
      /* @__PURE__ */ jsx2("button", { type: "button", class: "plain", disabled: query.waiting.value, onClick: () => void query.read(), children: query.waiting.value ? "Working it out\u2026" : "Look again" })
    ] }),
    query.error.value && /* @__PURE__ */ jsx2(Failure, { error: query.error.value }),
    query.data.value && /* @__PURE__ */ jsx2("div", { class: "cards watch", children: sites.map((site, at) => {
      const points = (query.data.value?.[`s${at}`] ?? []).filter((it) => !PLACES.has(it.kind)).slice(0, WORST);
      return /* @__PURE__ */ jsxs2("section", { class: "card", "aria-label": site.name, children: [
        /* @__PURE__ */ jsx2("h2", { children: /* @__PURE__ */ jsx2("a", { href: `/single-points?within=${site.id}`, children: /* @__PURE__ */ jsx2("bdi", { children: site.name }) }) }),
        /* @__PURE__ */ jsxs2("ul", { children: [
          points.map((it) => /* @__PURE__ */ jsxs2("li", { class: "watch-point", children: [
            /* @__PURE__ */ jsx2(ThingLink, { it: thingOf(it) }),
            /* @__PURE__ */ jsxs2("a", { href: impactPath([it.node.id]), children: [
              "takes ",
              number(it.count)
            ] })
          ] }, it.node.id)),
          points.length === 0 && /* @__PURE__ */ jsx2("li", { class: "quiet", children: "none" })
        ] })
      ] }, site.id);
    }) })
  ] });
}
export {
  Attention,
  SinglePoints
};
