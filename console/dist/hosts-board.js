// src/screens/hosts-board.lazy.tsx
import { useEffect as useEffect3, useMemo, useState as useState7 } from "./main.js";
import { Act as Act2, enumWords as enumWords2, EnumValue as EnumValue3, Failure as Failure5, go, intoBasket, mark as mark2, marksOf, narrowedTo, number as number5, pathOf as pathOf5, placeFilter, Rows, setParams, Table, unmark as unmark2, url, useCommands, useQuery as useQuery6 } from "./main.js";
import { kindOf } from "./main.js";

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

// src/screens/host-acquire.tsx
import { useState as useState2 } from "./main.js";
import { asRefused as asRefused2, Dialog, Failure, impactPath, mark, number, unmark, useQuery as useQuery2 } from "./main.js";

// src/store/find.ts
import { ask as ask2, titleOf } from "./main.js";
var DOCUMENT = `query Find($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) {
  kind path field text node { id ... on Object { name } }
} }`;
function finder(kinds) {
  return async (text, abort) => {
    const found = (await ask2(DOCUMENT, { text, kinds: kinds ?? null }, abort)).data.search ?? [];
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
import { jsx as jsx3, jsxs as jsxs3 } from "./main.js";
function ThingLink({ it, quiet, kind = true }) {
  const where = whereOf(it.path, it.name);
  return /* @__PURE__ */ jsxs3("span", { class: "thing", children: [
    kind && /* @__PURE__ */ jsx3("span", { class: "thing-kind", children: titleOf3(it.kind) }),
    /* @__PURE__ */ jsx3("a", { href: pathOf2(it.kind, { id: it.id }), tabIndex: quiet ? -1 : void 0, title: it.name, children: /* @__PURE__ */ jsx3("bdi", { children: it.name }) }),
    where && /* @__PURE__ */ jsx3("bdi", { class: "quiet", children: where })
  ] });
}

// src/screens/host-acquire.tsx
import { jsx as jsx4, jsxs as jsxs4 } from "./main.js";
var CLASSES = "query Classes { hostClasses(first: 200) { nodes { id name title total available acquired failed } } }";
function useClasses() {
  return useQuery2(CLASSES, {}, ["Host", "HostClass"]).data.value?.hostClasses.nodes ?? [];
}
var SPREADS = [
  ["", "no spread"],
  ["RACK", "racks"],
  ["POWER", "feeds, PDUs and UPSs"],
  ["SWITCH", "switches"],
  ["FAILURE", "every single failure"]
];
var find = finder(["Region", "Site", "Location", "Rack"]);
function AcquireDialog({ chosen, onClose }) {
  const classes = useClasses();
  const [name, setName] = useState2(chosen ?? "");
  const [count, setCount] = useState2(1);
  const [purpose, setPurpose] = useState2("");
  const [within, setWithin] = useState2(null);
  const [spread, setSpread] = useState2("");
  const [most, setMost] = useState2("");
  const [error, setError] = useState2(null);
  const [waiting, setWaiting] = useState2(false);
  const [done, setDone] = useState2(null);
  const it = classes.find((one) => one.name === name);
  const give = async (event) => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    setError(null);
    const input = { class: { hostClass: name }, count, for: purpose.trim(), within, spread: spread || null, most: most ? Number(most) : null };
    try {
      const answer = await order("acquireHosts", "AcquireHostsInput", input, `revision hosts { id name } worst { ${REPORTED} takes { id name } }`);
      unmark("Host");
      mark("Host", answer.hosts.map((one) => one.id), true);
      setDone(answer);
    } catch (thrown) {
      setError(asRefused2(thrown));
    }
    setWaiting(false);
  };
  if (done) return /* @__PURE__ */ jsx4(Done, { done, onClose });
  return /* @__PURE__ */ jsx4(Dialog, { title: "Acquire hosts", class: "order", onClose, children: /* @__PURE__ */ jsxs4("form", { onSubmit: (event) => void give(event), children: [
    /* @__PURE__ */ jsxs4("header", { class: "order-head", children: [
      /* @__PURE__ */ jsx4("h2", { children: "Acquire hosts" }),
      /* @__PURE__ */ jsx4("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without ordering", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsxs4("div", { class: "order-fields", children: [
      /* @__PURE__ */ jsxs4("label", { children: [
        "Class",
        /* @__PURE__ */ jsxs4("select", { required: true, value: name, onChange: (event) => setName(event.currentTarget.value), children: [
          /* @__PURE__ */ jsx4("option", { value: "", children: "Choose a class" }),
          classes.map((one) => /* @__PURE__ */ jsxs4("option", { value: one.name, children: [
            one.name,
            ": ",
            number(one.available),
            " of ",
            number(one.total),
            " available"
          ] }, one.id))
        ] })
      ] }),
      /* @__PURE__ */ jsxs4("label", { children: [
        "How many ",
        /* @__PURE__ */ jsx4("input", { type: "number", required: true, min: 1, max: 1e3, value: count, onInput: (event) => setCount(Math.max(1, Number(event.currentTarget.value) || 1)) })
      ] }),
      /* @__PURE__ */ jsxs4("label", { children: [
        "For ",
        /* @__PURE__ */ jsx4("input", { required: true, maxLength: 253, placeholder: "the purpose, for others to read", value: purpose, onInput: (event) => setPurpose(event.currentTarget.value) })
      ] }),
      /* @__PURE__ */ jsx4(Chosen, { label: "Within", placeholder: "Anywhere; type a place", id: within, find, remove: "Anywhere", onChange: setWithin }),
      /* @__PURE__ */ jsxs4("label", { children: [
        "Spread over",
        /* @__PURE__ */ jsx4("select", { value: spread, onChange: (event) => setSpread(event.currentTarget.value), children: SPREADS.map(([value, word]) => /* @__PURE__ */ jsx4("option", { value, children: word }, value)) })
      ] }),
      spread && /* @__PURE__ */ jsxs4("label", { children: [
        "One failure may take at most ",
        /* @__PURE__ */ jsx4("input", { type: "number", min: 1, max: 1e3, placeholder: "as few as possible", value: most, onInput: (event) => setMost(event.currentTarget.value) })
      ] })
    ] }),
    /* @__PURE__ */ jsxs4("div", { class: "order-what", role: "status", children: [
      /* @__PURE__ */ jsxs4("p", { children: [
        number(count),
        " ",
        count === 1 ? "host" : "hosts",
        " of ",
        name ? `\u201C${name}\u201D` : "the class",
        " ",
        count === 1 ? "is" : "are",
        " taken, or none: the ones that wait longest",
        spread ? ", as far apart as possible" : "",
        "."
      ] }),
      /* @__PURE__ */ jsx4("p", { children: "No machine is touched." }),
      it && it.available < count && /* @__PURE__ */ jsxs4("p", { class: "bad", children: [
        "Only ",
        number(it.available),
        " ",
        it.available === 1 ? "is" : "are",
        " available now."
      ] })
    ] }),
    error && /* @__PURE__ */ jsx4(Failure, { error }),
    /* @__PURE__ */ jsxs4("footer", { children: [
      /* @__PURE__ */ jsx4("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsxs4("button", { type: "submit", class: "main", disabled: waiting, children: [
        "Acquire ",
        number(count),
        " ",
        count === 1 ? "host" : "hosts"
      ] })
    ] })
  ] }) });
}
function Done({ done, onClose }) {
  return /* @__PURE__ */ jsx4(Dialog, { title: "Acquired", class: "order", onClose, children: /* @__PURE__ */ jsxs4("div", { class: "order-done", children: [
    /* @__PURE__ */ jsxs4("h2", { children: [
      number(done.hosts.length),
      " ",
      done.hosts.length === 1 ? "host is" : "hosts are",
      " yours, and marked"
    ] }),
    /* @__PURE__ */ jsx4("ul", { class: "order-targets", children: done.hosts.map((it) => /* @__PURE__ */ jsx4("li", { children: /* @__PURE__ */ jsx4("bdi", { children: it.name }) }, it.id)) }),
    done.worst && /* @__PURE__ */ jsxs4("p", { children: [
      "The worst single failure takes ",
      number(done.worst.takes.length),
      " of ",
      number(done.hosts.length),
      ": ",
      /* @__PURE__ */ jsx4(ThingLink, { it: thingOf(done.worst) }),
      " ",
      /* @__PURE__ */ jsx4("a", { href: impactPath([done.worst.node.id]), onClick: onClose, children: "Show its impact" })
    ] }),
    /* @__PURE__ */ jsx4("footer", { children: /* @__PURE__ */ jsx4("button", { type: "button", class: "main", onClick: onClose, children: "Good" }) })
  ] }) });
}

// src/screens/host-dialog.tsx
import { useState as useState3 } from "./main.js";
import { asRefused as asRefused3, Dialog as Dialog2, EnumValue, Failure as Failure2, number as number2, say, useQuery as useQuery3 } from "./main.js";

// src/screens/host-orders.ts
var ORDERS = [
  { id: "install", title: "Install", mutation: "installHosts", states: ["ACQUIRED", "FAILED"] },
  { id: "power", title: "Power", mutation: "setHostPower", states: [] },
  { id: "release", title: "Release", mutation: "releaseHosts", states: ["ACQUIRED", "INSTALLED", "FAILED"] },
  { id: "retry", title: "Retry", mutation: "retryHosts", states: ["FAILED"] },
  { id: "adopt", title: "Adopt", mutation: "adoptHosts", states: ["REGISTERED"] },
  { id: "discover", title: "Discover", mutation: "discoverHosts", states: ["REGISTERED", "AVAILABLE", "FAILED"] },
  { id: "cancel", title: "Cancel order", mutation: "cancelHosts", states: [] }
];
var MAX_HOSTS = 1e3;
var LIFE = ["REGISTERED", "DISCOVERING", "AVAILABLE", "ACQUIRED", "INSTALLING", "INSTALLED", "RELEASING", "WIPING"];
var joined = (words) => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
var isAtWork = (it) => it.generationDone < it.generation;
function blockedBy(order2, targets) {
  if (targets.length === 0) return "Mark hosts first.";
  if (targets.length > MAX_HOSTS) return `At most ${MAX_HOSTS} hosts at once.`;
  const wrong = targets.filter((it) => order2.states.length > 0 && !order2.states.includes(it.state));
  if (wrong.length > 0) {
    const states = joined(order2.states.map((it) => it.toLowerCase()));
    return `This takes hosts that are ${states}; ${targets.length === 1 ? `${wrong[0]?.name} is ${wrong[0]?.state.toLowerCase()}` : `${wrong.length} of ${targets.length} are not`}.`;
  }
  if (order2.id === "cancel") return targets.every(isAtWork) ? null : "This takes hosts that have an order at work.";
  const busy = targets.filter(isAtWork);
  if (busy.length > 0) return `${busy.length === 1 ? `${busy[0]?.name} has` : `${busy.length} hosts have`} an order at work, which is not replaced.`;
  return null;
}
function sentencesOf(id, targets, options) {
  const count = targets.length;
  const machines = count === 1 ? "The machine" : `${count} machines`;
  const are = count === 1 ? "is" : "are";
  const on = targets.filter((it) => it.power === "ON").length;
  const running = on === 0 ? [] : [on === 1 ? "One machine was last seen running." : `${on} machines were last seen running.`];
  switch (id) {
    case "install":
      return [`${machines} ${are} started from the network, and \u201C${options.profile ?? "\u2026"}\u201D is written to ${count === 1 ? "its" : "their"} disks.`, options.force ? "What is on the disks is lost, and what runs there too." : "What is on the disks is lost. Machines that run are left alone.", ...running];
    case "release":
      return [
        `${machines} ${are} asked to shut down, detached, and free for others.`,
        options.wipe ? "The disks are erased. This takes up to four hours, and cannot be undone." : "The disks stay as they are: whoever gets the machine next can read them.",
        ...options.force ? ["A machine that does not shut down in five minutes is switched off."] : ["Machines that run though nothing was installed on them are left alone."],
        ...running
      ];
    case "power":
      return [
        options.power === "ON" ? `${machines} ${are} switched on.` : options.power === "OFF" ? `${machines} ${are} asked to shut down.` : `${machines} ${are} asked to shut down, and then started again: whatever runs there stops.`,
        ...options.force && options.power !== "ON" ? ["A machine that does not shut down is switched off."] : [],
        ...options.power === "ON" ? [] : running
      ];
    case "retry":
      return [`The order that failed is given again to ${count === 1 ? "the host" : `${count} hosts`}, from its beginning.`, ...running];
    case "adopt":
      return [`${machines} ${are} not touched.`, options.as === "INSTALLED" ? "From now on they count as installed, so that nobody else gets them." : "From now on they are free: whoever acquires one can install it, and what runs there is lost."];
    case "discover":
      return [`${machines} ${are} started from the network once, to find out the hardware, and switched off afterwards.`, options.force ? "What runs there is lost." : "Machines that run are left alone.", options.adopt ? "Afterwards they are free: whoever acquires one can install it." : "Hosts that nobody has adopted stay registered.", ...running];
    case "cancel":
      return [`The order of ${count === 1 ? "the host" : `${count} hosts`} ends, if it has not touched the machine yet.`, "What a controller has prepared is taken back."];
  }
}
function verbOf(id, count, options) {
  const hosts = count === 1 ? "1 host" : `${count} hosts`;
  const powers = { ON: "Switch on", OFF: "Shut down", CYCLE: "Restart" };
  switch (id) {
    case "install":
      return `Install ${hosts}`;
    case "release":
      return options.wipe ? `Release and wipe ${hosts}` : `Release ${hosts}`;
    case "power":
      return `${powers[options.power ?? "ON"]} ${hosts}`;
    case "retry":
      return `Retry ${hosts}`;
    case "adopt":
      return `Adopt ${hosts}`;
    case "discover":
      return `Discover ${hosts}`;
    case "cancel":
      return `Cancel the order of ${hosts}`;
  }
}
function inputOfOrder(id, ids, options) {
  switch (id) {
    case "install":
      return { ids, profile: { profile: options.profile }, variables: options.variables ?? {}, validFor: options.validFor ?? null, force: options.force ?? false };
    case "release":
      return { ids, wipe: options.wipe ?? false, force: options.force ?? false };
    case "power":
      return { ids, power: options.power ?? "ON", force: options.force ?? false };
    case "adopt":
      return { ids, as: options.as ?? "AVAILABLE", force: options.force ?? false };
    case "discover":
      return { ids, adopt: options.adopt ?? false, force: options.force ?? false };
    case "retry":
    case "cancel":
      return { ids };
  }
}
function variablesOf(text) {
  const values = {};
  for (const line of text.split("\n").map((it) => it.trim()).filter(Boolean)) {
    const at = line.indexOf("=");
    if (at < 1) return { wrong: line };
    values[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return { values };
}

// src/screens/host-dialog.tsx
import { jsx as jsx5, jsxs as jsxs5 } from "./main.js";
var MAX_NAMED = 12;
var PROFILES = "query Profiles { profiles(filter: {purpose: {eq: INSTALL}}, first: 200) { nodes { id name method description } } }";
function OrderDialog({ order: it, targets: given, onClose }) {
  const [targets] = useState3(given);
  const [options, setOptions] = useState3(it.id === "power" ? { power: "ON" } : it.id === "adopt" ? { as: "AVAILABLE" } : {});
  const [variables, setVariables] = useState3("");
  const [error, setError] = useState3(null);
  const [waiting, setWaiting] = useState3(false);
  const set = (more) => setOptions({ ...options, ...more });
  const read = variablesOf(variables);
  const ready = it.id !== "install" || options.profile !== void 0 && "values" in read;
  const give = async (event) => {
    event.preventDefault();
    if (!ready || waiting) return;
    setWaiting(true);
    setError(null);
    try {
      const all = "values" in read ? { ...options, variables: read.values } : options;
      const name = `${it.mutation[0]?.toUpperCase()}${it.mutation.slice(1)}Input`;
      await order(it.mutation, name, inputOfOrder(it.id, targets.map((one) => one.id), all), "revision");
      say(`Ordered: ${verbOf(it.id, targets.length, options).toLowerCase()}.`);
      onClose();
    } catch (thrown) {
      setError(asRefused3(thrown));
    }
    setWaiting(false);
  };
  const dangerous = it.id === "install" || it.id === "release" || it.id === "power" && options.power !== "ON";
  return /* @__PURE__ */ jsx5(Dialog2, { title: `${it.title} ${targets.length === 1 ? targets[0]?.name : `${number2(targets.length)} hosts`}`, class: "order", onClose, children: /* @__PURE__ */ jsxs5("form", { onSubmit: (event) => void give(event), children: [
    /* @__PURE__ */ jsxs5("header", { class: "order-head", children: [
      /* @__PURE__ */ jsxs5("h2", { children: [
        it.title,
        " ",
        targets.length === 1 ? /* @__PURE__ */ jsx5("bdi", { children: targets[0]?.name }) : `${number2(targets.length)} hosts`
      ] }),
      /* @__PURE__ */ jsx5("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without ordering", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsx5(Fields, { order: it, single: targets.length === 1, options, set, variables, setVariables }),
    "wrong" in read && /* @__PURE__ */ jsxs5("p", { class: "bad", role: "alert", children: [
      "Not a variable: \u201C",
      read.wrong,
      "\u201D. Write each as key=value."
    ] }),
    /* @__PURE__ */ jsx5("div", { class: "order-what", role: "status", children: sentencesOf(it.id, targets, options).map((one) => /* @__PURE__ */ jsx5("p", { children: one }, one)) }),
    /* @__PURE__ */ jsx5(Targets, { targets }),
    error && /* @__PURE__ */ jsx5(Failure2, { error }),
    /* @__PURE__ */ jsxs5("footer", { children: [
      /* @__PURE__ */ jsx5("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx5("button", { type: "submit", class: dangerous ? "danger" : "main", disabled: !ready || waiting, children: verbOf(it.id, targets.length, options) })
    ] })
  ] }) });
}
function Targets({ targets }) {
  return /* @__PURE__ */ jsxs5("ul", { class: "order-targets", "aria-label": "The hosts", children: [
    targets.slice(0, MAX_NAMED).map((it) => /* @__PURE__ */ jsxs5("li", { children: [
      /* @__PURE__ */ jsx5("bdi", { children: it.name }),
      " ",
      /* @__PURE__ */ jsx5(EnumValue, { field: "state", value: it.state }),
      " ",
      /* @__PURE__ */ jsxs5("span", { class: "quiet", children: [
        "power ",
        it.power.toLowerCase()
      ] })
    ] }, it.id)),
    targets.length > MAX_NAMED && /* @__PURE__ */ jsxs5("li", { class: "quiet", children: [
      "and ",
      number2(targets.length - MAX_NAMED),
      " more"
    ] })
  ] });
}
function Fields({ order: it, single, options, set, variables, setVariables }) {
  const check = (name, title) => /* @__PURE__ */ jsxs5("label", { class: "check", children: [
    /* @__PURE__ */ jsx5("input", { type: "checkbox", checked: options[name] ?? false, onChange: (event) => set({ [name]: event.currentTarget.checked }) }),
    " ",
    title
  ] });
  const reboot = single && check("force", "Also if the machine runs");
  if (it.id === "install") return /* @__PURE__ */ jsx5(InstallFields, { options, set, variables, setVariables, reboot });
  if (it.id === "release") return /* @__PURE__ */ jsxs5("div", { class: "order-fields", children: [
    check("wipe", "Erase the disks"),
    check("force", "Switch off what does not shut down")
  ] });
  if (it.id === "discover") return /* @__PURE__ */ jsxs5("div", { class: "order-fields", children: [
    check("adopt", "They are free afterwards"),
    reboot
  ] });
  if (it.id === "power") {
    return /* @__PURE__ */ jsxs5("fieldset", { class: "order-fields", children: [
      /* @__PURE__ */ jsx5("legend", { children: "Power" }),
      [["ON", "On"], ["OFF", "Off"], ["CYCLE", "Off and on"]].map(([value, word]) => /* @__PURE__ */ jsxs5("label", { class: "check", children: [
        /* @__PURE__ */ jsx5("input", { type: "radio", name: "power", checked: options.power === value, onChange: () => set({ power: value }) }),
        " ",
        word
      ] }, value)),
      options.power !== "ON" && check("force", "Also several that may be in use, and those that do not shut down")
    ] });
  }
  if (it.id === "adopt") {
    return /* @__PURE__ */ jsxs5("fieldset", { class: "order-fields", children: [
      /* @__PURE__ */ jsx5("legend", { children: "The machines are" }),
      /* @__PURE__ */ jsxs5("label", { class: "check", children: [
        /* @__PURE__ */ jsx5("input", { type: "radio", name: "as", checked: options.as === "AVAILABLE", onChange: () => set({ as: "AVAILABLE" }) }),
        " free"
      ] }),
      /* @__PURE__ */ jsxs5("label", { class: "check", children: [
        /* @__PURE__ */ jsx5("input", { type: "radio", name: "as", checked: options.as === "INSTALLED", onChange: () => set({ as: "INSTALLED" }) }),
        " in use"
      ] }),
      options.as === "AVAILABLE" && check("force", "Also those that run")
    ] });
  }
  return null;
}
var HOURS = [8, 24, 168];
function InstallFields({ options, set, variables, setVariables, reboot }) {
  const query = useQuery3(PROFILES, {}, ["Profile"]);
  const profiles = query.data.value?.profiles.nodes ?? [];
  const chosen = profiles.find((it) => it.name === options.profile);
  return /* @__PURE__ */ jsxs5("div", { class: "order-fields", children: [
    query.error.value && /* @__PURE__ */ jsx5(Failure2, { error: query.error.value }),
    /* @__PURE__ */ jsxs5("label", { children: [
      "Profile",
      /* @__PURE__ */ jsxs5("select", { required: true, value: options.profile ?? "", onChange: (event) => {
        if (event.currentTarget.value) set({ profile: event.currentTarget.value });
      }, children: [
        /* @__PURE__ */ jsx5("option", { value: "", children: "Choose what is installed" }),
        profiles.map((it) => /* @__PURE__ */ jsx5("option", { value: it.name, children: it.name }, it.id))
      ] })
    ] }),
    chosen?.description && /* @__PURE__ */ jsx5("p", { class: "quiet", children: chosen.description }),
    /* @__PURE__ */ jsxs5("label", { children: [
      "Variables, one key=value a line",
      /* @__PURE__ */ jsx5("textarea", { rows: 3, spellcheck: false, value: variables, onInput: (event) => setVariables(event.currentTarget.value) })
    ] }),
    /* @__PURE__ */ jsxs5("label", { children: [
      "Not begun any more after",
      /* @__PURE__ */ jsxs5("select", { value: options.validFor ?? "", onChange: (event) => set({ validFor: Number(event.currentTarget.value) || null }), children: [
        /* @__PURE__ */ jsx5("option", { value: "", children: "an hour" }),
        HOURS.map((it) => /* @__PURE__ */ jsx5("option", { value: it * 3600, children: it === 168 ? "a week" : it === 24 ? "a day" : `${it} hours` }, it))
      ] })
    ] }),
    reboot
  ] });
}

// src/screens/host-pane.tsx
import { EnumValue as EnumValue2, enumWords, Failure as Failure3, number as number3, pathOf as pathOf3, since, time, useQuery as useQuery4 } from "./main.js";

// src/screens/host-advice.ts
var ABOUT_FAILURES = {
  Unreachable: "Nothing was done. Check the network and the address of the BMC, then retry.",
  Unanswered: "The act may have been made. Look at the machine: is it on, what runs there? Retry when you know.",
  NoEffect: "Do it by hand at the BMC to see why. Check the boot mode: many BMCs ignore a boot device of another mode.",
  MachineRuns: "Nothing was done. Look who uses the machine. If nobody does, switch it off and order again.",
  PowerUnknown: "Nothing was done. Look at the machine. If it is free, order again, also if it runs, for this host alone.",
  Expired: "Nothing was done. Order again, if it is still wanted.",
  ObservedOnly: "Nothing was done. Order again, if it is still wanted.",
  Cancelled: "Nothing was done.",
  Stopped: "Look at the machine, then retry.",
  PowerRefused: "Do what the message says at the BMC, then retry.",
  BootRefused: "Do what the message says at the BMC, then retry.",
  BmcRefused: "Do what the message says at the BMC, then retry.",
  WrongAddress: "Correct the BMC address of the host, then retry.",
  WrongCredential: "Correct the secret of the credential, or the rights of its account, then retry.",
  WrongCertificate: "Nothing was sent. Trust the certificate of the BMC, then retry.",
  NoSystem: "Correct the path in the BMC address, or the uid or boot MAC of the host, then retry.",
  WrongMachine: "The machine was left alone. Correct the BMC address or the uid, or accept an exchanged machine.",
  FirstLook: "Nothing was done. See that it is the right machine, then order again.",
  TellsNothing: "Nothing was done. Order for this host alone.",
  NoProgram: "Start the controller with this program, then retry.",
  ProgramRefused: "Do what the message says, then retry.",
  NoDriver: "The message lists the drivers of the controller. Correct the BMC address, then retry.",
  StillOn: "Shut its system down by hand, or order again with force.",
  TimedOut: "Look at the console of the machine and at the log of the provisioner, then retry.",
  Provisioner: "Correct what the provisioner says, then retry.",
  ProvisionerRefused: "Correct what the provisioner says, then retry.",
  NoProvisioner: "Set the provisioner of the host, then retry.",
  NoOrder: "An administrator sets the state: underlay host override.",
  TooManyAttempts: "Look why controllers end: their logs and their memory. Then retry."
};
var ABOUT_CONDITIONS = {
  NoController: "Start a controller, or check its --within and --appliances, and the site of the host.",
  ObserveOnly: "An administrator lets controllers act again: underlay hosts resume.",
  ByHand: "The machine has no BMC: do what the message says by hand.",
  Unreachable: "Orders fail until the BMC answers.",
  WrongMachine: "Correct the BMC address, or accept an exchanged machine: underlay host accept-machine.",
  Armed: "Have it boot from its disk: underlay host boot local.",
  ClassAmbiguous: "Set the class of the host."
};
var adviceOnFailure = (reason) => ABOUT_FAILURES[reason] ?? "Do what the message says, then retry.";
var adviceOnCondition = (type) => ABOUT_CONDITIONS[type];

// src/screens/host-pane.tsx
import { Fragment, jsx as jsx6, jsxs as jsxs6 } from "./main.js";
var DOCUMENT2 = `query HostLife($id: ID!) { node(id: $id) { ... on Host {
  id name title shortId state power generation generationDone acquiredFor maintenance deleting provisioner
  step { attempt name of since } failure { during reason message } lastOrder { number act outcome reason message } conditions { type status reason message messageForTenants }
  wanted { act profile { id name } force until } observed { seenAt by } facts { receivedAt } hardwareConditions class { id name } site { id name }
  machine { __typename ... on Device { id name } ... on VirtualMachine { id name } }
  history(first: 40) { nodes { number at by act message } }
} } }`;
function HostPane({ id }) {
  const query = useQuery4(DOCUMENT2, { id }, ["Host"]);
  if (query.error.value) return /* @__PURE__ */ jsx6("aside", { class: "host-pane", "aria-label": "The host", children: /* @__PURE__ */ jsx6(Failure3, { error: query.error.value, again: () => void query.read() }) });
  const it = query.data.value?.node;
  if (!it) return /* @__PURE__ */ jsx6("aside", { class: "host-pane", "aria-label": "The host", children: /* @__PURE__ */ jsx6("p", { class: "waiting", children: query.data.value ? "This host does not exist any more." : "Reading\u2026" }) });
  return /* @__PURE__ */ jsxs6("aside", { class: "host-pane", "aria-label": `The host ${it.name}`, tabIndex: 0, children: [
    /* @__PURE__ */ jsxs6("h2", { children: [
      /* @__PURE__ */ jsx6("a", { href: pathOf3("Host", it), children: /* @__PURE__ */ jsx6("bdi", { children: it.name }) }),
      " ",
      /* @__PURE__ */ jsx6("span", { class: "quiet", children: it.shortId })
    ] }),
    it.title && /* @__PURE__ */ jsx6("p", { children: /* @__PURE__ */ jsx6("bdi", { children: it.title }) }),
    /* @__PURE__ */ jsx6(LifeLine, { it }),
    /* @__PURE__ */ jsx6(Work, { it }),
    Object.entries(it.maintenance).map(([who, why]) => /* @__PURE__ */ jsxs6("p", { class: "host-note", children: [
      /* @__PURE__ */ jsx6("b", { children: "In maintenance" }),
      " by ",
      /* @__PURE__ */ jsx6("bdi", { children: who }),
      ": ",
      /* @__PURE__ */ jsx6("bdi", { children: why })
    ] }, who)),
    it.conditions.filter((one) => one.status !== "FALSE").map((one) => /* @__PURE__ */ jsxs6("div", { class: "host-note", children: [
      /* @__PURE__ */ jsx6("b", { children: one.type }),
      " ",
      /* @__PURE__ */ jsx6("span", { children: one.message ?? one.messageForTenants ?? one.reason }),
      adviceOnCondition(one.type) && /* @__PURE__ */ jsx6("p", { class: "quiet", children: adviceOnCondition(one.type) })
    ] }, one.type)),
    /* @__PURE__ */ jsxs6("dl", { class: "fields", children: [
      /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Power" }),
        /* @__PURE__ */ jsx6("dd", { children: /* @__PURE__ */ jsx6(EnumValue2, { field: "power", value: it.power }) })
      ] }),
      it.class && /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Class" }),
        /* @__PURE__ */ jsx6("dd", { children: /* @__PURE__ */ jsx6("a", { href: pathOf3("HostClass", it.class), children: /* @__PURE__ */ jsx6("bdi", { children: it.class.name }) }) })
      ] }),
      it.machine && /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Machine" }),
        /* @__PURE__ */ jsx6("dd", { children: /* @__PURE__ */ jsx6("a", { href: pathOf3(it.machine.__typename, { id: it.machine.id }), children: /* @__PURE__ */ jsx6("bdi", { children: it.machine.name }) }) })
      ] }),
      it.site && /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Site" }),
        /* @__PURE__ */ jsx6("dd", { children: /* @__PURE__ */ jsx6("a", { href: pathOf3("Site", it.site), children: /* @__PURE__ */ jsx6("bdi", { children: it.site.name }) }) })
      ] }),
      it.acquiredFor && /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Acquired for" }),
        /* @__PURE__ */ jsx6("dd", { children: /* @__PURE__ */ jsx6("bdi", { children: it.acquiredFor }) })
      ] }),
      /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Provisioner" }),
        /* @__PURE__ */ jsx6("dd", { children: it.provisioner ?? /* @__PURE__ */ jsx6("span", { class: "quiet", children: "none: it can be powered only" }) })
      ] }),
      it.observed && /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Last seen" }),
        /* @__PURE__ */ jsx6("dd", { children: /* @__PURE__ */ jsx6("time", { dateTime: it.observed.seenAt, title: time(it.observed.seenAt), children: since(it.observed.seenAt) }) })
      ] }),
      /* @__PURE__ */ jsxs6("div", { children: [
        /* @__PURE__ */ jsx6("dt", { children: "Hardware" }),
        /* @__PURE__ */ jsxs6("dd", { children: [
          /* @__PURE__ */ jsx6("a", { href: `${pathOf3("Host", it)}/hardware`, children: it.facts[0] ? `reported ${since(it.facts[0].receivedAt)}` : "not reported yet" }),
          it.hardwareConditions.map((one) => /* @__PURE__ */ jsx6(EnumValue2, { field: "hardwareConditions", value: one }, one))
        ] })
      ] })
    ] }),
    /* @__PURE__ */ jsx6("h3", { children: "What was done" }),
    it.history && it.history.nodes.length > 0 ? /* @__PURE__ */ jsx6("ol", { class: "history", children: it.history.nodes.map((one) => /* @__PURE__ */ jsxs6("li", { children: [
      /* @__PURE__ */ jsx6("time", { dateTime: one.at, title: time(one.at), children: new Date(one.at).toLocaleTimeString() }),
      /* @__PURE__ */ jsxs6("span", { children: [
        /* @__PURE__ */ jsx6("b", { children: one.act }),
        " ",
        /* @__PURE__ */ jsx6("bdi", { children: one.message })
      ] })
    ] }, one.number)) }) : /* @__PURE__ */ jsx6("p", { class: "quiet", children: "Nothing yet." })
  ] });
}
function LifeLine({ it }) {
  const stands = it.state === "FAILED" ? it.failure?.during ?? "" : it.state;
  const at = LIFE.indexOf(stands);
  return /* @__PURE__ */ jsx6("ol", { class: "life", "aria-label": "Its life", children: LIFE.map((state, index) => /* @__PURE__ */ jsx6("li", { class: index === at ? it.state === "FAILED" ? "failed" : "now" : void 0, "aria-current": index === at ? "step" : void 0, children: index === at && it.state === "FAILED" ? `\u2715 ${enumWords(state)}: failed` : enumWords(state) }, state)) });
}
function Work({ it }) {
  const atWork = it.generationDone < it.generation;
  const last = !atWork && it.lastOrder?.reason && it.lastOrder.message !== it.failure?.message ? it.lastOrder : null;
  return /* @__PURE__ */ jsxs6(Fragment, { children: [
    it.failure && /* @__PURE__ */ jsxs6("div", { class: "failure host-failure", role: "alert", children: [
      /* @__PURE__ */ jsx6("b", { children: it.failure.reason }),
      /* @__PURE__ */ jsx6("span", { children: it.failure.message }),
      /* @__PURE__ */ jsxs6("p", { children: [
        /* @__PURE__ */ jsx6("b", { children: "What to do" }),
        " ",
        adviceOnFailure(it.failure.reason)
      ] })
    ] }),
    last && /* @__PURE__ */ jsxs6("div", { class: "host-note", role: "status", children: [
      /* @__PURE__ */ jsxs6("b", { children: [
        "Order ",
        number3(last.number),
        ": ",
        enumWords(last.act).toLowerCase(),
        ", ",
        enumWords(last.outcome).toLowerCase()
      ] }),
      " ",
      /* @__PURE__ */ jsx6("span", { children: last.message }),
      /* @__PURE__ */ jsx6("p", { class: "quiet", children: adviceOnFailure(last.reason ?? "") })
    ] }),
    it.wanted && (atWork || it.failure) && /* @__PURE__ */ jsxs6("p", { class: "host-note", role: "status", children: [
      /* @__PURE__ */ jsxs6("b", { children: [
        "Order ",
        number3(it.generation),
        ": ",
        enumWords(it.wanted.act).toLowerCase()
      ] }),
      it.wanted.profile ? /* @__PURE__ */ jsxs6(Fragment, { children: [
        " ",
        /* @__PURE__ */ jsx6("bdi", { children: it.wanted.profile.name })
      ] }) : null,
      it.step ? /* @__PURE__ */ jsxs6(Fragment, { children: [
        ", step ",
        /* @__PURE__ */ jsx6("b", { children: it.step.name }),
        it.step.attempt > 1 ? `, attempt ${it.step.attempt}` : "",
        ", since ",
        /* @__PURE__ */ jsx6("time", { dateTime: it.step.since, title: time(it.step.since), children: new Date(it.step.since).toLocaleTimeString() })
      ] }) : atWork ? ", waiting for a controller" : "",
      it.wanted.until && atWork ? `; not begun any more after ${time(it.wanted.until)}` : ""
    ] }),
    it.deleting && /* @__PURE__ */ jsx6("p", { class: "host-note", children: "It is deleted as soon as a controller has cleared up." })
  ] });
}

