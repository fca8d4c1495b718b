// src/screens/single-points.lazy.tsx
import { useMemo, useState as useState2 } from "./main.js";
import { Failure, go, impactPath, IN, intoBasket, kindOf, narrowedTo, number, pluralOf, setParams, Table, titleOf as titleOf4, url, useCommands, useQuery as useQuery2 } from "./main.js";

// src/store/find.ts
import { ask, titleOf } from "./main.js";
var DOCUMENT = `query Find($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) {
  kind path field text node { id ... on Object { name } }
} }`;
function finder(kinds) {
  return async (text, abort) => {
    const found = (await ask(DOCUMENT, { text, kinds: kinds ?? null }, abort)).data.search ?? [];
    return found.map((it) => {
      const where = it.path.slice(it.path.indexOf("/") + 1);
      const by = it.field === "name" ? "" : ` \xB7 ${it.field} ${it.text}`;
      return { id: it.node.id, title: it.node.name ?? where, detail: `${titleOf(it.kind)} \xB7 ${where}${by}` };
    });
  };
}

// src/screens/chosen.tsx
import { pathOf, titleOf as titleOf2, useQuery } from "./main.js";

// src/parts/picker.tsx
import { useEffect, useId, useRef, useState } from "./main.js";
import { jsx, jsxs } from "./main.js";
var WAIT_MS = 120;
function Picker({ label, placeholder, find: find2, onPick }) {
  const id = useId();
  const field = useRef(null);
  const [text, setText] = useState("");
  const [choices, setChoices] = useState([]);
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState("");
  useEffect(() => {
    const asked = text.trim();
    if (!asked) {
      setChoices([]);
      setNote("");
      return void 0;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      find2(asked, abort.signal).then(
        (it) => {
          if (!abort.signal.aborted) {
            setChoices(it);
            setAt(0);
            setNote(it.length === 0 ? "Nothing is found." : `${it.length} found`);
          }
        },
        (error) => {
          if (!abort.signal.aborted) {
            setChoices([]);
            setNote(error.message);
          }
        }
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const pick = (choice) => {
    if (!choice) return;
    setText("");
    setOpen(false);
    setChoices([]);
    onPick(choice);
    field.current?.focus();
  };
  const keys = (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      setAt(Math.max(0, Math.min(choices.length - 1, at + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      pick(choices[at]);
    } else if (event.key === "Escape" && open && text) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    }
  };
  const shown = open && text.trim() !== "";
  return /* @__PURE__ */ jsxs("div", { class: "finder", children: [
    /* @__PURE__ */ jsx("label", { for: `${id}-field`, children: label }),
    /* @__PURE__ */ jsx(
      "input",
      {
        id: `${id}-field`,
        ref: field,
        type: "text",
        role: "combobox",
        "aria-expanded": shown && choices.length > 0,
        "aria-controls": `${id}-list`,
        "aria-autocomplete": "list",
        "aria-activedescendant": shown && choices[at] ? `${id}-${at}` : void 0,
        autocomplete: "off",
        spellcheck: false,
        placeholder,
        value: text,
        maxLength: 253,
        onKeyDown: keys,
        onBlur: () => setOpen(false),
        onFocus: () => setOpen(true),
        onInput: (event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }
      }
    ),
    /* @__PURE__ */ jsxs("div", { class: "finder-list", hidden: !shown, children: [
      /* @__PURE__ */ jsx("ul", { id: `${id}-list`, role: "listbox", "aria-label": label, children: choices.map((it, index) => /* @__PURE__ */ jsxs(
        "li",
        {
          id: `${id}-${index}`,
          role: "option",
          "aria-selected": index === at,
          onMouseDown: (event) => event.preventDefault(),
          onClick: () => pick(it),
          onMouseMove: () => setAt(index),
          children: [
            /* @__PURE__ */ jsx("bdi", { children: it.title }),
            /* @__PURE__ */ jsx("span", { class: "detail", children: it.detail })
          ]
        },
        it.id
      )) }),
      choices.length === 0 && /* @__PURE__ */ jsx("p", { class: "quiet", children: note || "Searching\u2026" })
    ] }),
    /* @__PURE__ */ jsx("span", { class: "hidden", role: "status", children: shown ? note : "" })
  ] });
}

// src/screens/chosen.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var OBJECT = "query Chosen($id: ID!) { node(id: $id) { __typename id ... on Object { name } } }";
function Chosen({ label, placeholder, id, find: find2, remove, onChange }) {
  const query = useQuery(OBJECT, { id: id ?? "" }, id ? "all" : []);
  if (!id) return /* @__PURE__ */ jsx2(Picker, { label, placeholder, find: find2, onPick: (it) => onChange(it.id) });
  const node = query.data.value?.node;
  return /* @__PURE__ */ jsxs2("div", { class: "chosen", role: "group", "aria-label": label, children: [
    /* @__PURE__ */ jsx2("span", { children: label }),
    /* @__PURE__ */ jsxs2("span", { class: "chip", children: [
      node ? /* @__PURE__ */ jsxs2("span", { class: "thing", children: [
        /* @__PURE__ */ jsx2("span", { class: "thing-kind", children: titleOf2(String(node.__typename)) }),
        /* @__PURE__ */ jsx2("a", { href: pathOf(String(node.__typename), { id }), children: /* @__PURE__ */ jsx2("bdi", { children: String(node.name) }) })
      ] }) : /* @__PURE__ */ jsx2("bdi", { children: query.data.value ? "It does not exist any more" : "\u2026" }),
      /* @__PURE__ */ jsx2("button", { type: "button", "aria-label": remove, onClick: () => onChange(null), children: "\u2715" })
    ] })
  ] });
}

// src/screens/effects.tsx
import { jsx as jsx3 } from "./main.js";
var RULES = ["CONTAINMENT", "LINE", "POWER", "NETWORK", "GROUP", "HOSTING", "LINK"];
var RULE_TITLES = {
  CONTAINMENT: "Containment",
  LINE: "Lines",
  POWER: "Power",
  NETWORK: "Network",
  GROUP: "Bonded ports",
  HOSTING: "Hosting",
  LINK: "Links"
};
var ruleTitle = (rule) => RULE_TITLES[rule] ?? rule;

// src/screens/thing.tsx
import { pathOf as pathOf2, titleOf as titleOf3 } from "./main.js";

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
import { jsx as jsx4, jsxs as jsxs3 } from "./main.js";
function ThingLink({ it, quiet, kind = true }) {
  const where = whereOf(it.path, it.name);
  return /* @__PURE__ */ jsxs3("span", { class: "thing", children: [
    kind && /* @__PURE__ */ jsx4("span", { class: "thing-kind", children: titleOf3(it.kind) }),
    /* @__PURE__ */ jsx4("a", { href: pathOf2(it.kind, { id: it.id }), tabIndex: quiet ? -1 : void 0, title: it.name, children: /* @__PURE__ */ jsx4("bdi", { children: it.name }) }),
    where && /* @__PURE__ */ jsx4("bdi", { class: "quiet", children: where })
  ] });
}

// src/screens/single-points.lazy.tsx
import { jsx as jsx5, jsxs as jsxs4 } from "./main.js";
var MOST = 1e3;
var DOCUMENT2 = `query SinglePoints($within: ID, $rule: ImpactRule) { singlePointsOfFailure(within: $within, rule: $rule, first: ${MOST}) { ${REPORTED} count } }`;
var find = finder(["Region", "Site", "Location", "Rack", "Cluster"]);
function SinglePointsScreen() {
  const params = url.value.searchParams;
  const within = params.get("within") ?? narrowedTo();
  const rule = RULES.find((it) => it === params.get("rule")) ?? null;
  const kind = kindOf(params.get("kind") ?? "")?.name ?? null;
  const query = useQuery2(DOCUMENT2, { within, rule }, "all");
  const all = query.data.value?.singlePointsOfFailure ?? [];
  const kindsThere = [...new Set(all.map((it) => it.kind))].sort((a, b) => pluralOf(a).localeCompare(pluralOf(b)));
  const found = query.data.value;
  const shown = useMemo(() => kind ? all.filter((it) => it.kind === kind) : all, [found, kind]);
  return /* @__PURE__ */ jsxs4("section", { class: "page wide tall", "aria-label": "Single points of failure", children: [
    /* @__PURE__ */ jsxs4("header", { class: "page-head", children: [
      /* @__PURE__ */ jsxs4("h1", { children: [
        "Single points of failure ",
        /* @__PURE__ */ jsxs4("span", { class: "count", "aria-live": "polite", children: [
          query.data.value ? number(shown.length) : "\u2026",
          all.length === MOST ? " or more" : ""
        ] })
      ] }),
      /* @__PURE__ */ jsx5("p", { class: "quiet", children: "What takes down or cuts off something else when it fails alone." })
    ] }),
    /* @__PURE__ */ jsxs4("div", { class: "narrow", children: [
      /* @__PURE__ */ jsx5(Chosen, { label: "Within", placeholder: "Everywhere; type a place", id: within, find, remove: "Look everywhere", onChange: (id) => setParams({ within: id, ...id ? {} : { [IN]: null } }) }),
      /* @__PURE__ */ jsxs4("label", { children: [
        "Because of",
        /* @__PURE__ */ jsxs4("select", { value: rule ?? "", onChange: (event) => setParams({ rule: event.currentTarget.value || null }), children: [
          /* @__PURE__ */ jsx5("option", { value: "", children: "Anything" }),
          RULES.map((it) => /* @__PURE__ */ jsx5("option", { value: it, children: ruleTitle(it) }, it))
        ] })
      ] }),
      /* @__PURE__ */ jsxs4("label", { children: [
        "Kind",
        /* @__PURE__ */ jsxs4("select", { value: kind ?? "", onChange: (event) => setParams({ kind: event.currentTarget.value || null }), children: [
          /* @__PURE__ */ jsx5("option", { value: "", children: "All kinds" }),
          kindsThere.map((it) => /* @__PURE__ */ jsxs4("option", { value: it, children: [
            pluralOf(it),
            ", ",
            number(all.filter((one) => one.kind === it).length)
          ] }, it)),
          kind && !kindsThere.includes(kind) && /* @__PURE__ */ jsxs4("option", { value: kind, children: [
            pluralOf(kind),
            ", 0"
          ] })
        ] })
      ] })
    ] }),
    query.error.value && /* @__PURE__ */ jsx5(Failure, { error: query.error.value, again: () => void query.read() }),
    !query.data.value && !query.error.value && /* @__PURE__ */ jsx5("p", { class: "waiting", children: "Working it out\u2026" }),
    query.data.value && (shown.length > 0 ? /* @__PURE__ */ jsx5(Points, { points: shown }) : /* @__PURE__ */ jsxs4("p", { class: "empty", children: [
      "Nothing here is a single point of failure",
      rule || kind ? " of this sort" : "",
      "."
    ] }))
  ] });
}
var COLUMNS = [
  { id: "rank", title: "Rank", width: 56, numeric: true },
  { id: "object", title: "Object", width: 260, grow: 1.4 },
  { id: "kind", title: "Kind", width: 130, grow: 0.3 },
  { id: "count", title: "Takes with it", width: 240, grow: 0.8 },
  { id: "impact", title: "Impact", width: 110 }
];
function Points({ points }) {
  const [active, setActive] = useState2(0);
  const at = Math.min(active, points.length - 1);
  const rows = useMemo(() => points.map((it) => ({ ...it })), [points]);
  const worst = Math.max(1, ...points.map((it) => it.count));
  const show = (index) => {
    const it = points[index];
    if (it) go(impactPath([it.node.id]));
  };
  const move = (by) => setActive(Math.max(0, Math.min(points.length - 1, at + by)));
  useCommands({
    next: () => move(1),
    previous: () => move(-1),
    open: () => show(at),
    impact: () => intoBasket(points[at] ? [points[at].node.id] : [])
  });
  const cell = (index, column) => {
    const it = points[index];
    if (!it) return null;
    if (column === "rank") return number(index + 1);
    if (column === "object") return /* @__PURE__ */ jsx5(ThingLink, { it: thingOf(it), quiet: true, kind: false });
    if (column === "kind") return titleOf4(it.kind);
    if (column === "impact") return /* @__PURE__ */ jsxs4("a", { href: impactPath([it.node.id]), tabIndex: -1, children: [
      "Show why",
      /* @__PURE__ */ jsxs4("span", { class: "hidden", children: [
        " ",
        thingOf(it).name,
        " takes them"
      ] })
    ] });
    return /* @__PURE__ */ jsxs4("span", { class: "bar", children: [
      /* @__PURE__ */ jsx5("b", { children: number(it.count) }),
      /* @__PURE__ */ jsx5("svg", { "aria-hidden": "true", viewBox: "0 0 100 8", preserveAspectRatio: "none", children: /* @__PURE__ */ jsx5("rect", { class: "bar-fill", width: Math.max(1, 100 * it.count / worst), height: "8" }) })
    ] });
  };
  return /* @__PURE__ */ jsx5("div", { class: "list-box grow", children: /* @__PURE__ */ jsx5(
    Table,
    {
      label: "Single points of failure",
      columns: COLUMNS,
      total: points.length,
      active: at,
      onActive: setActive,
      onOpen: show,
      onWindow: () => {
      },
      keyOf: (it) => points[it]?.node.id ?? String(it),
      cell,
      rowAt: (it) => rows[it]
    }
  ) });
}
export {
  SinglePointsScreen as default
};
