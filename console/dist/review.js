// src/screens/review.lazy.tsx
import {
  enumWords,
  Failure,
  follow,
  idOrPath,
  number,
  say,
  titleOf,
  titleOfCode,
  useEffect,
  useState,
  words
} from "./main.js";
import {
  attempt,
  busy,
  change,
  giveUp,
  leaveOut,
  Lines,
  linesOf,
  plan,
  planError,
  proposeUndo,
  review,
  takePresentVersions,
  write
} from "./writes.js";
import { Fragment, jsx, jsxs } from "./main.js";
var SHOWN = 100;
var OPEN = 20;
function ReviewScreen() {
  const it = review.value;
  useEffect(() => {
    if (it && !plan.value) void attempt();
  }, []);
  useEffect(() => follow((events) => {
    const ours = new Set(plan.value?.payload.results.map((one) => one.id));
    if (events === "everything" || events.some((one) => ours.has(one.objectId))) void attempt();
  }), []);
  if (!it) return /* @__PURE__ */ jsxs("section", { class: "page", children: [
    /* @__PURE__ */ jsx("h1", { children: "Review" }),
    /* @__PURE__ */ jsx("p", { class: "empty", children: "There is nothing to review. Edits, deletions and manifests that are dropped on the window come here before they are written." })
  ] });
  const results = plan.value?.payload.results ?? [];
  const refused = results.flatMap((one, index) => one.error ? [{ result: one, index }] : []);
  return /* @__PURE__ */ jsxs("section", { class: "page review", "aria-label": "Review", children: [
    /* @__PURE__ */ jsxs("header", { class: "head", children: [
      /* @__PURE__ */ jsx("h1", { children: it.title }),
      /* @__PURE__ */ jsx("span", { class: "grow" }),
      /* @__PURE__ */ jsx("button", { type: "button", onClick: giveUp, children: "Discard" }),
      /* @__PURE__ */ jsx(WriteButton, { refused: refused.length })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "verdict", role: "status", children: verdict(refused.length) }),
    planError.value && /* @__PURE__ */ jsx(Failure, { error: planError.value, again: () => void attempt() }),
    refused.length > 0 && /* @__PURE__ */ jsx(Refusals, { refused }),
    refused.length === 0 && /* @__PURE__ */ jsx(Changes, { changes: plan.value?.payload.changes ?? [] }),
    /* @__PURE__ */ jsx(Skipped, { results })
  ] });
}
function verdict(refused) {
  if (busy.value === "writing") return "Writing\u2026";
  if (!plan.value) return "Trying what would change\u2026";
  if (refused > 0) return `The server refuses ${refused === 1 ? "one object" : `${number(refused)} objects`}. Nothing is written until that is solved.`;
  const count = plan.value.payload.changes.length;
  return count === 0 ? "This would change nothing." : "This is what would be written. Nothing has been written yet.";
}
function WriteButton({ refused }) {
  const count = plan.value?.payload.changes.length ?? 0;
  const submit = async () => {
    const revision = await write();
    if (revision !== null) say(`Written as revision ${revision}.`, { title: "Undo", run: () => void proposeUndo(revision, revision) });
  };
  return /* @__PURE__ */ jsx("button", { type: "button", class: "main", disabled: busy.value !== null || refused > 0 || count === 0, onClick: () => void submit(), children: count === 1 ? "Write 1 change" : `Write ${number(count)} changes` });
}
function Refusals({ refused }) {
  const codes = new Set(refused.map((it) => it.result.error?.code));
  return /* @__PURE__ */ jsxs("section", { "aria-label": "Refused", children: [
    /* @__PURE__ */ jsx("h2", { children: "Refused" }),
    /* @__PURE__ */ jsxs("p", { class: "remedies", children: [
      codes.has("MANAGED_ELSEWHERE") && /* @__PURE__ */ jsx("button", { type: "button", onClick: () => change({ force: true }), children: "Take over fields that sources hold" }),
      codes.has("STALE_VERSION") && /* @__PURE__ */ jsx("button", { type: "button", onClick: takePresentVersions, children: "Apply to what is there now" }),
      refused.length > 1 && /* @__PURE__ */ jsx("button", { type: "button", onClick: () => change({ steps: (review.value?.steps ?? []).filter((_, at) => !refused.some((it) => it.index === at)) }), children: "Leave out all that are refused" })
    ] }),
    /* @__PURE__ */ jsx("ul", { class: "objects", children: refused.slice(0, SHOWN).map(({ result, index }) => {
      const step = review.value?.steps[index];
      return /* @__PURE__ */ jsxs("li", { class: "refused", children: [
        /* @__PURE__ */ jsxs("div", { class: "object-head", children: [
          /* @__PURE__ */ jsx("span", { class: "state bad", children: titleOfCode(result.error?.code ?? "") }),
          /* @__PURE__ */ jsx("b", { children: /* @__PURE__ */ jsx("bdi", { children: result.name ?? step?.name }) }),
          " ",
          /* @__PURE__ */ jsx("span", { class: "quiet", children: titleOf(result.kind ?? step?.kind ?? "") }),
          /* @__PURE__ */ jsx("span", { class: "grow" }),
          /* @__PURE__ */ jsx("button", { type: "button", onClick: () => leaveOut(index), children: "Leave out" })
        ] }),
        /* @__PURE__ */ jsxs("p", { children: [
          result.error?.field && /* @__PURE__ */ jsxs("b", { children: [
            words(result.error.field),
            ": "
          ] }),
          result.error?.message
        ] }),
        result.error?.code === "IN_USE" && step && "delete" in step.item && /* @__PURE__ */ jsx(Cascade, { index })
      ] }, index);
    }) })
  ] });
}
function Cascade({ index }) {
  const also = () => {
    const steps = (review.value?.steps ?? []).map((it, at) => at === index ? { ...it, item: { delete: { ...it.item.delete, cascade: true } } } : it);
    change({ steps });
  };
  return /* @__PURE__ */ jsx("button", { type: "button", class: "danger", onClick: also, children: "Delete what belongs to it, too" });
}
var keyOf = (it) => `${it.operation} ${it.kind} ${it.operation === "UPDATED" ? JSON.stringify(it.after) : ""}`;
function Changes({ changes }) {
  const [most, setMost] = useState(SHOWN);
  const groups = /* @__PURE__ */ new Map();
  for (const it of changes) groups.set(keyOf(it), [...groups.get(keyOf(it)) ?? [], it]);
  return /* @__PURE__ */ jsxs("ul", { class: "objects", children: [
    [...groups.values()].slice(0, most).map((it) => {
      const [first] = it;
      return first && /* @__PURE__ */ jsx("li", { children: it.length === 1 ? /* @__PURE__ */ jsx(Single, { change: first }) : /* @__PURE__ */ jsx(Many, { changes: it }) }, keyOf(first));
    }),
    groups.size > most && /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsxs("button", { type: "button", onClick: () => setMost(most + SHOWN), children: [
      "Show ",
      number(Math.min(SHOWN, groups.size - most)),
      " more of ",
      number(groups.size)
    ] }) })
  ] });
}
var TONES = { CREATED: "good", UPDATED: "plan", DELETED: "bad" };
function Single({ change: it }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "object-head", children: [
      /* @__PURE__ */ jsx("span", { class: `state ${TONES[it.operation]}`, children: enumWords(it.operation) }),
      /* @__PURE__ */ jsx(ObjectLink, { change: it })
    ] }),
    it.operation !== "DELETED" && /* @__PURE__ */ jsx(Lines, { kind: it.kind, lines: linesOf(it.before, it.after), created: it.operation === "CREATED" })
  ] });
}
function ObjectLink({ change: it }) {
  return it.operation === "CREATED" ? /* @__PURE__ */ jsx("b", { children: /* @__PURE__ */ jsx("bdi", { children: it.path }) }) : /* @__PURE__ */ jsx("a", { href: idOrPath(it.kind, it.id), children: /* @__PURE__ */ jsx("bdi", { children: it.path }) });
}
function Many({ changes }) {
  const [first] = changes;
  if (!first) return null;
  return /* @__PURE__ */ jsxs("details", { open: changes.length <= OPEN, children: [
    /* @__PURE__ */ jsxs("summary", { class: "object-head", children: [
      /* @__PURE__ */ jsx("span", { class: `state ${TONES[first.operation]}`, children: enumWords(first.operation) }),
      /* @__PURE__ */ jsxs("b", { children: [
        number(changes.length),
        " \xD7 ",
        titleOf(first.kind)
      ] }),
      first.operation === "UPDATED" && /* @__PURE__ */ jsx(Lines, { kind: first.kind, lines: linesOf({}, first.after) })
    ] }),
    /* @__PURE__ */ jsx("ul", { class: "objects", children: changes.slice(0, SHOWN * 10).map((it) => /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx(Single, { change: it }) }, it.id)) })
  ] });
}
function Skipped({ results }) {
  const skipped = results.filter((it) => it.skipped.length > 0);
  if (skipped.length === 0) return null;
  return /* @__PURE__ */ jsxs("section", { "aria-label": "Skipped", children: [
    /* @__PURE__ */ jsx("h2", { children: "Skipped, as others hold these fields" }),
    /* @__PURE__ */ jsx("ul", { class: "objects", children: skipped.slice(0, SHOWN).map((it) => /* @__PURE__ */ jsxs("li", { children: [
      /* @__PURE__ */ jsx("bdi", { children: it.name }),
      ": ",
      it.skipped.map((one) => `${words(one.field)} (${one.manager})`).join(", ")
    ] }, it.id)) }),
    /* @__PURE__ */ jsx("button", { type: "button", onClick: () => change({ force: true }), children: "Take them over" })
  ] });
}
export {
  ReviewScreen
};
