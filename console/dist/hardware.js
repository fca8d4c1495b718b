// src/screens/hardware.lazy.tsx
import { useEffect as useEffect4, useState as useState6 } from "./main.js";
import { currentRoute, Failure as Failure3, go, lazy as lazy3, pathOf as pathOf2, since as since2, time as time3, trail, url, useCommands, useQuery as useQuery2, useResolved, viewer } from "./main.js";

// src/parts/copy.tsx
import { useState } from "./main.js";
import { jsx } from "./main.js";
function Copy({ text: text2, children }) {
  const [outcome, setOutcome] = useState(null);
  const refused = () => setOutcome("The browser does not allow copying");
  const copy = () => {
    if (navigator.clipboard) navigator.clipboard.writeText(text2).then(() => setOutcome("Copied"), refused);
    else refused();
  };
  return /* @__PURE__ */ jsx("button", { type: "button", onClick: copy, children: outcome ?? children });
}

// src/store/paced.ts
import { useEffect } from "./main.js";
import { useQuery } from "./main.js";
function usePaced(text2, variables, kinds, everyMs) {
  const query = useQuery(text2, variables, kinds);
  useEffect(() => {
    const timer = setInterval(() => query.mark(), everyMs);
    return () => clearInterval(timer);
  }, [query, everyMs]);
  return query;
}

// src/screens/hardware-cabling.ts
import { isolated, number } from "./main.js";
import { enumWords, nameSelection } from "./main.js";
var PORT = nameSelection("Port");
var CABLING = `query Cabling($id: ID!) { node(id: $id) { ... on Host { machine { __typename } cabling {
  interface verdict port { ${PORT} } recorded { ${PORT} }
  heard { neighbour { chassisId portId portDescription systemName } port { ${PORT} } device { ${nameSelection("Device")} } }
} } } }`;
var CABLED = ["Host", "Device", "Port", "Cable", "Link", "Circuit", "CircuitTermination", "VirtualMachine"];
var VERDICTS = {
  DIFFERS: { title: "Differs", tone: "bad", about: "The neighbour that is heard is not the far end that is recorded: a cable is plugged in elsewhere, or the record is wrong." },
  NOT_RECORDED: { title: "Not recorded", tone: "warn", about: "The neighbour that is heard is in the inventory, but no far end is recorded: there is no cable, or its line ends on the way." },
  UNKNOWN_NEIGHBOUR: { title: "Unknown neighbour", tone: "warn", about: "The neighbour that is heard is not in the inventory." },
  NO_PORT: { title: "No port", tone: "off", about: "The device has no port with this MAC address or name, so there is nothing to compare with." },
  AGREES: { title: "Agrees", tone: "good", about: "The neighbour that is heard is the far end that is recorded, or the recorded line leaves the inventory." },
  NOT_HEARD: { title: "Not heard", tone: "off", about: "No neighbour is heard. That is no fault: many networks do not speak LLDP, and some adapters keep it to themselves." }
};
var ORDER = Object.keys(VERDICTS);
var verdictOf = (verdict) => VERDICTS[verdict] ?? { title: enumWords(verdict), tone: "off", about: "" };
var isMismatch = ({ verdict }) => ["bad", "warn"].includes(verdictOf(verdict).tone);
var rank = (it) => (ORDER.indexOf(it.verdict) + ORDER.length + 1) % (ORDER.length + 1);
var byVerdict = (all) => [...all].sort((a, b) => rank(a) - rank(b));
var verdictsIn = (all) => [...new Set(byVerdict(all).map((it) => it.verdict))];
function sumOf(all) {
  return verdictsIn(all).map((verdict) => `${verdictOf(verdict).title.toLowerCase()}: ${number(all.filter((it) => it.verdict === verdict).length)}`).join(", ");
}
var MOST_NAMED = 4;
function cablingAlarm(all) {
  const names = all.filter((it) => it.verdict === "DIFFERS").map((it) => isolated(it.interface));
  if (names.length === 0) return [];
  const named = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), `${number(names.length - MOST_NAMED)} more`] : names;
  return [`Another neighbour is heard than is recorded at the ${names.length === 1 ? "interface" : "interfaces"} ${new Intl.ListFormat("en").format(named)}.`];
}
var heardWords = ({ chassisId, portId, systemName }) => [systemName || chassisId, portId];

// src/screens/hardware-cabling.tsx
import { Failure, Ref } from "./main.js";

// src/screens/hardware-table.tsx
import { createContext } from "./main.js";
import { useContext } from "./main.js";

