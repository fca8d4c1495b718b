// src/screens/hardware.lazy.tsx
import { useEffect as useEffect6, useState as useState7 } from "./main.js";
import { currentRoute, Failure as Failure5, go, lazy, pathOf as pathOf3, since as since2, time as time3, trail, url as url2, useCommands, useQuery as useQuery3, useResolved, viewer } from "./main.js";

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
  agentToken { issuedAt issuedTo revokedAt } parts { kind serial }
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
var classWords = (number7) => CLASSES[number7.slice(0, 2)] ?? number7;
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
function filterOf(params) {
  const host = params.get("host");
  const [parts, changes] = [params.getAll("part"), params.getAll("change")];
  return { ...host ? { host } : {}, ...parts.length > 0 ? { parts } : {}, ...changes.length > 0 ? { changes } : {} };
}
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
function comeSince(events, cursor) {
  if (cursor === null) return events.length;
  return Math.max(0, events.findIndex((it) => it.cursor === cursor));
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
var comeWords = (count) => `${number4(count)} new ${count === 1 ? "event" : "events"}`;

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

// src/screens/hardware-more.tsx
import { bytes as bytes3, enumWords as enumWords4, number as number5 } from "./main.js";
import { Fragment as Fragment4, jsx as jsx6, jsxs as jsxs5 } from "./main.js";
function Link({ it }) {
  if (!it.isLess) return /* @__PURE__ */ jsx6(Fragment4, { children: it.now });
  return /* @__PURE__ */ jsxs5("span", { class: "hardware-link", children: [
    /* @__PURE__ */ jsx6("span", { class: "state warn", children: it.now }),
    " ",
    /* @__PURE__ */ jsxs5("span", { class: "quiet", children: [
      "possible: ",
      it.possible
    ] })
  ] });
}
var link = (it) => {
  const found = linkOf(it);
  return found && /* @__PURE__ */ jsx6(Link, { it: found });
};
var lessWords = (all) => {
  const less = all.filter((it) => linkOf(it)?.isLess).length;
  return less > 0 ? `${number5(all.length)}, ${number5(less)} with less of a link than possible` : number5(all.length);
};
var GPUS = [
  { title: "Place", of: (it) => code(it.place) },
  { title: "State", of: (it) => /* @__PURE__ */ jsx6("span", { class: `state ${it.offBus ? "bad" : "good"}`, children: it.offBus ? "Fell off the bus" : "On the bus" }) },
  { title: "Model", of: (it) => it.model ? text(it.model) : code(numbersOf(it.vendor, it.device)) },
  { title: "Serial number", of: (it) => it.serial && /* @__PURE__ */ jsx6(Serial, { kind: "GPU", serial: it.serial }) },
  { title: "Memory", of: (it) => it.memoryBytes && bytes3(it.memoryBytes), numeric: true },
  { title: "Link", of: link },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) },
  { title: "Driver", of: (it) => text(known(it.driver, it.driverVersion)) },
  { title: "NUMA node", of: (it) => it.numaNode !== null && number5(it.numaNode), numeric: true },
  { title: "UUID", of: (it) => code(it.uuid) }
];
function GpusPart({ report }) {
  const all = report.gpus;
  return /* @__PURE__ */ jsx6(Section, { report, name: "gpus", title: "GPUs", sum: all && all.length > 0 ? lessWords(all) : void 0, children: all && /* @__PURE__ */ jsx6(Table, { label: "Table of GPUs", rows: all, columns: GPUS, keyOf: (it) => it.place, isBad: (it) => it.offBus }) });
}
var DEVICES = [
  { title: "Place", of: (it) => code(it.place) },
  { title: "Class", of: (it) => it.class && /* @__PURE__ */ jsx6("span", { title: it.class, children: classWords(it.class) }) },
  { title: "Link", of: link },
  { title: "Vendor and device", of: (it) => code(numbersOf(it.vendor, it.device)) },
  { title: "Card", of: (it) => code(numbersOf(it.subsystemVendor, it.subsystemDevice)) },
  { title: "Revision", of: (it) => code(it.revision) },
  { title: "Driver", of: (it) => text(it.driver) },
  { title: "NUMA node", of: (it) => it.numaNode !== null && number5(it.numaNode), numeric: true }
];
function DevicesPart({ report }) {
  const all = report.devices;
  return /* @__PURE__ */ jsx6(Section, { report, name: "devices", title: "Devices", sum: all && all.length > 0 ? lessWords(all) : void 0, children: all && /* @__PURE__ */ jsx6(Table, { label: "Table of devices", rows: all, columns: DEVICES, keyOf: (it) => it.place }) });
}
var NEIGHBOURS = [
  { title: "Interface", of: (it) => /* @__PURE__ */ jsx6("bdi", { children: it.interface }) },
  { title: "Name", of: (it) => text(it.systemName) },
  { title: "Port", of: (it) => code(it.portId) },
  { title: "Description of the port", of: (it) => text(it.portDescription) },
  { title: "Chassis", of: (it) => code(it.chassisId) },
  { title: "Addresses", of: (it) => it.managementAddresses.length > 0 && code(it.managementAddresses.join(" ")) },
  { title: "What it is", of: (it) => text(it.capabilities.map(enumWords4).join(", ")) },
  { title: "Software", of: (it) => it.systemDescription && /* @__PURE__ */ jsx6("span", { class: "hardware-long", children: /* @__PURE__ */ jsx6("bdi", { children: it.systemDescription }) }) }
];
function NeighboursPart({ report }) {
  const all = report.neighbours;
  return /* @__PURE__ */ jsx6(Section, { report, name: "neighbours", title: "Neighbours, as they say themselves", sum: all && all.length > 0 ? number5(all.length) : void 0, children: all && /* @__PURE__ */ jsx6(Table, { label: "Table of neighbours", rows: all, columns: NEIGHBOURS, keyOf: (it) => `${it.interface} ${it.chassisId} ${it.portId}` }) });
}

