// src/screens/places.lazy.tsx
import { Failure, number, titleOf as titleOf2, useQuery } from "./main.js";

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

// src/screens/places.lazy.tsx
import { jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var find = finder(["Region", "Site", "Location", "Rack"]);
var MOST = 60;
var PLACE = "__typename id name";
var UPWARDS = `${PLACE} parent { ${PLACE} parent { ${PLACE} parent { ${PLACE} } } }`;
var SITE = `site { ${PLACE} region { ${UPWARDS} } }`;
var ABOVE = `query Above($id: ID!) { node(id: $id) { __typename id
  ... on Region { ${UPWARDS} } ... on Site { name region { ${UPWARDS} } } ... on Location { ${UPWARDS} ${SITE} } ... on Rack { name location { ${UPWARDS} } ${SITE} }
} }`;
function chainOf(it) {
  if (!it) return [];
  return [...chainOf(it.region ?? it.site), ...chainOf(it.location ?? it.parent), it];
}
function beneath(it) {
  const own = { id: { eq: it?.id } };
  const outermost = { isNull: true };
  if (!it) return [["sites", "Site", {}], ["regions", "Region", { parent: outermost }]];
  if (it.__typename === "Region") return [["regions", "Region", { parent: own }], ["sites", "Site", { region: own }]];
  if (it.__typename === "Site") return [["locations", "Location", { site: own, parent: outermost }], ["racks", "Rack", { site: own, location: outermost }]];
  return it.__typename === "Location" ? [["locations", "Location", { parent: own }], ["racks", "Rack", { location: own }]] : [];
}
function Places({ chosen, onChoose }) {
  const above = useQuery(chosen ? ABOVE : "{ revision }", chosen ? { id: chosen } : {}, []);
  const chain = chainOf(chosen ? above.data.value?.node : null);
  const known = !chosen || above.data.value !== null;
  return /* @__PURE__ */ jsxs2("div", { class: "places", children: [
    /* @__PURE__ */ jsx2(Picker, { label: "Show only what is in", placeholder: "A region, site, location or rack", find, onPick: (it) => onChoose(it.id) }),
    /* @__PURE__ */ jsxs2("ol", { "aria-label": "Chosen", children: [
      /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsx2("button", { type: "button", class: "plain", "aria-pressed": !chosen, onClick: () => onChoose(null), children: "Everywhere" }) }),
      chain.map((it) => /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsx2(Choice, { place: it, chosen, onChoose }) }, it.id))
    ] }),
    above.error.value && /* @__PURE__ */ jsx2(Failure, { error: above.error.value }),
    known && /* @__PURE__ */ jsx2(Beneath, { of: chain.at(-1), onChoose }, chosen)
  ] });
}
function Beneath({ of, onChoose }) {
  const lists = beneath(of);
  const text = `query Places(${lists.map(([list, kind]) => `$${list}: ${kind}Filter`).join(", ")}) { revision ${lists.map(([list]) => `${list}(filter: $${list}, first: ${MOST}, orderBy: {by: NAME}) { totalCount nodes { ${PLACE} } }`).join(" ")} }`;
  const query = useQuery(lists.length > 0 ? text : "{ revision }", Object.fromEntries(lists.map(([list, , filter]) => [list, filter])), []);
  if (query.error.value) return /* @__PURE__ */ jsx2(Failure, { error: query.error.value });
  return /* @__PURE__ */ jsx2("ul", { "aria-label": "Beneath it", children: lists.flatMap(([list]) => {
    const { nodes = [], totalCount = 0 } = query.data.value?.[list] ?? {};
    return [
      ...nodes.map((it) => /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsx2(Choice, { place: it, chosen: null, onChoose }) }, it.id)),
      ...totalCount > nodes.length ? [/* @__PURE__ */ jsxs2("li", { class: "quiet", children: [
        number(totalCount - nodes.length),
        " more: search above"
      ] }, list)] : []
    ];
  }) });
}
function Choice({ place, chosen, onChoose }) {
  return /* @__PURE__ */ jsxs2("button", { type: "button", class: "plain", "aria-pressed": place.id === chosen, onClick: () => onChoose(place.id), children: [
    /* @__PURE__ */ jsx2("span", { class: "thing-kind", children: titleOf2(place.__typename) }),
    " ",
    /* @__PURE__ */ jsx2("bdi", { children: place.name })
  ] });
}
export {
  Places
};
