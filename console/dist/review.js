// src/screens/review.lazy.tsx
import { Act, Failure as Failure2, number as number5, onEvents, reached, refusal, review as review3, say, titleOf as titleOf4, useEffect as useEffect2, words as words3 } from "./main.js";
import { attempt, busy, change as change3, giveUp, plan, planError, proposeUndo, refusedFiles, write } from "./writes.js";

// src/parts/more.tsx
import { useState } from "./main.js";
import { number } from "./main.js";
import { Fragment, jsx, jsxs } from "./main.js";
var AT_ONCE = 100;
function More({ of, each }) {
  const [most, setMost] = useState(AT_ONCE);
  const left = of.length - most;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("ul", { class: "objects", children: of.slice(0, most).map(each) }),
    left > 0 && /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsxs("button", { type: "button", onClick: () => setMost(most + AT_ONCE), children: [
      "Show ",
      number(Math.min(AT_ONCE, left)),
      " more of ",
      number(of.length)
    ] }) })
  ] });
}

// src/screens/review-changes.tsx
import { enumWords, idOrPath, number as number2, titleOf, useMemo, useState as useState2 } from "./main.js";
import { Lines, linesOf } from "./writes.js";
import { Fragment as Fragment2, jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var SHOWN = 100;
var OPEN = 20;
function grouped(changes) {
  const groups = /* @__PURE__ */ new Map();
  for (const it of changes) {
    const key = `${it.operation} ${it.kind} ${it.operation === "UPDATED" ? JSON.stringify(it.after) : ""}`;
    const found = groups.get(key);
    if (found) found.push(it);
    else groups.set(key, [it]);
  }
  return [...groups.values()];
}
function Changes({ changes }) {
  const [most, setMost] = useState2(SHOWN);
  const groups = useMemo(() => grouped(changes), [changes]);
  return /* @__PURE__ */ jsxs2("ul", { class: "objects", children: [
    groups.slice(0, most).map((it) => {
      const [first] = it;
      return first && /* @__PURE__ */ jsx2("li", { children: it.length === 1 ? /* @__PURE__ */ jsx2(Single, { change: first }) : /* @__PURE__ */ jsx2(Many, { changes: it }) }, `${first.operation} ${first.id}`);
    }),
    groups.length > most && /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsxs2("button", { type: "button", onClick: () => setMost(most + SHOWN), children: [
      "Show ",
      number2(Math.min(SHOWN, groups.length - most)),
      " more of ",
      number2(groups.length)
    ] }) })
  ] });
}
var TONES = { CREATED: "good", UPDATED: "plan", DELETED: "bad" };
function Single({ change: it }) {
  return /* @__PURE__ */ jsxs2(Fragment2, { children: [
    /* @__PURE__ */ jsxs2("div", { class: "object-head", children: [
      /* @__PURE__ */ jsx2("span", { class: `state ${TONES[it.operation]}`, children: enumWords(it.operation) }),
      it.operation === "CREATED" ? /* @__PURE__ */ jsx2("b", { children: /* @__PURE__ */ jsx2("bdi", { children: it.path }) }) : /* @__PURE__ */ jsx2("a", { href: idOrPath(it.kind, it.id), children: /* @__PURE__ */ jsx2("bdi", { children: it.path }) })
    ] }),
    it.operation !== "DELETED" && /* @__PURE__ */ jsx2(Lines, { kind: it.kind, lines: linesOf(it.before, it.after), created: it.operation === "CREATED" })
  ] });
}
function Many({ changes }) {
  const [first] = changes;
  const [open, setOpen] = useState2(changes.length <= OPEN);
  const [most, setMost] = useState2(SHOWN);
  if (!first) return null;
  return /* @__PURE__ */ jsxs2("details", { open, onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsxs2("summary", { class: "object-head", children: [
      /* @__PURE__ */ jsx2("span", { class: `state ${TONES[first.operation]}`, children: enumWords(first.operation) }),
      /* @__PURE__ */ jsxs2("b", { children: [
        number2(changes.length),
        " \xD7 ",
        titleOf(first.kind)
      ] }),
      first.operation === "UPDATED" && /* @__PURE__ */ jsx2(Lines, { kind: first.kind, lines: linesOf({}, first.after) })
    ] }),
    open && /* @__PURE__ */ jsxs2("ul", { class: "objects", children: [
      changes.slice(0, most).map((it) => /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsx2(Single, { change: it }) }, it.id)),
      changes.length > most && /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsxs2("button", { type: "button", onClick: () => setMost(most + SHOWN), children: [
        "Show ",
        number2(Math.min(SHOWN, changes.length - most)),
        " more of ",
        number2(changes.length)
      ] }) })
    ] })
  ] });
}