// src/screens/enrolment.tsx
import { useState as useState6 } from "./main.js";
import { Act, Dialog as Dialog3, Failure as Failure4, number as number4, pathOf as pathOf4, refusal as refusal2, time as time3, viewer } from "./main.js";

// src/store/paced.ts
import { useEffect as useEffect2 } from "./main.js";
import { useQuery as useQuery5 } from "./main.js";
function usePaced(text, variables, kinds, everyMs) {
  const query = useQuery5(text, variables, kinds);
  useEffect2(() => {
    const timer = setInterval(() => query.mark(), everyMs);
    return () => clearInterval(timer);
  }, [query, everyMs]);
  return query;
}

// src/screens/enrolment-data.ts
var TOKENS = "query EnrolmentTokens { enrolmentTokens { id site { id name } class { id name } registers count used endsAt issuedAt issuedTo revokedAt } }";
var ISSUE = "mutation IssueEnrolment($input: IssueEnrolmentTokenInput!) { issueEnrolmentToken(input: $input) { token } }";
var REVOKE = "mutation RevokeEnrolment($id: ID!) { revokeEnrolmentToken(id: $id) { enrolmentToken { id } } }";
function stateOf({ revokedAt, endsAt: endsAt2, used, count }, now = Date.now()) {
  if (revokedAt) return { title: "Revoked", tone: "off", isAccepted: false };
  if (Date.parse(endsAt2) <= now) return { title: "Ended", tone: "off", isAccepted: false };
  if (used >= count) return { title: "Used up", tone: "off", isAccepted: false };
  return { title: "Accepted", tone: "good", isAccepted: true };
}
var HOUR_MS = 36e5;
var LIVES = [["an hour", 1], ["8 hours", 8], ["a day", 24], ["a week", 7 * 24], ["30 days", 30 * 24], ["a year", 365 * 24]];
var endsAt = (hours, now = Date.now()) => new Date(now + hours * HOUR_MS).toISOString();