// src/screens/hardware-data.ts
import { bytes, isolated as isolated2, number as number2 } from "./main.js";
import { enumWords as enumWords2 } from "./main.js";
var DOCUMENT = `query Hardware($id: ID!) { node(id: $id) { ... on Host { id name hardwareConditions
  agentToken { issuedAt issuedTo revokedAt } parts { kind serial } class { name }
  missingHardware { measure expected found demand } acknowledgedHardware { at by }
  facts { origin agentVersion observedAt receivedAt since stale sections { name complete unread { what reason } notes { about text } }
    system { uuid manufacturer model serial boardManufacturer boardModel boardSerial chassisSerial assetTag firmwareVendor firmwareVersion firmwareDate bootMode secureBoot secureBootAuthorities }
    processors { socket model cores threads microcode }
    memory { slots errors { corrected uncorrected } modules { slot sizeBytes type speedMts manufacturer partNumber serial } }
    disks { name manufacturer model serial place sizeBytes medium firmwareVersion health }
    interfaces { name permanentMac mac kind place driver firmwareVersion carrier carrierChanges speedMbps }
    gpus { place vendor device model serial uuid memoryBytes firmwareVersion driver driverVersion linkWidth maxLinkWidth numaNode offBus }
    devices { place vendor device subsystemVendor subsystemDevice class revision driver linkSpeedMts maxLinkSpeedMts linkWidth maxLinkWidth numaNode }
    neighbours { interface chassisId portId portDescription systemName systemDescription managementAddresses capabilities }
  }
} } }`;
var RAW = "query RawFacts($id: ID!) { node(id: $id) { ... on Host { facts { origin since raw } } } }";
var isAccepted = (it) => it !== null && it.revokedAt === null;
var ORIGINS = {
  AGENT: { title: "Agent", who: "the agent" },
  RECORDER: { title: "OpenStack\u2019s recorder", who: "OpenStack\u2019s recorder" },
  BMC: { title: "BMC", who: "the BMC" },
  PROVISIONER: { title: "Provisioner", who: "the provisioner" }
};
var originTitle = (origin) => ORIGINS[origin]?.title ?? enumWords2(origin);
var reportedBy = (origin) => `Reported by ${ORIGINS[origin]?.who ?? `\u201C${enumWords2(origin)}\u201D`}`;
var SECTIONS = [
  ["system", "the system"],
  ["processors", "processors"],
  ["memory", "memory"],
  ["disks", "disks"],
  ["gpus", "GPUs"],
  ["interfaces", "interfaces"],
  ["neighbours", "neighbours"],
  ["devices", "devices"]
];
function silenceOf(report) {
  const silent = SECTIONS.filter(([name]) => !isReported(report, name)).map(([, title]) => title);
  if (silent.length === 0) return null;
  const [list, who] = [new Intl.ListFormat("en").format(silent), ORIGINS[report.origin]?.who];
  return who ? `${who[0]?.toUpperCase()}${who.slice(1)} did not report: ${list}.` : `Not reported: ${list}.`;
}
var known = (...values) => values.filter(Boolean).join(" ");
var counted = (count, one, many = `${one}s`) => `${number2(count)} ${count === 1 ? one : many}`;
function alarmsOf(report) {
  const failing = (report.disks ?? []).filter((it) => it.health === "FAILING");
  const lost = report.memory?.errors?.uncorrected ?? 0;
  const numbered = (serial) => serial ? ` with the serial number ${isolated2(serial)}` : "";
  return [
    ...failing.map((it) => `The disk ${isolated2(it.name)}${numbered(it.serial)} expects to fail.`),
    ...lost > 0 ? [`${counted(lost, "error")} of the memory could not be corrected since the boot.`] : [],
    ...(report.gpus ?? []).filter((it) => it.offBus).map((it) => `The GPU at ${isolated2(it.place)}${numbered(it.serial)} fell off the bus.`)
  ];
}
function memoryWords({ modules, slots }) {
  const sizes = modules.map((it) => it.sizeBytes);
  const sum = sizes.reduce((all, it) => all + (it ?? 0), 0);
  const size = sum > 0 ? [`${sizes.includes(null) ? "at least " : ""}${bytes(sum)}`] : [];
  return [...size, slots === null ? counted(modules.length, "module") : `${number2(modules.length)} of ${counted(slots, "slot")} filled`].join(", ");
}
function errorWords({ corrected, uncorrected }) {
  return corrected + uncorrected === 0 ? "none" : `${number2(corrected)} corrected, ${number2(uncorrected)} not`;
}
function processorWords(processors) {
  const sum = (of) => processors.reduce((all, it) => all + it[of], 0);
  return `${counted(processors.length, "socket")}, ${counted(sum("cores"), "core")}, ${counted(sum("threads"), "thread")}`;
}
function lackOf(report, name) {
  const section = report.sections.find((it) => it.name === name);
  return section && !section.complete ? section : null;
}
var isReported = (report, name) => report.sections.some((it) => it.name === name);
var needsRoot = (section) => section.unread.some((it) => /permission denied|not permitted/i.test(it.reason));
var notesOf = (report, name) => report.sections.find((it) => it.name === name)?.notes ?? [];
var laneWords = (width, mts) => [width === null ? "" : counted(width, "lane"), mts ? `${number2(mts / 1e3)} GT/s` : ""].filter(Boolean).join(", ");
function linkOf({ linkWidth, maxLinkWidth, linkSpeedMts, maxLinkSpeedMts }) {
  const now = laneWords(linkWidth, linkSpeedMts);
  if (!now) return null;
  const isLess = (linkWidth ?? 0) < (linkWidth === null ? 0 : maxLinkWidth ?? 0) || (linkSpeedMts ?? 0) < (linkSpeedMts ? maxLinkSpeedMts ?? 0 : 0);
  return { now, possible: laneWords(maxLinkWidth, maxLinkSpeedMts), isLess };
}
var CLASSES = {
  "01": "Storage",
  "02": "Network",
  "03": "Display",
  "04": "Multimedia",
  "05": "Memory",
  "06": "Bridge",
  "07": "Communication",
  "08": "System",
  "09": "Input",
  "0a": "Docking station",
  "0b": "Processor",
  "0c": "Serial bus",
  "0d": "Wireless",
  "0e": "Intelligent controller",
  "0f": "Satellite",
  "10": "Encryption",
  "11": "Signal processing",
  "12": "Accelerator"
};
var classWords = (number8) => CLASSES[number8.slice(0, 2)] ?? number8;
var numbersOf = (vendor, device) => vendor || device ? `${vendor ?? "????"}:${device ?? "????"}` : null;

// src/screens/part-path.ts
var partPath = (serial) => `/parts/${encodeURIComponent(serial)}`;

// src/screens/hardware-table.tsx
import { Fragment, jsx as jsx2, jsxs } from "./main.js";
var AroundSections = createContext({ suffix: "", level: "h2", parts: [] });
function Section({ report, name, title, sum, children }) {
  const { suffix, level: Heading } = useContext(AroundSections);
  if (!isReported(report, name)) return null;
  const lack = lackOf(report, name);
  const notes = notesOf(report, name);
  return /* @__PURE__ */ jsxs("section", { "aria-label": title + suffix, children: [
    /* @__PURE__ */ jsxs(Heading, { class: "sub", children: [
      title,
      sum && /* @__PURE__ */ jsx2("span", { class: "hardware-sum", children: sum })
    ] }),
    lack && /* @__PURE__ */ jsxs("div", { class: "host-note hardware-lack", children: [
      /* @__PURE__ */ jsx2("b", { children: "Not everything could be read." }),
      " What is absent here may still be there.",
      /* @__PURE__ */ jsx2("ul", { children: lack.unread.map((it) => /* @__PURE__ */ jsxs("li", { children: [
        /* @__PURE__ */ jsx2("code", { children: /* @__PURE__ */ jsx2("bdi", { children: it.what }) }),
        ": ",
        /* @__PURE__ */ jsx2("bdi", { children: it.reason })
      ] }, `${it.what} ${it.reason}`)) }),
      report.origin === "AGENT" && needsRoot(lack) && /* @__PURE__ */ jsx2("p", { children: "Run the agent as root." })
    ] }),
    notes.length > 0 && /* @__PURE__ */ jsx2("ul", { class: "host-note hardware-notes", children: notes.map((it) => /* @__PURE__ */ jsxs("li", { children: [
      /* @__PURE__ */ jsx2("b", { children: /* @__PURE__ */ jsx2("bdi", { children: it.about }) }),
      ": ",
      /* @__PURE__ */ jsx2("bdi", { children: it.text }),
      "."
    ] }, `${it.about} ${it.text}`)) }),
    children
  ] });
}
var isEmpty = (value) => value === null || value === void 0 || value === false || value === "";
var unsetWord = (title) => /^[A-Z]{2}/.test(title) ? title : title.toLowerCase();
function Table({ label, rows, columns, keyOf, isBad, absent = "Not reported" }) {
  const { suffix } = useContext(AroundSections);
  if (rows.length === 0) return /* @__PURE__ */ jsx2("p", { class: "quiet", children: "None found." });
  const shown = columns.filter((it, at) => at === 0 || rows.some((row) => !isEmpty(it.of(row))));
  const unset = columns.filter((it) => !shown.includes(it));
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx2("div", { class: "scroll", tabIndex: 0, role: "group", "aria-label": label + suffix, children: /* @__PURE__ */ jsxs("table", { class: "units hardware-table", children: [
      /* @__PURE__ */ jsx2("thead", { children: /* @__PURE__ */ jsx2("tr", { children: shown.map((it) => /* @__PURE__ */ jsx2("th", { scope: "col", class: it.numeric ? "numeric" : void 0, children: it.title }, it.title)) }) }),
      /* @__PURE__ */ jsx2("tbody", { children: rows.map((row) => /* @__PURE__ */ jsx2("tr", { class: isBad?.(row) ? "bad" : void 0, children: shown.map((it, at) => at === 0 ? /* @__PURE__ */ jsx2("th", { scope: "row", children: it.of(row) }, it.title) : /* @__PURE__ */ jsx2("td", { class: it.numeric ? "numeric" : void 0, children: it.of(row) }, it.title)) }, keyOf(row))) })
    ] }) }),
    unset.length > 0 && /* @__PURE__ */ jsxs("p", { class: "unset", children: [
      absent,
      ": ",
      unset.map((it) => unsetWord(it.title)).join(", "),
      "."
    ] })
  ] });
}
var text = (value) => value === null || value === "" ? null : /* @__PURE__ */ jsx2("bdi", { children: value });
var code = (value) => value === null ? null : /* @__PURE__ */ jsx2("code", { children: /* @__PURE__ */ jsx2("bdi", { children: value }) });
function Serial({ kind, serial }) {
  const { parts } = useContext(AroundSections);
  const isKnown = parts.some((it) => it.kind === kind && it.serial === serial);
  return isKnown ? /* @__PURE__ */ jsx2("a", { href: partPath(serial), children: code(serial) }) : /* @__PURE__ */ jsx2(Fragment, { children: code(serial) });
}

