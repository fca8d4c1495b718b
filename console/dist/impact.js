// src/screens/impact.lazy.tsx
import { useEffect as useEffect2, useMemo as useMemo2, useState as useState3 } from "./main.js";
import { ask as ask2, asRefused, basket, Failure as Failure3, impactPath, number as number4, pluralOf as pluralOf3, say, setBasket as setBasket3, setParams as setParams3, Table, url, useQuery as useQuery3 } from "./main.js";

// src/screens/effects.tsx
import { jsx } from "./main.js";
var EFFECT_WORDS = {
  DOWN: { word: "Down", tone: "bad" },
  ISOLATED: { word: "Cut off", tone: "warn" },
  DEGRADED: { word: "Less redundant", tone: "plan" }
};
var effectWords = (effect) => EFFECT_WORDS[effect].word;
function EffectMark({ effect }) {
  return /* @__PURE__ */ jsx("span", { class: `state ${EFFECT_WORDS[effect].tone}`, children: EFFECT_WORDS[effect].word });
}
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
var REASONS = {
  "CONTAINMENT DOWN": "what contains it is down",
  "LINE DOWN": "an end or part of the line is down",
  "LINE DEGRADED": "some of its ends are down",
  "POWER DOWN": "too little power is left",
  "POWER DEGRADED": "a power supply is lost",
  "NETWORK ISOLATED": "no way out of the network is left",
  "NETWORK DEGRADED": "fewer independent ways out are left",
  "GROUP DOWN": "no member is left",
  "GROUP DEGRADED": "members are lost",
  "HOSTING DOWN": "what it runs on is down",
  "HOSTING ISOLATED": "what it runs on is cut off",
  "HOSTING DEGRADED": "what it runs on has lost something",
  "LINK DOWN": "its ends or all its cables are down",
  "LINK DEGRADED": "some of its cables are down"
};
var reasonWords = (rule, effect) => REASONS[`${rule} ${effect}`] ?? ruleTitle(rule).toLowerCase();

// src/screens/impact-basket.tsx
import { EnumValue, Failure, kinds, number, pluralOf, segmentOf, setBasket, setParams, titleOf as titleOf3, useQuery } from "./main.js";

// src/parts/picker.tsx
import { useEffect, useId, useRef, useState } from "./main.js";
import { jsx as jsx2, jsxs } from "./main.js";
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
    /* @__PURE__ */ jsx2("label", { for: `${id}-field`, children: label }),
    /* @__PURE__ */ jsx2(
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
      /* @__PURE__ */ jsx2("ul", { id: `${id}-list`, role: "listbox", "aria-label": label, children: choices.map((it, index) => /* @__PURE__ */ jsxs(
        "li",
        {
          id: `${id}-${index}`,
          role: "option",
          "aria-selected": index === at,
          onMouseDown: (event) => event.preventDefault(),
          onClick: () => pick(it),
          onMouseMove: () => setAt(index),
          children: [
            /* @__PURE__ */ jsx2("bdi", { children: it.title }),
            /* @__PURE__ */ jsx2("span", { class: "detail", children: it.detail })
          ]
        },
        it.id
      )) }),
      choices.length === 0 && /* @__PURE__ */ jsx2("p", { class: "quiet", children: note || "Searching\u2026" })
    ] }),
    /* @__PURE__ */ jsx2("span", { class: "hidden", role: "status", children: shown ? note : "" })
  ] });
}

// src/store/find.ts
import { ask, titleOf } from "./main.js";
var DOCUMENT = `query Find($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) {
  kind path field text node { id ... on Object { name } }
} }`;
function finder(kinds2) {
  return async (text, abort) => {
    const found = (await ask(DOCUMENT, { text, kinds: kinds2 ?? null }, abort)).data.search ?? [];
    return found.map((it) => {
      const where = it.path.slice(it.path.indexOf("/") + 1);
      const by = it.field === "name" ? "" : ` \xB7 ${it.field} ${it.text}`;
      return { id: it.node.id, title: it.node.name ?? where, detail: `${titleOf(it.kind)} \xB7 ${where}${by}` };
    });
  };
}