// src/screens/hardware-parts.tsx
import { bytes as bytes4, diskBytes as diskBytes2, EnumValue, number as number6, rate } from "./main.js";
import { Fragment as Fragment5, jsx as jsx7, jsxs as jsxs6 } from "./main.js";
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
    ["Secure Boot", it.secureBoot === null ? null : /* @__PURE__ */ jsx7("span", { class: `state ${it.secureBoot ? "good" : "off"}`, children: it.secureBoot ? "On" : "Off" })],
    ["Authorities of Secure Boot", it.secureBootAuthorities && it.secureBootAuthorities.length > 0 && /* @__PURE__ */ jsx7(Authorities, { names: it.secureBootAuthorities })]
  ];
}
var Authorities = ({ names }) => /* @__PURE__ */ jsx7("ul", { children: names.map((it) => /* @__PURE__ */ jsx7("li", { children: /* @__PURE__ */ jsx7("bdi", { children: it }) }, it)) });
function SystemPart({ report }) {
  const rows = report.system ? systemRows(report.system) : [];
  const unset = rows.filter(([, value]) => isEmpty(value));
  return /* @__PURE__ */ jsxs6(Section, { report, name: "system", title: "System", children: [
    /* @__PURE__ */ jsx7("dl", { class: "fields hardware-system", children: rows.filter(([, value]) => !isEmpty(value)).map(([title, value]) => /* @__PURE__ */ jsxs6("div", { children: [
      /* @__PURE__ */ jsx7("dt", { children: title }),
      /* @__PURE__ */ jsx7("dd", { children: /* @__PURE__ */ jsx7("span", { children: value }) })
    ] }, title)) }),
    unset.length > 0 && /* @__PURE__ */ jsxs6("p", { class: "unset", children: [
      "Not reported: ",
      unset.map(([title]) => /^UUID|^Secure/.test(title) ? title : title[0]?.toLowerCase() + title.slice(1)).join(", "),
      "."
    ] })
  ] });
}
var PROCESSORS = [
  { title: "Socket", of: (it) => number6(it.socket) },
  { title: "Model", of: (it) => text(it.model) },
  { title: "Cores", of: (it) => number6(it.cores), numeric: true },
  { title: "Threads", of: (it) => number6(it.threads), numeric: true },
  { title: "Microcode", of: (it) => code(it.microcode) }
];
function ProcessorsPart({ report }) {
  const all = report.processors;
  return /* @__PURE__ */ jsx7(Section, { report, name: "processors", title: "Processors", sum: all && all.length > 0 ? processorWords(all) : void 0, children: all && /* @__PURE__ */ jsx7(Table, { label: "Table of processors", rows: all, columns: PROCESSORS, keyOf: (it) => it.socket }) });
}
var MODULES = [
  { title: "Slot", of: (it) => text(it.slot) },
  { title: "Size", of: (it) => it.sizeBytes && bytes4(it.sizeBytes), numeric: true },
  { title: "Type", of: (it) => text(it.type) },
  { title: "Speed", of: (it) => it.speedMts && `${number6(it.speedMts)} MT/s`, numeric: true },
  { title: "Maker", of: (it) => text(it.manufacturer) },
  { title: "Part number", of: (it) => code(it.partNumber) },
  { title: "Serial number", of: (it) => it.serial && /* @__PURE__ */ jsx7(Serial, { kind: "MEMORY", serial: it.serial }) }
];
function MemoryPart({ report }) {
  const it = report.memory;
  const bad = it?.errors && it.errors.uncorrected > 0;
  return /* @__PURE__ */ jsxs6(Section, { report, name: "memory", title: "Memory", sum: it && (it.modules.length > 0 || it.slots !== null) ? memoryWords(it) : void 0, children: [
    it && /* @__PURE__ */ jsxs6("p", { class: "hardware-errors", children: [
      "Errors since the boot: ",
      it.errors ? /* @__PURE__ */ jsx7("span", { class: `state ${bad ? "bad" : it.errors.corrected > 0 ? "warn" : "good"}`, children: errorWords(it.errors) }) : /* @__PURE__ */ jsx7("span", { class: "quiet", children: "not counted by the kernel" })
    ] }),
    it && /* @__PURE__ */ jsx7(Table, { label: "Table of memory modules", rows: it.modules, columns: MODULES, keyOf: (one) => one.slot })
  ] });
}
var MEDIA = { NVME: "NVMe", SSD: "SSD", HDD: "HDD" };
var DISKS = [
  { title: "Name", of: (it) => /* @__PURE__ */ jsx7("bdi", { children: it.name }) },
  { title: "Health", of: (it) => it.health && /* @__PURE__ */ jsx7(EnumValue, { field: "health", value: it.health }) },
  { title: "Model", of: (it) => text(known(it.manufacturer, it.model)) },
  { title: "Serial number", of: (it) => it.serial && /* @__PURE__ */ jsx7(Serial, { kind: "DISK", serial: it.serial }) },
  { title: "Size", of: (it) => it.sizeBytes && diskBytes2(it.sizeBytes), numeric: true },
  { title: "Medium", of: (it) => it.medium && (MEDIA[it.medium] ?? it.medium) },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) },
  { title: "Place", of: (it) => code(it.place) }
];
function DisksPart({ report }) {
  const all = report.disks;
  return /* @__PURE__ */ jsx7(Section, { report, name: "disks", title: "Disks", sum: all && all.length > 0 ? number6(all.length) : void 0, children: all && /* @__PURE__ */ jsx7(Table, { label: "Table of disks", rows: all, columns: DISKS, keyOf: (it) => it.name, isBad: (it) => it.health === "FAILING" }) });
}
function Link2({ it }) {
  if (it.carrier === null) return /* @__PURE__ */ jsx7("span", { class: "quiet", children: "off" });
  if (!it.carrier) return /* @__PURE__ */ jsx7("span", { class: "state off", children: "No carrier" });
  return /* @__PURE__ */ jsx7("span", { class: "state good", children: it.speedMbps === null ? "Carrier" : rate(it.speedMbps * 1e6) });
}
function Mac({ it }) {
  return /* @__PURE__ */ jsxs6(Fragment5, { children: [
    code(it.permanentMac ?? it.mac),
    it.permanentMac && it.mac && /* @__PURE__ */ jsxs6("div", { class: "quiet", children: [
      "now ",
      code(it.mac)
    ] })
  ] });
}
var KINDS = { ETHERNET: "Ethernet", INFINIBAND: "InfiniBand" };
var INTERFACES = [
  { title: "Name", of: (it) => /* @__PURE__ */ jsx7("bdi", { children: it.name }) },
  { title: "Carrier", of: (it) => /* @__PURE__ */ jsx7(Link2, { it }) },
  { title: "Carrier changes", of: (it) => it.carrierChanges !== null && number6(it.carrierChanges), numeric: true },
  { title: "MAC", of: (it) => it.permanentMac || it.mac ? /* @__PURE__ */ jsx7(Mac, { it }) : null },
  { title: "Kind", of: (it) => it.kind && (KINDS[it.kind] ?? it.kind) },
  { title: "Place", of: (it) => code(it.place) },
  { title: "Driver", of: (it) => text(it.driver) },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) }
];
function InterfacesPart({ report }) {
  const all = report.interfaces;
  return /* @__PURE__ */ jsx7(Section, { report, name: "interfaces", title: "Interfaces", sum: all && all.length > 0 ? number6(all.length) : void 0, children: all && /* @__PURE__ */ jsx7(Table, { label: "Table of interfaces", rows: all, columns: INTERFACES, keyOf: (it) => it.name }) });
}

