// src/screens/form.lazy.tsx
import {
  about,
  asRefused,
  currentRoute,
  Dialog,
  Failure,
  form,
  go,
  idOrPath,
  isolated,
  keepForm,
  keptForm,
  keyOf,
  number,
  openForm,
  pluralOf,
  say,
  titleOf as titleOf2,
  url,
  useEffect as useEffect3,
  useRef as useRef3,
  useState as useState3,
  words as words2
} from "./main.js";
import { inputsOf, presentOf, propose, withVersion } from "./writes.js";

// src/screens/inputs.tsx
import { bareType, enumWords, kindOf, useEffect as useEffect2, useId, useRef as useRef2, useState as useState2, valuesOf, words } from "./main.js";
import { inputOf, isOneOf } from "./writes.js";

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
function RefPicker({ id, targets: targets2, list, value, placeholder, onChange }) {
  const [text, setText] = useState(null);
  const [hits, setHits] = useState([]);
  const [at, setAt] = useState(0);
  const box = useRef(null);
  const chosen = Array.isArray(value) ? value : value ? [value] : [];
  const kinds = targets2.map((it) => it.kind);
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
    const member = targets2.find((it) => it.kind === hit.kind)?.member;
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

// src/screens/inputs.tsx
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./main.js";
function Input(props) {
  const id = useId();
  const { label, about: about2, touched: touched2, canClear, value, required, onChange } = props;
  const cleared = touched2 && value === null;
  const [round, setRound] = useState2(0);
  return /* @__PURE__ */ jsxs2("div", { class: `field${touched2 ? " touched" : ""}`, children: [
    /* @__PURE__ */ jsxs2("label", { for: id, title: about2, children: [
      label,
      required && /* @__PURE__ */ jsx2("span", { class: "needed", children: " (needed)" })
    ] }),
    /* @__PURE__ */ jsxs2("div", { class: "control", children: [
      cleared ? /* @__PURE__ */ jsx2("span", { class: "quiet", id, children: "will be cleared" }) : /* @__PURE__ */ jsx2(Control, { ...props, id }, round),
      touched2 && /* @__PURE__ */ jsx2("button", { type: "button", class: "plain", onClick: () => {
        onChange(void 0);
        setRound(round + 1);
      }, "aria-label": `Undo the change of ${label}`, children: "Undo" }),
      !touched2 && canClear && !required && (props.several || !isEmpty(value)) && /* @__PURE__ */ jsx2("button", { type: "button", class: "plain", onClick: () => onChange(null), "aria-label": `Clear ${label}`, children: "Clear" })
    ] }),
    about2 && /* @__PURE__ */ jsx2("p", { class: "about", children: about2 })
  ] });
}
var isEmpty = (value) => value === null || value === void 0 || value === "";
var NUMBERS = /* @__PURE__ */ new Set(["Int", "Float", "Long", "Revision"]);
var TEXTS = /* @__PURE__ */ new Set(["String", "ID", "URL", "MAC", "DateTime", "Date"]);
var EXAMPLES = { DateTime: "2026-01-31T12:00:00Z", Date: "2026-01-31", MAC: "02:00:00:00:00:01", URL: "https://" };
function targets(type) {
  const bare = bareType(type);
  const own = /^(\w+)Ref$/.exec(bare)?.[1];
  if (own && kindOf(own)) return [{ kind: own, member: null }];
  if (!isOneOf(bare)) return [];
  const members = Object.entries(inputOf(bare));
  return members.flatMap(([member, it]) => {
    const kind = /^(\w+)Ref$/.exec(bareType(it))?.[1];
    return kind && kindOf(kind) ? [{ kind, member }] : [];
  });
}
function Control(props) {
  const { id, type, value, onChange, several, required } = props;
  const bare = bareType(type);
  const list = type.startsWith("[");
  const kept = several ? "as they are" : "not set";
  if (targets(type).length > 0) {
    return /* @__PURE__ */ jsx2(RefPicker, { id, targets: targets(type), list, value, onChange, placeholder: several ? kept : "search\u2026" });
  }
  if (valuesOf(bare).length > 0 && !list) return /* @__PURE__ */ jsx2(Choice, { id, values: valuesOf(bare), value, kept, onChange });
  if (bare === "Boolean" && !list) {
    return /* @__PURE__ */ jsx2(Choice, { id, values: ["true", "false"], titles: { true: "yes", false: "no" }, kept, onChange: (it) => onChange(it === void 0 ? void 0 : it === "true"), ...typeof value === "boolean" ? { value: String(value) } : {} });
  }
  if (NUMBERS.has(bare) && !list) {
    return /* @__PURE__ */ jsx2(Numeric, { ...props });
  }
  if (TEXTS.has(bare) && !list) {
    return /* @__PURE__ */ jsx2("input", { id, required, autocomplete: "off", spellcheck: false, placeholder: several ? kept : EXAMPLES[bare] ?? "", value: value === void 0 || value === null ? "" : String(value), onInput: (event) => onChange(event.currentTarget.value) });
  }
  if (bare === "Labels" || bare === "TextMap") return /* @__PURE__ */ jsx2(Pairs, { ...props });
  if (TEXTS.has(bare) && list) return /* @__PURE__ */ jsx2(TextList, { ...props });
  if (!list && Object.keys(inputOf(bare)).length > 0) return /* @__PURE__ */ jsx2(Nested, { ...props });
  return /* @__PURE__ */ jsx2(Json, { ...props });
}
function Numeric({ id, type, value, onChange, several, required }) {
  const [empty, setEmpty] = useState2(false);
  const change = (text) => {
    setEmpty(text === "");
    onChange(text === "" ? void 0 : Number(text));
  };
  return /* @__PURE__ */ jsx2(
    "input",
    {
      id,
      type: "number",
      step: bareType(type) === "Float" ? "any" : 1,
      required,
      placeholder: several ? "as they are" : "",
      value: empty || value === void 0 || value === null ? "" : String(value),
      onInput: (event) => change(event.currentTarget.value),
      onBlur: () => setEmpty(false)
    }
  );
}
function Choice({ id, values, titles, value, kept, onChange }) {
  return /* @__PURE__ */ jsxs2("select", { id, value: value ?? "", onChange: (event) => onChange(event.currentTarget.value || void 0), children: [
    /* @__PURE__ */ jsx2("option", { value: "", children: kept }),
    values.map((it) => /* @__PURE__ */ jsx2("option", { value: it, children: titles?.[it] ?? enumWords(it) }, it))
  ] });
}
function Pairs({ id, value, before, onChange, several, touched: touched2 }) {
  const [start] = useState2(() => several ? {} : before ?? {});
  const [text, setText] = useState2(() => textOfPairs(start, touched2 ? value : start, several));
  const change = (next) => {
    setText(next);
    const lines = next.split("\n").map((it) => it.trim()).filter(Boolean);
    const pairs = Object.fromEntries(lines.map((it) => {
      const at = it.indexOf("=");
      if (at < 0 && it.endsWith("-")) return [it.slice(0, -1), null];
      return at < 0 ? [it, ""] : [it.slice(0, at), it.slice(at + 1)];
    }));
    const gone = Object.keys(start).filter((it) => !(it in pairs)).map((it) => [it, null]);
    const changed = Object.entries(pairs).filter(([key, it]) => start[key] !== it);
    const patch = Object.fromEntries([...changed, ...gone]);
    onChange(Object.keys(patch).length > 0 ? patch : void 0);
  };
  return /* @__PURE__ */ jsx2("textarea", { id, rows: Math.max(2, text.split("\n").length), spellcheck: false, placeholder: several ? "key=value to set, key- to remove" : "key=value, one a line", value: text, onInput: (event) => change(event.currentTarget.value) });
}
function textOfPairs(start, changes, several) {
  const lines = Object.entries({ ...start, ...changes }).map(([key, it]) => it === null ? several && `${key}-` : `${key}=${it}`);
  return lines.filter(Boolean).join("\n");
}
function TextList({ id, value, onChange }) {
  const [text, setText] = useState2(() => (value ?? []).join("\n"));
  const change = (next) => {
    setText(next);
    onChange(next.split("\n").map((it) => it.trim()).filter(Boolean));
  };
  return /* @__PURE__ */ jsx2("textarea", { id, rows: 2, spellcheck: false, placeholder: "one a line", value: text, onInput: (event) => change(event.currentTarget.value) });
}
function Nested({ id, type, value, onChange, touched: touched2 }) {
  const bare = bareType(type);
  const own = value ?? {};
  const set = (name, part) => {
    const { [name]: _, ...rest } = own;
    onChange(part === void 0 ? rest : { ...rest, [name]: part });
  };
  return /* @__PURE__ */ jsx2("fieldset", { id, class: "nested", "aria-label": words(bare.replace(/Input$/, "")), children: Object.entries(inputOf(bare)).map(([name, it]) => /* @__PURE__ */ jsx2(Input, { name, type: it, label: words(name), value: own[name], before: own[name], touched: false, canClear: false, several: false, required: it.endsWith("!") && touched2, onChange: (part) => set(name, part) }, name)) });
}
var NO_JSON = "This is no JSON yet.";
function Json({ id, value, onChange, several }) {
  const [text, setText] = useState2(() => isEmpty(value) ? "" : JSON.stringify(value, null, 1));
  const [wrong, setWrong] = useState2(false);
  const box = useRef2(null);
  useEffect2(() => box.current?.setCustomValidity(wrong ? NO_JSON : ""), [wrong]);
  const change = (next) => {
    setText(next);
    try {
      onChange(next.trim() ? JSON.parse(next) : void 0);
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    /* @__PURE__ */ jsx2("textarea", { id, ref: box, class: "code", rows: Math.min(10, Math.max(2, text.split("\n").length)), spellcheck: false, "aria-invalid": wrong, placeholder: several ? "JSON; as they are" : "JSON", value: text, onInput: (event) => change(event.currentTarget.value) }),
    wrong && /* @__PURE__ */ jsx2("span", { class: "wrong", role: "alert", children: NO_JSON })
  ] });
}