// src/screens/hardware-cabling.tsx
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs2 } from "./main.js";
var useCabling = (id, everyMs) => usePaced(CABLING, { id }, CABLED, everyMs);
var Verdict = ({ of }) => /* @__PURE__ */ jsx3("span", { class: `state ${verdictOf(of).tone}`, children: verdictOf(of).title });
var Port = ({ row }) => /* @__PURE__ */ jsx3(Ref, { row, kind: "Port" });
var lines = (all) => all.length > 0 ? /* @__PURE__ */ jsx3("ul", { children: all.map((it, at) => /* @__PURE__ */ jsx3("li", { children: it }, at)) }) : "";
function Neighbour({ it: { neighbour, port, device } }) {
  const [name, at] = heardWords(neighbour);
  return /* @__PURE__ */ jsxs2(Fragment2, { children: [
    /* @__PURE__ */ jsx3("bdi", { children: name }),
    " ",
    /* @__PURE__ */ jsx3("code", { children: /* @__PURE__ */ jsx3("bdi", { children: at }) }),
    /* @__PURE__ */ jsx3("div", { class: "quiet", children: port ? /* @__PURE__ */ jsxs2(Fragment2, { children: [
      "leads to ",
      /* @__PURE__ */ jsx3(Port, { row: port })
    ] }) : device ? /* @__PURE__ */ jsxs2(Fragment2, { children: [
      "leads to ",
      /* @__PURE__ */ jsx3(Ref, { row: device, kind: "Device" }),
      ", port unknown"
    ] }) : "not in the inventory" })
  ] });
}
var COLUMNS = [
  { title: "Interface", of: (it) => /* @__PURE__ */ jsx3("bdi", { children: it.interface }) },
  { title: "Verdict", of: (it) => /* @__PURE__ */ jsx3(Verdict, { of: it.verdict }) },
  { title: "Port of the device", of: (it) => it.port && /* @__PURE__ */ jsx3(Ref, { row: it.port, kind: "Port", own: true }) },
  { title: "Recorded far end", of: (it) => lines(it.recorded.map((row) => /* @__PURE__ */ jsx3(Port, { row }))) },
  { title: "Heard", of: (it) => lines(it.heard.map((one) => /* @__PURE__ */ jsx3(Neighbour, { it: one }))) }
];
function CablingPart({ query }) {
  if (query.error.value) return /* @__PURE__ */ jsx3(Failure, { error: query.error.value, again: () => void query.read() });
  const node = query.data.value?.node;
  const all = node?.cabling;
  if (!all) return null;
  return /* @__PURE__ */ jsxs2("section", { "aria-label": "Cabling", children: [
    /* @__PURE__ */ jsxs2("h2", { class: "sub", children: [
      "Cabling",
      all.length > 0 && /* @__PURE__ */ jsx3("span", { class: "hardware-sum", children: sumOf(all) })
    ] }),
    all.length === 0 ? /* @__PURE__ */ jsx3("p", { class: "quiet", children: node.machine?.__typename === "Device" ? "No interface was reported." : "The host has no device in the inventory, so no cables are recorded with which neighbours could be compared." }) : /* @__PURE__ */ jsx3(Compared, { all })
  ] });
}
function Compared({ all }) {
  return /* @__PURE__ */ jsxs2(Fragment2, { children: [
    /* @__PURE__ */ jsx3(Table, { label: "Table of cabling", rows: byVerdict(all), columns: COLUMNS, keyOf: (it) => it.interface, isBad: (it) => it.verdict === "DIFFERS", absent: "At no interface" }),
    /* @__PURE__ */ jsx3("dl", { class: "hardware-verdicts", "aria-label": "What the verdicts mean", children: verdictsIn(all).map((it) => /* @__PURE__ */ jsxs2("div", { children: [
      /* @__PURE__ */ jsx3("dt", { children: /* @__PURE__ */ jsx3(Verdict, { of: it }) }),
      /* @__PURE__ */ jsx3("dd", { children: verdictOf(it).about })
    ] }, it)) }),
    all.some(isMismatch) && /* @__PURE__ */ jsxs2("p", { class: "quiet", children: [
      "What can be mended safely in the inventory, ",
      /* @__PURE__ */ jsx3("code", { children: "underlay cabling check -o manifest" }),
      " writes as manifests."
    ] })
  ] });
}

// src/screens/hardware-host-events.tsx
import { Failure as Failure2, useEffect as useEffect3 } from "./main.js";

