// src/screens/filter-form.lazy.tsx
import { about, bareType as bareType2, enumWords, facetDocument, filterFields as filterFields2, HAS, keyOfCondition, kindOf, number, opWords, useQuery, useState as useState2, valuesOf } from "./main.js";

// src/kinds/filterable.ts
import { isLeaf } from "./main.js";
import { bareType, filterFields, words } from "./main.js";
function filterables(kind) {
  const found = [];
  const walk = (type, path, depth) => {
    for (const [name, raw] of Object.entries(filterFields(type))) {
      const of = bareType(raw);
      const at = [...path, name];
      const title = at.filter((it) => it !== "some").map(words).join(" \u203A ");
      if (isLeaf(of)) found.push({ path: at, title, type: of, ops: Object.keys(filterFields(of)).filter((it) => it !== "caseInsensitive") });
      else if (of === "LabelSelector") found.push({ path: at, title, type: of, ops: [""] });
      else if (of === "ID" && name === "within") found.push({ path: at, title, type: of, ops: [""] });
      else if (name === "isNull" && path.length > 0) found.push({ path, title: `${path.map(words).join(" \u203A ")} is missing`, type: "Missing", ops: ["isNull"] });
      else if (depth > 0 && /Filter$/.test(of) && name !== "externalRef") walk(of, at, depth - 1);
    }
  };
  walk(`${kind.name}Filter`, [], 2);
  return found.filter((it) => it.path[0] !== "id");
}