// src/screens/thing.tsx
import { pathOf, titleOf as titleOf2 } from "./main.js";

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
import { jsx as jsx3, jsxs as jsxs2 } from "./main.js";
function ThingLink({ it, quiet, kind = true }) {
  const where = whereOf(it.path, it.name);
  return /* @__PURE__ */ jsxs2("span", { class: "thing", children: [
    kind && /* @__PURE__ */ jsx3("span", { class: "thing-kind", children: titleOf2(it.kind) }),
    /* @__PURE__ */ jsx3("a", { href: pathOf(it.kind, { id: it.id }), tabIndex: quiet ? -1 : void 0, title: it.name, children: /* @__PURE__ */ jsx3("bdi", { children: it.name }) }),
    where && /* @__PURE__ */ jsx3("bdi", { class: "quiet", children: where })
  ] });
}

// src/screens/impact-basket.tsx
import { jsx as jsx4, jsxs as jsxs3 } from "./main.js";
var WITH_STATUS = kinds().filter((it) => it.fields.some((field) => field.name === "status"));
var OBJECTS = `query Basket($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Object { name }
  ${WITH_STATUS.map((it) => `... on ${it.name} { status_${it.name}: status }`).join(" ")} } }`;
var BY_STATUS = WITH_STATUS.filter((it) => it.fields.some((field) => field.name === "status" && field.of === "Status"));
var FAILED = `query FailedNow { ${BY_STATUS.map((it) => `${it.name}: ${it.list}(filter: {status: {in: [FAILED, OFFLINE]}}, first: 0) { totalCount }`).join(" ")} }`;
var DOWN = /* @__PURE__ */ new Set(["PLANNED", "STAGED", "OFFLINE", "FAILED", "RETIRED", "DECOMMISSIONING"]);
var find = finder();
function useBasket(ids) {
  const query = useQuery(OBJECTS, { ids }, "all");
  const held = query.data.value?.nodes.map((it, at) => {
    const id = ids[at] ?? "";
    if (!it) return { id, thing: null, status: null };
    const kind = String(it.__typename);
    const name = String(it.name ?? id);
    return { id, thing: { id, name, kind, path: `${kind}/${name}` }, status: it[`status_${kind}`] ?? null };
  });
  return { held: held ?? null, error: query.error.value };
}
function Basket({ ids, held }) {
  const keep = (next) => {
    setBasket(next);
    setParams({ of: next });
  };
  return /* @__PURE__ */ jsxs3("section", { class: "basket", "aria-label": "What fails", children: [
    /* @__PURE__ */ jsx4("h2", { children: "If these fail together" }),
    /* @__PURE__ */ jsx4(Picker, { label: "Add an object", placeholder: "Name, serial, address\u2026", find, onPick: (it) => keep([.../* @__PURE__ */ new Set([...ids, it.id])]) }),
    ids.length === 0 && /* @__PURE__ */ jsxs3("p", { class: "quiet", children: [
      "The basket is empty. Search above, or press ",
      /* @__PURE__ */ jsx4("kbd", { children: "i" }),
      " on any object or row."
    ] }),
    /* @__PURE__ */ jsx4("ul", { children: (held ?? []).map((it) => /* @__PURE__ */ jsxs3("li", { children: [
      /* @__PURE__ */ jsxs3("span", { class: "basket-item", children: [
        it.thing ? /* @__PURE__ */ jsx4(ThingLink, { it: it.thing }) : /* @__PURE__ */ jsx4("span", { class: "quiet", children: "An object that does not exist any more" }),
        it.status && DOWN.has(it.status) && /* @__PURE__ */ jsxs3("span", { class: "basket-note", children: [
          /* @__PURE__ */ jsx4(EnumValue, { field: "status", value: it.status }),
          " ",
          /* @__PURE__ */ jsx4("span", { class: "quiet", children: "down already: adds nothing" })
        ] })
      ] }),
      /* @__PURE__ */ jsx4("button", { type: "button", class: "plain", "aria-label": `Remove ${it.thing ? `${titleOf3(it.thing.kind).toLowerCase()} ${it.thing.name}` : "it"}`, onClick: () => keep(ids.filter((one) => one !== it.id)), children: "\u2715" })
    ] }, it.id)) }),
    ids.length > 1 && /* @__PURE__ */ jsx4("button", { type: "button", onClick: () => keep([]), children: "Empty the basket" })
  ] });
}
function FailedNow() {
  const query = useQuery(FAILED, {}, BY_STATUS.map((it) => it.name));
  const some = BY_STATUS.map((kind) => ({ kind, count: query.data.value?.[kind.name]?.totalCount ?? 0 })).filter((it) => it.count > 0);
  return /* @__PURE__ */ jsxs3("section", { class: "basket", "aria-label": "Failed already", children: [
    /* @__PURE__ */ jsx4("h2", { children: "Failed already" }),
    query.error.value && /* @__PURE__ */ jsx4(Failure, { error: query.error.value }),
    query.data.value && some.length === 0 && /* @__PURE__ */ jsx4("p", { class: "quiet", children: "Nothing is failed or offline." }),
    /* @__PURE__ */ jsx4("ul", { children: some.map(({ kind, count }) => /* @__PURE__ */ jsxs3("li", { children: [
      /* @__PURE__ */ jsx4("a", { href: `/${segmentOf(kind)}?status.in=FAILED&status.in=OFFLINE`, children: pluralOf(kind.name) }),
      /* @__PURE__ */ jsx4("b", { children: number(count) })
    ] }, kind.name)) }),
    some.length > 0 && /* @__PURE__ */ jsx4("p", { class: "quiet", children: "The impact starts from here: what is down now is not counted again." })
  ] });
}