// src/screens/hardware-follow.ts
import { asRefused as asRefused2, ask, pause as pause2, remedyOf as remedyOf2, signal, useEffect as useEffect2, useMemo } from "./main.js";

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
import { bytes as bytes2, diskBytes, joined, number as number3, scalar } from "./main.js";
import { enumWords as enumWords3, HAS, words } from "./main.js";
var FIELDS = `cursor at part change place before after host { id name }${HAS.fromHost ? " fromHost { id name }" : ""}`;
var NEWEST = "query NewestHardwareEvent { hardwareEvents(first: 1) { nodes { cursor } } }";
var EVENTS = `query HardwareEvents($filter: HardwareEventFilter, $first: Int, $after: String) {
  hardwareEvents(filter: $filter, first: $first, after: $after) { nodes { ${FIELDS} } pageInfo { hasNextPage } }
}`;
var FOLLOW = `subscription FollowHardware($filter: HardwareEventFilter, $after: String) {
  hardwareEvents(filter: $filter, after: $after) { ${FIELDS} }
}`;
var PARTS = { DEVICE: "PCI device" };
var partWords = (part) => PARTS[part] ?? enumWords3(part);
var CHANGES = {
  FAILING: "Expects to fail",
  LINK_DOWN: "Link lost",
  LINK_UP: "Link back",
  MOVED: "Moved here",
  NOISY: "Too many changes"
};
var FAILING = { DISK: "Expects to fail", MEMORY: "Errors" };
function changeWords(change, part) {
  return change === "FAILING" && part !== void 0 ? FAILING[part] ?? "Failing" : CHANGES[change] ?? enumWords3(change);
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
  if (typeof value === "number" && /Mts$/.test(name)) return `${number3(value)} MT/s`;
  return name === "health" ? enumWords3(String(value ?? "")) : scalar(name, "", value);
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
      const newest = (await ask(NEWEST)).data.hardwareEvents;
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
    return (await ask(EVENTS, { filter: this.filter, first, after })).data.hardwareEvents;
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
import { number as number4, pathOf, time, useState as useState2 } from "./main.js";
import { Fragment as Fragment3, jsx as jsx4, jsxs as jsxs3 } from "./main.js";
function Timeline({ events, host, level: Heading }) {
  return /* @__PURE__ */ jsx4("div", { class: "hardware-events", children: daysOf(events).map((day) => /* @__PURE__ */ jsxs3("section", { "aria-label": day.title, children: [
    /* @__PURE__ */ jsx4(Heading, { class: "hardware-day", children: day.title }),
    /* @__PURE__ */ jsx4("ol", { children: day.events.map((it) => /* @__PURE__ */ jsx4("li", { children: /* @__PURE__ */ jsx4(Event, { it, host }) }, it.cursor)) })
  ] }, day.key)) });
}
var hardwarePath = (host) => `${pathOf("Host", { ...host })}/hardware`;
var HostLink = ({ it }) => /* @__PURE__ */ jsx4("a", { href: hardwarePath(it), children: /* @__PURE__ */ jsx4("bdi", { children: it.name }) });
function Event({ it, host }) {
  const { part, place } = subjectOf(it);
  const away = isAway(it, host);
  const lines2 = linesOf(it);
  return /* @__PURE__ */ jsxs3(Fragment3, { children: [
    /* @__PURE__ */ jsx4("time", { dateTime: it.at, title: time(it.at), children: clockOf(it.at) }),
    /* @__PURE__ */ jsxs3("div", { class: "hardware-event", children: [
      /* @__PURE__ */ jsxs3("div", { class: "hardware-what", children: [
        /* @__PURE__ */ jsx4("span", { class: `state ${toneOf(it.change)}`, children: away ? "Moved away" : changeWords(it.change, it.part) }),
        host === void 0 && /* @__PURE__ */ jsx4("span", { class: "hardware-host", children: it.host ? /* @__PURE__ */ jsx4(HostLink, { it: it.host }) : /* @__PURE__ */ jsx4("span", { class: "quiet", children: "a host that was deleted" }) }),
        /* @__PURE__ */ jsxs3("span", { children: [
          /* @__PURE__ */ jsx4("b", { children: part }),
          place && /* @__PURE__ */ jsxs3(Fragment3, { children: [
            " ",
            /* @__PURE__ */ jsx4("code", { children: /* @__PURE__ */ jsx4("bdi", { children: place }) })
          ] })
        ] }),
        away && it.host && /* @__PURE__ */ jsxs3("span", { children: [
          "to ",
          /* @__PURE__ */ jsx4(HostLink, { it: it.host })
        ] }),
        !away && it.fromHost && /* @__PURE__ */ jsxs3("span", { children: [
          "from ",
          /* @__PURE__ */ jsx4(HostLink, { it: it.fromHost })
        ] })
      ] }),
      lines2.length > 0 && /* @__PURE__ */ jsx4("ul", { class: "diff", children: lines2.map((line) => /* @__PURE__ */ jsx4("li", { children: /* @__PURE__ */ jsx4(Change, { line }) }, line.title)) }),
      it.change === "NOISY" && /* @__PURE__ */ jsx4("p", { class: "quiet", children: "The host had more than 100 events within an hour. Further ones of this hour are not kept." }),
      (it.before !== null || it.after !== null) && /* @__PURE__ */ jsx4(Details, { it, name: `${part} ${place}`.trim() })
    ] })
  ] });
}
function Change({ line: { title, before, after } }) {
  return /* @__PURE__ */ jsxs3(Fragment3, { children: [
    title && /* @__PURE__ */ jsx4("span", { class: "what", children: title }),
    before && /* @__PURE__ */ jsx4("del", { children: /* @__PURE__ */ jsx4("bdi", { children: before }) }),
    before && after && /* @__PURE__ */ jsx4("span", { "aria-hidden": "true", children: "\u2192" }),
    after && (before ? /* @__PURE__ */ jsx4("ins", { children: /* @__PURE__ */ jsx4("bdi", { children: after }) }) : /* @__PURE__ */ jsx4("bdi", { children: after }))
  ] });
}
function Details({ it, name }) {
  const [open, setOpen] = useState2(false);
  return /* @__PURE__ */ jsxs3("details", { onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsx4("summary", { class: "quiet", "aria-label": `Details of ${name}, ${clockOf(it.at)}`, children: "Details" }),
    open && /* @__PURE__ */ jsx4("div", { class: "hardware-json", children: [["Before", it.before], ["After", it.after]].map(([title, value]) => value !== null && /* @__PURE__ */ jsxs3("div", { children: [
      /* @__PURE__ */ jsx4("p", { class: "quiet", children: title }),
      /* @__PURE__ */ jsx4("pre", { class: "json", tabIndex: 0, "aria-label": `${title}, as JSON`, children: JSON.stringify(value, null, 2) })
    ] }, title)) })
  ] });
}
var Earlier = ({ onMore }) => /* @__PURE__ */ jsx4("p", { class: "hardware-earlier", children: /* @__PURE__ */ jsx4("button", { type: "button", onClick: onMore, children: "Show earlier events" }) });
function told(it, withHost) {
  const { part, place } = subjectOf(it);
  return `${withHost && it.host ? `${it.host.name}: ` : ""}${part} ${place}: ${changeWords(it.change, it.part)}`.replace(" :", ":");
}

// src/screens/hardware-host-events.tsx
import { jsx as jsx5, jsxs as jsxs4 } from "./main.js";
var FIRST = 5;
function HostEvents({ id, onCome }) {
  const log = useHardwareEvents({ host: id }, FIRST);
  const come = log.come.value;
  useEffect3(() => {
    if (come) onCome();
  }, [come]);
  const events = log.events.value;
  if (log.isHidden.value || !events && !log.error.value) return null;
  return /* @__PURE__ */ jsxs4("section", { "aria-label": "Events", children: [
    /* @__PURE__ */ jsxs4("h2", { class: "sub", children: [
      "Events",
      /* @__PURE__ */ jsx5("a", { class: "hardware-sum", href: `/hardware-events?host=${id}`, children: "Filter these" })
    ] }),
    log.error.value && /* @__PURE__ */ jsx5(Failure2, { error: log.error.value, again: log.again }),
    events?.length === 0 && /* @__PURE__ */ jsx5("p", { class: "quiet", children: "Nothing has changed since the first report. What changes between two reports appears here." }),
    /* @__PURE__ */ jsx5("p", { class: "hidden", role: "status", children: come ? told(come, false) : "" }),
    /* @__PURE__ */ jsx5(Timeline, { events: events ?? [], host: id, level: "h3" }),
    log.more.value && /* @__PURE__ */ jsx5(Earlier, { onMore: () => void log.earlier() })
  ] });
}

// src/screens/hardware-missing.tsx
import { useState as useState4 } from "./main.js";
import { lazy } from "./main.js";

// src/store/may.ts
import { signal as signal2 } from "./main.js";
import { ask as ask2, asRefused as asRefused3, refusal, wrote } from "./main.js";
var denied = signal2({});
var denialOf = (mutation) => refusal(mutation) ?? denied.value[mutation];

// src/screens/hardware-missing.ts
import { bytes as bytes3, diskBytes as diskBytes2, isolated as isolated3, number as number5 } from "./main.js";
import { enumWords as enumWords4 } from "./main.js";
var MEASURES = {
  PROCESSORS: { title: "Processors" },
  CORES: { title: "Cores" },
  THREADS: { title: "Threads" },
  MEMORY_MODULES: { title: "Memory modules" },
  MEMORY_BYTES: { title: "Memory", of: bytes3 },
  DISKS: { title: "Disks" },
  DISK_BYTES: { title: "Size of all disks", of: diskBytes2 },
  GPUS: { title: "GPUs" },
  INTERFACES: { title: "Interfaces" },
  DEVICES: { title: "Devices" }
};
var measureTitle = (measure) => MEASURES[measure]?.title ?? enumWords4(measure);
function amountWords({ measure, found, expected }) {
  const of = MEASURES[measure]?.of ?? number5;
  return `${of(found)} of ${of(expected)}`;
}
function demandWords({ demand, measure }, hostClass) {
  if (demand === "ACKNOWLEDGED") return "as acknowledged";
  if (demand !== "CLASS") return enumWords4(demand);
  const compared = measure === "CORES" ? ", compared with threads" : "";
  return `demanded by ${hostClass === null ? "its class" : `the class ${isolated3(hostClass)}`}${compared}`;
}

