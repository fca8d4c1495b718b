// src/screens/sources-board.lazy.tsx
import { useState as useState2 } from "./main.js";
import { Act as Act2, asRefused as asRefused3, ask as ask2, EnumValue, enumWords as enumWords2, Failure as Failure2, number as number2, pathOf as pathOf2, refusal as refusal2, say as say2, setParams, since, time, titleOf as titleOf2, url, wrote as wrote2 } from "./main.js";

// src/store/paced.ts
import { useEffect } from "./main.js";
import { useQuery } from "./main.js";
function usePaced(text, variables, kinds, everyMs) {
  const query = useQuery(text, variables, kinds);
  useEffect(() => {
    const timer = setInterval(() => query.mark(), everyMs);
    return () => clearInterval(timer);
  }, [query, everyMs]);
  return query;
}

// src/screens/source-held.tsx
import { useState } from "./main.js";
import { Act, asRefused as asRefused2, Dialog, enumWords, Failure, number, pathOf, pluralOf, say, titleOf, words } from "./main.js";

// src/store/may.ts
import { signal } from "./main.js";
import { ask, asRefused, refusal, wrote } from "./main.js";
var denied = signal({});
var denialOf = (mutation) => refusal(mutation) ?? denied.value[mutation];
async function order(mutation, input, value, selection, repeatable = true) {
  const [declared, given] = repeatable ? [", $requestId: String", ", requestId: $requestId"] : ["", ""];
  const document = `mutation Order($input: ${input}!${declared}) { done: ${mutation}(input: $input${given}) { ${selection} } }`;
  const answer = await call(mutation, document, { input: value, ...repeatable ? { requestId: crypto.randomUUID() } : {} });
  wrote(answer.data.done.revision ?? answer.revision);
  return answer.data.done;
}
async function call(mutation, document, variables) {
  try {
    return await ask(document, variables);
  } catch (thrown) {
    const error = asRefused(thrown);
    if (error.code === "FORBIDDEN") denied.value = { ...denied.value, [mutation]: error.message };
    throw error;
  }
}

// src/screens/source-words.ts
var HEALTH = {
  NEVER: "No full run has succeeded yet. Start its synchronizer, and look at its messages.",
  FRESH: "The last full run succeeded in time.",
  STALE: "No full run has succeeded for twice the interval. See that its synchronizer runs and reaches the source.",
  FAILING: "The last three runs failed. Their errors say why.",
  HELD: "A run would remove or empty more than the limits allow. Nothing is removed until somebody decides below.",
  PAUSED: "It is paused: no run starts until it goes on."
};
var healthWords = (health) => HEALTH[health] ?? "";
var REMOVED = {
  DELETE: (count) => `${count} with everything that they contain are deleted.`,
  RETIRE: (count) => `${count} are retired: they get another name and give up their place. Those that cannot be retired are deleted or released.`,
  RELEASE: (count) => `${count} stay, and no longer belong to the source.`,
  KEEP: (count) => `${count} stay as they are: this source removes nothing.`
};
function countsOf(held) {
  const counts = /* @__PURE__ */ new Map();
  for (const it of held) {
    const count = counts.get(it.kind) ?? { kind: it.kind, gone: 0, emptied: 0, replaced: 0 };
    if (it.field === null) count.gone += 1;
    else if (it.reason === "REPLACED") count.replaced += 1;
    else count.emptied += 1;
    counts.set(it.kind, count);
  }
  return [...counts.values()];
}
var fateOf = (it) => it.reason === "REPLACED" ? `would become ${JSON.stringify(it.value)}, as for others` : "would be emptied";
function approvalOf(held, all, prune, adopt) {
  const fields = held.filter((it) => it.field !== null).length;
  const replaced = held.filter((it) => it.reason === "REPLACED").length;
  const gone = all - fields;
  const objects = gone === 1 ? "1 object" : `${gone} objects`;
  const become = (count, what) => count === 0 ? [] : [count === 1 ? `1 field is ${what}.` : `${count} fields are ${what}.`];
  return [
    ...gone === 0 ? [] : [adopt ? `${objects} keep everything, and get the ids that the source gives them now.` : (REMOVED[prune] ?? REMOVED.KEEP ?? String)(objects)],
    ...become(fields - replaced, "emptied"),
    ...become(replaced, "replaced"),
    "What the source has again by then stays."
  ];
}
function approveVerb(held, all, adopt) {
  const fields = held.filter((it) => it.field !== null).length;
  const replaced = held.filter((it) => it.reason === "REPLACED").length;
  const gone = all - fields;
  if (adopt) return `Give ${gone} ${gone === 1 ? "object its new id" : "objects their new ids"}`;
  const parts = [["remove", gone], ["empty", fields - replaced], ["replace", replaced]];
  return `Approve: ${parts.filter(([, count]) => count > 0).map(([verb, count]) => `${verb} ${count}`).join(", ")}`;
}
function lasted(from, to) {
  if (!to) return "";
  const seconds = Math.max(0, (new Date(to).getTime() - new Date(from).getTime()) / 1e3);
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
function every(seconds) {
  const sizes = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, word] = sizes.find(([it]) => seconds % it === 0 && seconds >= it) ?? [1, "second"];
  const count = seconds / size;
  return count === 1 ? `every ${word}` : `every ${count} ${word}s`;
}