// src/screens/review-conflicts.tsx
import { asRefused, Failure, idOrPath as idOrPath2, nameById, number as number3, review, titleOf as titleOf2, useEffect, useState as useState3, words } from "./main.js";
import { change, choiceKey, conflictsOf, isConflict, settle, textOf } from "./writes.js";
import { Fragment as Fragment3, jsx as jsx3, jsxs as jsxs3 } from "./main.js";
var usual = (it) => it.holder ? "theirs" : "yours";
function Conflicts({ results }) {
  const [found, setFound] = useState3(null);
  const [error, setError] = useState3(null);
  const [sides, setSides] = useState3(/* @__PURE__ */ new Map());
  const [all, setAll] = useState3(null);
  const steps = review.value?.steps ?? [];
  const count = results.filter((it, at) => isConflict(it, steps[at])).length;
  useEffect(() => {
    setError(null);
    setFound(null);
    if (count > 0) conflictsOf(steps, results).then(setFound, (thrown) => setError(asRefused(thrown)));
  }, [results]);
  if (count === 0) return null;
  const sideOf = (it, line) => sides.get(choiceKey(it, line)) ?? all ?? usual(line);
  const choose = (it, line, side) => setSides(new Map(sides).set(choiceKey(it, line), side));
  const chooseAll = (side) => {
    setSides(/* @__PURE__ */ new Map());
    setAll(side);
  };
  const submit2 = (event) => {
    event.preventDefault();
    if (!found) return;
    const { steps: left, force } = settle(steps, found, sideOf);
    change({ steps: left, force: force || (review.value?.force ?? false) });
  };
  return /* @__PURE__ */ jsxs3("form", { "aria-label": "Conflicts", onSubmit: submit2, class: "conflicts", children: [
    /* @__PURE__ */ jsx3("h2", { children: count === 1 ? "Somebody else changed or holds this object" : `Somebody else changed or holds ${number3(count)} objects` }),
    error && /* @__PURE__ */ jsx3(Failure, { error }),
    !found && !error && /* @__PURE__ */ jsx3("p", { class: "waiting", children: "Reading what is there now\u2026" }),
    found && /* @__PURE__ */ jsxs3(Fragment3, { children: [
      /* @__PURE__ */ jsxs3("p", { class: "remedies", children: [
        /* @__PURE__ */ jsx3("button", { type: "submit", class: "main", children: "Go on with these choices" }),
        /* @__PURE__ */ jsx3("button", { type: "button", onClick: () => chooseAll("yours"), children: "Choose yours everywhere" }),
        /* @__PURE__ */ jsx3("button", { type: "button", onClick: () => chooseAll("theirs"), children: "Choose theirs everywhere" })
      ] }),
      /* @__PURE__ */ jsx3(More, { of: found, each: (it) => /* @__PURE__ */ jsx3("li", { class: "refused", children: /* @__PURE__ */ jsx3(One, { conflict: it, sideOf, onChoose: choose }) }, it.index) })
    ] })
  ] });
}
function One({ conflict: it, sideOf, onChoose }) {
  const held = it.lines.some((line) => line.holder);
  return /* @__PURE__ */ jsxs3(Fragment3, { children: [
    /* @__PURE__ */ jsxs3("div", { class: "object-head", children: [
      /* @__PURE__ */ jsx3("span", { class: "state bad", children: held ? "Held by a source" : "Changed meanwhile" }),
      /* @__PURE__ */ jsx3("a", { href: idOrPath2(it.kind, it.id), children: /* @__PURE__ */ jsx3("bdi", { children: it.name }) }),
      " ",
      /* @__PURE__ */ jsxs3("span", { class: "quiet", children: [
        titleOf2(it.kind),
        ", revision ",
        it.version
      ] })
    ] }),
    /* @__PURE__ */ jsxs3("table", { class: "sides", children: [
      /* @__PURE__ */ jsx3("thead", { children: /* @__PURE__ */ jsxs3("tr", { children: [
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Field" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Before" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Theirs, there now" }),
        /* @__PURE__ */ jsx3("th", { scope: "col", children: "Yours" })
      ] }) }),
      /* @__PURE__ */ jsx3("tbody", { children: it.lines.map((line) => /* @__PURE__ */ jsx3(Fields, { conflict: it, line, side: sideOf(it, line), onChoose: (side) => onChoose(it, line, side) }, line.field)) })
    ] }),
    it.others.length > 0 && /* @__PURE__ */ jsxs3("p", { class: "quiet", children: [
      "Changed by others, too, and left as it is: ",
      it.others.map((name) => words(name).toLowerCase()).join(", "),
      "."
    ] })
  ] });
}
function Fields({ conflict: it, line, side, onChoose }) {
  const text = (value) => {
    const shown = textOf(it.kind, line.field, value, nameById);
    return shown ? /* @__PURE__ */ jsx3("bdi", { children: shown }) : /* @__PURE__ */ jsx3("span", { class: "quiet", children: "not set" });
  };
  const [first = "", ...key] = line.field.split(".");
  const name = `${words(first)} ${key.join(".")}`.trim();
  const choice = (own, value) => /* @__PURE__ */ jsxs3("label", { class: "check", children: [
    /* @__PURE__ */ jsx3("input", { type: "radio", name: choiceKey(it, line), checked: side === own, onChange: () => onChoose(own) }),
    /* @__PURE__ */ jsxs3("span", { children: [
      /* @__PURE__ */ jsxs3("span", { class: "hidden", children: [
        own === "yours" ? "Yours" : "Theirs",
        " for ",
        name,
        " of ",
        it.name,
        ": "
      ] }),
      text(value)
    ] })
  ] });
  return /* @__PURE__ */ jsxs3("tr", { children: [
    /* @__PURE__ */ jsx3("th", { scope: "row", children: name }),
    /* @__PURE__ */ jsx3("td", { children: line.before === void 0 && line.holder ? /* @__PURE__ */ jsx3("span", { class: "quiet", children: "\u2013" }) : text(line.before) }),
    /* @__PURE__ */ jsxs3("td", { children: [
      line.open ? choice("theirs", line.theirs) : text(line.theirs),
      line.holder && /* @__PURE__ */ jsxs3("div", { class: "quiet", children: [
        "held by ",
        line.holder.type === "SOURCE" ? "source" : "controller",
        " ",
        /* @__PURE__ */ jsx3("bdi", { children: line.holder.manager }),
        " since revision ",
        line.holder.since,
        "; yours takes it over"
      ] })
    ] }),
    /* @__PURE__ */ jsx3("td", { children: line.open ? choice("yours", line.yours) : text(line.yours) })
  ] });
}

