// src/screens/detail.lazy.tsx
import { useEffect } from "./main.js";
import { number as number2 } from "./main.js";
import { fieldOf, kindOf, titleOf as titleOf2, words } from "./main.js";
import { useCommands } from "./main.js";
import { Act } from "./main.js";
import { Failure as Failure2 } from "./main.js";
import { lazy } from "./main.js";
import { say } from "./main.js";
import { EnumValue } from "./main.js";
import { go, listPath as listPath3, pathOf, url, viewsOf } from "./main.js";
import { intoBasket } from "./main.js";
import { useResolved } from "./main.js";
import { neighbours } from "./main.js";
import { openForm, remember } from "./main.js";
import { useQuery as useQuery3 } from "./main.js";
import { deletion, manifestOf, propose, yaml } from "./writes.js";
import { refusal } from "./main.js";
import { trail } from "./main.js";

// src/screens/beneath.tsx
import { filterFields, kinds, listPath, number, pluralOf, useQuery } from "./main.js";
import { jsx, jsxs } from "./main.js";
var INSIDE = kinds().filter((it) => filterFields(`${it.name}Filter`).within === "ID");
var PLACES = /* @__PURE__ */ new Set(["Region", "Site", "Location", "Rack"]);
var DOCUMENT = `query Beneath($id: ID!) { ${INSIDE.map((it) => `${it.name}: ${it.list}(filter: {within: $id}, first: 0) { totalCount }`).join(" ")} }`;
function Beneath({ id }) {
  const query = useQuery(DOCUMENT, { id }, []);
  const found = INSIDE.flatMap((kind) => {
    const count = query.data.value?.[kind.name]?.totalCount ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
  if (found.length === 0) return null;
  return /* @__PURE__ */ jsxs("nav", { class: "beneath", "aria-label": "Anywhere beneath", children: [
    /* @__PURE__ */ jsx("span", { class: "quiet", children: "Anywhere beneath:" }),
    /* @__PURE__ */ jsx("ul", { children: found.map(({ kind, count }) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsxs("a", { href: `${listPath(kind)}?within=${id}`, children: [
      pluralOf(kind.name),
      " ",
      /* @__PURE__ */ jsx("b", { children: number(count) })
    ] }) }, kind.name)) })
  ] });
}

