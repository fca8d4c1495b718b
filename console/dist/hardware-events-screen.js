// src/screens/hardware-events-screen.lazy.tsx
import { Failure, narrowedTo, setParams, url, useEffect as useEffect3, useState as useState3, valuesOf } from "./main.js";

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
function Picker({ label, placeholder, find, onPick }) {
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
      find(asked, abort.signal).then(
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
function Chosen({ label, placeholder, id, find, remove, onChange }) {
  const query = useQuery(OBJECT, { id: id ?? "" }, id ? "all" : []);
  if (!id) return /* @__PURE__ */ jsx2(Picker, { label, placeholder, find, onPick: (it) => onChange(it.id) });
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

// src/screens/hardware-events.ts
import { bytes as bytes2, diskBytes, joined, number as number2, scalar } from "./main.js";
import { enumWords as enumWords2, HAS, words } from "./main.js";

// src/screens/hardware-data.ts
import { bytes, isolated, number } from "./main.js";
import { enumWords } from "./main.js";
var known = (...values) => values.filter(Boolean).join(" ");
function errorWords({ corrected, uncorrected }) {
  return corrected + uncorrected === 0 ? "none" : `${number(corrected)} corrected, ${number(uncorrected)} not`;
}

// src/screens/hardware-events.ts
var FIELDS = `cursor at part change place before after host { id name }${HAS.fromHost ? " fromHost { id name }" : ""}`;
var NEWEST = "query NewestHardwareEvent { hardwareEvents(first: 1) { nodes { cursor } } }";
var EVENTS = `query HardwareEvents($filter: HardwareEventFilter, $first: Int, $after: String) {
  hardwareEvents(filter: $filter, first: $first, after: $after) { nodes { ${FIELDS} } pageInfo { hasNextPage } }
}`;
var FOLLOW = `subscription FollowHardware($filter: HardwareEventFilter, $after: String) {
  hardwareEvents(filter: $filter, after: $after) { ${FIELDS} }
}`;
function filterOf(params) {
  const host = params.get("host");
  const [parts, changes] = [params.getAll("part"), params.getAll("change")];
  return { ...host ? { host } : {}, ...parts.length > 0 ? { parts } : {}, ...changes.length > 0 ? { changes } : {} };
}
var PARTS = { DEVICE: "PCI device" };
var partWords = (part) => PARTS[part] ?? enumWords2(part);
var CHANGES = {
  FAILING: "Expects to fail",
  LINK_DOWN: "Link lost",
  LINK_UP: "Link back",
  MOVED: "Moved here",
  NOISY: "Too many changes"
};
var FAILING = { DISK: "Expects to fail", MEMORY: "Errors" };
function changeWords(change, part) {
  return change === "FAILING" && part !== void 0 ? FAILING[part] ?? "Failing" : CHANGES[change] ?? enumWords2(change);
}
var isAway = (it, host) => it.change === "MOVED" && host !== void 0 && it.host?.id !== host;
var TONES = {
  ADDED: "good",
  LINK_UP: "good",
  REPLACED: "plan",
  MOVED: "plan",
  CHANGED: "plan",
  REMOVED: "warn",
  NOISY: "warn",
  FAILING: "bad",
  LINK_DOWN: "bad"
};
var toneOf = (change) => TONES[change] ?? "off";
function subjectOf({ part, place }) {
  return { part: partWords(part), place: place.toLowerCase() === part.toLowerCase() ? "" : place };
}
var membersOf = (value) => typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
function nameOfPart(value) {
  const it = membersOf(value);
  const first = (...names) => names.map((name) => it[name]).find((one) => typeof one === "string" && one !== "") ?? null;
  const neighbour = first("systemName", "chassisId");
  if (neighbour) return joined([neighbour, first("portId", "portDescription")]);
  const model = known(first("manufacturer"), first("model", "partNumber")) || known(first("vendor"), first("device"));
  return joined([model, first("serial", "permanentMac", "uuid")]) || first("name") || "";
}
function valueWords(part, name, value) {
  if (typeof value === "number" && /Bytes$/.test(name)) return part === "DISK" ? diskBytes(value) : bytes2(value);
  if (typeof value === "number" && /Mts$/.test(name)) return `${number2(value)} MT/s`;
  return name === "health" ? enumWords2(String(value ?? "")) : scalar(name, "", value);
}
var MOST_LINES = 4;
function differing({ part, before, after }) {
  const [old, now] = [membersOf(before), membersOf(after)];
  const names = [.../* @__PURE__ */ new Set([...Object.keys(old), ...Object.keys(now)])].filter((it) => JSON.stringify(old[it]) !== JSON.stringify(now[it]));
  names.sort((a, b) => Number(b === "place") - Number(a === "place"));
  return names.map((it) => ({
    title: it === "version" ? "" : words(it.replace(/Mts$/, "")),
    before: valueWords(part, it, old[it]),
    after: valueWords(part, it, now[it])
  }));
}
function failingLines(it) {
  const { corrected, uncorrected } = membersOf(it.after);
  if (typeof corrected === "number" && typeof uncorrected === "number") return [{ title: "", before: "", after: errorWords({ corrected, uncorrected }) }];
  return differing(it).filter((line) => line.title !== words("health"));
}
function linesOf(it) {
  if (it.change.startsWith("LINK_") || it.change === "NOISY") return [];
  if (it.change === "FAILING") return failingLines(it);
  if (it.change === "CHANGED") return differing(it).slice(0, MOST_LINES);
  const [before, after] = [nameOfPart(it.before), nameOfPart(it.after)];
  if (before === after || it.change === "MOVED") return after || before ? [{ title: "", before: "", after: after || before }] : [];
  return [{ title: "", before, after }];
}
var date = new Intl.DateTimeFormat(void 0, { dateStyle: "long" });
var clock = new Intl.DateTimeFormat(void 0, { timeStyle: "medium" });
var clockOf = (at) => clock.format(new Date(at));
function dayOf(at, now) {
  const key = (it) => `${it.getFullYear()}-${it.getMonth() + 1}-${it.getDate()}`;
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const word = key(at) === key(now) ? "Today, " : key(at) === key(before) ? "Yesterday, " : "";
  return { key: key(at), title: word + date.format(at) };
}
function daysOf(events, now = /* @__PURE__ */ new Date()) {
  const days = /* @__PURE__ */ new Map();
  for (const it of events) {
    const { key, title } = dayOf(new Date(it.at), now);
    const day = days.get(key) ?? { key, title, events: [] };
    day.events.push(it);
    days.set(key, day);
  }
  return [...days.values()];
}
function withCome(events, come, most) {
  if (events.some((it) => it.cursor === come.cursor)) return events;
  return [come, ...events].slice(0, most);
}
function withEarlier(events, page) {
  const there = new Set(events.map((it) => it.cursor));
  return [...events, ...page.filter((it) => !there.has(it.cursor))];
}
function comeSince(events, cursor) {
  if (cursor === null) return events.length;
  return Math.max(0, events.findIndex((it) => it.cursor === cursor));
}

// src/screens/hardware-follow.ts
import { asRefused as asRefused2, ask as ask2, pause as pause2, remedyOf as remedyOf2, signal, useEffect as useEffect2, useMemo } from "./main.js";

// src/server/watch.ts
import { asRefused, Refused, remedyOf } from "./main.js";
import { pause, subscribe } from "./main.js";
function refusedOf([first]) {
  return new Refused(String(first?.extensions?.code ?? "INVALID"), first?.message ?? "The subscription was refused.", first?.extensions);
}
function watch(document, variables, next, failed) {
  let ended = false;
  let stop = () => {
  };
  const follow = async () => {
    for (let failures = 1; !ended; failures += 1) {
      const subscription = subscribe(document, variables(), (it) => {
        failures = 0;
        if (!ended) next(it);
      });
      stop = subscription.stop;
      const { errors } = await subscription.ended;
      if (ended) return;
      const error = errors && refusedOf(errors);
      if (error && !["retry", "sign-in"].includes(remedyOf(error))) {
        ended = true;
        failed(error);
        return;
      }
      await pause(failures);
    }
  };
  follow().catch((error) => {
    if (!ended) failed(asRefused(error));
  });
  return () => {
    ended = true;
    stop();
  };
}

// src/screens/hardware-follow.ts
var PAGE = 50;
var MOST = 1e3;
var START = "0";
var EventLog = class {
  /** The newest first; null as long as they are not read. */
  events = signal(null);
  more = signal(false);
  waiting = signal(true);
  /** True for a caller who may not see events. */
  isHidden = signal(false);
  error = signal(null);
  /** The last event that has come by the subscription. */
  come = signal(null);
  filter;
  first;
  cursor = START;
  most = MOST;
  failures = 0;
  /** The number of the last reading: what an earlier one still brings is too late. */
  reading = 0;
  stop = () => {
  };
  retry = () => {
    void this.begin();
  };
  constructor(filter, first) {
    this.filter = filter;
    this.first = first;
  }
  again = () => this.retry();
  close() {
    this.reading += 1;
    this.stop();
  }
  /** Reads the list, and follows from where that was. */
  async begin() {
    this.close();
    const reading = this.reading;
    this.retry = () => {
      void this.begin();
    };
    this.waiting.value = true;
    try {
      const newest = (await ask2(NEWEST)).data.hardwareEvents;
      const page = newest && await this.read(this.first, null);
      if (this.reading !== reading) return;
      this.error.value = null;
      this.isHidden.value = !page;
      if (page) {
        this.cursor = newest?.nodes[0]?.cursor ?? START;
        this.most = Math.max(MOST, page.nodes.length);
        this.events.value = page.nodes;
        this.more.value = page.pageInfo.hasNextPage;
        this.follow();
      }
    } catch (failure) {
      if (this.reading !== reading) return;
      const error = asRefused2(failure);
      this.isHidden.value = error.code === "FORBIDDEN";
      this.error.value = this.isHidden.value ? null : error;
      if (remedyOf2(error) === "retry") void this.beginSoon();
    }
    this.waiting.value = false;
  }
  /** Adds the next page of those that came earlier. */
  async earlier() {
    const before = this.events.value?.at(-1);
    if (!before || this.waiting.value) return;
    const reading = this.reading;
    this.retry = () => {
      void this.earlier();
    };
    this.waiting.value = true;
    try {
      const page = await this.read(PAGE, before.cursor);
      if (this.reading !== reading) return;
      this.error.value = null;
      this.events.value = withEarlier(this.events.value ?? [], page?.nodes ?? []);
      this.most = Math.max(MOST, this.events.value.length);
      this.more.value = page?.pageInfo.hasNextPage ?? false;
    } catch (failure) {
      if (this.reading !== reading) return;
      this.error.value = asRefused2(failure);
    }
    this.waiting.value = false;
  }
  async read(first, after) {
    return (await ask2(EVENTS, { filter: this.filter, first, after })).data.hardwareEvents;
  }
  follow() {
    this.stop = watch(
      FOLLOW,
      () => ({ filter: this.filter, after: this.cursor }),
      (it) => this.take(it.hardwareEvents),
      (error) => this.refuse(error)
    );
  }
  take(event) {
    this.cursor = event.cursor;
    this.failures = 0;
    const before = this.events.value ?? [];
    const events = withCome(before, event, this.most);
    if (events === before) return;
    if (events.length <= before.length) this.more.value = true;
    this.events.value = events;
    this.come.value = event;
  }
  /** Events after the cursor were dropped, or the server has another history than the one of the cursor: all is read again. */
  refuse(error) {
    if (error.code === "REVISION_COMPACTED" || error.field === "after") {
      void this.beginSoon();
      return;
    }
    this.retry = () => {
      void this.begin();
    };
    this.error.value = error;
  }
  /** Begins again, the later the more have failed. */
  async beginSoon() {
    const reading = this.reading;
    this.failures += 1;
    await pause2(this.failures);
    if (this.reading === reading) await this.begin();
  }
};
function useHardwareEvents(filter, first) {
  const key = JSON.stringify(filter);
  const log = useMemo(() => new EventLog(filter, first), [key, first]);
  useEffect2(() => {
    void log.begin();
    return () => log.close();
  }, [log]);
  return log;
}

// src/screens/hardware-timeline.tsx
import { number as number3, pathOf as pathOf2, time, useState as useState2 } from "./main.js";
import { Fragment, jsx as jsx3, jsxs as jsxs3 } from "./main.js";
function Timeline({ events, host, level: Heading }) {
  return /* @__PURE__ */ jsx3("div", { class: "hardware-events", children: daysOf(events).map((day) => /* @__PURE__ */ jsxs3("section", { "aria-label": day.title, children: [
    /* @__PURE__ */ jsx3(Heading, { class: "hardware-day", children: day.title }),
    /* @__PURE__ */ jsx3("ol", { children: day.events.map((it) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsx3(Event, { it, host }) }, it.cursor)) })
  ] }, day.key)) });
}
var hardwarePath = (host) => `${pathOf2("Host", { ...host })}/hardware`;
var HostLink = ({ it }) => /* @__PURE__ */ jsx3("a", { href: hardwarePath(it), children: /* @__PURE__ */ jsx3("bdi", { children: it.name }) });
function Event({ it, host }) {
  const { part, place } = subjectOf(it);
  const away = isAway(it, host);
  const lines = linesOf(it);
  return /* @__PURE__ */ jsxs3(Fragment, { children: [
    /* @__PURE__ */ jsx3("time", { dateTime: it.at, title: time(it.at), children: clockOf(it.at) }),
    /* @__PURE__ */ jsxs3("div", { class: "hardware-event", children: [
      /* @__PURE__ */ jsxs3("div", { class: "hardware-what", children: [
        /* @__PURE__ */ jsx3("span", { class: `state ${toneOf(it.change)}`, children: away ? "Moved away" : changeWords(it.change, it.part) }),
        host === void 0 && /* @__PURE__ */ jsx3("span", { class: "hardware-host", children: it.host ? /* @__PURE__ */ jsx3(HostLink, { it: it.host }) : /* @__PURE__ */ jsx3("span", { class: "quiet", children: "a host that was deleted" }) }),
        /* @__PURE__ */ jsxs3("span", { children: [
          /* @__PURE__ */ jsx3("b", { children: part }),
          place && /* @__PURE__ */ jsxs3(Fragment, { children: [
            " ",
            /* @__PURE__ */ jsx3("code", { children: /* @__PURE__ */ jsx3("bdi", { children: place }) })
          ] })
        ] }),
        away && it.host && /* @__PURE__ */ jsxs3("span", { children: [
          "to ",
          /* @__PURE__ */ jsx3(HostLink, { it: it.host })
        ] }),
        !away && it.fromHost && /* @__PURE__ */ jsxs3("span", { children: [
          "from ",
          /* @__PURE__ */ jsx3(HostLink, { it: it.fromHost })
        ] })
      ] }),
      lines.length > 0 && /* @__PURE__ */ jsx3("ul", { class: "diff", children: lines.map((line) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsx3(Change, { line }) }, line.title)) }),
      it.change === "NOISY" && /* @__PURE__ */ jsx3("p", { class: "quiet", children: "The host had more than 100 events within an hour. Further ones of this hour are not kept." }),
      (it.before !== null || it.after !== null) && /* @__PURE__ */ jsx3(Details, { it, name: `${part} ${place}`.trim() })
    ] })
  ] });
}
function Change({ line: { title, before, after } }) {
  return /* @__PURE__ */ jsxs3(Fragment, { children: [
    title && /* @__PURE__ */ jsx3("span", { class: "what", children: title }),
    before && /* @__PURE__ */ jsx3("del", { children: /* @__PURE__ */ jsx3("bdi", { children: before }) }),
    before && after && /* @__PURE__ */ jsx3("span", { "aria-hidden": "true", children: "\u2192" }),
    after && (before ? /* @__PURE__ */ jsx3("ins", { children: /* @__PURE__ */ jsx3("bdi", { children: after }) }) : /* @__PURE__ */ jsx3("bdi", { children: after }))
  ] });
}
function Details({ it, name }) {
  const [open, setOpen] = useState2(false);
  return /* @__PURE__ */ jsxs3("details", { onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsx3("summary", { class: "quiet", "aria-label": `Details of ${name}, ${clockOf(it.at)}`, children: "Details" }),
    open && /* @__PURE__ */ jsx3("div", { class: "hardware-json", children: [["Before", it.before], ["After", it.after]].map(([title, value]) => value !== null && /* @__PURE__ */ jsxs3("div", { children: [
      /* @__PURE__ */ jsx3("p", { class: "quiet", children: title }),
      /* @__PURE__ */ jsx3("pre", { class: "json", tabIndex: 0, "aria-label": `${title}, as JSON`, children: JSON.stringify(value, null, 2) })
    ] }, title)) })
  ] });
}
var Earlier = ({ onMore }) => /* @__PURE__ */ jsx3("p", { class: "hardware-earlier", children: /* @__PURE__ */ jsx3("button", { type: "button", onClick: onMore, children: "Show earlier events" }) });
function told(it, withHost) {
  const { part, place } = subjectOf(it);
  return `${withHost && it.host ? `${it.host.name}: ` : ""}${part} ${place}: ${changeWords(it.change, it.part)}`.replace(" :", ":");
}
var comeWords = (count) => `${number3(count)} new ${count === 1 ? "event" : "events"}`;