// src/screens/token-words.tsx
import { useState as useState3 } from "./main.js";
import { asRefused as asRefused4, since, time as time2 } from "./main.js";
import { jsx as jsx6, jsxs as jsxs5 } from "./main.js";
var Ago = ({ at }) => /* @__PURE__ */ jsx6("time", { dateTime: at, title: time2(at), children: since(at) });

// src/screens/hardware-missing.tsx
import { jsx as jsx7, jsxs as jsxs6 } from "./main.js";
var Acknowledge = lazy(async () => (await import("./hardware-acts.js")).AcknowledgeDialog, "over");
function MissingPart({ host, onDone }) {
  const [asked, setAsked] = useState4(false);
  if (!host.facts.some((it) => it.origin === "AGENT")) return null;
  const { missingHardware: missing, acknowledgedHardware: accepted } = host;
  const may = denialOf("acknowledgeHardware") === void 0;
  if (missing.length === 0 && accepted === null && !may) return null;
  return /* @__PURE__ */ jsxs6("section", { "aria-label": "Expected hardware", class: missing.length > 0 ? "host-note hardware-lack hardware-missing" : void 0, children: [
    /* @__PURE__ */ jsx7("h2", { class: "sub", children: missing.length > 0 ? "Hardware is missing" : "Expected hardware" }),
    missing.length > 0 && /* @__PURE__ */ jsx7("ul", { children: missing.map((it) => /* @__PURE__ */ jsxs6("li", { children: [
      /* @__PURE__ */ jsx7("b", { children: measureTitle(it.measure) }),
      ": ",
      amountWords(it),
      ", ",
      demandWords(it, host.class?.name ?? null),
      "."
    ] }, `${it.measure} ${it.demand}`)) }),
    /* @__PURE__ */ jsxs6("p", { children: [
      missing.length === 0 && "No hardware is missing. ",
      accepted === null ? /* @__PURE__ */ jsxs6("span", { class: "quiet", children: [
        "Nobody has acknowledged what the host should have",
        host.class ? ", beyond what its class demands" : "",
        "."
      ] }) : /* @__PURE__ */ jsxs6("span", { class: "quiet", children: [
        "What the host should have was acknowledged ",
        /* @__PURE__ */ jsx7(Ago, { at: accepted.at }),
        " by ",
        /* @__PURE__ */ jsx7("bdi", { children: accepted.by }),
        "."
      ] })
    ] }),
    may && /* @__PURE__ */ jsx7("p", { class: "hardware-acts", children: /* @__PURE__ */ jsx7("button", { type: "button", onClick: () => setAsked(true), children: "Acknowledge the hardware\u2026" }) }),
    asked && /* @__PURE__ */ jsx7(Acknowledge, { host, onDone, onClose: () => setAsked(false) })
  ] });
}

// src/screens/hardware-more.tsx
import { bytes as bytes4, enumWords as enumWords5, number as number6 } from "./main.js";
import { Fragment as Fragment4, jsx as jsx8, jsxs as jsxs7 } from "./main.js";
function Link({ it }) {
  if (!it.isLess) return /* @__PURE__ */ jsx8(Fragment4, { children: it.now });
  return /* @__PURE__ */ jsxs7("span", { class: "hardware-link", children: [
    /* @__PURE__ */ jsx8("span", { class: "state warn", children: it.now }),
    " ",
    /* @__PURE__ */ jsxs7("span", { class: "quiet", children: [
      "possible: ",
      it.possible
    ] })
  ] });
}
var link = (it) => {
  const found = linkOf(it);
  return found && /* @__PURE__ */ jsx8(Link, { it: found });
};
var lessWords = (all) => {
  const less = all.filter((it) => linkOf(it)?.isLess).length;
  return less > 0 ? `${number6(all.length)}, ${number6(less)} with less of a link than possible` : number6(all.length);
};
var GPUS = [
  { title: "Place", of: (it) => code(it.place) },
  { title: "State", of: (it) => /* @__PURE__ */ jsx8("span", { class: `state ${it.offBus ? "bad" : "good"}`, children: it.offBus ? "Fell off the bus" : "On the bus" }) },
  { title: "Model", of: (it) => it.model ? text(it.model) : code(numbersOf(it.vendor, it.device)) },
  { title: "Serial number", of: (it) => it.serial && /* @__PURE__ */ jsx8(Serial, { kind: "GPU", serial: it.serial }) },
  { title: "Memory", of: (it) => it.memoryBytes && bytes4(it.memoryBytes), numeric: true },
  { title: "Link", of: link },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) },
  { title: "Driver", of: (it) => text(known(it.driver, it.driverVersion)) },
  { title: "NUMA node", of: (it) => it.numaNode !== null && number6(it.numaNode), numeric: true },
  { title: "UUID", of: (it) => code(it.uuid) }
];
function GpusPart({ report }) {
  const all = report.gpus;
  return /* @__PURE__ */ jsx8(Section, { report, name: "gpus", title: "GPUs", sum: all && all.length > 0 ? lessWords(all) : void 0, children: all && /* @__PURE__ */ jsx8(Table, { label: "Table of GPUs", rows: all, columns: GPUS, keyOf: (it) => it.place, isBad: (it) => it.offBus }) });
}
var DEVICES = [
  { title: "Place", of: (it) => code(it.place) },
  { title: "Class", of: (it) => it.class && /* @__PURE__ */ jsx8("span", { title: it.class, children: classWords(it.class) }) },
  { title: "Link", of: link },
  { title: "Vendor and device", of: (it) => code(numbersOf(it.vendor, it.device)) },
  { title: "Card", of: (it) => code(numbersOf(it.subsystemVendor, it.subsystemDevice)) },
  { title: "Revision", of: (it) => code(it.revision) },
  { title: "Driver", of: (it) => text(it.driver) },
  { title: "NUMA node", of: (it) => it.numaNode !== null && number6(it.numaNode), numeric: true }
];
function DevicesPart({ report }) {
  const all = report.devices;
  return /* @__PURE__ */ jsx8(Section, { report, name: "devices", title: "Devices", sum: all && all.length > 0 ? lessWords(all) : void 0, children: all && /* @__PURE__ */ jsx8(Table, { label: "Table of devices", rows: all, columns: DEVICES, keyOf: (it) => it.place }) });
}
var NEIGHBOURS = [
  { title: "Interface", of: (it) => /* @__PURE__ */ jsx8("bdi", { children: it.interface }) },
  { title: "Name", of: (it) => text(it.systemName) },
  { title: "Port", of: (it) => code(it.portId) },
  { title: "Description of the port", of: (it) => text(it.portDescription) },
  { title: "Chassis", of: (it) => code(it.chassisId) },
  { title: "Addresses", of: (it) => it.managementAddresses.length > 0 && code(it.managementAddresses.join(" ")) },
  { title: "What it is", of: (it) => text(it.capabilities.map(enumWords5).join(", ")) },
  { title: "Software", of: (it) => it.systemDescription && /* @__PURE__ */ jsx8("span", { class: "hardware-long", children: /* @__PURE__ */ jsx8("bdi", { children: it.systemDescription }) }) }
];
function NeighboursPart({ report }) {
  const all = report.neighbours;
  return /* @__PURE__ */ jsx8(Section, { report, name: "neighbours", title: "Neighbours, as they say themselves", sum: all && all.length > 0 ? number6(all.length) : void 0, children: all && /* @__PURE__ */ jsx8(Table, { label: "Table of neighbours", rows: all, columns: NEIGHBOURS, keyOf: (it) => `${it.interface} ${it.chassisId} ${it.portId}` }) });
}