// src/screens/impact-tree.tsx
import { useMemo, useRef as useRef2, useState as useState2 } from "./main.js";
import { go, intoBasket, number as number2, pathOf as pathOf2, pluralOf as pluralOf2, useCommands } from "./main.js";

// src/screens/reasons.ts
var EFFECTS = ["DOWN", "ISOLATED", "DEGRADED"];
var countOf = (counts, effect, kind) => counts.reduce((sum, it) => sum + (it.effect === effect && (kind === void 0 || it.kind === kind) ? it.count : 0), 0);
var FEW = 4;
var MAX_SHOWN = 200;
function treeOf(failed, affected) {
  const beneath = /* @__PURE__ */ new Map();
  for (const it of affected) {
    for (const reason of new Set(it.because)) beneath.set(reason, [...beneath.get(reason) ?? [], it]);
  }
  const placed = new Set(failed.map((it) => it.id));
  const children = /* @__PURE__ */ new Map();
  const queue = failed.map((it) => it.id);
  for (let at = 0; at < queue.length; at += 1) {
    const id = queue[at] ?? "";
    const own = (beneath.get(id) ?? []).filter((it) => !placed.has(it.id));
    for (const it of own) {
      placed.add(it.id);
      queue.push(it.id);
    }
    children.set(id, own);
  }
  const branch = (item, key) => {
    const groups = grouped(children.get(item.id) ?? [], key, branch);
    const others = "because" in item ? Math.max(0, item.because.length - 1) : 0;
    return { key, item, others, groups, count: groups.reduce((sum, it) => sum + it.count, 0) };
  };
  const roots = failed.map((it) => branch(it, it.id));
  return { roots, rest: grouped(affected.filter((it) => !placed.has(it.id)), "rest", branch) };
}
function grouped(items, under, branch) {
  const groups = /* @__PURE__ */ new Map();
  for (const it of items) {
    const key = `${under}/${it.kind}.${it.effect}.${it.rule}`;
    const group = groups.get(key) ?? { key, kind: it.kind, effect: it.effect, rule: it.rule, branches: [], count: 0 };
    const made = branch(it, `${key}/${it.id}`);
    group.branches.push(made);
    group.count += 1 + made.count;
    groups.set(key, group);
  }
  return [...groups.values()];
}
function linesOf(roots, rest, toggled) {
  const lines = [];
  const addBranch = (it, level) => {
    const some = it.groups.length > 0;
    const open = some ? level === 1 !== toggled.has(it.key) : void 0;
    lines.push({ key: it.key, level, open, branch: it });
    if (open) it.groups.forEach((group) => addGroup(group, level + 1));
  };
  const addGroup = (it, level) => {
    if (it.branches.length <= FEW) {
      it.branches.forEach((one) => addBranch(one, level));
      return;
    }
    const open = toggled.has(it.key);
    lines.push({ key: it.key, level, open, group: it });
    if (!open) return;
    it.branches.slice(0, MAX_SHOWN).forEach((one) => addBranch(one, level + 1));
    if (it.branches.length > MAX_SHOWN) lines.push({ key: `${it.key}/more`, level: level + 1, open: void 0, hidden: it.branches.length - MAX_SHOWN });
  };
  roots.forEach((it) => addBranch(it, 1));
  rest.forEach((it) => addGroup(it, 1));
  return lines;
}
function parentLine(lines, at) {
  const level = lines[at]?.level ?? 1;
  for (let it = at - 1; it >= 0; it -= 1) if ((lines[it]?.level ?? 0) < level) return it;
  return at;
}