// src/screens/gone.tsx
import { Failure, idOrPath, listPath as listPath2, since, time, titleOf, useQuery as useQuery2 } from "./main.js";
import { jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var FIELDS = "nodes { revision position kind objectId name operation before after actor at }";
var MOST = 200;
var BY_ID = `query Gone($id: ID!) { deleted: changes(filter: {objects: [$id]}, first: 1) { ${FIELDS} } }`;
var BY_NAME = `query GoneName($kind: String!) {
  deleted: changes(filter: {kinds: [$kind], operations: [DELETED]}, first: ${MOST}) { ${FIELDS} }
  updated: changes(filter: {kinds: [$kind], operations: [UPDATED]}, first: ${MOST}) { ${FIELDS} }
}`;
var UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
var SHOWN = 3;
var nameBefore = (it) => it.before?.name;
function Gone({ kind, rest }) {
  const name = rest.at(-1) ?? "";
  const byId = rest.length === 1 && UUID.test(name);
  const query = useQuery2(byId ? BY_ID : BY_NAME, byId ? { id: name } : { kind: kind.name }, [kind.name]);
  const found = query.data.value;
  const deleted = (found?.deleted.nodes ?? []).filter((it) => it.operation === "DELETED" && (byId || it.name === name)).slice(0, SHOWN);
  const renamed = (found?.updated?.nodes ?? []).filter((it) => nameBefore(it) === name && it.name !== name).slice(0, SHOWN);
  const forbidden = query.error.value?.code === "FORBIDDEN";
  const title = titleOf(kind.name).toLowerCase();
  return /* @__PURE__ */ jsxs2("section", { class: "page gone", children: [
    /* @__PURE__ */ jsx2("h1", { children: byId && deleted.length > 0 ? "Deleted" : "Not found" }),
    /* @__PURE__ */ jsxs2("p", { children: [
      "There is no ",
      title,
      " ",
      /* @__PURE__ */ jsxs2("bdi", { children: [
        "\u201C",
        rest.join(" / "),
        "\u201D"
      ] }),
      deleted.length === 0 && ", or you may not see it",
      "."
    ] }),
    !found && !query.error.value && /* @__PURE__ */ jsx2("p", { class: "waiting", children: "Looking for it in the changes\u2026" }),
    query.error.value && !forbidden && /* @__PURE__ */ jsx2(Failure, { error: query.error.value }),
    /* @__PURE__ */ jsxs2("ul", { class: "objects", children: [
      deleted.map((it) => /* @__PURE__ */ jsxs2("li", { children: [
        "The ",
        title,
        " ",
        /* @__PURE__ */ jsx2("b", { children: /* @__PURE__ */ jsx2("bdi", { children: it.name }) }),
        " was deleted by ",
        /* @__PURE__ */ jsx2("b", { children: /* @__PURE__ */ jsx2("bdi", { children: it.actor }) }),
        " ",
        /* @__PURE__ */ jsx2("time", { dateTime: it.at, title: time(it.at), children: since(it.at) }),
        ", in ",
        /* @__PURE__ */ jsxs2("a", { href: `/changes/${it.revision}`, children: [
          "revision ",
          it.revision
        ] }),
        ", which can be undone there.",
        " ",
        /* @__PURE__ */ jsx2("a", { href: `/changes?object=${it.objectId}`, children: "All its changes" })
      ] }, it.position)),
      renamed.map((it) => /* @__PURE__ */ jsxs2("li", { children: [
        "The ",
        title,
        " ",
        /* @__PURE__ */ jsx2("b", { children: /* @__PURE__ */ jsx2("bdi", { children: name }) }),
        " has been called ",
        /* @__PURE__ */ jsx2("a", { href: idOrPath(kind.name, it.objectId), children: /* @__PURE__ */ jsx2("bdi", { children: it.name }) }),
        " since ",
        /* @__PURE__ */ jsxs2("a", { href: `/changes/${it.revision}`, children: [
          "revision ",
          it.revision
        ] }),
        "."
      ] }, it.position))
    ] }),
    found && deleted.length + renamed.length === 0 && /* @__PURE__ */ jsx2("p", { class: "quiet", children: byId ? "The changes that are kept do not name it." : `The last ${MOST} deletions and updates of this kind do not name it.` }),
    !byId && /* @__PURE__ */ jsx2("p", { children: /* @__PURE__ */ jsx2("a", { href: `${listPath2(kind)}?q=${encodeURIComponent(name)}`, children: "Look for it in the list" }) })
  ] });
}

// src/screens/detail.lazy.tsx
import { List } from "./main.js";
import { Overview, useObject } from "./main.js";
import { Fragment, jsx as jsx3, jsxs as jsxs3 } from "./main.js";
var ChangesOf = lazy(async () => (await import("./changes.js")).ChangesOf);
var CONTAINERS = ["parent", "device", "rack", "cluster", "circuit", "location", "site", "region", "provider", "host"];
function DetailScreen({ kind, rest }) {
  const found = useResolved(kind, rest);
  if (found.error) return /* @__PURE__ */ jsx3(Failure2, { error: found.error });
  if (found.waiting) return /* @__PURE__ */ jsx3("p", { class: "waiting", children: "Reading\u2026" });
  if (!found.id) return /* @__PURE__ */ jsx3(Gone, { kind, rest });
  return /* @__PURE__ */ jsx3(Detail, { kind, id: found.id }, found.id);
}
function containerOf(kind, row) {
  for (const name of CONTAINERS) {
    const field = fieldOf(kind, name);
    const value = row[name];
    if (field?.is === "one" && value?.id) return { kind: field.of, row: value };
  }
  const placed = row.placement?.rack;
  return placed && { kind: "Rack", row: placed };
}
function Detail({ kind, id }) {
  const query = useObject(kind, id);
  const row = query.data.value?.node;
  const container = row && containerOf(kind, row);
  useEffect(() => {
    if (!row) return void 0;
    const own = { name: row.name, path: pathOf(kind.name, row) };
    trail.value = container ? [{ name: String(container.row.name), path: pathOf(container.kind, container.row) }, own] : [own];
    remember({ ...own, kind: kind.name });
    document.title = `${row.name} \xB7 ${titleOf2(kind.name)} \xB7 Underlay`;
    return () => {
      trail.value = [];
    };
  }, [row?.name, container?.row.name]);
  const beside = (by) => {
    const from = neighbours.value;
    const next = from?.rows.at(from.index + by);
    if (!from || !next) return say("There is no list around this object. Open it from a list.");
    neighbours.value = { rows: from.rows, index: from.index + by };
    go(pathOf(from.rows.source.kind.name, next), "replace");
  };
  const refused = refusal("apply");
  const edit = () => openForm({ kind, objects: [id] });
  const remove = () => {
    if (row) propose(`Delete ${row.name}`, [deletion(kind.name, id, row.name, false)]);
  };
  useCommands({
    up: () => {
      if (row && container) go(pathOf(container.kind, container.row));
      else if (row) go(listPath3(kind));
    },
    ...viewCommands(kind, row),
    "back-one": () => beside(-1),
    "on-one": () => beside(1),
    ...kind.change && kind.apply && !refused ? { edit } : {},
    ...kind.remove && !refused ? { delete: remove } : {},
    impact: () => intoBasket([id])
  });
  if (query.error.value && !row) return /* @__PURE__ */ jsx3(Failure2, { error: query.error.value, again: () => void query.read() });
  if (!query.data.value) return /* @__PURE__ */ jsx3("p", { class: "waiting", children: "Reading\u2026" });
  if (!row) return /* @__PURE__ */ jsx3(Gone, { kind, rest: [id] });
  return /* @__PURE__ */ jsxs3("section", { class: "detail", "aria-label": row.name, children: [
    /* @__PURE__ */ jsxs3("header", { class: "detail-head", children: [
      /* @__PURE__ */ jsx3("h1", { children: /* @__PURE__ */ jsx3("bdi", { children: row.name }) }),
      /* @__PURE__ */ jsx3("span", { class: "quiet", children: titleOf2(kind.name) }),
      typeof row.status === "string" && /* @__PURE__ */ jsx3(EnumValue, { field: "status", value: row.status }),
      /* @__PURE__ */ jsx3("span", { class: "grow" }),
      viewsOf(kind, row).map((it) => /* @__PURE__ */ jsx3("a", { class: "button", href: it.path, children: it.title }, it.path)),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "plain", onClick: () => copy(id), children: "Copy id" }),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "plain", title: "What if this fails? Adds it to the impact basket (i)", onClick: () => intoBasket([id]), children: "What if it fails" }),
      kind.change && kind.apply && /* @__PURE__ */ jsx3(Act, { refusal: refused, onClick: edit, children: "Edit" }),
      kind.remove && /* @__PURE__ */ jsx3(Act, { refusal: refused, onClick: remove, children: "Delete\u2026" })
    ] }),
    /* @__PURE__ */ jsx3(Tabs, { kind, row })
  ] });
}
function viewCommands(kind, row) {
  const views = row ? viewsOf(kind, row) : [];
  return Object.fromEntries(views.map((it) => [it.screen === "elevations" ? "elevation" : it.screen, () => go(it.path)]));
}
function copy(text) {
  navigator.clipboard?.writeText(text).then(() => say("Copied."), () => say("The browser does not allow copying."));
}
function Tabs({ kind, row }) {
  const lists = kind.fields.filter((it) => it.is === "many");
  const document2 = `query Contents($id: ID!) { node(id: $id) { ... on ${kind.name} { id ${lists.map((it) => `${it.name}(first: 0) { totalCount }`).join(" ")} } } }`;
  const counts = useQuery3(document2, { id: row.id }, [...new Set(lists.map((it) => it.of))]);
  const tab = url.value.searchParams.get("tab") ?? "";
  const countOf = (it) => counts.data.value?.node?.[it.name]?.totalCount ?? 0;
  const link = (name, title, count) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsxs3("a", { href: name ? `?tab=${name}` : url.value.pathname, "aria-current": tab === name ? "page" : void 0, class: count === 0 ? "none" : void 0, children: [
    title,
    count !== void 0 && /* @__PURE__ */ jsx3("span", { class: "count", children: number2(count) })
  ] }) });
  const list = lists.find((it) => it.name === tab);
  const of = list && kindOf(list.of);
  return /* @__PURE__ */ jsxs3(Fragment, { children: [
    /* @__PURE__ */ jsx3("nav", { class: "tabs", "aria-label": `Parts of ${row.name}`, children: /* @__PURE__ */ jsxs3("ul", { children: [
      link("", "Overview"),
      [...lists].sort((a, b) => Number(countOf(b) > 0) - Number(countOf(a) > 0)).map((it) => link(it.name, words(it.name), countOf(it))),
      link("changes", "Changes"),
      link("manifest", "Manifest")
    ] }) }),
    tab === "" && /* @__PURE__ */ jsxs3("div", { class: "page", children: [
      PLACES.has(kind.name) && /* @__PURE__ */ jsx3(Beneath, { id: row.id }),
      /* @__PURE__ */ jsx3(Overview, { kind, id: row.id })
    ] }),
    list && of && /* @__PURE__ */ jsx3(List, { kind: of, title: `${words(list.name)} of ${row.name}`, of: { kind: kind.name, id: row.id, field: list.name } }, list.name),
    tab === "changes" && /* @__PURE__ */ jsx3("div", { class: "page", children: /* @__PURE__ */ jsx3(ChangesOf, { id: row.id }) }),
    tab === "manifest" && /* @__PURE__ */ jsx3(Manifest, { kind, id: row.id })
  ] });
}
function Manifest({ kind, id }) {
  const query = useQuery3(`query Item($id: ID!) { node(id: $id) { ... on ${kind.name} { item } } }`, { id }, [kind.name]);
  const item = query.data.value?.node?.item;
  if (query.error.value) return /* @__PURE__ */ jsx3(Failure2, { error: query.error.value, again: () => void query.read() });
  if (!item) return /* @__PURE__ */ jsx3("p", { class: "waiting", children: "Reading\u2026" });
  const manifest = manifestOf(kind, item);
  const text = yaml(manifest);
  return /* @__PURE__ */ jsxs3("div", { class: "page", children: [
    /* @__PURE__ */ jsxs3("p", { class: "head", children: [
      /* @__PURE__ */ jsx3("button", { type: "button", onClick: () => copy(text), children: "Copy as YAML" }),
      /* @__PURE__ */ jsx3("button", { type: "button", onClick: () => copy(JSON.stringify(manifest, null, 2)), children: "Copy as JSON" }),
      /* @__PURE__ */ jsxs3("span", { class: "quiet", children: [
        "For ",
        /* @__PURE__ */ jsx3("code", { children: "underlay apply -f" }),
        ". Fields with their default value are left out."
      ] })
    ] }),
    /* @__PURE__ */ jsx3("pre", { class: "json", tabIndex: 0, "aria-label": "Manifest", children: text })
  ] });
}
export {
  DetailScreen,
  Gone
};
