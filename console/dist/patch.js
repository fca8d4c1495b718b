// src/screens/patch.lazy.tsx
import { ask as ask2, asRefused, enumWords as enumWords2, number, refusal, setParams, titleOfCode, upright, url, useEffect as useEffect2, useState as useState2, valuesOf } from "./main.js";
import { propose } from "./writes.js";

// src/screens/patch-pairs.ts
var MAX_CHARACTERS = 253;
function namesFrom(first, count) {
  const digits = /\d+$/.exec(first)?.[0] ?? "";
  const stem = digits ? first.slice(0, -digits.length) : `${first}-`;
  const begin = digits ? BigInt(digits) : 1n;
  return Array.from({ length: count }, (_, at) => at === 0 ? first : `${stem}${String(begin + BigInt(at)).padStart(digits.length, "0")}`);
}
function pairsOf(a, b, first) {
  const count = Math.min(a.length, b.length);
  const names = first.trim() ? namesFrom(first.trim(), count) : [];
  return Array.from({ length: count }, (_, at) => {
    const [from, to] = [a[at], b[at]];
    const byEnds = `${from.owner} ${from.name} \u2013 ${to.owner} ${to.name}`;
    return { a: from, b: to, name: names[at] ?? [...byEnds].slice(0, MAX_CHARACTERS).join("") };
  });
}
function stepsOf(pairs, choice) {
  const length = choice.length.trim() === "" ? void 0 : Number(choice.length);
  const common = {
    ...choice.media ? { media: choice.media } : {},
    ...choice.color.trim() ? { color: choice.color.trim() } : {},
    ...length === void 0 || Number.isNaN(length) ? {} : { lengthM: length },
    ...choice.status ? { status: choice.status } : {}
  };
  return pairs.map((it) => ({
    kind: "Cable",
    name: it.name,
    item: { cable: { name: it.name, ...common, aEnds: [{ port: { id: it.a.id } }], bEnds: [{ port: { id: it.b.id } }] } }
  }));
}
function toggled(chosen, id) {
  return chosen.includes(id) ? chosen.filter((it) => it !== id) : [...chosen, id];
}
function ranged(chosen, ports, id) {
  const [from, to] = [ports.findIndex((it) => it.id === chosen.at(-1)), ports.findIndex((it) => it.id === id)];
  if (from < 0 || to < 0) return toggled(chosen, id);
  const between = ports.slice(Math.min(from, to), Math.max(from, to) + 1).filter((it) => it.free && !chosen.includes(it.id)).map((it) => it.id);
  return [...chosen, ...from > to ? between.reverse() : between];
}

// src/screens/patch-side.tsx
import { enumWords, Failure, isolated, joined, pathOf, Refused, useQuery, useRef as useRef2 } from "./main.js";

