// src/screens/parts.lazy.tsx
import { enumWords as enumWords4, Failure as Failure2, narrowedTo, number as number4, setParams, since as since2, time as time3, url as url2, useEffect as useEffect5, useState as useState3 } from "./main.js";

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

// src/screens/chosen.tsx
import { pathOf, titleOf as titleOf2, useQuery as useQuery2 } from "./main.js";

// src/parts/picker.tsx
import { useEffect as useEffect2, useId, useRef, useState } from "./main.js";
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
  useEffect2(() => {
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
  const query = useQuery2(OBJECT, { id: id ?? "" }, id ? "all" : []);
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

// src/screens/hardware-follow.ts
import { asRefused as asRefused2, ask as ask2, pause as pause2, remedyOf as remedyOf2, signal, useEffect as useEffect3, useMemo } from "./main.js";

// src/server/watch.ts
import { asRefused, Refused, remedyOf } from "./main.js";
import { pause, subscribe } from "./main.js";
function refusedOf([first]) {
  return new Refused(String(first?.extensions?.code ?? "INVALID"), first?.message ?? "The subscription was refused.", first?.extensions);
}
function watch(document2, variables, next, failed) {
  let ended = false;
  let stop = () => {
  };
  const follow = async () => {
    for (let failures = 1; !ended; failures += 1) {
      const subscription = subscribe(document2, variables(), (it) => {
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
  useEffect3(() => {
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

// src/screens/part-data.ts
var PART = "kind manufacturer model serial place since ambiguous host { id name }";
var PARTS2 = `query Parts($filter: PartFilter, $first: Int, $after: String) {
  parts(filter: $filter, first: $first, after: $after) { nodes { ${PART} } pageInfo { hasNextPage endCursor } }
}`;
var LIFE = `query PartLife($serial: String!) { part(serial: $serial) { ${PART} stays { host { id name } place from until } } }`;
var KINDS = ["DISK", "MEMORY", "GPU"];
var WHERE = { IN: "In a host", OUT: "In no host", SEVERAL: "In several hosts" };
var whereIs = (it) => it.ambiguous ? "SEVERAL" : it.since === null ? "OUT" : "IN";
function partFilterOf(params) {
  const names = ["kind", "model", "serial", "host"];
  return Object.fromEntries(names.flatMap((it) => params.get(it) ? [[it, params.get(it)]] : []));
}
var keyOfPart = (it) => JSON.stringify([it.kind, it.model, it.serial]);
var modelOf = (it) => known(it.manufacturer, it.model);
var MOST_HOSTS = 10;
var MOST_EVENTS = 500;
function hostsOf({ stays }) {
  return [...new Set(stays.flatMap((it) => it.host?.id ?? []))].slice(0, MOST_HOSTS);
}
function eventsDocument(count) {
  const hosts = Array.from({ length: count }, (_, it) => it);
  const lists = hosts.map((it) => `of${it}: hardwareEvents(filter: {host: $host${it}, parts: [$kind]}, first: ${MOST_EVENTS}) { nodes { ${FIELDS} } pageInfo { hasNextPage } }`);
  return `query PartEvents($kind: HardwarePart!${hosts.map((it) => `, $host${it}: ID!`).join("")}) { ${lists.join(" ")} }`;
}
var isOf = (value, part) => {
  const { serial, model, partNumber } = value ?? {};
  return serial === part.serial && (part.model === null || (model ?? partNumber ?? part.model) === part.model);
};
function eventsOf(part, lists) {
  const found = new Map(lists.flat().filter((it) => isOf(it.before, part) || isOf(it.after, part)).map((it) => [it.cursor, it]));
  return [...found.values()].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

// src/screens/part-life.tsx
import { currentRoute, enumWords as enumWords3, Failure, go, since, time as time2, trail, url, useCommands, useEffect as useEffect4 } from "./main.js";
import { Fragment as Fragment2, jsx as jsx4, jsxs as jsxs4 } from "./main.js";
var PACE_MS = 15e3;
var NoParts = () => /* @__PURE__ */ jsx4("p", { class: "empty", children: "Tokens of a tenant do not see parts: they are of the hosts of all tenants." });
function PartScreen() {
  const serial = currentRoute.value.rest[0] ?? "";
  return /* @__PURE__ */ jsx4(Parts, { serial }, serial);
}
function Parts({ serial }) {
  const query = usePaced(LIFE, { serial }, ["Host"], PACE_MS);
  const log = useHardwareEvents({ parts: ["DISK", "MEMORY", "GPU"] }, 1);
  const come = log.come.value?.cursor;
  useEffect4(() => {
    if (come) query.mark();
  }, [come]);
  useEffect4(() => {
    trail.value = [{ name: "Parts", path: "/parts" }, { name: serial, path: url.value.pathname }];
    document.title = `${serial} \xB7 Part \xB7 Underlay`;
    return () => {
      trail.value = [];
    };
  }, [serial]);
  useCommands({ up: () => go("/parts") });
  const [error, data] = [query.error.value, query.data.value];
  const isHidden = error?.code === "FORBIDDEN" || data !== null && data.part === null;
  const all = data?.part ?? [];
  return /* @__PURE__ */ jsxs4("section", { class: "page hardware", "aria-label": `The part ${serial}`, children: [
    /* @__PURE__ */ jsxs4("header", { class: "page-head", children: [
      /* @__PURE__ */ jsxs4("h1", { children: [
        "Part ",
        /* @__PURE__ */ jsx4("bdi", { children: serial })
      ] }),
      /* @__PURE__ */ jsx4("a", { class: "button", href: "/parts", children: "All parts" })
    ] }),
    isHidden && /* @__PURE__ */ jsx4(NoParts, {}),
    error && !isHidden && /* @__PURE__ */ jsx4(Failure, { error, again: () => void query.read() }),
    !data && !error && /* @__PURE__ */ jsx4("p", { class: "waiting", children: "Reading\u2026" }),
    data?.part?.length === 0 && /* @__PURE__ */ jsx4("p", { class: "empty", children: "No part with this serial number is known. Upper and lower case differ." }),
    all.length > 1 && /* @__PURE__ */ jsxs4("p", { class: "host-note", children: [
      "There are ",
      all.length,
      " parts with this serial number: their makers, models or kinds differ."
    ] }),
    all.map((it) => /* @__PURE__ */ jsx4(Life, { it, come: come ?? "", alone: all.length === 1 }, keyOfPart(it)))
  ] });
}
var When = ({ at }) => /* @__PURE__ */ jsxs4("time", { dateTime: at, title: time2(at), children: [
  since(at),
  /* @__PURE__ */ jsxs4("span", { class: "quiet", children: [
    " ",
    time2(at)
  ] })
] });
function Life({ it, come, alone }) {
  const where = whereIs(it);
  const name = `${enumWords3(it.kind)} ${modelOf(it)}`.trim();
  const suffix = alone ? "" : ` of the ${name}`;
  return /* @__PURE__ */ jsxs4(Fragment2, { children: [
    !alone && /* @__PURE__ */ jsx4("h2", { class: "sub", children: name }),
    /* @__PURE__ */ jsxs4("dl", { class: "fields hardware-head", children: [
      /* @__PURE__ */ jsxs4("div", { children: [
        /* @__PURE__ */ jsx4("dt", { children: "Kind" }),
        /* @__PURE__ */ jsx4("dd", { children: /* @__PURE__ */ jsx4("span", { children: enumWords3(it.kind) }) })
      ] }),
      it.manufacturer && /* @__PURE__ */ jsxs4("div", { children: [
        /* @__PURE__ */ jsx4("dt", { children: "Maker" }),
        /* @__PURE__ */ jsx4("dd", { children: /* @__PURE__ */ jsx4("span", { children: /* @__PURE__ */ jsx4("bdi", { children: it.manufacturer }) }) })
      ] }),
      it.model && /* @__PURE__ */ jsxs4("div", { children: [
        /* @__PURE__ */ jsx4("dt", { children: it.kind === "MEMORY" ? "Part number" : "Model" }),
        /* @__PURE__ */ jsx4("dd", { children: /* @__PURE__ */ jsx4("span", { children: /* @__PURE__ */ jsx4("bdi", { children: it.model }) }) })
      ] }),
      /* @__PURE__ */ jsxs4("div", { children: [
        /* @__PURE__ */ jsx4("dt", { children: "Where it is" }),
        /* @__PURE__ */ jsx4("dd", { children: /* @__PURE__ */ jsx4("span", { children: it.host ? /* @__PURE__ */ jsxs4(Fragment2, { children: [
          /* @__PURE__ */ jsx4("a", { href: hardwarePath(it.host), children: /* @__PURE__ */ jsx4("bdi", { children: it.host.name }) }),
          " ",
          /* @__PURE__ */ jsx4("code", { children: /* @__PURE__ */ jsx4("bdi", { children: it.place }) })
        ] }) : /* @__PURE__ */ jsx4("span", { class: `state ${where === "SEVERAL" ? "warn" : "off"}`, children: where === "IN" ? "A host that was deleted" : WHERE[where] }) }) })
      ] })
    ] }),
    it.ambiguous && /* @__PURE__ */ jsxs4("p", { class: "host-note hardware-lack", children: [
      /* @__PURE__ */ jsx4("b", { children: "Several hosts say that they have it." }),
      " Either it moved and its old host has not reported since, or the maker gave the number twice."
    ] }),
    /* @__PURE__ */ jsxs4("section", { "aria-label": `Stays in hosts${suffix}`, children: [
      /* @__PURE__ */ jsx4("h2", { class: "sub", children: "Stays in hosts" }),
      /* @__PURE__ */ jsx4(Stays, { all: it.stays, label: `Table of stays${suffix}` })
    ] }),
    /* @__PURE__ */ jsx4(PartEvents, { it, come, suffix })
  ] });
}
function Stays({ all, label }) {
  return /* @__PURE__ */ jsx4("div", { class: "scroll", tabIndex: 0, role: "group", "aria-label": label, children: /* @__PURE__ */ jsxs4("table", { class: "units hardware-table", children: [
    /* @__PURE__ */ jsx4("thead", { children: /* @__PURE__ */ jsxs4("tr", { children: [
      /* @__PURE__ */ jsx4("th", { scope: "col", children: "Host" }),
      /* @__PURE__ */ jsx4("th", { scope: "col", children: "Place" }),
      /* @__PURE__ */ jsx4("th", { scope: "col", children: "From" }),
      /* @__PURE__ */ jsx4("th", { scope: "col", children: "Until" })
    ] }) }),
    /* @__PURE__ */ jsx4("tbody", { children: all.map((it) => /* @__PURE__ */ jsxs4("tr", { children: [
      /* @__PURE__ */ jsx4("th", { scope: "row", children: it.host ? /* @__PURE__ */ jsx4("a", { href: hardwarePath(it.host), children: /* @__PURE__ */ jsx4("bdi", { children: it.host.name }) }) : /* @__PURE__ */ jsx4("span", { class: "quiet", children: "a host that was deleted" }) }),
      /* @__PURE__ */ jsx4("td", { children: /* @__PURE__ */ jsx4("code", { children: /* @__PURE__ */ jsx4("bdi", { children: it.place }) }) }),
      /* @__PURE__ */ jsx4("td", { children: /* @__PURE__ */ jsx4(When, { at: it.from }) }),
      /* @__PURE__ */ jsx4("td", { children: it.until ? /* @__PURE__ */ jsx4(When, { at: it.until }) : /* @__PURE__ */ jsx4("span", { class: "state good", children: "Is there" }) })
    ] }, `${it.from} ${it.host?.id ?? ""} ${it.place}`)) })
  ] }) });
}
function PartEvents({ it, come, suffix }) {
  const hosts = hostsOf(it);
  if (hosts.length === 0) return null;
  return /* @__PURE__ */ jsx4(Events, { it, come, suffix, hosts }, hosts.join());
}
function Events({ it, come, suffix, hosts }) {
  const query = usePaced(eventsDocument(hosts.length), { kind: it.kind, ...Object.fromEntries(hosts.map((id, at) => [`host${at}`, id])) }, [], PACE_MS);
  useEffect4(() => {
    if (come) query.mark();
  }, [come]);
  const lists = Object.values(query.data.value ?? {}).filter((one) => one !== null);
  const events = eventsOf(it, lists.map((one) => one.nodes));
  return /* @__PURE__ */ jsxs4("section", { "aria-label": `Events${suffix}`, children: [
    /* @__PURE__ */ jsx4("h2", { class: "sub", children: "Events" }),
    query.error.value && /* @__PURE__ */ jsx4(Failure, { error: query.error.value, again: () => void query.read() }),
    query.data.value && events.length === 0 && /* @__PURE__ */ jsx4("p", { class: "quiet", children: "None is kept. The first report of a host makes no event." }),
    /* @__PURE__ */ jsx4(Timeline, { events, level: "h3" }),
    lists.some((one) => one.pageInfo.hasNextPage) && /* @__PURE__ */ jsxs4("p", { class: "unset", children: [
      "The newest ",
      MOST_EVENTS,
      " events of each host were looked through."
    ] })
  ] });
}

// src/screens/part-path.ts
var partPath = (serial) => `/parts/${encodeURIComponent(serial)}`;

// src/screens/parts.lazy.tsx
import { Fragment as Fragment3, jsx as jsx5, jsxs as jsxs5 } from "./main.js";
var FILTERS = ["kind", "where", "model", "serial", "host"];
var PACE_MS2 = 15e3;
var PAGE2 = 200;
var LARGE_PAGE = 1e3;
var findHost = finder(["Host"]);
function PartsScreen() {
  const params = url2.value.searchParams;
  const filter = partFilterOf(params);
  const where = Object.keys(WHERE).find((it) => it === params.get("where")) ?? null;
  return /* @__PURE__ */ jsxs5("section", { class: "page hardware", "aria-label": "Parts", children: [
    /* @__PURE__ */ jsxs5("header", { class: "page-head", children: [
      /* @__PURE__ */ jsx5("h1", { children: "Parts" }),
      /* @__PURE__ */ jsx5("p", { class: "quiet", children: "Disks, memory modules and GPUs with a serial number, in whichever hosts they are and were." })
    ] }),
    narrowedTo() && /* @__PURE__ */ jsx5("p", { class: "quiet", children: "These are the parts of all places: they cannot be narrowed to one." }),
    /* @__PURE__ */ jsx5(Filters, { kind: params.get("kind"), where }),
    /* @__PURE__ */ jsx5(Pages, { filter, where }, JSON.stringify([filter, where]))
  ] });
}
function Filters({ kind, where }) {
  const params = url2.value.searchParams;
  const kinds = kind && !KINDS.includes(kind) ? [...KINDS, kind] : KINDS;
  const exactly = (name, title) => /* @__PURE__ */ jsx5(
    "input",
    {
      type: "search",
      "aria-label": `${title}, exactly`,
      placeholder: `${title}, exactly`,
      value: params.get(name) ?? "",
      maxLength: 253,
      spellcheck: false,
      onChange: (event) => setParams({ [name]: event.currentTarget.value.trim() || null })
    }
  );
  return /* @__PURE__ */ jsxs5("div", { class: "hardware-filters", children: [
    /* @__PURE__ */ jsx5("div", { class: "states", role: "group", "aria-label": "Kinds of parts", children: kinds.map((it) => /* @__PURE__ */ jsx5("button", { type: "button", "aria-pressed": kind === it, onClick: () => setParams({ kind: kind === it ? null : it }), children: enumWords4(it) }, it)) }),
    /* @__PURE__ */ jsx5("div", { class: "states", role: "group", "aria-label": "Where they are", children: Object.entries(WHERE).map(([it, title]) => /* @__PURE__ */ jsx5("button", { type: "button", "aria-pressed": where === it, onClick: () => setParams({ where: where === it ? null : it }), children: title }, it)) }),
    exactly("model", "Model"),
    exactly("serial", "Serial number"),
    /* @__PURE__ */ jsx5(Chosen, { label: "Host", placeholder: "All; type a name", id: params.get("host"), find: findHost, remove: "Show all hosts", onChange: (id) => setParams({ host: id }) }),
    FILTERS.some((it) => params.has(it)) && /* @__PURE__ */ jsx5("button", { type: "button", onClick: () => setParams(Object.fromEntries(FILTERS.map((it) => [it, null]))), children: "Show all" })
  ] });
}
function Pages({ filter, where }) {
  const [starts, setStarts] = useState3([null]);
  const [told, setTold] = useState3({});
  const log = useHardwareEvents({ parts: filter.kind ? [filter.kind] : KINDS, ...filter.host ? { host: filter.host } : {} }, 1);
  const all = Object.values(told);
  const sum = (of) => all.reduce((before, it) => before + it[of], 0);
  const last = told[starts.length - 1];
  if (all.some((it) => it.isHidden)) return /* @__PURE__ */ jsx5(NoParts, {});
  const narrowed = FILTERS.some((it) => url2.value.searchParams.has(it));
  return /* @__PURE__ */ jsxs5(Fragment3, { children: [
    /* @__PURE__ */ jsx5("div", { class: "scroll", tabIndex: 0, role: "group", "aria-label": "Table of parts", hidden: sum("shown") === 0, children: /* @__PURE__ */ jsxs5("table", { class: "units hardware-table", children: [
      /* @__PURE__ */ jsx5("thead", { children: /* @__PURE__ */ jsx5("tr", { children: ["Serial number", "Kind", "Model", "Host", "Place", "Since"].map((it) => /* @__PURE__ */ jsx5("th", { scope: "col", children: it }, it)) }) }),
      starts.map((after, at) => /* @__PURE__ */ jsx5(Page, { filter, where, after, come: log.come.value?.cursor ?? "", onTold: (it) => setTold((before) => ({ ...before, [at]: it })) }, after ?? ""))
    ] }) }),
    !last && /* @__PURE__ */ jsx5("p", { class: "waiting", children: "Reading\u2026" }),
    last && sum("shown") === 0 && !last.end && (narrowed ? /* @__PURE__ */ jsx5("p", { class: "empty", children: "No part fits." }) : /* @__PURE__ */ jsx5("p", { class: "empty", children: "No part is known yet. Agents tell of them: what has a serial number appears here, and stays for good." })),
    /* @__PURE__ */ jsx5("p", { class: "quiet", role: "status", children: last && sum("read") > 0 ? where ? `${number4(sum("shown"))} of the ${number4(sum("read"))} that were read` : `${number4(sum("read"))} ${sum("read") === 1 ? "part" : "parts"}${last.end ? " so far" : ""}` : "" }),
    last?.end && /* @__PURE__ */ jsx5("p", { class: "hardware-earlier", children: /* @__PURE__ */ jsx5("button", { type: "button", onClick: () => setStarts([...starts, last.end]), children: "Show more" }) })
  ] });
}
function Page({ filter, where, after, come, onTold }) {
  const query = usePaced(PARTS2, { filter, first: where ? LARGE_PAGE : PAGE2, after }, ["Host"], PACE_MS2);
  useEffect5(() => {
    if (come) query.mark();
  }, [come]);
  const [data, error] = [query.data.value, query.error.value];
  const nodes = data?.parts?.nodes ?? [];
  const shown = where ? nodes.filter((it) => whereIs(it) === where) : nodes;
  const isHidden = error?.code === "FORBIDDEN" || data !== null && data.parts === null;
  const page = data?.parts?.pageInfo;
  const end = page?.hasNextPage ? page.endCursor : null;
  useEffect5(() => {
    if (data || error) onTold({ read: nodes.length, shown: shown.length + (error && !isHidden ? 1 : 0), end, isHidden });
  }, [data, error]);
  return /* @__PURE__ */ jsxs5("tbody", { children: [
    error && !isHidden && /* @__PURE__ */ jsx5("tr", { children: /* @__PURE__ */ jsx5("td", { colSpan: 6, children: /* @__PURE__ */ jsx5(Failure2, { error, again: () => void query.read() }) }) }),
    shown.map((it) => /* @__PURE__ */ jsx5(PartRow, { it }, keyOfPart(it)))
  ] });
}
function PartRow({ it }) {
  const where = whereIs(it);
  return /* @__PURE__ */ jsxs5("tr", { children: [
    /* @__PURE__ */ jsx5("th", { scope: "row", children: /* @__PURE__ */ jsx5("a", { href: partPath(it.serial), children: /* @__PURE__ */ jsx5("code", { children: /* @__PURE__ */ jsx5("bdi", { children: it.serial }) }) }) }),
    /* @__PURE__ */ jsx5("td", { children: enumWords4(it.kind) }),
    /* @__PURE__ */ jsx5("td", { children: /* @__PURE__ */ jsx5("bdi", { children: modelOf(it) }) }),
    /* @__PURE__ */ jsx5("td", { children: it.host ? /* @__PURE__ */ jsx5("a", { href: hardwarePath(it.host), children: /* @__PURE__ */ jsx5("bdi", { children: it.host.name }) }) : /* @__PURE__ */ jsx5("span", { class: `state ${where === "SEVERAL" ? "warn" : "off"}`, children: where === "IN" ? "A host that was deleted" : WHERE[where] }) }),
    /* @__PURE__ */ jsx5("td", { children: it.place && /* @__PURE__ */ jsx5("code", { children: /* @__PURE__ */ jsx5("bdi", { children: it.place }) }) }),
    /* @__PURE__ */ jsx5("td", { children: it.since && /* @__PURE__ */ jsx5("time", { dateTime: it.since, title: time3(it.since), children: since2(it.since) }) })
  ] });
}
export {
  PartScreen,
  PartsScreen as default
};