// src/screens/token-words.tsx
import { useState as useState5 } from "./main.js";
import { asRefused as asRefused4, since as since2, time as time2 } from "./main.js";

// src/parts/copy.tsx
import { useState as useState4 } from "./main.js";
import { jsx as jsx7 } from "./main.js";
function Copy({ text, children }) {
  const [outcome, setOutcome] = useState4(null);
  const refused = () => setOutcome("The browser does not allow copying");
  const copy = () => {
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => setOutcome("Copied"), refused);
    else refused();
  };
  return /* @__PURE__ */ jsx7("button", { type: "button", onClick: copy, children: outcome ?? children });
}

// src/screens/token-words.tsx
import { jsx as jsx8, jsxs as jsxs7 } from "./main.js";
var FILE = "/etc/underlay/token";
var keepCommand = (file) => `( umask 077; mkdir -p /etc/underlay; cat > ${file} )`;
var runCommand = () => `underlay-agent run --server ${location.origin} --token-file ${FILE}`;
var Ago = ({ at }) => /* @__PURE__ */ jsx8("time", { dateTime: at, title: time2(at), children: since2(at) });
function useSending(send) {
  const [error, setError] = useState5(null);
  const [waiting, setWaiting] = useState5(false);
  const submit = (event) => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    setError(null);
    send().catch((thrown) => setError(asRefused4(thrown))).finally(() => setWaiting(false));
  };
  return { error, waiting, submit };
}
function Line({ label, text, copy }) {
  return /* @__PURE__ */ jsxs7("div", { class: "hardware-line", children: [
    /* @__PURE__ */ jsx8("code", { role: "group", "aria-label": label, tabIndex: 0, children: text }),
    /* @__PURE__ */ jsx8(Copy, { text, children: copy })
  ] });
}