// src/draw/units.ts
function unitWords(start, height) {
  if (start === null) return "no unit";
  const last = start + height - 1;
  return last > start ? `U${start}\u2013${last}` : `U${start}`;
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
    const document2 = `query Pick($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) { kind path node { ${kinds.map((it) => `... on ${it} { ${nameSelection(it)} }`).join(" ")} } } }`;
    const timer = setTimeout(() => {
      ask(document2, { text: text.trim(), kinds }, abort.signal).then((it) => {
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

// src/screens/patch-side.tsx
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var DOCUMENT = `query PatchSide($id: ID!) { node(id: $id) { ... on Device {
  id name site { id name } placement { rack { id name } startUnit unitHeight }
  ports(first: 1000, filter: {not: {type: {in: [VIRTUAL, LAG, WIRELESS]}}}) { nodes { id name type enabled markConnected cable { name } } }
} } }`;
var compare = new Intl.Collator(void 0, { numeric: true }).compare;
function useSide(id) {
  const query = useQuery(DOCUMENT, { id }, id ? ["Port", "Cable", "Device"] : []);
  const side = query.data.value?.node ?? null;
  const ports = [...side?.ports.nodes ?? []].sort((a, b) => compare(a.type, b.type) || compare(a.name, b.name));
  const gone = query.data.value && !side ? new Refused("NOT_FOUND", "The device of this address does not exist any more, or you may not see it.") : null;
  const error = query.error.value ?? gone;
  const failure = id && error ? /* @__PURE__ */ jsx2(Failure, { error, again: () => void query.read() }) : null;
  return { side: id ? side : null, ports: id ? ports : [], failure };
}
var isFree = (it) => it.cable === null && !it.markConnected;
function choicesOf({ side, ports }, ids) {
  return ids.flatMap((id) => ports.filter((it) => it.id === id && isFree(it)).map((it) => ({ id, name: it.name, owner: side?.name ?? "" })));
}
function PatchSide({ letter, sided, chosen, onDevice, onChoose }) {
  const { side, ports, failure } = sided;
  const place = side?.placement;
  const types = [...new Set(ports.map((it) => it.type))];
  return /* @__PURE__ */ jsxs2("section", { class: "patch-side", "aria-label": `Side ${letter}`, children: [
    /* @__PURE__ */ jsxs2("div", { class: "patch-device", children: [
      /* @__PURE__ */ jsxs2("label", { for: `patch-${letter}`, children: [
        "Side ",
        letter
      ] }),
      /* @__PURE__ */ jsx2(
        RefPicker,
        {
          id: `patch-${letter}`,
          targets: [{ kind: "Device", member: null }],
          list: false,
          value: side ? { device: side.name } : null,
          placeholder: "Search for a device\u2026",
          onChange: (value) => onDevice(value && !Array.isArray(value) ? String(value.id) : null)
        }
      )
    ] }),
    failure,
    side && /* @__PURE__ */ jsxs2(Fragment, { children: [
      /* @__PURE__ */ jsxs2("h2", { children: [
        /* @__PURE__ */ jsx2("a", { href: pathOf("Device", { ...side }), children: /* @__PURE__ */ jsx2("bdi", { children: side.name }) }),
        " ",
        /* @__PURE__ */ jsx2("span", { class: "quiet", children: /* @__PURE__ */ jsx2("bdi", { children: joined([side.site.name, place?.rack.name, place && unitWords(place.startUnit, place.unitHeight ?? 1)]) }) })
      ] }),
      types.map((type) => {
        const own = ports.filter((it) => it.type === type);
        return /* @__PURE__ */ jsx2(PortGrid, { title: enumWords(type), ports: own, chosen, onChoose }, type);
      }),
      ports.length === 0 && /* @__PURE__ */ jsx2("p", { class: "empty", children: "This device has no ports to plug a cable into." })
    ] })
  ] });
}
var [NARROWEST_PX, WIDEST_PX, CHARACTER_PX, ORDER_PX] = [60, 190, 7, 36];
function PortGrid({ title, ports, chosen, onChoose }) {
  const box = useRef2(null);
  const free = ports.filter(isFree);
  const likes = ports.map((it) => ({ id: it.id, name: it.name, free: isFree(it) }));
  const press = (id, range) => onChoose(range ? ranged(chosen, likes, id) : toggled(chosen, id));
  const keys = (event) => {
    const all = [...box.current?.querySelectorAll("button") ?? []];
    const at = all.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === void 0) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, to))]?.focus();
  };
  const width = Math.min(WIDEST_PX, Math.max(NARROWEST_PX, ...ports.map((it) => it.name.length * CHARACTER_PX + ORDER_PX)));
  const stop = free[0]?.id ?? ports[0]?.id;
  return /* @__PURE__ */ jsxs2("fieldset", { class: "patch-ports", children: [
    /* @__PURE__ */ jsxs2("legend", { children: [
      title,
      " ",
      /* @__PURE__ */ jsxs2("span", { class: "count", children: [
        free.length,
        " of ",
        ports.length,
        " free"
      ] })
    ] }),
    /* @__PURE__ */ jsx2("div", { class: "patch-grid", style: { gridTemplateColumns: `repeat(auto-fill, minmax(${width}px, 1fr))` }, ref: box, onKeyDown: keys, children: ports.map((it) => {
      const order = chosen.indexOf(it.id);
      const state = isFree(it) ? it.enabled ? "free" : "free, disabled" : it.cable ? `taken by ${isolated(it.cable.name)}` : "taken";
      return /* @__PURE__ */ jsxs2(
        "button",
        {
          type: "button",
          tabIndex: it.id === stop ? 0 : -1,
          "aria-pressed": order >= 0,
          "aria-disabled": !isFree(it),
          class: isFree(it) ? void 0 : "taken",
          title: `${it.name}: ${state}`,
          onClick: (event) => {
            if (isFree(it)) press(it.id, event.shiftKey);
          },
          children: [
            order >= 0 && /* @__PURE__ */ jsx2("b", { children: order + 1 }),
            /* @__PURE__ */ jsx2("bdi", { children: it.name }),
            /* @__PURE__ */ jsxs2("span", { class: "hidden", children: [
              ", ",
              state
            ] })
          ]
        },
        it.id
      );
    }) })
  ] });
}

// src/screens/patch.lazy.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./main.js";
var TRY = `mutation TryCables($input: ApplyInput!) { apply(input: $input) { results { error { code message } } } }`;
var WAIT_MS2 = 150;
function useReasons(steps) {
  const [reasons, setReasons] = useState2([]);
  const key = JSON.stringify(steps.map((it) => it.item));
  useEffect2(() => {
    setReasons([]);
    if (steps.length === 0) return void 0;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask2(TRY, { input: { items: steps.map((it) => it.item), dryRun: true, mode: "PER_ITEM" } }, abort.signal).then(
        ({ data }) => setReasons(data.apply.results.map((it) => it.error && `${titleOfCode(it.error.code)}: ${upright(it.error.message)}`)),
        (error) => {
          if (!abort.signal.aborted) setReasons(steps.map(() => asRefused(error).message));
        }
      );
    }, WAIT_MS2);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return reasons;
}
var USUAL = { first: "", media: "", color: "", length: "", status: "" };
function PatchScreen() {
  const params = url.value.searchParams;
  const [a, b] = [useSide(params.get("a") ?? ""), useSide(params.get("b") ?? "")];
  const [ids, setIds] = useState2({ a: [], b: [] });
  const [cable, setCable] = useState2(USUAL);
  const chosen = { a: choicesOf(a, ids.a), b: choicesOf(b, ids.b) };
  const pairs = pairsOf(chosen.a, chosen.b, cable.first);
  const steps = stepsOf(pairs, cable);
  const reasons = useReasons(steps);
  const forbidden = refusal("apply");
  const refused = reasons.filter((it) => it !== null).length;
  useEffect2(() => {
    document.title = "Patching \xB7 Underlay";
  }, []);
  const submit = (event) => {
    event.preventDefault();
    if (steps.length > 0) propose(`Connect ${a.side?.name} and ${b.side?.name} by ${number(steps.length)} ${steps.length === 1 ? "cable" : "cables"}`, steps);
  };
  const side = (letter) => ({
    letter: letter.toUpperCase(),
    sided: letter === "a" ? a : b,
    chosen: chosen[letter].map((it) => it.id),
    onDevice: (id) => {
      setIds({ ...ids, [letter]: [] });
      setParams({ [letter]: id }, "replace");
    },
    onChoose: (next) => setIds({ ...ids, [letter]: next })
  });
  return /* @__PURE__ */ jsxs3("section", { class: "patch", "aria-label": "Patching", children: [
    /* @__PURE__ */ jsxs3("header", { class: "list-bar", children: [
      /* @__PURE__ */ jsx3("h1", { children: "Patching" }),
      /* @__PURE__ */ jsx3("span", { class: "quiet", children: "Choose ports on both sides. The first is connected to the first, the second to the second. Shift chooses all up to a port." })
    ] }),
    /* @__PURE__ */ jsxs3("div", { class: "patch-body", children: [
      /* @__PURE__ */ jsxs3("div", { class: "patch-sides", children: [
        /* @__PURE__ */ jsx3(PatchSide, { ...side("a") }),
        /* @__PURE__ */ jsx3(PatchSide, { ...side("b") })
      ] }),
      /* @__PURE__ */ jsxs3("form", { class: "patch-cables", onSubmit: submit, "aria-label": "Cables", children: [
        /* @__PURE__ */ jsx3("h2", { children: "Cables" }),
        /* @__PURE__ */ jsx3(CableFields, { cable, onChange: (more) => setCable({ ...cable, ...more }) }),
        /* @__PURE__ */ jsxs3("p", { role: "status", class: "quiet", children: [
          number(chosen.a.length),
          " chosen on side A, ",
          number(chosen.b.length),
          " on side B: ",
          number(pairs.length),
          " ",
          pairs.length === 1 ? "cable" : "cables",
          refused > 0 && /* @__PURE__ */ jsxs3("span", { class: "fault-words", children: [
            ", ",
            number(refused),
            " refused"
          ] })
        ] }),
        forbidden && /* @__PURE__ */ jsx3("p", { class: "fault-words", children: forbidden }),
        /* @__PURE__ */ jsx3(Pairs, { pairs, reasons: forbidden ? [] : reasons }),
        /* @__PURE__ */ jsxs3("div", { class: "dialog-actions", children: [
          /* @__PURE__ */ jsxs3("button", { type: "submit", class: "main", disabled: pairs.length === 0 || forbidden !== void 0, title: forbidden, children: [
            "Review ",
            number(pairs.length),
            " ",
            pairs.length === 1 ? "cable" : "cables"
          ] }),
          /* @__PURE__ */ jsx3("button", { type: "button", onClick: () => setIds({ a: [], b: [] }), children: "Choose anew" })
        ] })
      ] })
    ] })
  ] });
}
function CableFields({ cable, onChange }) {
  const select = (title, name, of, none) => /* @__PURE__ */ jsxs3("label", { children: [
    title,
    /* @__PURE__ */ jsxs3("select", { value: cable[name], onChange: (event) => onChange({ [name]: event.currentTarget.value }), children: [
      /* @__PURE__ */ jsx3("option", { value: "", children: none }),
      valuesOf(of).map((it) => /* @__PURE__ */ jsx3("option", { value: it, children: enumWords2(it) }, it))
    ] })
  ] });
  return /* @__PURE__ */ jsxs3("div", { class: "patch-fields", children: [
    /* @__PURE__ */ jsxs3("label", { class: "wide", children: [
      "Name of the first ",
      /* @__PURE__ */ jsx3("input", { value: cable.first, autocomplete: "off", spellcheck: false, placeholder: "By its ends; or c-001, and so on", onInput: (event) => onChange({ first: event.currentTarget.value }) })
    ] }),
    select("Media", "media", "Media", "Not set"),
    select("Status", "status", "CableStatus", "Usual"),
    /* @__PURE__ */ jsxs3("label", { children: [
      "Colour ",
      /* @__PURE__ */ jsx3("input", { value: cable.color, autocomplete: "off", onInput: (event) => onChange({ color: event.currentTarget.value }) })
    ] }),
    /* @__PURE__ */ jsxs3("label", { children: [
      "Length in metres ",
      /* @__PURE__ */ jsx3("input", { type: "number", min: "0", step: "any", value: cable.length, onInput: (event) => onChange({ length: event.currentTarget.value }) })
    ] })
  ] });
}
function Pairs({ pairs, reasons }) {
  if (pairs.length === 0) return null;
  return /* @__PURE__ */ jsxs3("table", { class: "units", children: [
    /* @__PURE__ */ jsx3("caption", { class: "hidden", children: "The cables in order" }),
    /* @__PURE__ */ jsx3("thead", { children: /* @__PURE__ */ jsxs3("tr", { children: [
      /* @__PURE__ */ jsx3("th", { scope: "col", children: "#" }),
      /* @__PURE__ */ jsx3("th", { scope: "col", children: "A" }),
      /* @__PURE__ */ jsx3("th", { scope: "col", children: "B" }),
      /* @__PURE__ */ jsx3("th", { scope: "col", children: "Name" })
    ] }) }),
    /* @__PURE__ */ jsx3("tbody", { children: pairs.map((it, at) => /* @__PURE__ */ jsxs3("tr", { children: [
      /* @__PURE__ */ jsx3("td", { children: number(at + 1) }),
      /* @__PURE__ */ jsx3("td", { children: /* @__PURE__ */ jsx3("bdi", { children: it.a.name }) }),
      /* @__PURE__ */ jsx3("td", { children: /* @__PURE__ */ jsx3("bdi", { children: it.b.name }) }),
      /* @__PURE__ */ jsxs3("td", { children: [
        /* @__PURE__ */ jsx3("bdi", { children: it.name }),
        reasons[at] && /* @__PURE__ */ jsxs3("div", { class: "fault-words", children: [
          "\u2715 ",
          reasons[at]
        ] })
      ] })
    ] }, it.a.id)) })
  ] });
}
export {
  PatchScreen
};