// src/screens/ref-picker.tsx
import { ask, nameById, nameSelection, titleOf, useEffect, useRef, useState } from "./main.js";
import { refText } from "./writes.js";
import { jsx, jsxs } from "./main.js";
var WAIT_MS = 100;
var paths = /* @__PURE__ */ new Map();
function textOf(value) {
  const inner = Object.values(value)[0];
  const id = typeof value.id === "string" ? value.id : inner?.id;
  const picked = typeof id === "string" ? paths.get(id) ?? nameById(id) : void 0;
  return picked ?? refText(value) ?? (typeof id === "string" ? "\u2026" : JSON.stringify(value));
}
function RefPicker({ id, targets, list, value, placeholder, onChange }) {
  const [text, setText] = useState(null);
  const [hits, setHits] = useState([]);
  const [at, setAt] = useState(0);
  const box = useRef(null);
  const chosen = Array.isArray(value) ? value : value ? [value] : [];
  const kinds = targets.map((it) => it.kind);
  useEffect(() => {
    if (!text?.trim()) {
      setHits([]);
      return void 0;
    }
    const abort = new AbortController();
    const document = `query Pick($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) { kind path node { ${kinds.map((it) => `... on ${it} { ${nameSelection(it)} }`).join(" ")} } } }`;
    const timer = setTimeout(() => {
      ask(document, { text: text.trim(), kinds }, abort.signal).then((it) => {
        setHits(it.data.search);
        setAt(0);
      }, () => setHits([]));
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const pick = (hit) => {
    if (!hit) return;
    paths.set(String(hit.node.id), hit.path.slice(hit.path.indexOf("/") + 1).replaceAll("/", " / "));
    const member = targets.find((it) => it.kind === hit.kind)?.member;
    const made = member ? { [member]: { id: hit.node.id } } : { id: hit.node.id };
    onChange(list ? [...chosen, made] : made);
    setText(null);
  };
  const keys = (event) => {
    if (hits.length === 0 || text === null) return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      setAt(Math.min(hits.length - 1, at + 1));
    }
    if (event.key === "ArrowUp") {
      event.preventDefault();
      setAt(Math.max(0, at - 1));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      pick(hits[at]);
    }
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      setText(null);
    }
  };
  const single = !list && chosen[0] ? textOf(chosen[0]) : "";
  const open = text !== null && hits.length > 0;
  return /* @__PURE__ */ jsxs("div", { class: "picker", ref: box, children: [
    list && chosen.map((it, index) => /* @__PURE__ */ jsxs("span", { class: "chip", children: [
      /* @__PURE__ */ jsx("bdi", { children: textOf(it) }),
      /* @__PURE__ */ jsx("button", { type: "button", "aria-label": `Remove ${textOf(it)}`, onClick: () => onChange(chosen.filter((_, one) => one !== index)), children: "\u2715" })
    ] }, textOf(it))),
    /* @__PURE__ */ jsx(
      "input",
      {
        id,
        role: "combobox",
        "aria-expanded": open,
        "aria-controls": `${id}-list`,
        "aria-autocomplete": "list",
        "aria-activedescendant": open ? `${id}-${at}` : void 0,
        autocomplete: "off",
        spellcheck: false,
        value: text ?? single,
        placeholder,
        onKeyDown: keys,
        onInput: (event) => setText(event.currentTarget.value),
        onBlur: () => setText(null)
      }
    ),
    /* @__PURE__ */ jsx("ul", { id: `${id}-list`, role: "listbox", "aria-label": "Found objects", hidden: !open, children: hits.map((it, index) => /* @__PURE__ */ jsxs("li", { id: `${id}-${index}`, role: "option", "aria-selected": index === at, onMouseDown: (event) => {
      event.preventDefault();
      pick(it);
    }, children: [
      /* @__PURE__ */ jsx("bdi", { children: it.path.slice(it.path.indexOf("/") + 1) }),
      " ",
      kinds.length > 1 && /* @__PURE__ */ jsx("span", { class: "quiet", children: titleOf(it.kind) })
    ] }, String(it.node.id))) })
  ] });
}

// src/screens/filter-form.lazy.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var PLACES = ["Region", "Site", "Location", "Rack", "Device", "Cluster"].filter((it) => kindOf(it)).map((kind) => ({ kind, member: null }));
function useFacet(source, field) {
  const [name] = field?.path ?? [];
  const counted = HAS.facets && field?.path.length === 1 && field.type !== "LabelSelector" && field.type !== "ID";
  const document = counted ? facetDocument(source, name ?? "") : "{ revision }";
  const variables = counted ? { ...source.of ? { id: source.of.id } : {}, filter: source.filter, first: 0 } : {};
  const query = useQuery(document, variables, [source.kind.name]);
  const facet = (query.data.value?.rows ?? query.data.value?.node?.rows)?.facets[0];
  return facet && new Map(facet.counts.flatMap((it) => it.value === null ? [] : [[it.value, it.count]]));
}
function FilterForm({ source, onAdd }) {
  const { kind } = source;
  const [picked, setPicked] = useState2();
  const all = filterables(kind);
  const [at, setAt] = useState2(Math.max(0, all.findIndex((it) => it.title === "Status")));
  const [op, setOp] = useState2("");
  const [not, setNot] = useState2(false);
  const field = all[at] ?? all[0];
  const operator = field && (field.ops.includes(op) ? op : usual(field));
  const counts = useFacet(source, field);
  if (!field || operator === void 0) return null;
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).getAll("value").map(String).filter(Boolean);
    const data = field.type === "ID" ? [picked?.id].filter((it) => typeof it === "string") : given;
    if (data.length > 0) onAdd(keyOfCondition({ not, path: field.path, op: operator }), data);
  };
  return /* @__PURE__ */ jsxs2("form", { class: "add-filter", onSubmit: submit, children: [
    /* @__PURE__ */ jsxs2("label", { children: [
      "Field",
      /* @__PURE__ */ jsx2("select", { value: at, onChange: (event) => {
        setAt(Number(event.currentTarget.value));
        setOp("");
      }, children: all.map((it, index) => /* @__PURE__ */ jsx2("option", { value: index, children: it.title }, it.title + it.type)) })
    ] }),
    field.ops.length > 1 && /* @__PURE__ */ jsxs2("label", { children: [
      "Condition",
      /* @__PURE__ */ jsx2("select", { value: operator, onChange: (event) => setOp(event.currentTarget.value), children: field.ops.map((it) => /* @__PURE__ */ jsx2("option", { value: it, children: opWords(it) }, it)) })
    ] }),
    field.type === "ID" ? /* @__PURE__ */ jsxs2("label", { children: [
      "Place ",
      /* @__PURE__ */ jsx2(RefPicker, { id: "within", targets: PLACES, list: false, value: picked, placeholder: "search\u2026", onChange: (it) => setPicked(it) })
    ] }) : /* @__PURE__ */ jsx2(Operand, { field, op: operator, counts }, `${at} ${operator}`),
    /* @__PURE__ */ jsxs2("label", { class: "check", children: [
      /* @__PURE__ */ jsx2("input", { type: "checkbox", checked: not, onChange: (event) => setNot(event.currentTarget.checked) }),
      " Must not match"
    ] }),
    /* @__PURE__ */ jsx2("button", { type: "submit", class: "main", children: "Add the filter" })
  ] });
}
var usual = (field) => ["contains", "in", "eq"].find((it) => field.ops.includes(it) && (it !== "in" || isEnum(field))) ?? field.ops[0] ?? "";
var isEnum = (field) => valuesOf(bareType2(filterFields2(field.type).eq ?? "")).length > 0;
function Operand({ field, op, counts }) {
  const type = op === "" ? "String" : bareType2(filterFields2(field.type)[op] ?? "Boolean");
  const values = valuesOf(type);
  if (values.length > 0) {
    return /* @__PURE__ */ jsxs2("fieldset", { class: "choices", children: [
      /* @__PURE__ */ jsx2("legend", { children: "Value" }),
      values.map((value) => /* @__PURE__ */ jsxs2("label", { title: about(`${type}.${value}`), children: [
        /* @__PURE__ */ jsx2("input", { type: op === "eq" ? "radio" : "checkbox", name: "value", value }),
        " ",
        enumWords(value),
        counts && /* @__PURE__ */ jsxs2("span", { class: "count", children: [
          " ",
          number(counts.get(value) ?? 0)
        ] })
      ] }, value))
    ] });
  }
  if (type === "Boolean") {
    return /* @__PURE__ */ jsxs2("fieldset", { class: "choices", children: [
      /* @__PURE__ */ jsx2("legend", { children: "Value" }),
      /* @__PURE__ */ jsxs2("label", { children: [
        /* @__PURE__ */ jsx2("input", { type: "radio", name: "value", value: "true", defaultChecked: true }),
        " yes"
      ] }),
      /* @__PURE__ */ jsxs2("label", { children: [
        /* @__PURE__ */ jsx2("input", { type: "radio", name: "value", value: "false" }),
        " no"
      ] })
    ] });
  }
  const example = field.type === "LabelSelector" ? "env in (prod,stage),!legacy" : type === "DateTime" ? "2026-01-31T00:00:00Z" : "";
  if (["Int", "Float", "Long"].includes(type)) return /* @__PURE__ */ jsxs2("label", { children: [
    "Value ",
    /* @__PURE__ */ jsx2("input", { name: "value", required: true, type: "number", step: "any" })
  ] });
  return /* @__PURE__ */ jsxs2("label", { children: [
    "Value",
    /* @__PURE__ */ jsx2("input", { name: "value", required: true, autocomplete: "off", spellcheck: false, placeholder: example, list: "filter-values" }),
    /* @__PURE__ */ jsx2("datalist", { id: "filter-values", children: [...counts?.keys() ?? []].map((it) => /* @__PURE__ */ jsx2("option", { value: it }, it)) })
  ] });
}
export {
  FilterForm
};
