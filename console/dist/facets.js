// src/screens/facets.lazy.tsx
import { enumWords, facetDocument, Failure, filterOf, nameById, narrow, narrowedTo, number, setParams, url, useQuery, words } from "./main.js";

// src/screens/facet-fields.ts
import { filterType } from "./main.js";
import { DERIVED, filterFields } from "./main.js";
var OWN = /* @__PURE__ */ new Set(["id", "name", "description", "serial", "assetTag", "mac", "version", "title", "url"]);
var UNCOUNTED = /* @__PURE__ */ new Set(["address", "shortId", "bmcUrl", "family"]);
var COUNTED = /* @__PURE__ */ new Set(["String", "Boolean", "Int", "Long"]);
var FIRST = ["status", "role", "state", "type", "site", "class", "media"];
function facetFields(kind) {
  return kind.fields.flatMap((it) => {
    const filter = filterType(kind, [it.name]);
    if (!filter || it.list || OWN.has(it.name) || UNCOUNTED.has(it.name) || DERIVED[kind.name]?.includes(it.name)) return [];
    if (it.is === "one") return "id" in filterFields(filter) ? [{ name: it.name, is: "one", several: true }] : [];
    if (it.is !== "enum" && !(it.is === "scalar" && COUNTED.has(it.of))) return [];
    return "eq" in filterFields(filter) ? [{ name: it.name, is: it.is, several: "in" in filterFields(filter) }] : [];
  });
}
function firstFacets(kind) {
  const all = facetFields(kind).map((it) => it.name);
  const usual = FIRST.filter((it) => all.includes(it)).slice(0, 3);
  return usual.length > 0 ? usual : all.slice(0, 2);
}
function valueKey(field, value) {
  if (value === null) return { key: `${field.name}.isNull`, text: "true" };
  return { key: `${field.name}${field.is === "one" ? ".id" : ""}.${field.several ? "in" : "eq"}`, text: value };
}
function withoutField(params, field) {
  const next = new URLSearchParams(params);
  for (const key of keysOf(field)) next.delete(key);
  return next;
}
var keysOf = (field) => [valueKey(field, "").key, valueKey(field, null).key];

// src/screens/facets.lazy.tsx
import { jsx, jsxs } from "./main.js";
function Facets({ source, chosen }) {
  const all = facetFields(source.kind);
  const fields = chosen === "usual" ? firstFacets(source.kind) : chosen.split(",");
  const shown = fields.flatMap((name) => all.find((it) => it.name === name) ?? []);
  const set = (next) => setParams({ facets: next.length > 0 ? next.join(",") : null }, "replace");
  return /* @__PURE__ */ jsxs("aside", { class: "facets", "aria-label": "Groups", tabIndex: 0, children: [
    shown.map((it) => /* @__PURE__ */ jsx(Facet, { source, field: it, onClose: () => set(fields.filter((one) => one !== it.name)) }, it.name)),
    /* @__PURE__ */ jsxs("label", { children: [
      "Group by",
      /* @__PURE__ */ jsxs("select", { value: "", onChange: (event) => set([...fields, event.currentTarget.value]), children: [
        /* @__PURE__ */ jsx("option", { value: "", children: "another field\u2026" }),
        all.filter((it) => !fields.includes(it.name)).map((it) => /* @__PURE__ */ jsx("option", { value: it.name, children: words(it.name) }, it.name))
      ] })
    ] })
  ] });
}
function Facet({ source, field, onClose }) {
  const { kind, of } = source;
  const params = url.value.searchParams;
  const filter = narrow(kind, filterOf(kind, withoutField(params, field)), of ? null : narrowedTo());
  const query = useQuery(facetDocument(source, field.name), { ...of ? { id: of.id } : {}, filter, first: 0 }, [kind.name]);
  const facet = (query.data.value?.rows ?? query.data.value?.node?.rows)?.facets[0];
  const choose = (value) => {
    const { key, text } = valueKey(field, value);
    const before = params.getAll(key);
    const next = before.includes(text) ? before.filter((it) => it !== text) : field.several && value !== null ? [...before, text] : [text];
    const others = value === null ? keysOf(field) : [valueKey(field, null).key];
    setParams({ ...Object.fromEntries(others.map((it) => [it, null])), [key]: next.length > 0 ? next : null });
  };
  const title = words(field.name);
  const chosen = params.getAll(valueKey(field, "").key).filter((it) => !facet?.counts.some((one) => one.value === it));
  const counts = facet && [...facet.counts, ...chosen.map((value) => ({ value, count: 0 }))];
  const most = Math.max(1, ...(counts ?? []).map((it) => it.count));
  return /* @__PURE__ */ jsxs("section", { "aria-label": title, children: [
    /* @__PURE__ */ jsxs("h2", { children: [
      title,
      " ",
      /* @__PURE__ */ jsx("button", { type: "button", class: "plain", "aria-label": `Do not group by ${title}`, onClick: onClose, children: "\u2715" })
    ] }),
    query.error.value && /* @__PURE__ */ jsx(Failure, { error: query.error.value }),
    /* @__PURE__ */ jsxs("ul", { children: [
      counts?.map(({ value, count }) => {
        const { key, text } = valueKey(field, value);
        return /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsxs("button", { type: "button", class: "plain", "aria-pressed": params.getAll(key).includes(text), onClick: () => choose(value), children: [
          /* @__PURE__ */ jsx("bdi", { children: textOf(field, value) }),
          /* @__PURE__ */ jsx("span", { class: "count", children: number(count) }),
          /* @__PURE__ */ jsx("svg", { "aria-hidden": "true", viewBox: "0 0 100 2", preserveAspectRatio: "none", children: /* @__PURE__ */ jsx("rect", { width: Math.max(0.5, 100 * count / most), height: "2" }) })
        ] }) }, value);
      }),
      counts?.length === 0 && /* @__PURE__ */ jsx("li", { class: "quiet", children: "none" }),
      facet && facet.more > 0 && /* @__PURE__ */ jsxs("li", { class: "quiet", children: [
        number(facet.more),
        " more values"
      ] })
    ] })
  ] });
}
function textOf(field, value) {
  if (value === null) return "None";
  if (field.is === "one") return nameById(value) ?? "\u2026";
  if (field.is === "enum") return enumWords(value);
  return value === "true" ? "yes" : value === "false" ? "no" : value;
}
export {
  Facets
};
