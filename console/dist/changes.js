// src/screens/changes.lazy.tsx
import {
  Act,
  asRefused,
  ask,
  enumWords,
  Failure,
  go,
  idOrPath,
  kinds,
  nameById,
  nameOfChange,
  narrowedTo,
  onEvents,
  refusal,
  revision as latest,
  say,
  setParams,
  since,
  time,
  titleOf,
  url,
  useCommands,
  useEffect,
  useRef,
  useState
} from "./main.js";
import { Lines, linesOf, proposeUndo } from "./writes.js";
import { Fragment, jsx, jsxs } from "./main.js";
var PAGE = { revisions: 50, changes: 200 };
var FIELDS = "nodes { revision position kind objectId name operation before after actor source at } pageInfo { hasNextPage endCursor }";
var DOCUMENT = `query Changes($filter: ChangeFilter, $first: Int, $after: String) { changes(filter: $filter, first: $first, after: $after) { ${FIELDS} } }`;
var REVISIONS_AT_ONCE = 10;
async function readOn(from, wanted, report) {
  let at = from;
  const had = new Set(from.nodes.map((it) => it.revision)).size;
  for (let step2 = 0; step2 < REVISIONS_AT_ONCE; step2 += 1) {
    const { data } = await ask(DOCUMENT, { filter: at.filter, first: PAGE[wanted], after: at.after });
    const nodes = [...at.nodes, ...data.changes.nodes];
    const { hasNextPage: more, endCursor } = data.changes.pageInfo;
    const last = nodes.at(-1)?.revision ?? 1;
    const lowest = at.filter.fromRevision ?? 1;
    at = wanted === "changes" || !more ? { nodes, filter: at.filter, after: endCursor, more } : { nodes, filter: { ...at.filter, toRevision: last - 1 }, after: null, more: last > lowest };
    report(at);
    if (wanted === "changes" || !at.more || new Set(nodes.map((it) => it.revision)).size >= had + REVISIONS_AT_ONCE) return;
  }
}
function useLog(filter, wanted) {
  const key = JSON.stringify(filter);
  const start = { nodes: [], filter, after: null, more: false };
  const [at, setAt] = useState(start);
  const [waiting, setWaiting] = useState(true);
  const [error, setError] = useState(null);
  const current = useRef(key);
  current.current = key;
  const read = async (from) => {
    setWaiting(true);
    try {
      await readOn(from, wanted, (next) => {
        if (current.current === key) setAt(next);
      });
      setError(null);
    } catch (failure) {
      setError(asRefused(failure));
    }
    setWaiting(false);
  };
  useEffect(() => {
    void read(start);
  }, [key]);
  useEffect(() => {
    let timer;
    const stop = onEvents(() => {
      timer ??= setTimeout(() => {
        timer = void 0;
        void read(start);
      }, 1e3);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [key]);
  return { nodes: at.nodes, more: at.more, waiting, error, next: () => void read(at), again: () => void read(start) };
}
var FILTERS = ["kind", "actor", "source", "operation", "object", "from", "to"];
var DAY = /^\d{4}-\d\d-\d\d$/;
function dayTime(day, after) {
  if (!day || !DAY.test(day)) return void 0;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}
function ChangesScreen() {
  const params = url.value.searchParams;
  const get = (name) => {
    const all = params.getAll(name);
    return all.length > 0 ? all : void 0;
  };
  const filter = Object.fromEntries(Object.entries({
    kinds: get("kind"),
    actors: get("actor"),
    sources: get("source"),
    operations: get("operation"),
    objects: get("object"),
    fromTime: dayTime(params.get("from"), 0),
    toTime: dayTime(params.get("to"), 1)
  }).filter(([, it]) => it));
  const log = useLog(filter, "revisions");
  const narrowed = FILTERS.filter((it) => params.has(it));
  return /* @__PURE__ */ jsxs("section", { class: "page changes", "aria-label": "Changes", children: [
    /* @__PURE__ */ jsxs("header", { class: "head", children: [
      /* @__PURE__ */ jsx("h1", { children: "Changes" }),
      /* @__PURE__ */ jsxs("label", { children: [
        "Kind ",
        /* @__PURE__ */ jsxs("select", { value: params.get("kind") ?? "", onChange: (event) => setParams({ kind: event.currentTarget.value || null }), children: [
          /* @__PURE__ */ jsx("option", { value: "", children: "all" }),
          kinds().map((it) => /* @__PURE__ */ jsx("option", { value: it.name, children: titleOf(it.name) }, it.name))
        ] })
      ] }),
      /* @__PURE__ */ jsxs("label", { children: [
        "What happened ",
        /* @__PURE__ */ jsxs("select", { value: params.get("operation") ?? "", onChange: (event) => setParams({ operation: event.currentTarget.value || null }), children: [
          /* @__PURE__ */ jsx("option", { value: "", children: "anything" }),
          ["CREATED", "UPDATED", "DELETED"].map((it) => /* @__PURE__ */ jsx("option", { value: it, children: enumWords(it) }, it))
        ] })
      ] }),
      /* @__PURE__ */ jsxs("label", { children: [
        "Actor ",
        /* @__PURE__ */ jsx("input", { type: "search", value: params.get("actor") ?? "", onChange: (event) => setParams({ actor: event.currentTarget.value || null }) })
      ] }),
      /* @__PURE__ */ jsxs("label", { children: [
        "Source ",
        /* @__PURE__ */ jsx("input", { type: "search", value: params.get("source") ?? "", onChange: (event) => setParams({ source: event.currentTarget.value || null }) })
      ] }),
      /* @__PURE__ */ jsxs("label", { children: [
        "From ",
        /* @__PURE__ */ jsx("input", { type: "date", value: params.get("from") ?? "", onChange: (event) => setParams({ from: event.currentTarget.value || null }) })
      ] }),
      /* @__PURE__ */ jsxs("label", { children: [
        "To ",
        /* @__PURE__ */ jsx("input", { type: "date", value: params.get("to") ?? "", onChange: (event) => setParams({ to: event.currentTarget.value || null }) })
      ] }),
      narrowed.length > 0 && /* @__PURE__ */ jsx("button", { type: "button", onClick: () => setParams(Object.fromEntries(FILTERS.map((it) => [it, null]))), children: "Show all" })
    ] }),
    narrowedTo() && /* @__PURE__ */ jsx("p", { class: "quiet", children: "These are the changes of all places: the change log cannot be narrowed to one." }),
    /* @__PURE__ */ jsx(Timeline, { log })
  ] });
}
function Timeline({ log }) {
  const revisions = /* @__PURE__ */ new Map();
  for (const it of log.nodes) revisions.set(it.revision, [...revisions.get(it.revision) ?? [], it]);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    log.error && /* @__PURE__ */ jsx(Failure, { error: log.error, again: log.again }),
    !log.waiting && log.nodes.length === 0 && !log.error && /* @__PURE__ */ jsx("p", { class: "empty", children: "No change fits." }),
    /* @__PURE__ */ jsx("ol", { class: "timeline", children: [...revisions].map(([revision, changes]) => /* @__PURE__ */ jsx(Revision, { revision, changes }, revision)) }),
    log.more && /* @__PURE__ */ jsx("button", { type: "button", disabled: log.waiting, onClick: log.next, children: "Show older changes" })
  ] });
}
var FOLDED = 5;
function Revision({ revision, changes }) {
  const [first] = changes;
  if (!first) return null;
  const rest = changes.slice(FOLDED);
  return /* @__PURE__ */ jsxs("li", { children: [
    /* @__PURE__ */ jsxs("header", { class: "object-head", children: [
      /* @__PURE__ */ jsx("h2", { children: /* @__PURE__ */ jsxs("a", { href: `/changes/${revision}`, children: [
        "Revision ",
        revision
      ] }) }),
      /* @__PURE__ */ jsx("time", { dateTime: first.at, title: time(first.at), children: since(first.at) }),
      /* @__PURE__ */ jsxs("span", { children: [
        "by ",
        /* @__PURE__ */ jsx("b", { children: /* @__PURE__ */ jsx("bdi", { children: first.actor }) }),
        first.source && /* @__PURE__ */ jsxs(Fragment, { children: [
          " from ",
          /* @__PURE__ */ jsx("bdi", { children: first.source })
        ] })
      ] }),
      /* @__PURE__ */ jsx("span", { class: "grow" }),
      /* @__PURE__ */ jsx(Act, { refusal: refusal("apply"), label: `Undo revision ${revision}`, onClick: () => undo(revision), children: "Undo\u2026" })
    ] }),
    /* @__PURE__ */ jsx("ul", { class: "objects", children: changes.slice(0, FOLDED).map((it) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx(OneChange, { change: it }) }, it.position)) }),
    rest.length > 0 && /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsxs("a", { href: `/changes/${revision}`, children: [
      "All changes of revision ",
      revision
    ] }) })
  ] });
}
var TONES = { CREATED: "good", UPDATED: "plan", DELETED: "bad" };
function OneChange({ change: it, named = true }) {
  const lines = linesOf(it.before, it.after);
  const shown = /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("span", { class: `state ${TONES[it.operation]}`, children: enumWords(it.operation) }),
    named && /* @__PURE__ */ jsx("span", { class: "quiet", children: titleOf(it.kind) }),
    named && (it.operation === "DELETED" ? /* @__PURE__ */ jsx("bdi", { children: nameOfChange(it) }) : /* @__PURE__ */ jsx("a", { href: idOrPath(it.kind, it.objectId), children: /* @__PURE__ */ jsx("bdi", { children: nameOfChange(it) }) }))
  ] });
  if (it.operation === "UPDATED") return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("div", { class: "object-head", children: shown }),
    /* @__PURE__ */ jsx(Lines, { kind: it.kind, lines, nameOf: nameById })
  ] });
  return /* @__PURE__ */ jsxs("div", { class: "entry", children: [
    /* @__PURE__ */ jsx("div", { class: "object-head", children: shown }),
    /* @__PURE__ */ jsxs("details", { children: [
      /* @__PURE__ */ jsx("summary", { class: "quiet", "aria-label": `Fields of ${it.name}`, children: "Fields" }),
      /* @__PURE__ */ jsx(Lines, { kind: it.kind, lines, created: it.operation === "CREATED", nameOf: nameById })
    ] })
  ] });
}
function undo(first, last = first) {
  proposeUndo(first, last).catch((error) => say(asRefused(error).message));
}
function RevisionScreen({ revision }) {
  const log = useLog({ fromRevision: revision, toRevision: revision }, "changes");
  const [first] = log.nodes;
  useCommands({ "back-one": () => step(revision - 1), "on-one": () => step(revision + 1) });
  return /* @__PURE__ */ jsxs("section", { class: "page changes", "aria-label": `Revision ${revision}`, children: [
    /* @__PURE__ */ jsxs("header", { class: "head", children: [
      /* @__PURE__ */ jsxs("h1", { children: [
        "Revision ",
        revision
      ] }),
      first && /* @__PURE__ */ jsxs("span", { children: [
        /* @__PURE__ */ jsx("time", { dateTime: first.at, children: time(first.at) }),
        " by ",
        /* @__PURE__ */ jsx("b", { children: /* @__PURE__ */ jsx("bdi", { children: first.actor }) }),
        first.source && /* @__PURE__ */ jsxs(Fragment, { children: [
          " from ",
          /* @__PURE__ */ jsx("bdi", { children: first.source })
        ] })
      ] }),
      /* @__PURE__ */ jsx("span", { class: "grow" }),
      /* @__PURE__ */ jsx("button", { type: "button", disabled: revision <= 1, onClick: () => step(revision - 1), children: "Before" }),
      /* @__PURE__ */ jsx("button", { type: "button", onClick: () => step(revision + 1), children: "After" }),
      /* @__PURE__ */ jsx(Act, { refusal: refusal("apply"), onClick: () => undo(revision), children: "Undo\u2026" }),
      latest.value > revision && /* @__PURE__ */ jsx(Act, { refusal: refusal("apply"), onClick: () => undo(revision, latest.value), children: "Undo this and all after it\u2026" })
    ] }),
    log.error && /* @__PURE__ */ jsx(Failure, { error: log.error, again: log.again }),
    !log.waiting && !first && !log.error && /* @__PURE__ */ jsx("p", { class: "empty", children: "This revision has no changes that you can see, or does not exist yet." }),
    /* @__PURE__ */ jsx("ul", { class: "objects", children: [...log.nodes].reverse().map((it) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx(OneChange, { change: it }) }, it.position)) }),
    log.more && /* @__PURE__ */ jsx("button", { type: "button", disabled: log.waiting, onClick: log.next, children: "Show more" })
  ] });
}
function step(revision) {
  if (revision >= 1) go(`/changes/${revision}`);
}
function ChangesOf({ id }) {
  return /* @__PURE__ */ jsx("div", { class: "changes", children: /* @__PURE__ */ jsx(Timeline, { log: useLog({ objects: [id] }, "revisions") }) });
}
export {
  ChangesOf,
  ChangesScreen,
  RevisionScreen
};
