// src/screens/export.lazy.tsx
import { asRefused, listDocument, number, rowSelection, say, signal, useEffect, useRef } from "./main.js";
import { allRows, cellsOf, columnOf, manifestOf, tableColumns, tableLine, yaml } from "./writes.js";
import { jsx, jsxs } from "./main.js";
var FORMS = [
  {
    title: "CSV, with the columns that are shown",
    ending: "csv",
    type: "text/csv",
    selection: (it) => `${rowSelection(it.kind, it.columns.filter((name) => columnOf(it.kind.name, name).type.computed))} item`,
    head: (it) => tableLine(tableColumns(it.kind.name, it.columns).map((column) => column.name)),
    row: (it, row) => tableLine(cellsOf(tableColumns(it.kind.name, it.columns), row))
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
var running = signal(null);
var stop = () => {
  running.value = null;
};
async function save(source, form) {
  const run = { id: crypto.randomUUID(), file: `${source.kind.list}.${form.ending}`, rows: 0 };
  const isStopped = () => running.peek()?.id !== run.id;
  const parts = [new Blob([form.head(source)])];
  running.value = run;
  try {
    for await (const page of allRows(source, form.selection(source))) {
      if (isStopped()) return false;
      parts.push(new Blob([page.map((it) => form.row(source, it)).join("")]));
      run.rows += page.length;
      running.value = { ...run };
    }
    download(run.file, form.type, parts);
    say(`${run.file} has ${number(run.rows)} ${run.rows === 1 ? "row" : "rows"}.`);
    return true;
  } catch (error) {
    say(`${run.file} was not written. ${asRefused(error).message}`);
    return false;
  } finally {
    if (!isStopped()) stop();
  }
}
function Export({ source, close }) {
  const run = running.value;
  const shown = useRef(true);
  useEffect(() => () => {
    shown.current = false;
  }, []);
  const copy = (text) => {
    navigator.clipboard?.writeText(text).then(() => say("Copied."), () => say("The browser does not allow copying."));
    close();
  };
  return /* @__PURE__ */ jsxs("div", { class: "export", children: [
    /* @__PURE__ */ jsx("h2", { children: "Everything that fits, as a file" }),
    FORMS.map((it) => /* @__PURE__ */ jsx("button", { type: "button", disabled: run !== null, onClick: () => void save(source, it).then((done) => {
      if (done && shown.current) close();
    }), children: it.title }, it.ending)),
    run && /* @__PURE__ */ jsxs("p", { class: "remedies", children: [
      /* @__PURE__ */ jsxs("span", { role: "status", children: [
        run.file,
        ": ",
        number(run.rows),
        " rows read"
      ] }),
      " ",
      /* @__PURE__ */ jsx("button", { type: "button", onClick: stop, children: "Stop" })
    ] }),
    /* @__PURE__ */ jsx("h2", { children: "How to ask for it" }),
    !source.of && /* @__PURE__ */ jsx("button", { type: "button", onClick: () => copy(commandOf(source)), children: "Copy the command" }),
    /* @__PURE__ */ jsx("button", { type: "button", onClick: () => copy(queryOf(source)), children: "Copy the GraphQL query" }),
    !source.of && /* @__PURE__ */ jsx("pre", { class: "json", tabIndex: 0, "aria-label": "The command", children: commandOf(source) })
  ] });
}
export {
  Export,
  commandOf
};