// src/screens/hardware-token.tsx
import { useState as useState4 } from "./main.js";
import { Act, Dialog, Failure as Failure3 } from "./main.js";

// src/store/may.ts
import { signal as signal2 } from "./main.js";
import { ask as ask2, asRefused as asRefused3, refusal, wrote } from "./main.js";
var denied = signal2({});
var denialOf = (mutation) => refusal(mutation) ?? denied.value[mutation];
async function call(mutation, document2, variables) {
  try {
    return await ask2(document2, variables);
  } catch (thrown) {
    const error = asRefused3(thrown);
    if (error.code === "FORBIDDEN") denied.value = { ...denied.value, [mutation]: error.message };
    throw error;
  }
}

// src/screens/token-words.tsx
import { useState as useState3 } from "./main.js";
import { asRefused as asRefused4, since, time as time2 } from "./main.js";
import { jsx as jsx8, jsxs as jsxs7 } from "./main.js";
var FILE = "/etc/underlay/token";
var keepCommand = (file) => `( umask 077; mkdir -p /etc/underlay; cat > ${file} )`;
var runCommand = () => `underlay-agent run --server ${location.origin} --token-file ${FILE}`;
var Ago = ({ at }) => /* @__PURE__ */ jsx8("time", { dateTime: at, title: time2(at), children: since(at) });
function useSending(send) {
  const [error, setError] = useState3(null);
  const [waiting, setWaiting] = useState3(false);
  const submit = (event) => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    setError(null);
    send().catch((thrown) => setError(asRefused4(thrown))).finally(() => setWaiting(false));
  };
  return { error, waiting, submit };
}
function Line({ label, text: text2, copy }) {
  return /* @__PURE__ */ jsxs7("div", { class: "hardware-line", children: [
    /* @__PURE__ */ jsx8("code", { role: "group", "aria-label": label, tabIndex: 0, children: text2 }),
    /* @__PURE__ */ jsx8(Copy, { text: text2, children: copy })
  ] });
}