// src/screens/enrolment.tsx
import { Fragment as Fragment2, jsx as jsx9, jsxs as jsxs8 } from "./main.js";
var PACE_MS = 15e3;
var ENROLMENT_FILE = "/etc/underlay/enrolment.token";
var MOST_MACHINES = 1e5;
var findSite = finder(["Site"]);
function EnrolmentScreen() {
  return /* @__PURE__ */ jsxs8("section", { class: "page hardware", "aria-label": "Enrolment", children: [
    /* @__PURE__ */ jsx9("header", { class: "page-head", children: /* @__PURE__ */ jsx9("h1", { children: "Enrolment" }) }),
    /* @__PURE__ */ jsx9("p", { class: "quiet", children: "With one token, many machines get the token of their agent: each that of the host that it is, by its MAC addresses, UUID and serial number." }),
    viewer.value?.tenant ? /* @__PURE__ */ jsx9("p", { class: "empty", children: "Tokens of a tenant do not see enrolments: they are for the hosts of all tenants." }) : /* @__PURE__ */ jsx9(Tokens, {})
  ] });
}
function Tokens() {
  const query = usePaced(TOKENS, {}, ["Site", "HostClass"], PACE_MS);
  const [shown, setShown] = useState6(null);
  const close = () => setShown(null);
  const done = () => query.mark();
  const [error, all] = [query.error.value, query.data.value?.enrolmentTokens];
  if (error?.code === "FORBIDDEN") return /* @__PURE__ */ jsxs8("p", { class: "empty", children: [
    "Those see tokens of enrolments who may revoke them. ",
    refusal2("revokeEnrolmentToken") ?? "This needs the role operator or admin."
  ] });
  return /* @__PURE__ */ jsxs8(Fragment2, { children: [
    /* @__PURE__ */ jsx9("p", { class: "hardware-acts", children: /* @__PURE__ */ jsx9(Act, { class: "main", refusal: denialOf("issueEnrolmentToken"), onClick: () => setShown("issue"), children: "Issue a token\u2026" }) }),
    error && /* @__PURE__ */ jsx9(Failure4, { error, again: () => void query.read() }),
    !all && !error && /* @__PURE__ */ jsx9("p", { class: "waiting", children: "Reading\u2026" }),
    all?.length === 0 && /* @__PURE__ */ jsx9("p", { class: "empty", children: "No token of an enrolment is there. One that has ended is forgotten after a month." }),
    all && all.length > 0 && /* @__PURE__ */ jsx9(List, { all, onRevoke: setShown }),
    shown === "issue" && /* @__PURE__ */ jsx9(IssueDialog, { onDone: done, onClose: close }),
    shown !== null && shown !== "issue" && /* @__PURE__ */ jsx9(RevokeDialog, { it: shown, onDone: done, onClose: close })
  ] });
}
var HEADS = ["Issued", "To", "State", "Used", "For", "Ends", "Unknown machines", ""];
function List({ all, onRevoke }) {
  return /* @__PURE__ */ jsx9("div", { class: "scroll enrolments", tabIndex: 0, role: "group", "aria-label": "Table of tokens", children: /* @__PURE__ */ jsxs8("table", { class: "units hardware-table", children: [
    /* @__PURE__ */ jsx9("thead", { children: /* @__PURE__ */ jsx9("tr", { children: HEADS.map((it) => it ? /* @__PURE__ */ jsx9("th", { scope: "col", children: it }, it) : /* @__PURE__ */ jsx9("td", {}, "acts")) }) }),
    /* @__PURE__ */ jsx9("tbody", { children: all.map((it) => /* @__PURE__ */ jsx9(TokenRow, { it, onRevoke: () => onRevoke(it) }, it.id)) })
  ] }) });
}
function TokenRow({ it, onRevoke }) {
  const state = stateOf(it);
  return /* @__PURE__ */ jsxs8("tr", { children: [
    /* @__PURE__ */ jsx9("th", { scope: "row", children: /* @__PURE__ */ jsx9(Ago, { at: it.issuedAt }) }),
    /* @__PURE__ */ jsx9("td", { children: /* @__PURE__ */ jsx9("bdi", { children: it.issuedTo }) }),
    /* @__PURE__ */ jsxs8("td", { children: [
      /* @__PURE__ */ jsx9("span", { class: `state ${state.tone}`, children: state.title }),
      it.revokedAt && /* @__PURE__ */ jsxs8(Fragment2, { children: [
        " ",
        /* @__PURE__ */ jsx9(Ago, { at: it.revokedAt })
      ] })
    ] }),
    /* @__PURE__ */ jsxs8("td", { children: [
      number4(it.used),
      " of ",
      number4(it.count)
    ] }),
    /* @__PURE__ */ jsx9("td", { children: /* @__PURE__ */ jsx9(For, { it }) }),
    /* @__PURE__ */ jsx9("td", { children: /* @__PURE__ */ jsx9("time", { dateTime: it.endsAt, children: time3(it.endsAt) }) }),
    /* @__PURE__ */ jsx9("td", { children: it.registers ? "are registered" : "are refused" }),
    /* @__PURE__ */ jsx9("td", { children: state.isAccepted && /* @__PURE__ */ jsx9(Act, { class: "danger", refusal: denialOf("revokeEnrolmentToken"), label: `Revoke the token issued ${time3(it.issuedAt)} to ${it.issuedTo}\u2026`, onClick: onRevoke, children: "Revoke\u2026" }) })
  ] });
}
function For({ it }) {
  if (!it.site && !it.class) return /* @__PURE__ */ jsx9(Fragment2, { children: "any host" });
  return /* @__PURE__ */ jsxs8(Fragment2, { children: [
    it.site && /* @__PURE__ */ jsxs8(Fragment2, { children: [
      "hosts of the site ",
      /* @__PURE__ */ jsx9("a", { href: pathOf4("Site", { ...it.site }), children: /* @__PURE__ */ jsx9("bdi", { children: it.site.name }) })
    ] }),
    it.site && it.class && " and ",
    it.class && /* @__PURE__ */ jsxs8(Fragment2, { children: [
      it.site ? "of" : "hosts of",
      " the class ",
      /* @__PURE__ */ jsx9("a", { href: pathOf4("HostClass", { ...it.class }), children: /* @__PURE__ */ jsx9("bdi", { children: it.class.name }) })
    ] })
  ] });
}
function IssueDialog({ onDone, onClose }) {
  const classes = useClasses();
  const [count, setCount] = useState6("1");
  const [hours, setHours] = useState6(8);
  const [site, setSite] = useState6(null);
  const [hostClass, setHostClass] = useState6("");
  const [registers, setRegisters] = useState6(false);
  const [token, setToken] = useState6(null);
  const { error, waiting, submit } = useSending(async () => {
    const input = { count: Number(count), endsAt: endsAt(hours), site, class: hostClass || null, registers: registers && site === null };
    const answer = await call("issueEnrolmentToken", ISSUE, { input });
    setToken(answer.data.issueEnrolmentToken.token);
    onDone();
  });
  if (token !== null) return /* @__PURE__ */ jsx9(Issued, { token, onClose });
  return /* @__PURE__ */ jsx9(Dialog3, { title: "Issue a token of an enrolment", class: "order", onClose, children: /* @__PURE__ */ jsxs8("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs8("header", { class: "order-head", children: [
      /* @__PURE__ */ jsx9("h2", { children: "Issue a token of an enrolment" }),
      /* @__PURE__ */ jsx9("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without issuing", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsxs8("div", { class: "order-fields", children: [
      /* @__PURE__ */ jsxs8("label", { children: [
        "How many machines ",
        /* @__PURE__ */ jsx9("input", { type: "number", required: true, min: 1, max: MOST_MACHINES, step: 1, value: count, onInput: (event) => setCount(event.currentTarget.value) })
      ] }),
      /* @__PURE__ */ jsxs8("label", { children: [
        "Accepted for",
        /* @__PURE__ */ jsx9("select", { value: hours, onChange: (event) => setHours(Number(event.currentTarget.value)), children: LIVES.map(([title, value]) => /* @__PURE__ */ jsx9("option", { value, children: title }, value)) })
      ] }),
      /* @__PURE__ */ jsx9(Chosen, { label: "Site", placeholder: "Any site; type a name", id: site, find: findSite, remove: "Any site", onChange: setSite }),
      /* @__PURE__ */ jsxs8("label", { children: [
        "Class",
        /* @__PURE__ */ jsxs8("select", { value: hostClass, onChange: (event) => setHostClass(event.currentTarget.value), children: [
          /* @__PURE__ */ jsx9("option", { value: "", children: "Any class" }),
          classes.map((it) => /* @__PURE__ */ jsx9("option", { value: it.id, children: it.name }, it.id))
        ] })
      ] }),
      /* @__PURE__ */ jsxs8("label", { class: "check", children: [
        /* @__PURE__ */ jsx9("input", { type: "checkbox", checked: registers && site === null, disabled: site !== null, onChange: (event) => setRegisters(event.currentTarget.checked) }),
        " Register machines that are no known host"
      ] }),
      site !== null && /* @__PURE__ */ jsx9("p", { class: "quiet", children: "A token of a site registers none: a new host is at no site before its device is known." })
    ] }),
    /* @__PURE__ */ jsx9("div", { class: "order-what", role: "status", children: /* @__PURE__ */ jsx9("p", { children: "The token is shown once. Until it ends, whoever has it can enrol machines as these hosts." }) }),
    error && /* @__PURE__ */ jsx9(Failure4, { error }),
    /* @__PURE__ */ jsxs8("footer", { children: [
      /* @__PURE__ */ jsx9("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx9("button", { type: "submit", class: "main", disabled: waiting, children: "Issue the token" })
    ] })
  ] }) });
}
function Issued({ token, onClose }) {
  const enrol = `underlay-agent enrol --server ${location.origin} --enrolment-token-file ${ENROLMENT_FILE} --token-file ${FILE}`;
  return /* @__PURE__ */ jsx9(Dialog3, { title: "The token of the enrolment", class: "order", onClose, children: /* @__PURE__ */ jsxs8("div", { class: "order-done", children: [
    /* @__PURE__ */ jsx9("h2", { children: "The token of the enrolment" }),
    /* @__PURE__ */ jsx9("p", { class: "order-what", children: "Copy it now: it is not shown again." }),
    /* @__PURE__ */ jsx9(Line, { label: "The token", text: token, copy: "Copy the token" }),
    /* @__PURE__ */ jsx9("p", { children: "As root on each machine, begin this command, paste the token, and press Enter and then Ctrl-D:" }),
    /* @__PURE__ */ jsx9(Line, { label: "The command that keeps the token", text: keepCommand(ENROLMENT_FILE), copy: "Copy this command" }),
    /* @__PURE__ */ jsx9("p", { children: "Then enrol the machine, which gets a token of its own, and run the agent:" }),
    /* @__PURE__ */ jsx9(Line, { label: "The command that enrols the machine", text: enrol, copy: "Copy the command" }),
    /* @__PURE__ */ jsx9(Line, { label: "The command that runs the agent", text: runCommand(), copy: "Copy the last command" }),
    /* @__PURE__ */ jsx9("footer", { children: /* @__PURE__ */ jsx9("button", { type: "button", class: "main", onClick: onClose, children: "I have it" }) })
  ] }) });
}
function RevokeDialog({ it, onDone, onClose }) {
  const { error, waiting, submit } = useSending(async () => {
    await call("revokeEnrolmentToken", REVOKE, { id: it.id });
    onDone();
    onClose();
  });
  return /* @__PURE__ */ jsx9(Dialog3, { title: "Revoke the token of an enrolment", class: "order", onClose, children: /* @__PURE__ */ jsxs8("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs8("header", { class: "order-head", children: [
      /* @__PURE__ */ jsx9("h2", { children: "Revoke the token of an enrolment" }),
      /* @__PURE__ */ jsx9("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without revoking", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsxs8("div", { class: "order-what", role: "status", children: [
      /* @__PURE__ */ jsxs8("p", { children: [
        "It was issued ",
        /* @__PURE__ */ jsx9(Ago, { at: it.issuedAt }),
        " to ",
        /* @__PURE__ */ jsx9("bdi", { children: it.issuedTo }),
        ", and ",
        number4(it.used),
        " of ",
        number4(it.count),
        " ",
        it.count === 1 ? "machine has" : "machines have",
        " used it."
      ] }),
      /* @__PURE__ */ jsx9("p", { children: "No further machine can enrol with it. The agents that were enrolled keep their own tokens." })
    ] }),
    error && /* @__PURE__ */ jsx9(Failure4, { error }),
    /* @__PURE__ */ jsxs8("footer", { children: [
      /* @__PURE__ */ jsx9("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx9("button", { type: "submit", class: "danger", disabled: waiting, children: "Revoke the token" })
    ] })
  ] }) });
}