// src/screens/hardware-events-screen.lazy.tsx
import { jsx as jsx4, jsxs as jsxs4 } from "./main.js";
var FILTERS = ["part", "change", "host"];
var FIRST = 50;
var findHost = finder(["Host"]);
function EventsScreen() {
  const params = url.value.searchParams;
  const filter = filterOf(params);
  const log = useHardwareEvents(filter, FIRST);
  const [paused, setPaused] = useState3(null);
  const key = JSON.stringify(filter);
  useEffect3(() => setPaused(null), [key]);
  const all = log.events.value ?? [];
  const waiting = paused ? comeSince(all, paused.at) : 0;
  const narrowed = FILTERS.some((it) => params.has(it));
  if (log.isHidden.value) {
    return /* @__PURE__ */ jsxs4("section", { class: "page", "aria-label": "Hardware events", children: [
      /* @__PURE__ */ jsx4("h1", { children: "Hardware events" }),
      /* @__PURE__ */ jsx4("p", { class: "empty", children: "Tokens of a tenant do not see them: they are of the hosts of all tenants." })
    ] });
  }
  return /* @__PURE__ */ jsxs4("section", { class: "page hardware", "aria-label": "Hardware events", children: [
    /* @__PURE__ */ jsxs4("header", { class: "page-head", children: [
      /* @__PURE__ */ jsx4("h1", { children: "Hardware events" }),
      /* @__PURE__ */ jsx4("p", { class: "quiet", children: "What changed in the machines between two reports of their agents." }),
      /* @__PURE__ */ jsx4("span", { class: "grow" }),
      /* @__PURE__ */ jsx4("span", { role: "status", children: waiting > 0 ? comeWords(waiting) : paused ? "Paused" : "" }),
      /* @__PURE__ */ jsx4("button", { type: "button", onClick: () => setPaused(paused ? null : { at: all[0]?.cursor ?? null }), children: paused ? "Go on" : "Pause" })
    ] }),
    narrowedTo() && /* @__PURE__ */ jsx4("p", { class: "quiet", children: "These are the events of all places: they cannot be narrowed to one." }),
    /* @__PURE__ */ jsxs4("div", { class: "hardware-filters", children: [
      /* @__PURE__ */ jsx4(Chosen, { label: "Host", placeholder: "All; type a name", id: params.get("host"), find: findHost, remove: "Show all hosts", onChange: (id) => setParams({ host: id }) }),
      /* @__PURE__ */ jsx4(Values, { name: "part", title: "Parts", of: "HardwarePart", words: partWords }),
      /* @__PURE__ */ jsx4(Values, { name: "change", title: "Changes", of: "HardwareChange", words: changeWords }),
      narrowed && /* @__PURE__ */ jsx4("button", { type: "button", onClick: () => setParams(Object.fromEntries(FILTERS.map((it) => [it, null]))), children: "Show all" })
    ] }),
    log.error.value && /* @__PURE__ */ jsx4(Failure, { error: log.error.value, again: log.again }),
    log.events.value === null && !log.error.value && /* @__PURE__ */ jsx4("p", { class: "waiting", children: "Reading\u2026" }),
    log.events.value !== null && all.length === 0 && (narrowed ? /* @__PURE__ */ jsx4("p", { class: "empty", children: "No event fits." }) : /* @__PURE__ */ jsx4(Nothing, {})),
    /* @__PURE__ */ jsx4("p", { class: "hidden", role: "status", children: !paused && log.come.value ? told(log.come.value, true) : "" }),
    /* @__PURE__ */ jsx4(Timeline, { events: all.slice(waiting), level: "h2" }),
    log.more.value && /* @__PURE__ */ jsx4(Earlier, { onMore: () => void log.earlier() })
  ] });
}
function Values({ name, title, of, words: words2 }) {
  const chosen = url.value.searchParams.getAll(name);
  const toggle = (it) => {
    const next = chosen.includes(it) ? chosen.filter((one) => one !== it) : [...chosen, it];
    setParams({ [name]: next.length > 0 ? next : null });
  };
  const values = [.../* @__PURE__ */ new Set([...valuesOf(of), ...chosen])];
  return /* @__PURE__ */ jsxs4("div", { class: "states", role: "group", "aria-label": title, children: [
    /* @__PURE__ */ jsx4("span", { class: "quiet", children: title }),
    values.map((it) => /* @__PURE__ */ jsx4("button", { type: "button", "aria-pressed": chosen.includes(it), onClick: () => toggle(it), children: words2(it) }, it))
  ] });
}
function Nothing() {
  return /* @__PURE__ */ jsxs4("div", { class: "hardware-nothing", children: [
    /* @__PURE__ */ jsx4("p", { children: /* @__PURE__ */ jsx4("b", { children: "No change of hardware was reported yet." }) }),
    /* @__PURE__ */ jsxs4("p", { children: [
      "Agents on the machines report their hardware, and what changed between two reports is an event. Get a token for a host on its page ",
      /* @__PURE__ */ jsx4("i", { children: "Hardware" }),
      ", or with ",
      /* @__PURE__ */ jsx4("code", { children: "underlay agent token HOST" }),
      ", and run ",
      /* @__PURE__ */ jsx4("code", { children: "underlay-agent run" }),
      " on the machine. ",
      /* @__PURE__ */ jsx4("a", { href: "/hosts", children: "Choose a host" }),
      "."
    ] })
  ] });
}
export {
  EventsScreen as default
};