// src/screens/hardware-token.tsx
import { Fragment as Fragment6, jsx as jsx9, jsxs as jsxs8 } from "./main.js";
var ISSUE = "mutation Issue($host: ID!) { issueAgentToken(host: $host) { token } }";
var REVOKE = "mutation Revoke($host: ID!) { revokeAgentToken(host: $host) { revoked } }";
var isAccepted = (it) => it !== null && it.revokedAt === null;
function TokenPart({ host, onDone }) {
  const [shown, setShown] = useState4(null);
  const it = host.agentToken;
  const close = () => setShown(null);
  return /* @__PURE__ */ jsxs8("section", { "aria-label": "Token of the agent", children: [
    /* @__PURE__ */ jsx9("h2", { class: "sub", children: "Token of the agent" }),
    /* @__PURE__ */ jsxs8("p", { children: [
      it === null && "None was issued yet. ",
      it !== null && /* @__PURE__ */ jsxs8(Fragment6, { children: [
        "Issued ",
        /* @__PURE__ */ jsx9(Ago, { at: it.issuedAt }),
        " to ",
        /* @__PURE__ */ jsx9("bdi", { children: it.issuedTo }),
        it.revokedAt ? /* @__PURE__ */ jsxs8(Fragment6, { children: [
          ", and revoked ",
          /* @__PURE__ */ jsx9(Ago, { at: it.revokedAt }),
          ": no agent can report with it."
        ] }) : ".",
        " "
      ] }),
      /* @__PURE__ */ jsx9("span", { class: "quiet", children: "An agent can do nothing with its token but report the hardware of this host." })
    ] }),
    /* @__PURE__ */ jsxs8("p", { class: "hardware-acts", children: [
      /* @__PURE__ */ jsx9(Act, { refusal: denialOf("issueAgentToken"), onClick: () => setShown("issue"), children: isAccepted(it) ? "Issue a new token\u2026" : "Issue a token\u2026" }),
      isAccepted(it) && /* @__PURE__ */ jsx9(Act, { class: "danger", refusal: denialOf("revokeAgentToken"), onClick: () => setShown("revoke"), children: "Revoke the token\u2026" })
    ] }),
    shown === "issue" && /* @__PURE__ */ jsx9(IssueDialog, { host, onDone, onClose: close }),
    shown === "revoke" && /* @__PURE__ */ jsx9(RevokeDialog, { host, onDone, onClose: close })
  ] });
}
function IssueDialog({ host, onDone, onClose }) {
  const [token, setToken] = useState4(null);
  const [former] = useState4(host.agentToken);
  const { error, waiting, submit } = useSending(async () => {
    const answer = await call("issueAgentToken", ISSUE, { host: host.id });
    setToken(answer.data.issueAgentToken.token);
    onDone();
  });
  if (token !== null) return /* @__PURE__ */ jsx9(Issued, { name: host.name, token, onClose });
  return /* @__PURE__ */ jsx9(Dialog, { title: `Issue a token for ${host.name}`, class: "order", onClose, children: /* @__PURE__ */ jsxs8("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs8("header", { class: "order-head", children: [
      /* @__PURE__ */ jsxs8("h2", { children: [
        "Issue a token for the agent on ",
        /* @__PURE__ */ jsx9("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx9("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without issuing", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsxs8("div", { class: "order-what", role: "status", children: [
      /* @__PURE__ */ jsx9("p", { children: "The token is shown once." }),
      isAccepted(former) && /* @__PURE__ */ jsxs8("p", { children: [
        /* @__PURE__ */ jsx9("b", { children: "The token that the host has stops working." }),
        " It was issued ",
        /* @__PURE__ */ jsx9(Ago, { at: former.issuedAt }),
        " to ",
        /* @__PURE__ */ jsx9("bdi", { children: former.issuedTo }),
        ". The agent cannot report until it gets the new one."
      ] })
    ] }),
    error && /* @__PURE__ */ jsx9(Failure3, { error }),
    /* @__PURE__ */ jsxs8("footer", { children: [
      /* @__PURE__ */ jsx9("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx9("button", { type: "submit", class: isAccepted(former) ? "danger" : "main", disabled: waiting, children: isAccepted(former) ? "Replace the token" : "Issue the token" })
    ] })
  ] }) });
}
function Issued({ name, token, onClose }) {
  return /* @__PURE__ */ jsx9(Dialog, { title: `The token for ${name}`, class: "order", onClose, children: /* @__PURE__ */ jsxs8("div", { class: "order-done", children: [
    /* @__PURE__ */ jsxs8("h2", { children: [
      "The token for the agent on ",
      /* @__PURE__ */ jsx9("bdi", { children: name })
    ] }),
    /* @__PURE__ */ jsx9("p", { class: "order-what", children: "Copy it now: it is not shown again. Whoever has it can report hardware in the name of this host." }),
    /* @__PURE__ */ jsx9(Line, { label: "The token", text: token, copy: "Copy the token" }),
    /* @__PURE__ */ jsxs8("p", { children: [
      "As root on ",
      /* @__PURE__ */ jsx9("bdi", { children: name }),
      ", begin this command, paste the token, and press Enter and then Ctrl-D:"
    ] }),
    /* @__PURE__ */ jsx9(Line, { label: "The command that keeps the token", text: keepCommand(FILE), copy: "Copy this command" }),
    /* @__PURE__ */ jsx9("p", { children: "Then run the agent:" }),
    /* @__PURE__ */ jsx9(Line, { label: "The command that runs the agent", text: runCommand(), copy: "Copy the command" }),
    /* @__PURE__ */ jsx9("footer", { children: /* @__PURE__ */ jsx9("button", { type: "button", class: "main", onClick: onClose, children: "I have it" }) })
  ] }) });
}
function RevokeDialog({ host, onDone, onClose }) {
  const { error, waiting, submit } = useSending(async () => {
    await call("revokeAgentToken", REVOKE, { host: host.id });
    onDone();
    onClose();
  });
  return /* @__PURE__ */ jsx9(Dialog, { title: `Revoke the token of ${host.name}`, class: "order", onClose, children: /* @__PURE__ */ jsxs8("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs8("header", { class: "order-head", children: [
      /* @__PURE__ */ jsxs8("h2", { children: [
        "Revoke the token of the agent on ",
        /* @__PURE__ */ jsx9("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx9("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without revoking", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsx9("div", { class: "order-what", role: "status", children: /* @__PURE__ */ jsx9("p", { children: "The agent cannot report any more, a second from now. What it has reported stays." }) }),
    error && /* @__PURE__ */ jsx9(Failure3, { error }),
    /* @__PURE__ */ jsxs8("footer", { children: [
      /* @__PURE__ */ jsx9("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx9("button", { type: "submit", class: "danger", disabled: waiting, children: "Revoke the token" })
    ] })
  ] }) });
}

// src/screens/hardware-events-screen.tsx
import { Failure as Failure4, narrowedTo, setParams, url, useEffect as useEffect5, useState as useState6, valuesOf } from "./main.js";

// src/store/find.ts
import { ask as ask3, titleOf } from "./main.js";
var DOCUMENT2 = `query Find($text: String!, $kinds: [String!]) { search(text: $text, kinds: $kinds, first: 12) {
  kind path field text node { id ... on Object { name } }
} }`;
function finder(kinds) {
  return async (text2, abort) => {
    const found = (await ask3(DOCUMENT2, { text: text2, kinds: kinds ?? null }, abort)).data.search ?? [];
    return found.map((it) => {
      const where = it.path.slice(it.path.indexOf("/") + 1);
      const by = it.field === "name" ? "" : ` \xB7 ${it.field} ${it.text}`;
      return { id: it.node.id, title: it.node.name ?? where, detail: `${titleOf(it.kind)} \xB7 ${where}${by}` };
    });
  };
}

// src/screens/chosen.tsx
import { pathOf as pathOf2, titleOf as titleOf2, useQuery as useQuery2 } from "./main.js";

// src/parts/picker.tsx
import { useEffect as useEffect4, useId, useRef, useState as useState5 } from "./main.js";
import { jsx as jsx10, jsxs as jsxs9 } from "./main.js";
var WAIT_MS = 120;
function Picker({ label, placeholder, find, onPick }) {
  const id = useId();
  const field = useRef(null);
  const [text2, setText] = useState5("");
  const [choices, setChoices] = useState5([]);
  const [at, setAt] = useState5(0);
  const [open, setOpen] = useState5(false);
  const [note, setNote] = useState5("");
  useEffect4(() => {
    const asked = text2.trim();
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
  }, [text2]);
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
    } else if (event.key === "Escape" && open && text2) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    }
  };
  const shown = open && text2.trim() !== "";
  return /* @__PURE__ */ jsxs9("div", { class: "finder", children: [
    /* @__PURE__ */ jsx10("label", { for: `${id}-field`, children: label }),
    /* @__PURE__ */ jsx10(
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
        value: text2,
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
    /* @__PURE__ */ jsxs9("div", { class: "finder-list", hidden: !shown, children: [
      /* @__PURE__ */ jsx10("ul", { id: `${id}-list`, role: "listbox", "aria-label": label, children: choices.map((it, index) => /* @__PURE__ */ jsxs9(
        "li",
        {
          id: `${id}-${index}`,
          role: "option",
          "aria-selected": index === at,
          onMouseDown: (event) => event.preventDefault(),
          onClick: () => pick(it),
          onMouseMove: () => setAt(index),
          children: [
            /* @__PURE__ */ jsx10("bdi", { children: it.title }),
            /* @__PURE__ */ jsx10("span", { class: "detail", children: it.detail })
          ]
        },
        it.id
      )) }),
      choices.length === 0 && /* @__PURE__ */ jsx10("p", { class: "quiet", children: note || "Searching\u2026" })
    ] }),
    /* @__PURE__ */ jsx10("span", { class: "hidden", role: "status", children: shown ? note : "" })
  ] });
}

// src/screens/chosen.tsx
import { jsx as jsx11, jsxs as jsxs10 } from "./main.js";
var OBJECT = "query Chosen($id: ID!) { node(id: $id) { __typename id ... on Object { name } } }";
function Chosen({ label, placeholder, id, find, remove, onChange }) {
  const query = useQuery2(OBJECT, { id: id ?? "" }, id ? "all" : []);
  if (!id) return /* @__PURE__ */ jsx11(Picker, { label, placeholder, find, onPick: (it) => onChange(it.id) });
  const node = query.data.value?.node;
  return /* @__PURE__ */ jsxs10("div", { class: "chosen", role: "group", "aria-label": label, children: [
    /* @__PURE__ */ jsx11("span", { children: label }),
    /* @__PURE__ */ jsxs10("span", { class: "chip", children: [
      node ? /* @__PURE__ */ jsxs10("span", { class: "thing", children: [
        /* @__PURE__ */ jsx11("span", { class: "thing-kind", children: titleOf2(String(node.__typename)) }),
        /* @__PURE__ */ jsx11("a", { href: pathOf2(String(node.__typename), { id }), children: /* @__PURE__ */ jsx11("bdi", { children: String(node.name) }) })
      ] }) : /* @__PURE__ */ jsx11("bdi", { children: query.data.value ? "It does not exist any more" : "\u2026" }),
      /* @__PURE__ */ jsx11("button", { type: "button", "aria-label": remove, onClick: () => onChange(null), children: "\u2715" })
    ] })
  ] });
}

// src/screens/hardware-events-screen.tsx
import { jsx as jsx12, jsxs as jsxs11 } from "./main.js";
var FILTERS = ["part", "change", "host"];
var FIRST2 = 50;
var findHost = finder(["Host"]);
function EventsScreen() {
  const params = url.value.searchParams;
  const filter = filterOf(params);
  const log = useHardwareEvents(filter, FIRST2);
  const [paused, setPaused] = useState6(null);
  const key = JSON.stringify(filter);
  useEffect5(() => setPaused(null), [key]);
  const all = log.events.value ?? [];
  const waiting = paused ? comeSince(all, paused.at) : 0;
  const narrowed = FILTERS.some((it) => params.has(it));
  if (log.isHidden.value) {
    return /* @__PURE__ */ jsxs11("section", { class: "page", "aria-label": "Hardware events", children: [
      /* @__PURE__ */ jsx12("h1", { children: "Hardware events" }),
      /* @__PURE__ */ jsx12("p", { class: "empty", children: "Tokens of a tenant do not see them: they are of the hosts of all tenants." })
    ] });
  }
  return /* @__PURE__ */ jsxs11("section", { class: "page hardware", "aria-label": "Hardware events", children: [
    /* @__PURE__ */ jsxs11("header", { class: "page-head", children: [
      /* @__PURE__ */ jsx12("h1", { children: "Hardware events" }),
      /* @__PURE__ */ jsx12("p", { class: "quiet", children: "What changed in the machines between two reports of their agents." }),
      /* @__PURE__ */ jsx12("span", { class: "grow" }),
      /* @__PURE__ */ jsx12("span", { role: "status", children: waiting > 0 ? comeWords(waiting) : paused ? "Paused" : "" }),
      /* @__PURE__ */ jsx12("button", { type: "button", onClick: () => setPaused(paused ? null : { at: all[0]?.cursor ?? null }), children: paused ? "Go on" : "Pause" })
    ] }),
    narrowedTo() && /* @__PURE__ */ jsx12("p", { class: "quiet", children: "These are the events of all places: they cannot be narrowed to one." }),
    /* @__PURE__ */ jsxs11("div", { class: "hardware-filters", children: [
      /* @__PURE__ */ jsx12(Chosen, { label: "Host", placeholder: "All; type a name", id: params.get("host"), find: findHost, remove: "Show all hosts", onChange: (id) => setParams({ host: id }) }),
      /* @__PURE__ */ jsx12(Values, { name: "part", title: "Parts", of: "HardwarePart", words: partWords }),
      /* @__PURE__ */ jsx12(Values, { name: "change", title: "Changes", of: "HardwareChange", words: changeWords }),
      narrowed && /* @__PURE__ */ jsx12("button", { type: "button", onClick: () => setParams(Object.fromEntries(FILTERS.map((it) => [it, null]))), children: "Show all" })
    ] }),
    log.error.value && /* @__PURE__ */ jsx12(Failure4, { error: log.error.value, again: log.again }),
    log.events.value === null && !log.error.value && /* @__PURE__ */ jsx12("p", { class: "waiting", children: "Reading\u2026" }),
    log.events.value !== null && all.length === 0 && (narrowed ? /* @__PURE__ */ jsx12("p", { class: "empty", children: "No event fits." }) : /* @__PURE__ */ jsx12(Nothing, {})),
    /* @__PURE__ */ jsx12("p", { class: "hidden", role: "status", children: !paused && log.come.value ? told(log.come.value, true) : "" }),
    /* @__PURE__ */ jsx12(Timeline, { events: all.slice(waiting), level: "h2" }),
    log.more.value && /* @__PURE__ */ jsx12(Earlier, { onMore: () => void log.earlier() })
  ] });
}
function Values({ name, title, of, words: words2 }) {
  const chosen = url.value.searchParams.getAll(name);
  const toggle = (it) => {
    const next = chosen.includes(it) ? chosen.filter((one) => one !== it) : [...chosen, it];
    setParams({ [name]: next.length > 0 ? next : null });
  };
  const values = [.../* @__PURE__ */ new Set([...valuesOf(of), ...chosen])];
  return /* @__PURE__ */ jsxs11("div", { class: "states", role: "group", "aria-label": title, children: [
    /* @__PURE__ */ jsx12("span", { class: "quiet", children: title }),
    values.map((it) => /* @__PURE__ */ jsx12("button", { type: "button", "aria-pressed": chosen.includes(it), onClick: () => toggle(it), children: words2(it) }, it))
  ] });
}
function Nothing() {
  return /* @__PURE__ */ jsxs11("div", { class: "hardware-nothing", children: [
    /* @__PURE__ */ jsx12("p", { children: /* @__PURE__ */ jsx12("b", { children: "No change of hardware was reported yet." }) }),
    /* @__PURE__ */ jsxs11("p", { children: [
      "Agents on the machines report their hardware, and what changed between two reports is an event. Get a token for a host on its page ",
      /* @__PURE__ */ jsx12("i", { children: "Hardware" }),
      ", or with ",
      /* @__PURE__ */ jsx12("code", { children: "underlay agent token HOST" }),
      ", and run ",
      /* @__PURE__ */ jsx12("code", { children: "underlay-agent run" }),
      " on the machine. ",
      /* @__PURE__ */ jsx12("a", { href: "/hosts", children: "Choose a host" }),
      "."
    ] })
  ] });
}

// src/screens/hardware.lazy.tsx
import { Fragment as Fragment7, jsx as jsx13, jsxs as jsxs12 } from "./main.js";
var Gone = lazy(async () => (await import("./detail.js")).Gone);
var PACE_MS = 15e3;
function HardwareScreen() {
  const { kind, rest } = currentRoute.value;
  return kind ? /* @__PURE__ */ jsx13(Resolved, { kind, rest }) : null;
}
function Resolved({ kind, rest }) {
  const found = useResolved(kind, rest);
  if (found.error) return /* @__PURE__ */ jsx13(Failure5, { error: found.error });
  if (found.waiting) return /* @__PURE__ */ jsx13("p", { class: "waiting", children: "Reading\u2026" });
  if (!found.id) return /* @__PURE__ */ jsx13(Gone, { kind, rest });
  return /* @__PURE__ */ jsx13(Hardware, { id: found.id }, found.id);
}
function Hardware({ id }) {
  const query = usePaced(DOCUMENT, { id }, ["Host"], PACE_MS);
  const cabling = useCabling(id, PACE_MS);
  const host = query.data.value?.node;
  const path = host ? pathOf3("Host", { ...host }) : "/hosts";
  useEffect6(() => {
    if (!host) return void 0;
    trail.value = [{ name: host.name, path }, { name: "Hardware", path: url2.value.pathname }];
    document.title = `${host.name} \xB7 Hardware \xB7 Underlay`;
    return () => {
      trail.value = [];
    };
  }, [host?.name]);
  useCommands({ up: () => go(path) });
  const failed = query.error.value && /* @__PURE__ */ jsx13(Failure5, { error: query.error.value, again: () => void query.read() });
  if (failed && !host) return failed;
  if (!query.data.value) return /* @__PURE__ */ jsx13("p", { class: "waiting", children: "Reading\u2026" });
  if (!host) return /* @__PURE__ */ jsx13("p", { class: "empty", children: "This host was deleted." });
  const token = !viewer.value?.tenant && /* @__PURE__ */ jsx13(TokenPart, { host, onDone: () => void query.read() });
  const events = /* @__PURE__ */ jsx13(HostEvents, { id: host.id, onCome: () => {
    query.mark();
    cabling.mark();
  } }, "events");
  const cabled = /* @__PURE__ */ jsx13(CablingPart, { query: cabling }, "cabling");
  const alarms = cablingAlarm(cabling.data.value?.node?.cabling ?? []);
  const several = host.facts.length > 1;
  return /* @__PURE__ */ jsxs12("section", { class: "page hardware", "aria-label": `Hardware of ${host.name}`, children: [
    /* @__PURE__ */ jsxs12("header", { class: "page-head", children: [
      /* @__PURE__ */ jsxs12("h1", { children: [
        "Hardware of ",
        /* @__PURE__ */ jsx13("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx13("a", { class: "button", href: path, children: "Details" })
    ] }),
    failed,
    host.facts.length === 0 && /* @__PURE__ */ jsx13(Nothing2, { host }),
    several && /* @__PURE__ */ jsx13(Alarms, { all: alarms }),
    host.facts.length !== 1 && events,
    host.facts.map((it) => several ? /* @__PURE__ */ jsx13(Origin, { report: it, host }, it.origin) : /* @__PURE__ */ jsx13(AroundSections, { value: { suffix: "", level: "h2", parts: host.parts ?? [] }, children: /* @__PURE__ */ jsx13(Facts, { report: it, host, alarms, events, cabling: cabled }) }, it.origin)),
    several && cabled,
    token,
    host.facts.map((it) => !viewer.value?.tenant && /* @__PURE__ */ jsx13(Raw, { id: host.id, report: it, title: several ? `${reportedBy(it.origin)}, as it was sent` : "The report as it was sent" }, it.origin))
  ] });
}
function Origin({ report, host }) {
  const title = reportedBy(report.origin);
  const suffix = `, ${title[0]?.toLowerCase()}${title.slice(1)}`;
  return /* @__PURE__ */ jsxs12("section", { class: "hardware-origin", "aria-label": title, children: [
    /* @__PURE__ */ jsx13("h2", { children: title }),
    /* @__PURE__ */ jsx13(AroundSections, { value: { suffix, level: "h3", parts: host.parts ?? [] }, children: /* @__PURE__ */ jsx13(Facts, { report, host }) })
  ] });
}
var Alarms = ({ all }) => all.length > 0 ? /* @__PURE__ */ jsx13("ul", { class: "hardware-alarms", children: all.map((it) => /* @__PURE__ */ jsx13("li", { children: it }, it)) }) : null;
var isStale = (host) => host.hardwareConditions.includes("FACTS_STALE");
var Stale = () => /* @__PURE__ */ jsx13("span", { class: "state warn", children: "Stale" });
function Nothing2({ host }) {
  const waits = host.agentToken !== null && host.agentToken.revokedAt === null;
  return /* @__PURE__ */ jsxs12("div", { class: "hardware-nothing", children: [
    /* @__PURE__ */ jsxs12("p", { children: [
      /* @__PURE__ */ jsx13("b", { children: "Nothing was reported of this hardware yet." }),
      " ",
      isStale(host) && /* @__PURE__ */ jsx13(Stale, {})
    ] }),
    waits ? /* @__PURE__ */ jsxs12("p", { children: [
      "A token was issued, and no agent has reported with it. What ",
      /* @__PURE__ */ jsx13("code", { children: "underlay-agent run" }),
      " prints on the machine says why the server does not take its reports."
    ] }) : /* @__PURE__ */ jsxs12("p", { children: [
      "The agent on the machine reports it. Get a token with ",
      /* @__PURE__ */ jsxs12("code", { children: [
        "underlay agent token ",
        /* @__PURE__ */ jsx13("bdi", { children: host.name })
      ] }),
      ", or here, keep it in a file on the machine, and run ",
      /* @__PURE__ */ jsxs12("code", { children: [
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
  return /* @__PURE__ */ jsxs12(Fragment7, { children: [
    /* @__PURE__ */ jsxs12("dl", { class: "fields hardware-head", children: [
      /* @__PURE__ */ jsxs12("div", { children: [
        /* @__PURE__ */ jsx13("dt", { children: "Last heard" }),
        /* @__PURE__ */ jsx13("dd", { children: /* @__PURE__ */ jsxs12("span", { children: [
          /* @__PURE__ */ jsx13("b", { children: /* @__PURE__ */ jsx13("time", { dateTime: report.receivedAt, children: since2(report.receivedAt) }) }),
          " ",
          stale && /* @__PURE__ */ jsx13(Stale, {}),
          " ",
          /* @__PURE__ */ jsx13("span", { class: "quiet", children: time3(report.receivedAt) })
        ] }) })
      ] }),
      /* @__PURE__ */ jsxs12("div", { children: [
        /* @__PURE__ */ jsx13("dt", { children: "Unchanged since" }),
        /* @__PURE__ */ jsx13("dd", { children: /* @__PURE__ */ jsxs12("span", { children: [
          /* @__PURE__ */ jsx13("time", { dateTime: report.since, children: since2(report.since) }),
          " ",
          /* @__PURE__ */ jsx13("span", { class: "quiet", children: time3(report.since) })
        ] }) })
      ] }),
      /* @__PURE__ */ jsxs12("div", { children: [
        /* @__PURE__ */ jsx13("dt", { children: "Reported by" }),
        /* @__PURE__ */ jsx13("dd", { children: /* @__PURE__ */ jsxs12("span", { children: [
          originTitle(report.origin),
          " ",
          report.agentVersion
        ] }) })
      ] })
    ] }),
    stale && /* @__PURE__ */ jsx13("p", { class: "host-note hardware-lack", children: report.origin === "BMC" ? "No controller could read the BMC for three days: what is below may be old. The history of the host says why." : "The agent was not heard for three times as long as it usually waits: what is below may be old." }),
    report.origin === "RECORDER" && /* @__PURE__ */ jsx13("p", { class: "host-note", children: "The recorder reads the hardware again only when it is restarted, and says itself which machine it is on." }),
    report.origin === "BMC" && /* @__PURE__ */ jsx13("p", { class: "host-note", children: "A controller reads the BMC once a day, and when somebody asks for it." }),
    /* @__PURE__ */ jsx13(Alarms, { all: [...alarmsOf(report), ...alarms] }),
    events,
    /* @__PURE__ */ jsx13(SystemPart, { report }),
    /* @__PURE__ */ jsx13(ProcessorsPart, { report }),
    /* @__PURE__ */ jsx13(MemoryPart, { report }),
    /* @__PURE__ */ jsx13(DisksPart, { report }),
    /* @__PURE__ */ jsx13(GpusPart, { report }),
    /* @__PURE__ */ jsx13(InterfacesPart, { report }),
    cabling,
    /* @__PURE__ */ jsx13(NeighboursPart, { report }),
    /* @__PURE__ */ jsx13(DevicesPart, { report }),
    silence && /* @__PURE__ */ jsx13("p", { class: "unset hardware-silence", children: silence })
  ] });
}
function Raw({ id, report, title }) {
  const [open, setOpen] = useState7(false);
  return /* @__PURE__ */ jsxs12("details", { class: "hardware-raw", onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsx13("summary", { children: title }),
    open && /* @__PURE__ */ jsx13(RawText, { id, origin: report.origin, of: report.since })
  ] });
}
function RawText({ id, origin, of }) {
  const query = useQuery3(RAW, { id }, []);
  const found = query.data.value?.node?.facts.find((it) => it.origin === origin);
  useEffect6(() => {
    if (found && found.since !== of) query.mark();
  }, [of]);
  if (query.error.value) return /* @__PURE__ */ jsx13(Failure5, { error: query.error.value, again: () => void query.read() });
  if (!found) return /* @__PURE__ */ jsx13("p", { class: "waiting", children: "Reading\u2026" });
  const text2 = JSON.stringify(found.raw, null, 2);
  return /* @__PURE__ */ jsxs12(Fragment7, { children: [
    /* @__PURE__ */ jsx13("p", { class: "head", children: /* @__PURE__ */ jsx13(Copy, { text: text2, children: "Copy as JSON" }) }),
    /* @__PURE__ */ jsx13("pre", { class: "json", tabIndex: 0, "aria-label": "The report as JSON", children: text2 })
  ] });
}
export {
  EventsScreen,
  HardwareScreen as default
};