// src/screens/hosts-board.lazy.tsx
import { Fragment as Fragment3, jsx as jsx10, jsxs as jsxs9 } from "./main.js";
var HOST = kindOf("Host");
var STATES = [...LIFE, "FAILED"];
var FIELDS = ["title", "state", "step", "power", "class", "machine", "site", "acquiredFor", "failure", "maintenance", "generation", "generationDone", "wanted"];
var TARGETS = `query Targets($ids: [ID!]!) { nodes(ids: $ids) { ... on Host {
  id name state power generation generationDone maintenance failure { during reason message } } } }`;
var COUNTS = `query States($filter: HostFilter) { ${STATES.map((it) => `${it}: hosts(filter: {and: [{state: {eq: ${it}}}, $filter]}, first: 0) { totalCount }`).join(" ")} }`;
function HostsBoard() {
  const params = url.value.searchParams;
  const hostClass = params.get("class");
  const state = STATES.find((it) => it === params.get("state")) ?? null;
  const q = params.get("q");
  const place = placeFilter("Host", narrowedTo());
  const base = [...place ? [place] : [], ...hostClass ? [{ class: { name: { eq: hostClass } } }] : [], ...q ? [{ name: { contains: q, caseInsensitive: true } }] : []];
  const filter = { and: [...base, ...state ? [{ state: { eq: state } }] : []] };
  const counts = useQuery6(COUNTS, { filter: { and: base } }, ["Host"]);
  if (!HOST) return null;
  return /* @__PURE__ */ jsxs9("section", { class: "page wide tall", "aria-label": "Host board", children: [
    /* @__PURE__ */ jsxs9("header", { class: "page-head", children: [
      /* @__PURE__ */ jsx10("h1", { children: "Host board" }),
      /* @__PURE__ */ jsx10(ClassFilter, { chosen: hostClass }),
      /* @__PURE__ */ jsx10("input", { type: "search", "aria-label": "Hosts whose name contains", placeholder: "Name contains\u2026", value: q ?? "", onChange: (event) => setParams({ q: event.currentTarget.value || null }, "replace") })
    ] }),
    /* @__PURE__ */ jsx10("div", { class: "states", role: "group", "aria-label": "Hosts by state", children: STATES.map((it) => {
      const count = counts.data.value?.[it]?.totalCount ?? 0;
      return /* @__PURE__ */ jsxs9("button", { type: "button", "aria-pressed": state === it, class: it === "FAILED" && count > 0 ? "is-failed" : void 0, onClick: () => setParams({ state: state === it ? null : it }), children: [
        /* @__PURE__ */ jsx10("b", { children: counts.data.value ? number5(count) : "\u2026" }),
        " ",
        enumWords2(it)
      ] }, it);
    }) }),
    counts.error.value && /* @__PURE__ */ jsx10(Failure5, { error: counts.error.value, again: () => void counts.read() }),
    /* @__PURE__ */ jsx10(Hosts, { filter, hostClass })
  ] });
}
function ClassFilter({ chosen }) {
  const classes = useClasses();
  return /* @__PURE__ */ jsxs9("select", { "aria-label": "Class", value: chosen ?? "", onChange: (event) => setParams({ class: event.currentTarget.value || null }), children: [
    /* @__PURE__ */ jsx10("option", { value: "", children: "All classes" }),
    classes.map((it) => /* @__PURE__ */ jsxs9("option", { value: it.name, children: [
      it.name,
      ": ",
      number5(it.available),
      " of ",
      number5(it.total),
      " available"
    ] }, it.id)),
    chosen && !classes.some((it) => it.name === chosen) && /* @__PURE__ */ jsx10("option", { value: chosen, children: chosen })
  ] });
}
var COLUMNS = [
  { id: "name", title: "Name", width: 120, grow: 1 },
  { id: "state", title: "State", width: 118 },
  { id: "work", title: "At work, or why not", width: 170, grow: 1.4 },
  { id: "power", title: "Power", width: 84 },
  { id: "class", title: "Class", width: 92, grow: 0.4 },
  { id: "acquiredFor", title: "Acquired for", width: 104, grow: 0.6 }
];
function useHosts(filter) {
  const key = JSON.stringify(filter);
  const rows = useMemo(() => new Rows({ kind: HOST, filter, order: null, columns: FIELDS }), [key]);
  useEffect3(() => () => rows.close(), [rows]);
  return rows;
}
function Hosts({ filter, hostClass }) {
  const rows = useHosts(filter);
  const [active, setActive] = useState7(0);
  void rows.version.value;
  const total = rows.total.value ?? 0;
  const marked = marksOf("Host");
  const at = Math.max(0, Math.min(active, total - 1));
  const current = rows.at(at);
  const ids = marked.size > 0 ? [...marked] : current ? [String(current.id)] : [];
  const toggle = (index) => {
    const id = rows.at(index)?.id;
    if (id) mark2("Host", [String(id)], !marked.has(String(id)));
    setActive(index);
  };
  const move = (by) => setActive(Math.max(0, Math.min(total - 1, at + by)));
  const markAll = () => mark2("Host", Array.from({ length: Math.min(total, MAX_HOSTS) }, (_, it) => rows.at(it)?.id).filter(Boolean).map(String), true);
  const open = (index) => {
    const row = rows.at(index);
    if (row) go(pathOf5("Host", row));
  };
  useCommands({
    next: () => move(1),
    previous: () => move(-1),
    mark: () => toggle(at),
    "mark-all": markAll,
    unmark: () => unmark2("Host"),
    open: () => open(at),
    impact: () => intoBasket(ids)
  });
  return /* @__PURE__ */ jsxs9(Fragment3, { children: [
    /* @__PURE__ */ jsx10(Orders, { ids, marked: marked.size, name: current ? String(current.name) : null, hostClass }),
    rows.error.value && /* @__PURE__ */ jsx10(Failure5, { error: rows.error.value, again: () => rows.refresh() }),
    rows.total.value === 0 ? /* @__PURE__ */ jsxs9("p", { class: "empty", children: [
      "No host fits. Hosts come from appliances (",
      /* @__PURE__ */ jsx10("code", { children: "underlay appliance enlist" }),
      "), from sources, or one by one."
    ] }) : /* @__PURE__ */ jsxs9("div", { class: "beside board", children: [
      /* @__PURE__ */ jsx10(
        Table,
        {
          label: "Hosts",
          columns: COLUMNS,
          total,
          active: at,
          onActive: setActive,
          onOpen: open,
          onMark: toggle,
          isMarked: (it) => marked.has(String(rows.at(it)?.id)),
          onWindow: (from, to) => rows.need(from, to),
          keyOf: (it) => String(rows.at(it)?.id ?? it),
          rowAt: (it) => rows.at(it),
          cell: (index, column) => /* @__PURE__ */ jsx10(Cell, { row: rows.at(index), column })
        }
      ),
      current && /* @__PURE__ */ jsx10(HostPane, { id: String(current.id) }, String(current.id))
    ] })
  ] });
}
function Cell({ row, column }) {
  if (!row) return null;
  const it = row;
  if (column === "name") return /* @__PURE__ */ jsx10("a", { href: pathOf5("Host", row), tabIndex: -1, title: it.name, children: /* @__PURE__ */ jsx10("bdi", { children: it.name }) });
  if (column === "state") return /* @__PURE__ */ jsx10(EnumValue3, { field: "state", value: it.state });
  if (column === "power") return /* @__PURE__ */ jsx10(EnumValue3, { field: "power", value: it.power });
  if (column === "class") return /* @__PURE__ */ jsx10("bdi", { children: it.class?.name ?? "" });
  if (column === "acquiredFor") return /* @__PURE__ */ jsx10("bdi", { children: it.acquiredFor ?? "" });
  if (it.failure) return /* @__PURE__ */ jsxs9("span", { title: it.failure.message, children: [
    /* @__PURE__ */ jsx10("b", { children: it.failure.reason }),
    " ",
    it.failure.message
  ] });
  if (isAtWork(it)) return /* @__PURE__ */ jsxs9("span", { children: [
    enumWords2(it.wanted?.act ?? "order"),
    ": ",
    it.step?.name ?? "waiting for a controller"
  ] });
  return Object.keys(it.maintenance).length > 0 ? /* @__PURE__ */ jsxs9("span", { children: [
    "In maintenance by ",
    /* @__PURE__ */ jsx10("bdi", { children: Object.keys(it.maintenance).join(", ") })
  ] }) : null;
}
function Orders({ ids, marked, name, hostClass }) {
  const query = useQuery6(TARGETS, { ids: ids.slice(0, MAX_HOSTS) }, ids.length > 0 ? ["Host"] : []);
  const targets = (query.data.value?.nodes ?? []).filter((it) => Boolean(it?.id));
  const [shown, setShown] = useState7(null);
  return /* @__PURE__ */ jsxs9("div", { class: "orders", role: "group", "aria-label": "Orders", children: [
    /* @__PURE__ */ jsx10(Act2, { class: "main", refusal: denialOf("acquireHosts"), onClick: () => setShown("acquire"), children: "Acquire\u2026" }),
    /* @__PURE__ */ jsx10("span", { class: "orders-for", children: marked > 0 ? `For ${number5(marked)} marked:` : name ? /* @__PURE__ */ jsxs9(Fragment3, { children: [
      "For ",
      /* @__PURE__ */ jsx10("bdi", { children: name }),
      ":"
    ] }) : "Mark hosts:" }),
    ORDERS.map((it) => /* @__PURE__ */ jsxs9(Act2, { refusal: denialOf(it.mutation) ?? blockedBy(it, targets) ?? void 0, onClick: () => setShown(it), children: [
      it.title,
      "\u2026"
    ] }, it.id)),
    marked > 0 && /* @__PURE__ */ jsx10("button", { type: "button", class: "plain", onClick: () => unmark2("Host"), children: "Remove the marks" }),
    shown === "acquire" && /* @__PURE__ */ jsx10(AcquireDialog, { chosen: hostClass, onClose: () => setShown(null) }),
    shown !== null && shown !== "acquire" && /* @__PURE__ */ jsx10(OrderDialog, { order: shown, targets, onClose: () => setShown(null) })
  ] });
}
export {
  EnrolmentScreen,
  HostsBoard as default
};