// src/screens/review-refused.tsx
import { idOrPath as idOrPath3, number as number4, review as review2, titleOf as titleOf3, titleOfCode, upright, words as words2 } from "./main.js";
import { change as change2, isConflict as isConflict2, leaveOut, takePresentVersions } from "./writes.js";
import { Fragment as Fragment4, jsx as jsx4, jsxs as jsxs4 } from "./main.js";
function Refusals({ refused }) {
  const steps = review2.value?.steps ?? [];
  const plain = refused.filter((it) => !isConflict2(it.result, steps[it.index]));
  if (plain.length === 0) return null;
  const left = steps.length - plain.length;
  const stale = plain.some((it) => it.result.error?.code === "STALE_VERSION");
  return /* @__PURE__ */ jsxs4("section", { "aria-label": "Refused", children: [
    /* @__PURE__ */ jsx4("h2", { children: "Refused" }),
    /* @__PURE__ */ jsxs4("p", { class: "remedies", children: [
      stale && /* @__PURE__ */ jsx4("button", { type: "button", onClick: takePresentVersions, children: "Apply to what is there now" }),
      steps.length > 1 && /* @__PURE__ */ jsx4("button", { type: "button", onClick: () => leaveOut(plain.map((it) => it.index)), children: `Leave out ${plain.length === 1 ? "the one" : `the ${number4(plain.length)}`} and go on with ${number4(left)}` })
    ] }),
    /* @__PURE__ */ jsx4(More, { of: plain, each: (it) => /* @__PURE__ */ jsx4("li", { class: "refused", children: /* @__PURE__ */ jsx4(One2, { refusal: it, single: steps.length === 1 }) }, it.index) })
  ] });
}
function One2({ refusal: { result, index }, single }) {
  const step = review2.value?.steps[index];
  const { error } = result;
  const [kind, id, name] = [result.kind ?? step?.kind ?? "", result.id ?? step?.id, result.name ?? step?.name];
  return /* @__PURE__ */ jsxs4(Fragment4, { children: [
    /* @__PURE__ */ jsxs4("div", { class: "object-head", children: [
      /* @__PURE__ */ jsx4("span", { class: "state bad", children: titleOfCode(error?.code ?? "") }),
      id && step?.id ? /* @__PURE__ */ jsx4("a", { href: idOrPath3(kind, id), children: /* @__PURE__ */ jsx4("bdi", { children: name }) }) : /* @__PURE__ */ jsx4("b", { children: /* @__PURE__ */ jsx4("bdi", { children: name }) }),
      " ",
      /* @__PURE__ */ jsx4("span", { class: "quiet", children: titleOf3(kind) }),
      /* @__PURE__ */ jsx4("span", { class: "grow" }),
      !single && /* @__PURE__ */ jsx4("button", { type: "button", "aria-label": `Leave out ${name}`, onClick: () => leaveOut([index]), children: "Leave out" })
    ] }),
    /* @__PURE__ */ jsxs4("p", { children: [
      error?.field && /* @__PURE__ */ jsxs4("b", { children: [
        words2(error.field),
        ": "
      ] }),
      upright(error?.message ?? "")
    ] }),
    error?.code === "IN_USE" && step && "delete" in step.item && /* @__PURE__ */ jsx4(Cascade, { index })
  ] });
}
function Cascade({ index }) {
  const step = review2.value?.steps[index];
  if (step?.item.delete?.cascade) return /* @__PURE__ */ jsx4("p", { children: "What belongs to it would be deleted, too. What is named here only refers to it, and has to be changed or deleted first." });
  const also = () => {
    const steps = (review2.value?.steps ?? []).map((it, at) => at === index ? { ...it, item: { delete: { ...it.item.delete, cascade: true } } } : it);
    change2({ steps });
  };
  return /* @__PURE__ */ jsx4("button", { type: "button", class: "danger", onClick: also, children: "Delete what belongs to it, too" });
}

