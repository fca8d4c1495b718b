// src/screens/palette.lazy.tsx
import {
  ask,
  asRefused,
  available,
  currentRoute,
  Dialog,
  enumWords,
  go,
  keyWords,
  kinds,
  listPath,
  nameSelection,
  openForm,
  paletteText,
  pathOf,
  pluralOf,
  recent,
  titleOf,
  useEffect,
  useRef,
  useState,
  viewer
} from "./main.js";

// src/screens/part-path.ts
var partPath = (serial) => `/parts/${encodeURIComponent(serial)}`;

// src/screens/palette.lazy.tsx
import { jsx, jsxs } from "./main.js";
var PARTS = "part(serial: $text) { kind manufacturer model serial host { name } }";
var searchDocument = (withParts) => `query Search($text: String!) { ${withParts ? PARTS : ""} search(text: $text, first: 30) {
  kind path field text node { ${kinds().map((it) => `... on ${it.name} { ${nameSelection(it.name)} }`).join(" ")} }
} }`;
var WAIT_MS = 40;
function fits(text, title) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((it) => title.toLowerCase().includes(it));
}
function commands(text) {
  return available.value.filter((it) => !it.hidden && fits(text, it.title)).map((it) => ({ id: it.id, title: it.title, detail: it.group, keys: it.keys, run: it.run }));
}
function creations(text) {
  return kinds().filter((it) => it.create && it.apply && fits(text, `create ${titleOf(it.name)}`)).map((it) => ({ id: `create ${it.name}`, title: `Create a ${titleOf(it.name).toLowerCase()}`, detail: "Everywhere", run: () => openForm({ kind: it, objects: [] }) }));
}
function kindEntries(text) {
  return kinds().filter((it) => fits(text, `${pluralOf(it.name)} ${it.list}`)).map((it) => ({ id: `:${it.name}`, title: pluralOf(it.name), detail: "List", run: () => go(listPath(it)) }));
}
function hitEntry(hit) {
  const where = hit.path.slice(hit.path.indexOf("/") + 1);
  const detail = hit.field === "name" ? where : `${where} \xB7 ${hit.field} ${hit.text}`;
  return { id: String(hit.node.id), title: String(hit.node.name), detail: `${titleOf(hit.kind)} \xB7 ${detail}`, run: () => go(pathOf(hit.kind, hit.node)) };
}
function partEntries(parts) {
  return parts.slice(0, 1).map((it) => {
    const detail = [enumWords(it.kind), it.manufacturer, it.model].filter(Boolean).join(" ");
    return { id: `part ${it.serial}`, title: it.serial, detail: `Part \xB7 ${detail}${it.host ? ` \xB7 in ${it.host.name}` : ""}`, run: () => go(partPath(it.serial)) };
  });
}
function Palette() {
  return paletteText.value === null ? null : /* @__PURE__ */ jsx(Open, { initial: paletteText.value });
}
function Open({ initial }) {
  const [text, setText] = useState(initial);
  const [at, setAt] = useState(0);
  const [hits, setHits] = useState([]);
  const [note, setNote] = useState("");
  const list = useRef(null);
  const mode = /^[>:#]/.exec(text)?.[0] ?? "";
  const rest = text.slice(mode.length).trim();
  useEffect(() => {
    if (mode || !rest) {
      setHits([]);
      setNote("");
      return void 0;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask(searchDocument(viewer.value !== null && !viewer.value.tenant), { text: rest }, abort.signal).then(
        ({ data }) => {
          const found = [...partEntries(data.part ?? []), ...data.search.map(hitEntry)];
          setHits(found);
          setNote(`${found.length} found`);
        },
        (error) => {
          if (!abort.signal.aborted) setNote(asRefused(error).message);
        }
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [mode, rest]);
  const entries = entriesOf(mode, rest, hits);
  const active = Math.min(at, entries.length - 1);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: "nearest" }), [active, entries.length]);
  const close = () => {
    paletteText.value = null;
  };
  const run = (entry) => {
    if (entry) {
      close();
      entry.run();
    }
  };
  const keys = (event) => {
    const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 };
    const to = moves[event.key];
    if (to !== void 0) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(entries.length - 1, to)));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      run(entries[active]);
    }
  };
  return /* @__PURE__ */ jsxs(Dialog, { title: "Search and commands", class: "palette", onClose: close, children: [
    /* @__PURE__ */ jsx(
      "input",
      {
        role: "combobox",
        "aria-expanded": entries.length > 0,
        "aria-controls": "palette-list",
        "aria-autocomplete": "list",
        "aria-activedescendant": entries.length > 0 ? `palette-${active}` : void 0,
        "aria-label": "Search, or type > for commands, : for kinds, # for labels",
        placeholder: "Search, or > commands, : kinds, # labels",
        value: text,
        autocomplete: "off",
        spellcheck: false,
        onKeyDown: keys,
        onInput: (event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }
      }
    ),
    /* @__PURE__ */ jsx("ul", { id: "palette-list", role: "listbox", "aria-label": "Results", ref: list, children: entries.map((it, index) => /* @__PURE__ */ jsxs("li", { id: `palette-${index}`, role: "option", "aria-selected": index === active, onClick: () => run(it), onMouseMove: () => setAt(index), children: [
      /* @__PURE__ */ jsx("bdi", { children: it.title }),
      /* @__PURE__ */ jsx("span", { class: "detail", children: it.detail }),
      it.keys?.map((key) => /* @__PURE__ */ jsx("kbd", { children: keyWords(key) }, key))
    ] }, it.id)) }),
    /* @__PURE__ */ jsx("p", { class: "quiet", role: "status", children: entries.length === 0 && rest ? note || "Searching\u2026" : note })
  ] });
}
function entriesOf(mode, rest, hits) {
  if (mode === ">") return [...commands(rest), ...creations(rest)];
  if (mode === ":") return kindEntries(rest);
  if (mode === "#") {
    const kind = currentRoute.value.kind;
    const lists = kind ? [kind] : kinds().filter((it) => ["Device", "Rack", "Site", "Circuit"].includes(it.name));
    return rest ? lists.map((it) => ({ id: `#${it.name}`, title: `${pluralOf(it.name)} with ${rest}`, detail: "Labels", run: () => go(`${listPath(it)}?labels=${encodeURIComponent(rest)}`) })) : [];
  }
  if (!rest) {
    const opened = recent().map((it) => ({ id: it.path, title: it.name, detail: `${titleOf(it.kind)} \xB7 opened before`, run: () => go(it.path) }));
    return [...opened, ...commands("")];
  }
  return [...hits, ...kindEntries(rest).slice(0, 4), ...commands(rest).slice(0, 6), ...creations(rest).slice(0, 3)];
}
export {
  Palette
};