// src/screens/impact-tree.tsx
import { Fragment, jsx as jsx5, jsxs as jsxs4 } from "./main.js";
function ImpactTree({ failed, affected }) {
  const { roots, rest } = useMemo(() => treeOf(failed, affected), [failed, affected]);
  const [toggled, setToggled] = useState2(/* @__PURE__ */ new Set());
  const [active, setActive] = useState2("");
  const box = useRef2(null);
  const lines = linesOf(roots, rest, toggled);
  const at = Math.max(0, lines.findIndex((it) => it.key === active));
  const toggle = (it) => {
    if (!it || it.open === void 0) return;
    const next = new Set(toggled);
    if (!next.delete(it.key)) next.add(it.key);
    setToggled(next);
  };
  const move = (to) => {
    const line = lines[Math.max(0, Math.min(lines.length - 1, to))];
    if (!line) return;
    setActive(line.key);
    box.current?.querySelectorAll("[role=treeitem]")[lines.indexOf(line)]?.focus();
  };
  const open = (it) => {
    if (it?.branch) go(pathOf2(it.branch.item.kind, { id: it.branch.item.id }));
    else toggle(it);
  };
  const keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = lines[at];
    const runs = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(lines.length - 1),
      ArrowRight: () => line?.open === false ? toggle(line) : line?.open ? move(at + 1) : void 0,
      ArrowLeft: () => line?.open ? toggle(line) : move(parentLine(lines, at)),
      Enter: () => open(line),
      " ": () => toggle(line)
    };
    const run = runs[event.key];
    if (!run || event.target.closest("a")) return;
    event.preventDefault();
    run();
  };
  useCommands({
    next: () => move(at + 1),
    previous: () => move(at - 1),
    open: () => open(lines[at]),
    impact: () => intoBasket(lines[at]?.branch ? [lines[at].branch.item.id] : [])
  });
  if (lines.length === 0) return /* @__PURE__ */ jsx5("p", { class: "empty", children: "Nothing else is affected." });
  return /* @__PURE__ */ jsx5("ul", { class: "tree", role: "tree", "aria-label": "What is affected, and why", ref: box, onKeyDown: keys, children: lines.map((it, index) => /* @__PURE__ */ jsxs4(
    "li",
    {
      role: "treeitem",
      "aria-level": it.level,
      "aria-expanded": it.open,
      "aria-selected": index === at,
      tabIndex: index === at ? 0 : -1,
      class: index === at ? "active" : void 0,
      style: { paddingInlineStart: `${(it.level - 1) * 20 + 6}px` },
      onFocus: () => setActive(it.key),
      onClick: (event) => {
        if (!event.target.closest("a")) {
          setActive(it.key);
          toggle(it);
        }
      },
      children: [
        /* @__PURE__ */ jsx5("span", { class: "twisty", "aria-hidden": "true", children: it.open === void 0 ? "" : it.open ? "\u25BE" : "\u25B8" }),
        /* @__PURE__ */ jsx5(TreeLine, { line: it })
      ]
    },
    it.key
  )) });
}
function TreeLine({ line }) {
  const { group, branch } = line;
  if (line.hidden) return /* @__PURE__ */ jsxs4("span", { class: "quiet", children: [
    number2(line.hidden),
    " more are in the list"
  ] });
  if (group) {
    return /* @__PURE__ */ jsxs4(Fragment, { children: [
      /* @__PURE__ */ jsx5(EffectMark, { effect: group.effect }),
      /* @__PURE__ */ jsxs4("b", { children: [
        number2(group.branches.length),
        " ",
        pluralOf2(group.kind).toLowerCase()
      ] }),
      /* @__PURE__ */ jsxs4("span", { class: "quiet", children: [
        reasonWords(group.rule, group.effect),
        group.count > group.branches.length ? `; ${number2(group.count - group.branches.length)} more follow from these` : ""
      ] })
    ] });
  }
  if (!branch) return null;
  const { item } = branch;
  return /* @__PURE__ */ jsxs4(Fragment, { children: [
    "effect" in item ? /* @__PURE__ */ jsx5(EffectMark, { effect: item.effect }) : /* @__PURE__ */ jsx5("span", { class: "state off", children: "Fails" }),
    /* @__PURE__ */ jsx5(ThingLink, { it: item, quiet: true }),
    "effect" in item && /* @__PURE__ */ jsxs4("span", { class: "quiet", children: [
      reasonWords(item.rule, item.effect),
      item.of === null ? "" : `: ${number2(item.lost ?? 0)} of ${number2(item.of)}`,
      branch.others > 0 ? `; ${branch.others} more ${branch.others === 1 ? "reason" : "reasons"}` : ""
    ] }),
    branch.count > 0 && /* @__PURE__ */ jsxs4("span", { class: "tree-count", children: [
      number2(branch.count),
      /* @__PURE__ */ jsx5("span", { class: "hidden", children: " beneath" })
    ] })
  ] });
}