// src/screens/form.lazy.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./main.js";
function FormDialog() {
  const it = form.value;
  return it && /* @__PURE__ */ jsx3(Open, { of: it }, it.objects.join());
}
var KEEP_MS = 200;
function useKept(of, draft, present) {
  const latest = useRef3(null);
  latest.current = Object.keys(draft).length > 0 && present ? { ...of, draft, present } : null;
  const keep = () => keepForm(form.peek() === of ? latest.current : null);
  useEffect3(() => {
    const timer = setTimeout(keep, KEEP_MS);
    return () => clearTimeout(timer);
  }, [draft, present]);
  useEffect3(() => {
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, []);
}
function Open({ of }) {
  const [from] = useState3(() => {
    const kept = keptForm();
    return of.draft || kept?.kind !== of.kind || kept.objects.join() !== of.objects.join() ? of : kept;
  });
  const [present, setPresent] = useState3(from.present ?? (of.objects.length === 0 ? [] : null));
  const [count, setCount] = useState3(0);
  const [error, setError] = useState3(null);
  const [draft, setDraft] = useState3(from.draft ?? of.start ?? {});
  useEffect3(() => {
    if (!present) presentOf(of.kind.name, of.objects, false, setCount).then((it) => setPresent([...it.values()]), (failure) => setError(asRefused(failure)));
  }, []);
  useKept(of, draft, present);
  const loaded = present !== null;
  useEffect3(() => {
    if (loaded) document.querySelector(".form-fields input, .form-fields select")?.focus();
  }, [loaded]);
  const close = () => {
    form.value = null;
  };
  const title = titleFor(of, present);
  const again = { title: "Back to it", run: () => openForm({ ...of, draft, ...present ? { present } : {} }) };
  const leave = () => {
    if (form.value !== of) return;
    close();
    if (Object.keys(draft).length > 0 && draft !== of.start) say(`\u201C${isolated(title)}\u201D was closed before it was reviewed.`, again);
  };
  const submit = (event) => {
    event.preventDefault();
    close();
    if (present?.length === 1 && present[0]) stayWith(of.kind, present[0], draft);
    if (!propose(title, stepsOf(of.kind, present ?? [], draft))) say(`\u201C${isolated(title)}\u201D waits until then.`, again);
  };
  return /* @__PURE__ */ jsx3(Dialog, { title, class: "form", onClose: leave, children: /* @__PURE__ */ jsxs3("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs3("header", { children: [
      /* @__PURE__ */ jsx3("h2", { children: /* @__PURE__ */ jsx3("bdi", { children: title }) }),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "plain", onClick: leave, "aria-label": "Close", children: "\u2715" })
    ] }),
    from.draft && /* @__PURE__ */ jsx3("p", { class: "kept", role: "status", children: "What you typed before is here again." }),
    error && /* @__PURE__ */ jsx3(Failure, { error }),
    present && /* @__PURE__ */ jsx3(Fields, { of, present, draft, onChange: setDraft }),
    !present && !error && /* @__PURE__ */ jsx3("p", { class: "waiting", children: of.objects.length > 1 ? `Reading ${number(count)} of ${number(of.objects.length)}\u2026` : "Reading\u2026" }),
    /* @__PURE__ */ jsxs3("footer", { children: [
      /* @__PURE__ */ jsx3("span", { class: "quiet", children: touched(draft) }),
      /* @__PURE__ */ jsx3("span", { class: "grow" }),
      /* @__PURE__ */ jsx3("button", { type: "button", onClick: leave, children: "Cancel" }),
      /* @__PURE__ */ jsx3("button", { type: "submit", class: "main", disabled: !present || Object.keys(draft).length === 0, children: "Review the changes" })
    ] })
  ] }) });
}
function stayWith(kind, it, draft) {
  const at = currentRoute.value;
  const isHere = at.kind?.name === kind.name && at.rest.at(-1) === it.name;
  if (!isHere || !["name", ...keyOf(kind.name) ?? []].some((field) => Object.hasOwn(draft, field))) return;
  const view = at.screen === "detail" ? "" : `/${url.value.pathname.split("/").at(-1)}`;
  go(`${idOrPath(kind.name, it.id)}${view}${url.value.search}`, "replace");
}
function titleFor(of, present) {
  if (of.objects.length === 0) return `Create a ${titleOf2(of.kind.name).toLowerCase()}`;
  if (of.objects.length > 1) return `Change ${number(of.objects.length)} ${pluralOf(of.kind.name).toLowerCase()}`;
  return `Edit ${present?.[0]?.name ?? "\u2026"}`;
}
function touched(draft) {
  const names = Object.keys(draft).map((it) => words2(it).toLowerCase());
  return names.length === 0 ? "Nothing is changed yet." : `Changed: ${names.join(", ")}.`;
}
function sent(draft, isNew) {
  return Object.fromEntries(Object.entries(draft).filter(([, it]) => !isNew || it !== null && it !== ""));
}
function stepsOf(kind, present, draft) {
  if (present.length === 0) return [{ kind: kind.name, name: String(draft.name ?? ""), item: { [kind.one]: { ifVersion: 0, ...sent(draft, true) } } }];
  const item = sent(draft, false);
  return present.map((it) => withVersion({
    kind: kind.name,
    id: it.id,
    name: it.name,
    item: { [kind.one]: { id: it.id, ...item } },
    // Of many objects, only what is edited is kept.
    ...it.item && { base: present.length === 1 ? it.item : Object.fromEntries(Object.keys(item).map((name) => [name, it.item?.[name]])) }
  }, it.version));
}
var SINGLE = /* @__PURE__ */ new Set(["name", "serial", "assetTag", "mac", "externalRefs", "circuitId"]);
var LAST = ["labels", "attributes", "externalRefs", "tenant", "description"];
var rank = (name) => LAST.indexOf(name);
function Fields({ of, present, draft, onChange }) {
  const isNew = present.length === 0;
  const item = present.length === 1 ? present[0]?.item : void 0;
  const fields = inputsOf(of.kind).filter((it) => it.type !== "SecretInput" && (isNew || it.patch) && (present.length < 2 || !SINGLE.has(it.name))).sort((a, b) => Number(isNew && b.needed) - Number(isNew && a.needed) || rank(a.name) - rank(b.name));
  const set = (name, value) => {
    const next = { ...draft };
    if (value === void 0) delete next[name];
    else next[name] = value;
    onChange(next);
  };
  return /* @__PURE__ */ jsx3("div", { class: "form-fields", children: fields.map((it) => /* @__PURE__ */ jsx3(
    Input,
    {
      name: it.name,
      type: it.type,
      label: words2(it.name),
      about: about(`${of.kind.name}Input.${it.name}`),
      required: isNew && it.needed,
      value: Object.hasOwn(draft, it.name) ? draft[it.name] : item?.[it.name],
      before: item?.[it.name],
      touched: Object.hasOwn(draft, it.name),
      canClear: !isNew && !it.needed,
      several: present.length > 1,
      onChange: (value) => set(it.name, value)
    },
    it.name
  )) });
}
export {
  FormDialog
};
