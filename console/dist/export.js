// src/screens/export.lazy.tsx
import { asRefused, listDocument, number, rowSelection, say, useState } from "./main.js";
import { allRows, csvLine, manifestOf, yaml } from "./writes.js";
import { jsx, jsxs } from "./main.js";
var FORMS = [
  {
    title: "CSV, with the columns that are shown",
    ending: "csv",
    type: "text/csv",
    selection: (it) => rowSelection(it.kind, it.columns),
    head: (it) => csvLine(it.columns),
    row: (it, row) => csvLine(it.columns.map((name) => row[name]))
  },
  {
    title: "JSON lines, with the columns that are shown",
    ending: "jsonl",
    type: "application/jsonl",
    selection: (it) => rowSelection(it.kind, it.columns),
    head: () => "",
    row: (it, row) => `${JSON.stringify({ id: row.id, name: row.name, ...Object.fromEntries(it.columns.map((name) => [name, row[name]])) })}
`
  },
  {
    title: "Manifests, for underlay apply -f",
    ending: "yaml",
    type: "application/yaml",
    selection: () => "item",
    head: () => "",
    row: (it, row) => `---
${yaml(manifestOf(it.kind, row.item))}`
  }
];
function download(name, type, parts) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
}
function commandOf(source) {
  const filter = source.filter ? ` --filter '${JSON.stringify(source.filter).replaceAll("'", "'\\''")}'` : "";
  return `underlay get ${source.kind.list}${filter}`;
}
function queryOf(source) {
  const variables = { ...source.of ? { id: source.of.id } : {}, filter: source.filter, order: source.order, first: 50 };
  const document2 = listDocument(source, `totalCount nodes { ${rowSelection(source.kind, source.columns)} } pageInfo { endCursor hasNextPage }`);
  return `${document2}

# variables
${JSON.stringify(variables, null, 2)}
`;
}
function Export({ source, close }) {
  const [count, setCount] = useState(null);
  const save = async (form) => {
    const parts = [form.head(source)];
    setCount(0);
    try {
      let rows = 0;
      for await (const page of allRows(source, form.selection(source))) {
        rows += page.length;
        parts.push(page.map((it) => form.row(source, it)).join(""));
        setCount(rows);
      }
      download(`${source.kind.list}.${form.ending}`, form.type, parts);
      close();
    } catch (error) {
      say(asRefused(error).message);
    }
    setCount(null);
  };
  const copy = (text) => {
    navigator.clipboard?.writeText(text).then(() => say("Copied."), () => say("The browser does not allow copying."));
    close();
  };
  return /* @__PURE__ */ jsxs("div", { class: "export", children: [
    /* @__PURE__ */ jsx("h3", { children: "Everything that fits, as a file" }),
    FORMS.map((it) => /* @__PURE__ */ jsx("button", { type: "button", disabled: count !== null, onClick: () => void save(it), children: it.title }, it.ending)),
    count !== null && /* @__PURE__ */ jsxs("p", { role: "status", children: [
      number(count),
      " rows read"
    ] }),
    /* @__PURE__ */ jsx("h3", { children: "How to ask for it" }),
    !source.of && /* @__PURE__ */ jsx("button", { type: "button", onClick: () => copy(commandOf(source)), children: "Copy the command" }),
    /* @__PURE__ */ jsx("button", { type: "button", onClick: () => copy(queryOf(source)), children: "Copy the GraphQL query" }),
    !source.of && /* @__PURE__ */ jsx("pre", { class: "json", tabIndex: 0, "aria-label": "The command", children: commandOf(source) })
  ] });
}
export {
  Export,
  commandOf
};