// src/screens/impact-compare.tsx
import { Failure as Failure2, number as number3, setBasket as setBasket2, setParams as setParams2, useQuery as useQuery2 } from "./main.js";
import { jsx as jsx6, jsxs as jsxs5 } from "./main.js";
var MOST = 1e3;
var DOCUMENT2 = `query Kept($of: [ID!]!) { impact(of: $of) { counts { kind effect count } affected(first: ${MOST}) { totalCount nodes { node { id } } } } }`;
function useKept(vs) {
  const query = useQuery2(vs.length > 0 ? DOCUMENT2 : "{ revision }", vs.length > 0 ? { of: vs } : {}, vs.length > 0 ? "all" : []);
  const answer = vs.length > 0 ? query.data.value?.impact : void 0;
  if (!answer) return null;
  const { nodes, totalCount } = answer.affected;
  return { counts: answer.counts, ids: totalCount > nodes.length ? null : new Set(nodes.map((it) => it.node.id)) };
}
function Compared({ ids, vs }) {
  const { held, error } = useBasket(vs);
  if (vs.length === 0) {
    if (ids.length === 0) return null;
    return /* @__PURE__ */ jsxs5("section", { class: "basket", "aria-label": "Compare", children: [
      /* @__PURE__ */ jsx6("h2", { children: "Compare" }),
      /* @__PURE__ */ jsx6("p", { class: "quiet", children: "Keep this basket, then change it: the numbers show what differs." }),
      /* @__PURE__ */ jsx6("button", { type: "button", onClick: () => setParams2({ vs: ids }), children: "Keep to compare" })
    ] });
  }
  return /* @__PURE__ */ jsxs5("section", { class: "basket", "aria-label": "Compared with", children: [
    /* @__PURE__ */ jsx6("h2", { children: "Compared with" }),
    error && /* @__PURE__ */ jsx6(Failure2, { error }),
    /* @__PURE__ */ jsx6("ul", { children: (held ?? []).map((it) => /* @__PURE__ */ jsx6("li", { children: /* @__PURE__ */ jsx6("span", { class: "basket-item", children: it.thing ? /* @__PURE__ */ jsx6(ThingLink, { it: it.thing }) : /* @__PURE__ */ jsx6("span", { class: "quiet", children: "An object that does not exist any more" }) }) }, it.id)) }),
    /* @__PURE__ */ jsxs5("div", { class: "pane-actions", children: [
      /* @__PURE__ */ jsx6("button", { type: "button", onClick: () => {
        setBasket2(vs);
        setParams2({ of: vs, vs: ids });
      }, children: "Exchange" }),
      /* @__PURE__ */ jsx6("button", { type: "button", onClick: () => setParams2({ vs: null }), children: "Do not compare" })
    ] })
  ] });
}
function Difference({ by }) {
  if (by === 0) return null;
  const text = `${by > 0 ? "+" : "\u2212"}${number3(Math.abs(by))}`;
  return /* @__PURE__ */ jsx6("span", { class: by > 0 ? "difference more" : "difference less", title: `${number3(Math.abs(by))} ${by > 0 ? "more" : "fewer"} than in the kept basket`, children: text });
}