// src/screens/source-held.tsx
import { Fragment, jsx, jsxs } from "./main.js";
var MAX_LISTED = 200;
function HeldPart({ run, source, prune, onDone }) {
  const [shown, setShown] = useState(null);
  const why = denialOf("approveRun") ?? denialOf("rejectRun");
  const counts = countsOf(run.held);
  const act = (which, title, name = "") => /* @__PURE__ */ jsxs(Act, { class: name, refusal: why, onClick: () => setShown(which), children: [
    title,
    "\u2026"
  ] });
  return /* @__PURE__ */ jsxs("section", { class: "held", "aria-label": "Held", children: [
    /* @__PURE__ */ jsxs("h3", { children: [
      "Held: ",
      number(run.heldCount),
      " ",
      run.heldCount === 1 ? "change" : "changes",
      " that nobody has approved"
    ] }),
    run.renumbered && /* @__PURE__ */ jsx("p", { children: "At least half of these seem to be objects to which the source gave new ids. They can keep everything and take the new ids." }),
    /* @__PURE__ */ jsx("p", { children: counts.map((it) => [it.gone > 0 ? `${number(it.gone)} ${pluralOf(it.kind).toLowerCase()} gone` : "", it.emptied > 0 ? `${number(it.emptied)} fields of ${pluralOf(it.kind).toLowerCase()} emptied` : "", it.replaced > 0 ? `${number(it.replaced)} fields of ${pluralOf(it.kind).toLowerCase()} replaced` : ""].filter(Boolean).join(", ")).join(" \xB7 ") }),
    /* @__PURE__ */ jsxs("ul", { class: "held-list", tabIndex: 0, "aria-label": "What is held", children: [
      run.held.slice(0, MAX_LISTED).map((it) => /* @__PURE__ */ jsxs("li", { children: [
        /* @__PURE__ */ jsxs("span", { class: "thing", children: [
          /* @__PURE__ */ jsx("span", { class: "thing-kind", children: titleOf(it.kind) }),
          /* @__PURE__ */ jsx("a", { href: pathOf(it.kind, { id: it.id }), children: /* @__PURE__ */ jsx("bdi", { children: it.name }) })
        ] }),
        /* @__PURE__ */ jsx("span", { class: "quiet", children: it.field ? `${words(it.field)} ${fateOf(it)}` : it.reason === "RENUMBERED" ? "has another id in the source now" : "is gone from the source" })
      ] }, `${it.id} ${it.field}`)),
      run.heldCount > MAX_LISTED && /* @__PURE__ */ jsxs("li", { class: "quiet", children: [
        "and ",
        number(run.heldCount - MAX_LISTED),
        " more"
      ] })
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "orders", children: [
      run.renumbered && act("adopt", "Give them the new ids", "main"),
      act("approve", "Approve", run.renumbered ? void 0 : "danger"),
      act("reject", "Reject")
    ] }),
    shown && /* @__PURE__ */ jsx(Decide, { which: shown, run, source, prune, onClose: () => setShown(null), onDone })
  ] });
}
function Decide({ which, run: given, source, prune, onClose, onDone }) {
  const [run] = useState(given);
  const [error, setError] = useState(null);
  const [waiting, setWaiting] = useState(false);
  const adopt = which === "adopt";
  const title = which === "reject" ? `Reject what is held of ${source}` : `Approve what is held of ${source}`;
  const give = async (event) => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    try {
      const [mutation, input, value] = which === "reject" ? ["rejectRun", "RejectRunInput", { run: run.id }] : ["approveRun", "ApproveRunInput", { run: run.id, adopt }];
      const done = await order(mutation, input, value, "run { state }", false);
      say(`${which === "reject" ? "Rejected" : "Approved"}. The run is ${enumWords(done.run.state).toLowerCase()} now.`);
      onClose();
      onDone();
    } catch (thrown) {
      setError(asRefused2(thrown));
    }
    setWaiting(false);
  };
  return /* @__PURE__ */ jsx(Dialog, { title, class: "order", onClose, children: /* @__PURE__ */ jsxs("form", { onSubmit: (event) => void give(event), children: [
    /* @__PURE__ */ jsxs("header", { class: "order-head", children: [
      /* @__PURE__ */ jsx("h2", { children: title }),
      /* @__PURE__ */ jsx("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without deciding", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsx("div", { class: "order-what", children: which === "reject" ? /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("p", { children: "Nothing is removed or emptied." }),
      /* @__PURE__ */ jsx("p", { children: "The next full run is judged anew, and is held again if the source still lacks these." })
    ] }) : approvalOf(run.held, run.heldCount, prune, adopt).map((it) => /* @__PURE__ */ jsx("p", { children: it }, it)) }),
    error && /* @__PURE__ */ jsx(Failure, { error }),
    /* @__PURE__ */ jsxs("footer", { children: [
      /* @__PURE__ */ jsx("button", { type: "button", onClick: onClose, children: "Decide later" }),
      /* @__PURE__ */ jsx("button", { type: "submit", class: which === "approve" ? "danger" : "main", disabled: waiting, children: which === "reject" ? "Reject, remove nothing" : approveVerb(run.held, run.heldCount, adopt) })
    ] })
  ] }) });
}

// src/screens/sources-board.lazy.tsx
import { Fragment as Fragment2, jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var RUN = "id mode state startedAt finishedAt seen created updated unchanged retired deleted released failed skippedFields heldCount";
var LIST = `query Sources { sources(first: 500) { totalCount nodes { id name type health interval paused lastSuccessAt suspectCount lastRun { ${RUN} } } } }`;
var ONE = `query SourceLife($id: ID!) { node(id: $id) { ... on Source {
  id name type url interval prune paused health version lastSuccessAt suspectCount limits { share count }
  runs(first: 20) { nodes { ${RUN} errors { externalId code message } } }
  holdingRuns(first: 10) { id heldCount renumbered held(first: 1000) { kind id name externalId reason field value } }
  suspects(first: 50) { kind externalId at }
  suggestions(first: 50) { path otherPath by value object { ... on Device { id } ... on Host { id } } other { ... on Device { id } ... on Host { id } } }
} } }`;
var PACE_MS = 5e3;
var WORST = ["HELD", "FAILING", "STALE", "NEVER", "PAUSED", "FRESH"];
function SourcesBoard() {
  const query = usePaced(LIST, {}, ["Source"], PACE_MS);
  const all = [...query.data.value?.sources.nodes ?? []].sort((a, b) => WORST.indexOf(a.health) - WORST.indexOf(b.health) || a.name.localeCompare(b.name));
  const asked = url.value.searchParams.get("source");
  const chosen = all.find((it) => it.name === asked) ?? all[0];
  return /* @__PURE__ */ jsxs2("section", { class: "page wide", "aria-label": "Source board", children: [
    /* @__PURE__ */ jsxs2("header", { class: "page-head", children: [
      /* @__PURE__ */ jsxs2("h1", { children: [
        "Source board ",
        /* @__PURE__ */ jsx2("span", { class: "count", children: query.data.value ? number2(query.data.value.sources.totalCount) : "\u2026" })
      ] }),
      /* @__PURE__ */ jsx2("p", { class: "quiet", children: "Outside systems that keep their part of the inventory true, those that need somebody first." })
    ] }),
    query.error.value && /* @__PURE__ */ jsx2(Failure2, { error: query.error.value, again: () => void query.read() }),
    query.data.value && all.length === 0 && /* @__PURE__ */ jsxs2("p", { class: "empty", children: [
      "There are no sources. A synchronizer makes one, for example ",
      /* @__PURE__ */ jsx2("code", { children: "underlay sync files DIR" }),
      "."
    ] }),
    chosen && /* @__PURE__ */ jsxs2("div", { class: "analysis sources", children: [
      /* @__PURE__ */ jsx2("nav", { class: "basket", "aria-label": "Sources", children: /* @__PURE__ */ jsx2("ul", { children: all.map((it) => /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsxs2(
        "a",
        {
          class: "source-link",
          href: `/sources-board?source=${encodeURIComponent(it.name)}`,
          "aria-current": it.id === chosen.id ? "true" : void 0,
          onClick: (event) => {
            event.preventDefault();
            setParams({ source: it.name }, "replace");
          },
          children: [
            /* @__PURE__ */ jsx2("bdi", { children: it.name }),
            /* @__PURE__ */ jsx2(EnumValue, { field: "health", value: it.health }),
            /* @__PURE__ */ jsxs2("span", { class: "quiet", children: [
              it.type,
              " \xB7 ",
              it.lastSuccessAt ? `read ${since(it.lastSuccessAt)}` : "never read"
            ] })
          ]
        }
      ) }, it.id)) }) }),
      /* @__PURE__ */ jsx2(SourceLife, { id: chosen.id }, chosen.id)
    ] })
  ] });
}
function SourceLife({ id }) {
  const query = usePaced(ONE, { id }, ["Source"], PACE_MS);
  if (query.error.value) return /* @__PURE__ */ jsx2(Failure2, { error: query.error.value, again: () => void query.read() });
  const it = query.data.value?.node;
  if (!it) return /* @__PURE__ */ jsx2("p", { class: "waiting", children: query.data.value ? "This source does not exist any more." : "Reading\u2026" });
  const runs = it.runs?.nodes ?? [];
  return /* @__PURE__ */ jsxs2("div", { class: "found source-life", children: [
    /* @__PURE__ */ jsxs2("header", { class: "page-head", children: [
      /* @__PURE__ */ jsx2("h2", { children: /* @__PURE__ */ jsx2("a", { href: pathOf2("Source", it), children: /* @__PURE__ */ jsx2("bdi", { children: it.name }) }) }),
      /* @__PURE__ */ jsx2(EnumValue, { field: "health", value: it.health }),
      /* @__PURE__ */ jsxs2("span", { class: "quiet", children: [
        it.type,
        " \xB7 ",
        every(it.interval),
        " \xB7 ",
        it.prune === "KEEP" ? "removes nothing" : `${enumWords2(it.prune).toLowerCase()}s what is gone`,
        " \xB7 at most ",
        number2(it.limits.share * 100),
        " % or ",
        number2(it.limits.count),
        " of a kind a day"
      ] }),
      /* @__PURE__ */ jsx2("span", { class: "grow" }),
      /* @__PURE__ */ jsx2(Pause, { it, onDone: () => query.mark() })
    ] }),
    /* @__PURE__ */ jsx2("p", { children: healthWords(it.health) }),
    it.holdingRuns.map((run) => /* @__PURE__ */ jsx2(HeldPart, { run, source: it.name, prune: it.prune, onDone: () => query.mark() }, run.id)),
    /* @__PURE__ */ jsxs2("section", { "aria-label": "Runs", children: [
      /* @__PURE__ */ jsx2("h3", { children: "Last runs" }),
      /* @__PURE__ */ jsx2(Runs, { runs })
    ] }),
    it.suspectCount > 0 && /* @__PURE__ */ jsxs2("section", { "aria-label": "Suspects", children: [
      /* @__PURE__ */ jsxs2("h3", { children: [
        number2(it.suspectCount),
        " not found between runs"
      ] }),
      /* @__PURE__ */ jsx2("p", { class: "quiet", children: "Only the next full run judges them." }),
      /* @__PURE__ */ jsx2("ul", { class: "held-list", children: it.suspects.map((one) => /* @__PURE__ */ jsxs2("li", { children: [
        /* @__PURE__ */ jsxs2("span", { children: [
          titleOf2(one.kind),
          " ",
          /* @__PURE__ */ jsx2("bdi", { children: one.externalId })
        ] }),
        /* @__PURE__ */ jsx2("span", { class: "quiet", children: since(one.at) })
      ] }, `${one.kind} ${one.externalId}`)) })
    ] }),
    it.suggestions.length > 0 && /* @__PURE__ */ jsxs2("section", { "aria-label": "Suggestions", children: [
      /* @__PURE__ */ jsxs2("h3", { children: [
        number2(it.suggestions.length),
        " may be one machine with another object"
      ] }),
      /* @__PURE__ */ jsx2("p", { class: "quiet", children: "Nothing is joined by itself: give one of the two the external reference of the other, and delete the other." }),
      /* @__PURE__ */ jsx2("ul", { class: "held-list", children: it.suggestions.map((one) => /* @__PURE__ */ jsxs2("li", { children: [
        /* @__PURE__ */ jsxs2("span", { children: [
          /* @__PURE__ */ jsx2(Suggested, { path: one.path, id: one.object?.id }),
          " and ",
          /* @__PURE__ */ jsx2(Suggested, { path: one.otherPath, id: one.other.id })
        ] }),
        /* @__PURE__ */ jsxs2("span", { class: "quiet", children: [
          "both have ",
          enumWords2(one.by),
          " ",
          /* @__PURE__ */ jsx2("bdi", { children: one.value })
        ] })
      ] }, one.path + one.otherPath + one.by)) })
    ] })
  ] });
}
function Suggested({ path, id }) {
  const [kind = "", ...rest] = path.split("/");
  const name = rest.join("/");
  return /* @__PURE__ */ jsxs2(Fragment2, { children: [
    kind,
    " ",
    id ? /* @__PURE__ */ jsx2("a", { href: pathOf2(kind[0]?.toUpperCase() + kind.slice(1), { id }), children: /* @__PURE__ */ jsx2("bdi", { children: name }) }) : /* @__PURE__ */ jsx2("bdi", { children: name })
  ] });
}
function Pause({ it, onDone }) {
  const [error, setError] = useState2(null);
  const change = () => {
    const document = "mutation Pause($id: ID!, $paused: Boolean!) { updateSource(id: $id, patch: {paused: $paused}) { revision } }";
    ask2(document, { id: it.id, paused: !it.paused }).then(
      ({ data, revision }) => {
        setError(null);
        wrote2(data.updateSource.revision ?? revision);
        say2(it.paused ? `${it.name} goes on.` : `${it.name} is paused: no run starts until it goes on.`);
        onDone();
      },
      (thrown) => setError(asRefused3(thrown))
    );
  };
  return error ? /* @__PURE__ */ jsx2(Failure2, { error, again: change }) : /* @__PURE__ */ jsx2(Act2, { refusal: refusal2("updateSource"), onClick: change, children: it.paused ? "Let it go on" : "Pause" });
}
var NUMBERS = ["seen", "created", "updated", "unchanged", "retired", "deleted", "released", "failed", "skippedFields"];
var HEADS = {
  seen: "Seen",
  created: "Created",
  updated: "Updated",
  unchanged: "Same",
  retired: "Retired",
  deleted: "Deleted",
  released: "Released",
  failed: "Refused",
  skippedFields: "Fields kept"
};
function Runs({ runs }) {
  if (runs.length === 0) return /* @__PURE__ */ jsx2("p", { class: "quiet", children: "No run yet." });
  return /* @__PURE__ */ jsx2("div", { class: "scroll", tabIndex: 0, role: "group", "aria-label": "Last runs", children: /* @__PURE__ */ jsxs2("table", { class: "counts runs", children: [
    /* @__PURE__ */ jsx2("thead", { children: /* @__PURE__ */ jsxs2("tr", { children: [
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Started" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "State" }),
      /* @__PURE__ */ jsx2("th", { scope: "col", children: "Took" }),
      NUMBERS.map((it) => /* @__PURE__ */ jsx2("th", { scope: "col", children: HEADS[it] }, it))
    ] }) }),
    /* @__PURE__ */ jsx2("tbody", { children: runs.flatMap((run) => [
      /* @__PURE__ */ jsxs2("tr", { children: [
        /* @__PURE__ */ jsxs2("th", { scope: "row", children: [
          /* @__PURE__ */ jsx2("time", { dateTime: run.startedAt, title: time(run.startedAt), children: since(run.startedAt) }),
          run.mode === "PARTIAL" && /* @__PURE__ */ jsx2("span", { class: "quiet", children: " part" })
        ] }),
        /* @__PURE__ */ jsx2("td", { children: /* @__PURE__ */ jsx2(EnumValue, { field: "state", value: run.state }) }),
        /* @__PURE__ */ jsx2("td", { children: lasted(run.startedAt, run.finishedAt) || "runs" }),
        NUMBERS.map((it) => /* @__PURE__ */ jsx2("td", { class: it === "failed" && run[it] > 0 ? "bad" : run[it] === 0 ? "quiet" : void 0, children: number2(run[it]) }, it))
      ] }, run.id),
      ...run.errors.length > 0 ? [/* @__PURE__ */ jsx2("tr", { children: /* @__PURE__ */ jsx2("td", { colSpan: 3 + NUMBERS.length, class: "errors", children: /* @__PURE__ */ jsx2(Errors, { errors: run.errors }) }) }, `${run.id} errors`)] : []
    ]) })
  ] }) });
}
function Errors({ errors }) {
  const once = new Map(errors.map((it) => [`${it.externalId} ${it.message}`, it]));
  return /* @__PURE__ */ jsxs2("details", { children: [
    /* @__PURE__ */ jsxs2("summary", { children: [
      number2(once.size),
      " ",
      once.size === 1 ? "error" : "errors",
      ": ",
      /* @__PURE__ */ jsx2("bdi", { children: [...once.values()][0]?.message })
    ] }),
    /* @__PURE__ */ jsx2("ul", { children: [...once.values()].map((it) => /* @__PURE__ */ jsxs2("li", { children: [
      /* @__PURE__ */ jsx2("bdi", { children: it.externalId ?? "" }),
      " ",
      /* @__PURE__ */ jsx2("bdi", { children: it.message }),
      " ",
      /* @__PURE__ */ jsx2("code", { children: it.code })
    ] }, `${it.externalId} ${it.message}`)) })
  ] });
}
export {
  SourcesBoard as default
};