// src/screens/review.lazy.tsx
import { Fragment as Fragment5, jsx as jsx5, jsxs as jsxs5 } from "./main.js";
function ReviewScreen() {
  const it = review3.value;
  useEffect2(() => {
    document.title = "Review \xB7 Underlay";
  }, []);
  useEffect2(() => {
    if (it && !plan.value) void attempt();
  }, [it?.requestId]);
  useEffect2(() => onEvents((events) => {
    const ours = new Set(plan.value?.payload.results.map((one) => one.id));
    if (events === "everything" || events.some((one) => ours.has(one.objectId))) void attempt();
  }), []);
  useEffect2(() => () => {
    refusedFiles.value = null;
  }, []);
  if (refusedFiles.value) return /* @__PURE__ */ jsx5(RefusedFiles, {});
  if (!it) return /* @__PURE__ */ jsxs5("section", { class: "page", children: [
    /* @__PURE__ */ jsx5("h1", { children: "Review" }),
    /* @__PURE__ */ jsx5("p", { class: "empty", children: "There is nothing to review. Edits, deletions, and manifests and tables that are dropped on the window come here before they are written." })
  ] });
  const results = plan.value?.payload.results ?? [];
  const refused = results.flatMap((one, index) => one.error ? [{ result: one, index }] : []);
  return /* @__PURE__ */ jsxs5("section", { class: "page review", "aria-label": "Review", children: [
    /* @__PURE__ */ jsxs5("header", { class: "head", children: [
      /* @__PURE__ */ jsxs5("h1", { children: [
        /* @__PURE__ */ jsx5("bdi", { children: it.title }),
        it.without ? `, without ${number5(it.without)}` : ""
      ] }),
      /* @__PURE__ */ jsx5("span", { class: "grow" }),
      it.gathers && !it.sent && /* @__PURE__ */ jsx5("a", { class: "button", href: it.back, children: "Add to it" }),
      /* @__PURE__ */ jsx5("button", { type: "button", onClick: giveUp, disabled: busy.value === "writing", children: "Discard" }),
      !it.sent && /* @__PURE__ */ jsx5(WriteButton, { refused: refused.length })
    ] }),
    it.sent ? /* @__PURE__ */ jsx5(Unanswered, {}) : /* @__PURE__ */ jsxs5(Fragment5, { children: [
      /* @__PURE__ */ jsx5("p", { class: "verdict", role: "status", children: verdict(refused.length) }),
      planError.value && /* @__PURE__ */ jsx5(Failure2, { error: planError.value, again: () => void attempt() }),
      it.force && /* @__PURE__ */ jsxs5("p", { class: "remedies", children: [
        "Fields that sources hold are taken over. ",
        /* @__PURE__ */ jsx5("button", { type: "button", onClick: () => change3({ force: false }), children: "Leave them to their sources" })
      ] }),
      /* @__PURE__ */ jsx5(Conflicts, { results }),
      /* @__PURE__ */ jsx5(Refusals, { refused })
    ] }),
    refused.length === 0 && /* @__PURE__ */ jsx5(Changes, { changes: plan.value?.payload.changes ?? [] }),
    /* @__PURE__ */ jsx5(Skipped, { results })
  ] });
}
function RefusedFiles() {
  const { title, problems } = refusedFiles.value ?? { title: "", problems: [] };
  return /* @__PURE__ */ jsxs5("section", { class: "page review", "aria-label": "Review", children: [
    /* @__PURE__ */ jsxs5("header", { class: "head", children: [
      /* @__PURE__ */ jsx5("h1", { children: /* @__PURE__ */ jsx5("bdi", { children: title }) }),
      /* @__PURE__ */ jsx5("span", { class: "grow" }),
      review3.value && /* @__PURE__ */ jsx5("button", { type: "button", onClick: () => {
        refusedFiles.value = null;
      }, children: "Back to the review of before" })
    ] }),
    /* @__PURE__ */ jsxs5("p", { class: "verdict", role: "status", children: [
      problems.length === 1 ? "There is a problem with the file" : `There are ${number5(problems.length)} problems`,
      ". Nothing was sent to the server."
    ] }),
    /* @__PURE__ */ jsx5(More, { of: problems, each: (it, at) => /* @__PURE__ */ jsx5("li", { class: "refused", children: /* @__PURE__ */ jsx5("bdi", { children: it }) }, at) })
  ] });
}
function verdict(refused) {
  const count = review3.value?.steps.length ?? 0;
  if (!plan.value) return planError.value ? "It is not known yet what would change." : `The server tries ${count === 1 ? "the change" : `${number5(count)} changes`} without writing\u2026`;
  if (refused > 0) return `The server refuses ${number5(refused)} of ${number5(count)} ${count === 1 ? "object" : "objects"}. Nothing is written until that is solved.`;
  return plan.value.payload.changes.length === 0 ? "This would change nothing." : "This is what would be written. Nothing has been written yet.";
}
async function submit() {
  const revision = await write();
  if (revision !== null) say(`Written as revision ${revision}.`, { title: "Undo", run: () => void proposeUndo(revision, revision) });
}
function WriteButton({ refused }) {
  const count = plan.value?.payload.changes.length ?? 0;
  const forbidden = refusal("apply");
  if (forbidden) return /* @__PURE__ */ jsx5(Act, { class: "main", refusal: forbidden, onClick: () => {
  }, children: "Write" });
  return /* @__PURE__ */ jsx5("button", { type: "button", class: "main", disabled: busy.value !== null || refused > 0 || count === 0, onClick: () => void submit(), children: count === 0 ? "Write" : count === 1 ? "Write 1 change" : `Write ${number5(count)} changes` });
}
function Unanswered() {
  const { steps = [] } = review3.value ?? {};
  if (busy.value === "writing") return /* @__PURE__ */ jsxs5("p", { class: "verdict", role: "status", children: [
    "The server writes ",
    number5(steps.length),
    " ",
    steps.length === 1 ? "object" : "objects",
    "\u2026"
  ] });
  return /* @__PURE__ */ jsxs5("section", { "aria-label": "No answer", class: "failure", role: "alert", children: [
    /* @__PURE__ */ jsx5("b", { children: "The write has no answer" }),
    /* @__PURE__ */ jsxs5("span", { children: [
      planError.value ? planError.value.code !== "NETWORK" && planError.value.message : "The page was left before the answer came.",
      " It is not known whether the server has written it. It is kept here, and sending it again writes it once at most. If you discard it, the changes show whether it was written. ",
      reached.value ? "The server can be reached." : "The server cannot be reached now."
    ] }),
    /* @__PURE__ */ jsx5("button", { type: "button", class: "main", onClick: () => void submit(), children: "Send it again" }),
    !plan.value && /* @__PURE__ */ jsx5(More, { of: steps, each: (it, at) => /* @__PURE__ */ jsxs5("li", { children: [
      titleOf4(it.kind),
      " ",
      /* @__PURE__ */ jsx5("b", { children: /* @__PURE__ */ jsx5("bdi", { children: it.name }) }),
      ": ",
      fieldsOf(it.item)
    ] }, at) })
  ] });
}
function fieldsOf(item) {
  const [[member, value] = ["", {}]] = Object.entries(item);
  if (member === "delete") return "delete";
  return Object.keys(value).filter((it) => it !== "id" && it !== "ifVersion").map((it) => words3(it).toLowerCase()).join(", ");
}
function Skipped({ results }) {
  const skipped = results.filter((it) => it.skipped.length > 0);
  if (skipped.length === 0) return null;
  return /* @__PURE__ */ jsxs5("section", { "aria-label": "Skipped", children: [
    /* @__PURE__ */ jsxs5("h2", { children: [
      number5(skipped.length),
      " skipped, as others hold these fields"
    ] }),
    /* @__PURE__ */ jsx5(More, { of: skipped, each: (it) => /* @__PURE__ */ jsxs5("li", { children: [
      /* @__PURE__ */ jsx5("bdi", { children: it.name }),
      ": ",
      it.skipped.map((one, at) => /* @__PURE__ */ jsxs5(Fragment5, { children: [
        at > 0 && ", ",
        words3(one.field),
        " (",
        /* @__PURE__ */ jsx5("bdi", { children: one.manager }),
        ")"
      ] }))
    ] }, it.id) }),
    /* @__PURE__ */ jsx5("button", { type: "button", onClick: () => change3({ force: true }), children: "Take them over" })
  ] });
}
export {
  ReviewScreen
};