// src/screens/impact.lazy.tsx
import { Fragment as Fragment2, jsx as jsx7, jsxs as jsxs6 } from "./main.js";
var PAGE = 1e3;
var REASONS2 = 3;
var DOCUMENT3 = `query Impact($of: [ID!]!, $kinds: [String!], $effects: [ImpactEffect!], $after: String) { impact(of: $of) {
  revision unanchored counts { kind effect count }
  affected(kinds: $kinds, effects: $effects, first: ${PAGE}, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { ${REPORTED} effect rule lost of because(first: ${REASONS2}) { kind path node { id } } }
  }
} }`;
var listed = (page) => page.nodes.map((it) => ({
  ...thingOf(it),
  effect: it.effect,
  rule: it.rule,
  lost: it.lost,
  of: it.of,
  because: it.because.map((one) => one.node.id),
  reasons: it.because.map((one) => one.path)
}));
function ImpactScreen() {
  const ids = url.value.searchParams.getAll("of");
  const asked = ids.join(" ");
  useEffect2(() => {
    if (ids.length > 0) setBasket3(ids);
  }, [asked]);
  useEffect2(() => {
    if (ids.length === 0 && basket.value.length > 0) setParams3({ of: basket.value }, "replace");
  }, []);
  const { held, error } = useBasket(ids);
  const there = (held ?? []).filter((it) => it.thing !== null);
  const copy = () => {
    void navigator.clipboard?.writeText(location.href).then(() => say("The link to this impact is copied."), () => say("The browser does not allow copying."));
  };
  return /* @__PURE__ */ jsxs6("section", { class: "page wide", "aria-label": "Impact", children: [
    /* @__PURE__ */ jsxs6("header", { class: "page-head", children: [
      /* @__PURE__ */ jsx7("h1", { children: "Impact" }),
      /* @__PURE__ */ jsx7("span", { class: "grow" }),
      ids.length > 0 && /* @__PURE__ */ jsx7("button", { type: "button", onClick: copy, children: "Copy a link to share" })
    ] }),
    /* @__PURE__ */ jsxs6("div", { class: "analysis", children: [
      /* @__PURE__ */ jsxs6("div", { class: "side", children: [
        /* @__PURE__ */ jsx7(Basket, { ids, held }),
        /* @__PURE__ */ jsx7(Compared, { ids, vs: url.value.searchParams.getAll("vs") }),
        /* @__PURE__ */ jsx7(FailedNow, {})
      ] }),
      /* @__PURE__ */ jsxs6("div", { class: "found", children: [
        error && /* @__PURE__ */ jsx7(Failure3, { error }),
        there.length > 0 ? /* @__PURE__ */ jsx7(Result, { of: there.map((it) => it.id), failed: there.flatMap((it) => it.thing ?? []) }) : /* @__PURE__ */ jsx7("p", { class: "empty", children: "Nothing is changed by looking: put in what you think of switching off, moving or losing, and see what follows." })
      ] })
    ] })
  ] });
}
function Result({ of, failed }) {
  const params = url.value.searchParams;
  const kind = params.get("kind");
  const effect = EFFECTS.find((it) => it === params.get("effect")) ?? null;
  const variables = { of, kinds: kind ? [kind] : null, effects: effect ? [effect] : null };
  const query = useQuery3(DOCUMENT3, variables, "all");
  const kept = useKept(params.getAll("vs"));
  const answer = query.data.value?.impact;
  const more = useMore(answer, variables);
  const affected = useMemo2(() => answer ? [...listed(answer.affected), ...more.rows] : [], [answer, more.rows]);
  const roots = useMemo2(() => failed, [failed.map((it) => it.id + it.name).join()]);
  if (query.error.value) return /* @__PURE__ */ jsx7(Failure3, { error: query.error.value, again: () => void query.read() });
  if (!answer) return /* @__PURE__ */ jsx7("p", { class: "waiting", children: "Working it out\u2026" });
  const asList = params.get("view") === "list";
  return /* @__PURE__ */ jsxs6(Fragment2, { children: [
    /* @__PURE__ */ jsx7(Summary, { counts: answer.counts, kept, unanchored: answer.unanchored, waiting: query.waiting.value }),
    /* @__PURE__ */ jsx7(Counts, { counts: answer.counts, kept, kind, effect }),
    answer.counts.length > 0 && /* @__PURE__ */ jsxs6("div", { class: "views", role: "group", "aria-label": "View", children: [
      /* @__PURE__ */ jsx7("button", { type: "button", "aria-pressed": !asList, onClick: () => setParams3({ view: null }, "replace"), children: "Reasons" }),
      /* @__PURE__ */ jsx7("button", { type: "button", "aria-pressed": asList, onClick: () => setParams3({ view: "list" }, "replace"), children: "List" }),
      /* @__PURE__ */ jsx7("a", { class: "button", href: `/elevations${impactPath(url.value.searchParams.getAll("of")).slice("/impact".length)}`, children: "Show in racks" }),
      /* @__PURE__ */ jsxs6("span", { class: "quiet", children: [
        number4(affected.length),
        affected.length < answer.affected.totalCount ? ` of ${number4(answer.affected.totalCount)}` : "",
        " affected",
        kind || effect ? " that fit" : ""
      ] }),
      more.next && /* @__PURE__ */ jsx7("button", { type: "button", disabled: more.waiting, onClick: more.next, children: "Read more" }),
      more.error && /* @__PURE__ */ jsx7(Failure3, { error: more.error })
    ] }),
    answer.counts.length === 0 ? null : asList ? /* @__PURE__ */ jsx7(AffectedList, { rows: affected, kept }) : /* @__PURE__ */ jsx7(ImpactTree, { failed: roots, affected })
  ] });
}
function useMore(answer, variables) {
  const [state, setState] = useState3(null);
  const [error, setError] = useState3(null);
  const [waiting, setWaiting] = useState3(false);
  const current = state && state.of === answer ? state : null;
  const info = current?.info ?? answer?.affected.pageInfo;
  const next = () => {
    setWaiting(true);
    ask2(DOCUMENT3, { ...variables, after: info?.endCursor }).then(
      ({ data }) => {
        setError(null);
        setState({ of: answer, rows: [...current?.rows ?? [], ...listed(data.impact.affected)], info: data.impact.affected.pageInfo });
      },
      (it) => setError(asRefused(it))
    ).finally(() => setWaiting(false));
  };
  const none = useMemo2(() => [], []);
  return { rows: current?.rows ?? none, next: info?.hasNextPage ? next : null, error, waiting };
}
function Summary({ counts, kept, unanchored, waiting }) {
  const sum = (effect) => number4(countOf(counts, effect));
  const more = (effect) => kept && /* @__PURE__ */ jsx7(Difference, { by: countOf(counts, effect) - countOf(kept.counts, effect) });
  return /* @__PURE__ */ jsxs6("div", { class: "summary", role: "status", "aria-busy": waiting, children: [
    /* @__PURE__ */ jsxs6("p", { children: [
      /* @__PURE__ */ jsx7("b", { class: "bad", children: sum("DOWN") }),
      " go down ",
      more("DOWN")
    ] }),
    /* @__PURE__ */ jsxs6("p", { children: [
      /* @__PURE__ */ jsx7("b", { class: "warn", children: sum("ISOLATED") }),
      " are cut off ",
      more("ISOLATED")
    ] }),
    /* @__PURE__ */ jsxs6("p", { children: [
      /* @__PURE__ */ jsx7("b", { class: "plan", children: sum("DEGRADED") }),
      " lose redundancy ",
      more("DEGRADED")
    ] }),
    unanchored > 0 && /* @__PURE__ */ jsxs6("p", { class: "quiet", children: [
      number4(unanchored),
      " devices have no way out that is known, so nothing is said of what they reach."
    ] })
  ] });
}
function Counts({ counts, kept, kind, effect }) {
  if (counts.length === 0 && (kept?.counts.length ?? 0) === 0) return /* @__PURE__ */ jsx7("p", { class: "empty", children: "Nothing else is affected: no object goes down, is cut off or loses redundancy." });
  const names = [...new Set([...counts, ...kept?.counts ?? []].map((it) => it.kind))];
  const at = (name, which) => countOf(counts, which, name);
  const choose = (name, which) => {
    const same = kind === name && effect === which;
    setParams3({ kind: same ? null : name, effect: same ? null : which }, "replace");
  };
  return /* @__PURE__ */ jsxs6("div", { class: "counts-box", children: [
    /* @__PURE__ */ jsxs6("table", { class: "counts", children: [
      /* @__PURE__ */ jsx7("caption", { class: "hidden", children: "Affected objects by kind and effect. A number narrows what is shown beneath." }),
      /* @__PURE__ */ jsx7("thead", { children: /* @__PURE__ */ jsxs6("tr", { children: [
        /* @__PURE__ */ jsx7("th", { scope: "col", children: "Kind" }),
        EFFECTS.map((it) => /* @__PURE__ */ jsx7("th", { scope: "col", children: effectWords(it) }, it))
      ] }) }),
      /* @__PURE__ */ jsx7("tbody", { children: names.map((name) => /* @__PURE__ */ jsxs6("tr", { children: [
        /* @__PURE__ */ jsx7("th", { scope: "row", children: pluralOf3(name) }),
        EFFECTS.map((it) => /* @__PURE__ */ jsxs6("td", { children: [
          at(name, it) > 0 ? /* @__PURE__ */ jsx7("button", { type: "button", class: "plain", "aria-pressed": kind === name && effect === it, title: `Show only ${pluralOf3(name).toLowerCase()}: ${effectWords(it).toLowerCase()}`, onClick: () => choose(name, it), children: number4(at(name, it)) }) : /* @__PURE__ */ jsx7("span", { class: "quiet", children: "\u2013" }),
          kept && /* @__PURE__ */ jsxs6(Fragment2, { children: [
            " ",
            /* @__PURE__ */ jsx7(Difference, { by: at(name, it) - countOf(kept.counts, it, name) })
          ] })
        ] }, it))
      ] }, name)) })
    ] }),
    (kind || effect) && /* @__PURE__ */ jsx7("button", { type: "button", onClick: () => setParams3({ kind: null, effect: null }, "replace"), children: "Show all" })
  ] });
}
var COLUMNS = [
  { id: "object", title: "Object", width: 260, grow: 1.4 },
  { id: "effect", title: "Effect", width: 130 },
  { id: "reason", title: "Reason", width: 220, grow: 1 },
  { id: "because", title: "Because of", width: 220, grow: 1.4 }
];
function AffectedList({ rows: listed2, kept }) {
  const columns = kept?.ids ? [...COLUMNS, { id: "kept", title: "Kept basket", width: 130 }] : COLUMNS;
  const rows = useMemo2(() => listed2.map((it) => ({ ...it, both: kept?.ids?.has(it.id) ?? false })), [listed2, kept?.ids]);
  const [active, setActive] = useState3(0);
  const cell = (index, column) => {
    const it = rows[index];
    if (!it) return null;
    if (column === "object") return /* @__PURE__ */ jsx7(ThingLink, { it, quiet: true });
    if (column === "effect") return /* @__PURE__ */ jsx7(EffectMark, { effect: it.effect });
    if (column === "reason") return `${reasonWords(it.rule, it.effect)}${it.of === null ? "" : `: ${number4(it.lost ?? 0)} of ${number4(it.of)}`}`;
    if (column === "kept") return it.both ? "In both" : "Only here";
    return /* @__PURE__ */ jsx7("bdi", { children: it.reasons.map((one) => one.slice(one.indexOf("/") + 1)).join(", ") });
  };
  return /* @__PURE__ */ jsx7("div", { class: "list-box", children: /* @__PURE__ */ jsx7(
    Table,
    {
      label: "Affected objects",
      columns,
      total: rows.length,
      active,
      onActive: setActive,
      onOpen: () => {
      },
      onWindow: () => {
      },
      keyOf: (it) => rows[it]?.id ?? String(it),
      cell,
      rowAt: (it) => rows[it]
    }
  ) });
}
export {
  ImpactScreen as default
};