// src/screens/hardware-parts.tsx
import { bytes as bytes5, diskBytes as diskBytes3, EnumValue, number as number7, rate } from "./main.js";
import { Fragment as Fragment5, jsx as jsx9, jsxs as jsxs8 } from "./main.js";
function systemRows(it) {
  const firmware = known(it.firmwareVendor, it.firmwareVersion, it.firmwareDate && `of ${it.firmwareDate}`);
  return [
    ["Maker", text(it.manufacturer)],
    ["Model", text(it.model)],
    ["Serial number", code(it.serial)],
    ["Mainboard", text(known(it.boardManufacturer, it.boardModel))],
    ["Serial number of the mainboard", code(it.boardSerial)],
    ["Serial number of the chassis", code(it.chassisSerial)],
    ["Asset tag", code(it.assetTag)],
    ["UUID", code(it.uuid)],
    ["Firmware", text(firmware)],
    ["Booted by", it.bootMode],
    ["Secure Boot", it.secureBoot === null ? null : /* @__PURE__ */ jsx9("span", { class: `state ${it.secureBoot ? "good" : "off"}`, children: it.secureBoot ? "On" : "Off" })],
    ["Authorities of Secure Boot", it.secureBootAuthorities && it.secureBootAuthorities.length > 0 && /* @__PURE__ */ jsx9(Authorities, { names: it.secureBootAuthorities })]
  ];
}
var Authorities = ({ names }) => /* @__PURE__ */ jsx9("ul", { children: names.map((it) => /* @__PURE__ */ jsx9("li", { children: /* @__PURE__ */ jsx9("bdi", { children: it }) }, it)) });
function SystemPart({ report }) {
  const rows = report.system ? systemRows(report.system) : [];
  const unset = rows.filter(([, value]) => isEmpty(value));
  return /* @__PURE__ */ jsxs8(Section, { report, name: "system", title: "System", children: [
    /* @__PURE__ */ jsx9("dl", { class: "fields hardware-system", children: rows.filter(([, value]) => !isEmpty(value)).map(([title, value]) => /* @__PURE__ */ jsxs8("div", { children: [
      /* @__PURE__ */ jsx9("dt", { children: title }),
      /* @__PURE__ */ jsx9("dd", { children: /* @__PURE__ */ jsx9("span", { children: value }) })
    ] }, title)) }),
    unset.length > 0 && /* @__PURE__ */ jsxs8("p", { class: "unset", children: [
      "Not reported: ",
      unset.map(([title]) => /^UUID|^Secure/.test(title) ? title : title[0]?.toLowerCase() + title.slice(1)).join(", "),
      "."
    ] })
  ] });
}
var PROCESSORS = [
  { title: "Socket", of: (it) => number7(it.socket) },
  { title: "Model", of: (it) => text(it.model) },
  { title: "Cores", of: (it) => number7(it.cores), numeric: true },
  { title: "Threads", of: (it) => number7(it.threads), numeric: true },
  { title: "Microcode", of: (it) => code(it.microcode) }
];
function ProcessorsPart({ report }) {
  const all = report.processors;
  return /* @__PURE__ */ jsx9(Section, { report, name: "processors", title: "Processors", sum: all && all.length > 0 ? processorWords(all) : void 0, children: all && /* @__PURE__ */ jsx9(Table, { label: "Table of processors", rows: all, columns: PROCESSORS, keyOf: (it) => it.socket }) });
}
var MODULES = [
  { title: "Slot", of: (it) => text(it.slot) },
  { title: "Size", of: (it) => it.sizeBytes && bytes5(it.sizeBytes), numeric: true },
  { title: "Type", of: (it) => text(it.type) },
  { title: "Speed", of: (it) => it.speedMts && `${number7(it.speedMts)} MT/s`, numeric: true },
  { title: "Maker", of: (it) => text(it.manufacturer) },
  { title: "Part number", of: (it) => code(it.partNumber) },
  { title: "Serial number", of: (it) => it.serial && /* @__PURE__ */ jsx9(Serial, { kind: "MEMORY", serial: it.serial }) }
];
function MemoryPart({ report }) {
  const it = report.memory;
  const bad = it?.errors && it.errors.uncorrected > 0;
  return /* @__PURE__ */ jsxs8(Section, { report, name: "memory", title: "Memory", sum: it && (it.modules.length > 0 || it.slots !== null) ? memoryWords(it) : void 0, children: [
    it && /* @__PURE__ */ jsxs8("p", { class: "hardware-errors", children: [
      "Errors since the boot: ",
      it.errors ? /* @__PURE__ */ jsx9("span", { class: `state ${bad ? "bad" : it.errors.corrected > 0 ? "warn" : "good"}`, children: errorWords(it.errors) }) : /* @__PURE__ */ jsx9("span", { class: "quiet", children: "not counted by the kernel" })
    ] }),
    it && /* @__PURE__ */ jsx9(Table, { label: "Table of memory modules", rows: it.modules, columns: MODULES, keyOf: (one) => one.slot })
  ] });
}
var MEDIA = { NVME: "NVMe", SSD: "SSD", HDD: "HDD" };
var DISKS = [
  { title: "Name", of: (it) => /* @__PURE__ */ jsx9("bdi", { children: it.name }) },
  { title: "Health", of: (it) => it.health && /* @__PURE__ */ jsx9(EnumValue, { field: "health", value: it.health }) },
  { title: "Model", of: (it) => text(known(it.manufacturer, it.model)) },
  { title: "Serial number", of: (it) => it.serial && /* @__PURE__ */ jsx9(Serial, { kind: "DISK", serial: it.serial }) },
  { title: "Size", of: (it) => it.sizeBytes && diskBytes3(it.sizeBytes), numeric: true },
  { title: "Medium", of: (it) => it.medium && (MEDIA[it.medium] ?? it.medium) },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) },
  { title: "Place", of: (it) => code(it.place) }
];
function DisksPart({ report }) {
  const all = report.disks;
  return /* @__PURE__ */ jsx9(Section, { report, name: "disks", title: "Disks", sum: all && all.length > 0 ? number7(all.length) : void 0, children: all && /* @__PURE__ */ jsx9(Table, { label: "Table of disks", rows: all, columns: DISKS, keyOf: (it) => it.name, isBad: (it) => it.health === "FAILING" }) });
}
function Link2({ it }) {
  if (it.carrier === null) return /* @__PURE__ */ jsx9("span", { class: "quiet", children: "off" });
  if (!it.carrier) return /* @__PURE__ */ jsx9("span", { class: "state off", children: "No carrier" });
  return /* @__PURE__ */ jsx9("span", { class: "state good", children: it.speedMbps === null ? "Carrier" : rate(it.speedMbps * 1e6) });
}
function Mac({ it }) {
  return /* @__PURE__ */ jsxs8(Fragment5, { children: [
    code(it.permanentMac ?? it.mac),
    it.permanentMac && it.mac && /* @__PURE__ */ jsxs8("div", { class: "quiet", children: [
      "now ",
      code(it.mac)
    ] })
  ] });
}
var KINDS = { ETHERNET: "Ethernet", INFINIBAND: "InfiniBand" };
var INTERFACES = [
  { title: "Name", of: (it) => /* @__PURE__ */ jsx9("bdi", { children: it.name }) },
  { title: "Carrier", of: (it) => /* @__PURE__ */ jsx9(Link2, { it }) },
  { title: "Carrier changes", of: (it) => it.carrierChanges !== null && number7(it.carrierChanges), numeric: true },
  { title: "MAC", of: (it) => it.permanentMac || it.mac ? /* @__PURE__ */ jsx9(Mac, { it }) : null },
  { title: "Kind", of: (it) => it.kind && (KINDS[it.kind] ?? it.kind) },
  { title: "Place", of: (it) => code(it.place) },
  { title: "Driver", of: (it) => text(it.driver) },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) }
];
function InterfacesPart({ report }) {
  const all = report.interfaces;
  return /* @__PURE__ */ jsx9(Section, { report, name: "interfaces", title: "Interfaces", sum: all && all.length > 0 ? number7(all.length) : void 0, children: all && /* @__PURE__ */ jsx9(Table, { label: "Table of interfaces", rows: all, columns: INTERFACES, keyOf: (it) => it.name }) });
}

// src/screens/hardware-token.tsx
import { useState as useState5 } from "./main.js";
import { Act, lazy as lazy2 } from "./main.js";
import { Fragment as Fragment6, jsx as jsx10, jsxs as jsxs9 } from "./main.js";
var IssueDialog = lazy2(async () => (await import("./hardware-acts.js")).IssueDialog, "over");
var RevokeDialog = lazy2(async () => (await import("./hardware-acts.js")).RevokeDialog, "over");
function TokenPart({ host, onDone }) {
  const [shown, setShown] = useState5(null);
  const it = host.agentToken;
  const close = () => setShown(null);
  return /* @__PURE__ */ jsxs9("section", { "aria-label": "Token of the agent", children: [
    /* @__PURE__ */ jsx10("h2", { class: "sub", children: "Token of the agent" }),
    /* @__PURE__ */ jsxs9("p", { children: [
      it === null && "None was issued yet. ",
      it !== null && /* @__PURE__ */ jsxs9(Fragment6, { children: [
        "Issued ",
        /* @__PURE__ */ jsx10(Ago, { at: it.issuedAt }),
        " to ",
        /* @__PURE__ */ jsx10("bdi", { children: it.issuedTo }),
        it.revokedAt ? /* @__PURE__ */ jsxs9(Fragment6, { children: [
          ", and revoked ",
          /* @__PURE__ */ jsx10(Ago, { at: it.revokedAt }),
          ": no agent can report with it."
        ] }) : ".",
        " "
      ] }),
      /* @__PURE__ */ jsx10("span", { class: "quiet", children: "An agent can do nothing with its token but report the hardware of this host." })
    ] }),
    /* @__PURE__ */ jsxs9("p", { class: "hardware-acts", children: [
      /* @__PURE__ */ jsx10(Act, { refusal: denialOf("issueAgentToken"), onClick: () => setShown("issue"), children: isAccepted(it) ? "Issue a new token\u2026" : "Issue a token\u2026" }),
      isAccepted(it) && /* @__PURE__ */ jsx10(Act, { class: "danger", refusal: denialOf("revokeAgentToken"), onClick: () => setShown("revoke"), children: "Revoke the token\u2026" })
    ] }),
    shown === "issue" && /* @__PURE__ */ jsx10(IssueDialog, { host, onDone, onClose: close }),
    shown === "revoke" && /* @__PURE__ */ jsx10(RevokeDialog, { host, onDone, onClose: close })
  ] });
}

// src/screens/hardware.lazy.tsx
import { Fragment as Fragment7, jsx as jsx11, jsxs as jsxs10 } from "./main.js";
var Gone = lazy3(async () => (await import("./detail.js")).Gone);
var PACE_MS = 15e3;
function HardwareScreen() {
  const { kind, rest } = currentRoute.value;
  return kind ? /* @__PURE__ */ jsx11(Resolved, { kind, rest }) : null;
}
function Resolved({ kind, rest }) {
  const found = useResolved(kind, rest);
  if (found.error) return /* @__PURE__ */ jsx11(Failure3, { error: found.error });
  if (found.waiting) return /* @__PURE__ */ jsx11("p", { class: "waiting", children: "Reading\u2026" });
  if (!found.id) return /* @__PURE__ */ jsx11(Gone, { kind, rest });
  return /* @__PURE__ */ jsx11(Hardware, { id: found.id }, found.id);
}
function Hardware({ id }) {
  const query = usePaced(DOCUMENT, { id }, ["Host"], PACE_MS);
  const cabling = useCabling(id, PACE_MS);
  const host = query.data.value?.node;
  const path = host ? pathOf2("Host", { ...host }) : "/hosts";
  useEffect4(() => {
    if (!host) return void 0;
    trail.value = [{ name: host.name, path }, { name: "Hardware", path: url.value.pathname }];
    document.title = `${host.name} \xB7 Hardware \xB7 Underlay`;
    return () => {
      trail.value = [];
    };
  }, [host?.name]);
  useCommands({ up: () => go(path) });
  const failed = query.error.value && /* @__PURE__ */ jsx11(Failure3, { error: query.error.value, again: () => void query.read() });
  if (failed && !host) return failed;
  if (!query.data.value) return /* @__PURE__ */ jsx11("p", { class: "waiting", children: "Reading\u2026" });
  if (!host) return /* @__PURE__ */ jsx11("p", { class: "empty", children: "This host was deleted." });
  const token = !viewer.value?.tenant && /* @__PURE__ */ jsx11(TokenPart, { host, onDone: () => void query.read() });
  const expected = /* @__PURE__ */ jsx11(MissingPart, { host, onDone: () => void query.read() }, "expected");
  const events = /* @__PURE__ */ jsx11(HostEvents, { id: host.id, onCome: () => {
    query.mark();
    cabling.mark();
  } }, "events");
  const cabled = /* @__PURE__ */ jsx11(CablingPart, { query: cabling }, "cabling");
  const alarms = cablingAlarm(cabling.data.value?.node?.cabling ?? []);
  const several = host.facts.length > 1;
  return /* @__PURE__ */ jsxs10("section", { class: "page hardware", "aria-label": `Hardware of ${host.name}`, children: [
    /* @__PURE__ */ jsxs10("header", { class: "page-head", children: [
      /* @__PURE__ */ jsxs10("h1", { children: [
        "Hardware of ",
        /* @__PURE__ */ jsx11("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx11("a", { class: "button", href: path, children: "Details" })
    ] }),
    failed,
    host.facts.length === 0 && /* @__PURE__ */ jsx11(Nothing, { host }),
    several && /* @__PURE__ */ jsx11(Alarms, { all: alarms }),
    host.missingHardware.length > 0 && expected,
    host.facts.length !== 1 && events,
    host.facts.map((it) => several ? /* @__PURE__ */ jsx11(Origin, { report: it, host }, it.origin) : /* @__PURE__ */ jsx11(AroundSections, { value: { suffix: "", level: "h2", parts: host.parts ?? [] }, children: /* @__PURE__ */ jsx11(Facts, { report: it, host, alarms, events, cabling: cabled }) }, it.origin)),
    several && cabled,
    host.missingHardware.length === 0 && expected,
    token,
    host.facts.map((it) => !viewer.value?.tenant && /* @__PURE__ */ jsx11(Raw, { id: host.id, report: it, title: several ? `${reportedBy(it.origin)}, as it was sent` : "The report as it was sent" }, it.origin))
  ] });
}
function Origin({ report, host }) {
  const title = reportedBy(report.origin);
  const suffix = `, ${title[0]?.toLowerCase()}${title.slice(1)}`;
  return /* @__PURE__ */ jsxs10("section", { class: "hardware-origin", "aria-label": title, children: [
    /* @__PURE__ */ jsx11("h2", { children: title }),
    /* @__PURE__ */ jsx11(AroundSections, { value: { suffix, level: "h3", parts: host.parts ?? [] }, children: /* @__PURE__ */ jsx11(Facts, { report, host }) })
  ] });
}
var Alarms = ({ all }) => all.length > 0 ? /* @__PURE__ */ jsx11("ul", { class: "hardware-alarms", children: all.map((it) => /* @__PURE__ */ jsx11("li", { children: it }, it)) }) : null;
var isStale = (host) => host.hardwareConditions.includes("FACTS_STALE");
var Stale = () => /* @__PURE__ */ jsx11("span", { class: "state warn", children: "Stale" });
function Nothing({ host }) {
  const waits = host.agentToken !== null && host.agentToken.revokedAt === null;
  return /* @__PURE__ */ jsxs10("div", { class: "hardware-nothing", children: [
    /* @__PURE__ */ jsxs10("p", { children: [
      /* @__PURE__ */ jsx11("b", { children: "Nothing was reported of this hardware yet." }),
      " ",
      isStale(host) && /* @__PURE__ */ jsx11(Stale, {})
    ] }),
    waits ? /* @__PURE__ */ jsxs10("p", { children: [
      "A token was issued, and no agent has reported with it. What ",
      /* @__PURE__ */ jsx11("code", { children: "underlay-agent run" }),
      " prints on the machine says why the server does not take its reports."
    ] }) : /* @__PURE__ */ jsxs10("p", { children: [
      "The agent on the machine reports it. Get a token with ",
      /* @__PURE__ */ jsxs10("code", { children: [
        "underlay agent token ",
        /* @__PURE__ */ jsx11("bdi", { children: host.name })
      ] }),
      ", or here, keep it in a file on the machine, and run ",
      /* @__PURE__ */ jsxs10("code", { children: [
        "underlay-agent run --server ",
        location.origin,
        " --token-file FILE"
      ] }),
      " there."
    ] })
  ] });
}
function Facts({ report, host, alarms = [], events, cabling }) {
  const stale = report.origin === "AGENT" ? isStale(host) : report.stale;
  const silence = silenceOf(report);
  return /* @__PURE__ */ jsxs10(Fragment7, { children: [
    /* @__PURE__ */ jsxs10("dl", { class: "fields hardware-head", children: [
      /* @__PURE__ */ jsxs10("div", { children: [
        /* @__PURE__ */ jsx11("dt", { children: "Last heard" }),
        /* @__PURE__ */ jsx11("dd", { children: /* @__PURE__ */ jsxs10("span", { children: [
          /* @__PURE__ */ jsx11("b", { children: /* @__PURE__ */ jsx11("time", { dateTime: report.receivedAt, children: since2(report.receivedAt) }) }),
          " ",
          stale && /* @__PURE__ */ jsx11(Stale, {}),
          " ",
          /* @__PURE__ */ jsx11("span", { class: "quiet", children: time3(report.receivedAt) })
        ] }) })
      ] }),
      /* @__PURE__ */ jsxs10("div", { children: [
        /* @__PURE__ */ jsx11("dt", { children: "Unchanged since" }),
        /* @__PURE__ */ jsx11("dd", { children: /* @__PURE__ */ jsxs10("span", { children: [
          /* @__PURE__ */ jsx11("time", { dateTime: report.since, children: since2(report.since) }),
          " ",
          /* @__PURE__ */ jsx11("span", { class: "quiet", children: time3(report.since) })
        ] }) })
      ] }),
      /* @__PURE__ */ jsxs10("div", { children: [
        /* @__PURE__ */ jsx11("dt", { children: "Reported by" }),
        /* @__PURE__ */ jsx11("dd", { children: /* @__PURE__ */ jsxs10("span", { children: [
          originTitle(report.origin),
          " ",
          report.agentVersion
        ] }) })
      ] })
    ] }),
    stale && /* @__PURE__ */ jsx11("p", { class: "host-note hardware-lack", children: report.origin === "BMC" ? "No controller could read the BMC for three days: what is below may be old. The history of the host says why." : "The agent was not heard for three times as long as it usually waits: what is below may be old." }),
    report.origin === "RECORDER" && /* @__PURE__ */ jsx11("p", { class: "host-note", children: "The recorder reads the hardware again only when it is restarted, and says itself which machine it is on." }),
    report.origin === "BMC" && /* @__PURE__ */ jsx11("p", { class: "host-note", children: "A controller reads the BMC once a day, and when somebody asks for it." }),
    /* @__PURE__ */ jsx11(Alarms, { all: [...alarmsOf(report), ...alarms] }),
    events,
    /* @__PURE__ */ jsx11(SystemPart, { report }),
    /* @__PURE__ */ jsx11(ProcessorsPart, { report }),
    /* @__PURE__ */ jsx11(MemoryPart, { report }),
    /* @__PURE__ */ jsx11(DisksPart, { report }),
    /* @__PURE__ */ jsx11(GpusPart, { report }),
    /* @__PURE__ */ jsx11(InterfacesPart, { report }),
    cabling,
    /* @__PURE__ */ jsx11(NeighboursPart, { report }),
    /* @__PURE__ */ jsx11(DevicesPart, { report }),
    silence && /* @__PURE__ */ jsx11("p", { class: "unset hardware-silence", children: silence })
  ] });
}
function Raw({ id, report, title }) {
  const [open, setOpen] = useState6(false);
  return /* @__PURE__ */ jsxs10("details", { class: "hardware-raw", onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsx11("summary", { children: title }),
    open && /* @__PURE__ */ jsx11(RawText, { id, origin: report.origin, of: report.since })
  ] });
}
function RawText({ id, origin, of }) {
  const query = useQuery2(RAW, { id }, []);
  const found = query.data.value?.node?.facts.find((it) => it.origin === origin);
  useEffect4(() => {
    if (found && found.since !== of) query.mark();
  }, [of]);
  if (query.error.value) return /* @__PURE__ */ jsx11(Failure3, { error: query.error.value, again: () => void query.read() });
  if (!found) return /* @__PURE__ */ jsx11("p", { class: "waiting", children: "Reading\u2026" });
  const text2 = JSON.stringify(found.raw, null, 2);
  return /* @__PURE__ */ jsxs10(Fragment7, { children: [
    /* @__PURE__ */ jsx11("p", { class: "head", children: /* @__PURE__ */ jsx11(Copy, { text: text2, children: "Copy as JSON" }) }),
    /* @__PURE__ */ jsx11("pre", { class: "json", tabIndex: 0, "aria-label": "The report as JSON", children: text2 })
  ] });
}
export {
  HardwareScreen as default
};
