// src/screens/hardware.lazy.tsx
import { useEffect as useEffect2, useState as useState3 } from "./main.js";
import { currentRoute, enumWords, Failure as Failure2, go, lazy, pathOf, since as since2, time as time2, trail, url, useCommands, useQuery as useQuery2, useResolved, viewer } from "./main.js";

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

// src/screens/hardware-data.ts
import { bytes, isolated, number } from "./main.js";
var DOCUMENT = `query Hardware($id: ID!) { node(id: $id) { ... on Host { id name hardwareConditions
  agentToken { issuedAt issuedTo revokedAt }
  facts { origin agentVersion observedAt receivedAt since sections { name complete unread { what reason } }
    system { uuid manufacturer model serial boardManufacturer boardModel boardSerial chassisSerial assetTag firmwareVendor firmwareVersion firmwareDate bootMode secureBoot }
    processors { socket model cores threads microcode }
    memory { slots errors { corrected uncorrected } modules { slot sizeBytes type speedMts manufacturer partNumber serial } }
    disks { name manufacturer model serial place sizeBytes medium firmwareVersion health }
    interfaces { name permanentMac mac kind place driver firmwareVersion carrier carrierChanges speedMbps }
  }
} } }`;
var RAW = "query RawFacts($id: ID!) { node(id: $id) { ... on Host { facts { origin since raw } } } }";
var known = (...values) => values.filter(Boolean).join(" ");
var counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
function alarmsOf(report) {
  const failing = (report.disks ?? []).filter((it) => it.health === "FAILING");
  const lost = report.memory?.errors?.uncorrected ?? 0;
  return [
    ...failing.map((it) => `The disk ${isolated(it.name)}${it.serial ? ` with the serial number ${isolated(it.serial)}` : ""} expects to fail.`),
    ...lost > 0 ? [`${counted(lost, "error")} of the memory could not be corrected since the boot.`] : []
  ];
}
function memoryWords({ modules, slots }) {
  const sizes = modules.map((it) => it.sizeBytes);
  const sum = sizes.reduce((all, it) => all + (it ?? 0), 0);
  const size = sum > 0 ? [`${sizes.includes(null) ? "at least " : ""}${bytes(sum)}`] : [];
  return [...size, slots === null ? counted(modules.length, "module") : `${number(modules.length)} of ${counted(slots, "slot")} filled`].join(", ");
}
function errorWords({ corrected, uncorrected }) {
  return corrected + uncorrected === 0 ? "none" : `${number(corrected)} corrected, ${number(uncorrected)} not`;
}
function processorWords(processors) {
  const sum = (of) => processors.reduce((all, it) => all + it[of], 0);
  return `${counted(processors.length, "socket")}, ${counted(sum("cores"), "core")}, ${counted(sum("threads"), "thread")}`;
}
function lackOf(report, name) {
  const section = report.sections.find((it) => it.name === name);
  if (!section) return { name, complete: false, unread: [] };
  return section.complete ? null : section;
}
var isReported = (report, name) => report.sections.some((it) => it.name === name);
var needsRoot = (section) => section.unread.some((it) => /permission denied|not permitted/i.test(it.reason));

// src/screens/hardware-parts.tsx
import { bytes as bytes2, diskBytes, EnumValue, number as number2, rate } from "./main.js";
import { Fragment, jsx as jsx2, jsxs } from "./main.js";
function Section({ report, name, title, sum, children }) {
  const lack = lackOf(report, name);
  return /* @__PURE__ */ jsxs("section", { "aria-label": title, children: [
    /* @__PURE__ */ jsxs("h2", { class: "sub", children: [
      title,
      sum && /* @__PURE__ */ jsx2("span", { class: "hardware-sum", children: sum })
    ] }),
    !isReported(report, name) && /* @__PURE__ */ jsx2("p", { class: "quiet", children: "The agent did not report this." }),
    lack && isReported(report, name) && /* @__PURE__ */ jsxs("div", { class: "host-note hardware-lack", children: [
      /* @__PURE__ */ jsx2("b", { children: "Not everything could be read." }),
      " What is absent here may still be there.",
      /* @__PURE__ */ jsx2("ul", { children: lack.unread.map((it) => /* @__PURE__ */ jsxs("li", { children: [
        /* @__PURE__ */ jsx2("code", { children: /* @__PURE__ */ jsx2("bdi", { children: it.what }) }),
        ": ",
        /* @__PURE__ */ jsx2("bdi", { children: it.reason })
      ] }, `${it.what} ${it.reason}`)) }),
      needsRoot(lack) && /* @__PURE__ */ jsx2("p", { children: "Run the agent as root." })
    ] }),
    children
  ] });
}
var isEmpty = (value) => value === null || value === void 0 || value === false || value === "";
function Table({ label, rows, columns, keyOf, isBad }) {
  if (rows.length === 0) return /* @__PURE__ */ jsx2("p", { class: "quiet", children: "None found." });
  const shown = columns.filter((it, at) => at === 0 || rows.some((row) => !isEmpty(it.of(row))));
  const unset = columns.filter((it) => !shown.includes(it));
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx2("div", { class: "scroll", tabIndex: 0, role: "group", "aria-label": label, children: /* @__PURE__ */ jsxs("table", { class: "units hardware-table", children: [
      /* @__PURE__ */ jsx2("thead", { children: /* @__PURE__ */ jsx2("tr", { children: shown.map((it) => /* @__PURE__ */ jsx2("th", { scope: "col", class: it.numeric ? "numeric" : void 0, children: it.title }, it.title)) }) }),
      /* @__PURE__ */ jsx2("tbody", { children: rows.map((row) => /* @__PURE__ */ jsx2("tr", { class: isBad?.(row) ? "bad" : void 0, children: shown.map((it, at) => at === 0 ? /* @__PURE__ */ jsx2("th", { scope: "row", children: it.of(row) }, it.title) : /* @__PURE__ */ jsx2("td", { class: it.numeric ? "numeric" : void 0, children: it.of(row) }, it.title)) }, keyOf(row))) })
    ] }) }),
    unset.length > 0 && /* @__PURE__ */ jsxs("p", { class: "unset", children: [
      "Not reported: ",
      unset.map((it) => it.title.toLowerCase()).join(", "),
      "."
    ] })
  ] });
}
var text = (value) => value === null || value === "" ? null : /* @__PURE__ */ jsx2("bdi", { children: value });
var code = (value) => value === null ? null : /* @__PURE__ */ jsx2("code", { children: /* @__PURE__ */ jsx2("bdi", { children: value }) });
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
    ["Secure Boot", it.secureBoot === null ? null : /* @__PURE__ */ jsx2("span", { class: `state ${it.secureBoot ? "good" : "off"}`, children: it.secureBoot ? "On" : "Off" })]
  ];
}
function SystemPart({ report }) {
  const rows = report.system ? systemRows(report.system) : [];
  const unset = rows.filter(([, value]) => isEmpty(value));
  return /* @__PURE__ */ jsxs(Section, { report, name: "system", title: "System", children: [
    /* @__PURE__ */ jsx2("dl", { class: "fields hardware-system", children: rows.filter(([, value]) => !isEmpty(value)).map(([title, value]) => /* @__PURE__ */ jsxs("div", { children: [
      /* @__PURE__ */ jsx2("dt", { children: title }),
      /* @__PURE__ */ jsx2("dd", { children: /* @__PURE__ */ jsx2("span", { children: value }) })
    ] }, title)) }),
    unset.length > 0 && /* @__PURE__ */ jsxs("p", { class: "unset", children: [
      "Not reported: ",
      unset.map(([title]) => title === "UUID" ? title : title.toLowerCase()).join(", "),
      "."
    ] })
  ] });
}
var PROCESSORS = [
  { title: "Socket", of: (it) => number2(it.socket) },
  { title: "Model", of: (it) => text(it.model) },
  { title: "Cores", of: (it) => number2(it.cores), numeric: true },
  { title: "Threads", of: (it) => number2(it.threads), numeric: true },
  { title: "Microcode", of: (it) => code(it.microcode) }
];
function ProcessorsPart({ report }) {
  const all = report.processors;
  return /* @__PURE__ */ jsx2(Section, { report, name: "processors", title: "Processors", sum: all && all.length > 0 ? processorWords(all) : void 0, children: all && /* @__PURE__ */ jsx2(Table, { label: "Table of processors", rows: all, columns: PROCESSORS, keyOf: (it) => it.socket }) });
}
var MODULES = [
  { title: "Slot", of: (it) => text(it.slot) },
  { title: "Size", of: (it) => it.sizeBytes && bytes2(it.sizeBytes), numeric: true },
  { title: "Type", of: (it) => text(it.type) },
  { title: "Speed", of: (it) => it.speedMts && `${number2(it.speedMts)} MT/s`, numeric: true },
  { title: "Maker", of: (it) => text(it.manufacturer) },
  { title: "Part number", of: (it) => code(it.partNumber) },
  { title: "Serial number", of: (it) => code(it.serial) }
];
function MemoryPart({ report }) {
  const it = report.memory;
  const bad = it?.errors && it.errors.uncorrected > 0;
  return /* @__PURE__ */ jsxs(Section, { report, name: "memory", title: "Memory", sum: it && (it.modules.length > 0 || it.slots !== null) ? memoryWords(it) : void 0, children: [
    it && /* @__PURE__ */ jsxs("p", { class: "hardware-errors", children: [
      "Errors since the boot: ",
      it.errors ? /* @__PURE__ */ jsx2("span", { class: `state ${bad ? "bad" : it.errors.corrected > 0 ? "warn" : "good"}`, children: errorWords(it.errors) }) : /* @__PURE__ */ jsx2("span", { class: "quiet", children: "not counted by the kernel" })
    ] }),
    it && /* @__PURE__ */ jsx2(Table, { label: "Table of memory modules", rows: it.modules, columns: MODULES, keyOf: (one) => one.slot })
  ] });
}
var MEDIA = { NVME: "NVMe", SSD: "SSD", HDD: "HDD" };
var DISKS = [
  { title: "Name", of: (it) => /* @__PURE__ */ jsx2("bdi", { children: it.name }) },
  { title: "Health", of: (it) => it.health && /* @__PURE__ */ jsx2(EnumValue, { field: "health", value: it.health }) },
  { title: "Model", of: (it) => text(known(it.manufacturer, it.model)) },
  { title: "Serial number", of: (it) => code(it.serial) },
  { title: "Size", of: (it) => it.sizeBytes && diskBytes(it.sizeBytes), numeric: true },
  { title: "Medium", of: (it) => it.medium && (MEDIA[it.medium] ?? it.medium) },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) },
  { title: "Place", of: (it) => code(it.place) }
];
function DisksPart({ report }) {
  const all = report.disks;
  return /* @__PURE__ */ jsx2(Section, { report, name: "disks", title: "Disks", sum: all && all.length > 0 ? number2(all.length) : void 0, children: all && /* @__PURE__ */ jsx2(Table, { label: "Table of disks", rows: all, columns: DISKS, keyOf: (it) => it.name, isBad: (it) => it.health === "FAILING" }) });
}
function Link({ it }) {
  if (it.carrier === null) return /* @__PURE__ */ jsx2("span", { class: "quiet", children: "off" });
  if (!it.carrier) return /* @__PURE__ */ jsx2("span", { class: "state off", children: "No carrier" });
  return /* @__PURE__ */ jsx2("span", { class: "state good", children: it.speedMbps === null ? "Carrier" : rate(it.speedMbps * 1e6) });
}
function Mac({ it }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    code(it.permanentMac ?? it.mac),
    it.permanentMac && it.mac && /* @__PURE__ */ jsxs("div", { class: "quiet", children: [
      "now ",
      code(it.mac)
    ] })
  ] });
}
var KINDS = { ETHERNET: "Ethernet", INFINIBAND: "InfiniBand" };
var INTERFACES = [
  { title: "Name", of: (it) => /* @__PURE__ */ jsx2("bdi", { children: it.name }) },
  { title: "Carrier", of: (it) => /* @__PURE__ */ jsx2(Link, { it }) },
  { title: "Carrier changes", of: (it) => it.carrierChanges !== null && number2(it.carrierChanges), numeric: true },
  { title: "MAC", of: (it) => it.permanentMac || it.mac ? /* @__PURE__ */ jsx2(Mac, { it }) : null },
  { title: "Kind", of: (it) => it.kind && (KINDS[it.kind] ?? it.kind) },
  { title: "Place", of: (it) => code(it.place) },
  { title: "Driver", of: (it) => text(it.driver) },
  { title: "Firmware", of: (it) => code(it.firmwareVersion) }
];
function InterfacesPart({ report }) {
  const all = report.interfaces;
  return /* @__PURE__ */ jsx2(Section, { report, name: "interfaces", title: "Interfaces", sum: all && all.length > 0 ? number2(all.length) : void 0, children: all && /* @__PURE__ */ jsx2(Table, { label: "Table of interfaces", rows: all, columns: INTERFACES, keyOf: (it) => it.name }) });
}

// src/screens/hardware-token.tsx
import { useState as useState2 } from "./main.js";
import { Act, asRefused as asRefused2, Dialog, Failure, since, time } from "./main.js";

// src/store/may.ts
import { signal } from "./main.js";
import { ask, asRefused, refusal, wrote } from "./main.js";
var denied = signal({});
var denialOf = (mutation) => refusal(mutation) ?? denied.value[mutation];
async function call(mutation, document2, variables) {
  try {
    return await ask(document2, variables);
  } catch (thrown) {
    const error = asRefused(thrown);
    if (error.code === "FORBIDDEN") denied.value = { ...denied.value, [mutation]: error.message };
    throw error;
  }
}

// src/screens/hardware-token.tsx
import { Fragment as Fragment2, jsx as jsx3, jsxs as jsxs2 } from "./main.js";
var ISSUE = "mutation Issue($host: ID!) { issueAgentToken(host: $host) { token } }";
var REVOKE = "mutation Revoke($host: ID!) { revokeAgentToken(host: $host) { revoked } }";
var FILE = "/etc/underlay/token";
var isAccepted = (it) => it !== null && it.revokedAt === null;
function TokenPart({ host, onDone }) {
  const [shown, setShown] = useState2(null);
  const it = host.agentToken;
  const close = () => setShown(null);
  return /* @__PURE__ */ jsxs2("section", { "aria-label": "Token of the agent", children: [
    /* @__PURE__ */ jsx3("h2", { class: "sub", children: "Token of the agent" }),
    /* @__PURE__ */ jsxs2("p", { children: [
      it === null && "None was issued yet. ",
      it !== null && /* @__PURE__ */ jsxs2(Fragment2, { children: [
        "Issued ",
        /* @__PURE__ */ jsx3(Ago, { at: it.issuedAt }),
        " to ",
        /* @__PURE__ */ jsx3("bdi", { children: it.issuedTo }),
        it.revokedAt ? /* @__PURE__ */ jsxs2(Fragment2, { children: [
          ", and revoked ",
          /* @__PURE__ */ jsx3(Ago, { at: it.revokedAt }),
          ": no agent can report with it."
        ] }) : ".",
        " "
      ] }),
      /* @__PURE__ */ jsx3("span", { class: "quiet", children: "An agent can do nothing with its token but report the hardware of this host." })
    ] }),
    /* @__PURE__ */ jsxs2("p", { class: "hardware-acts", children: [
      /* @__PURE__ */ jsx3(Act, { refusal: denialOf("issueAgentToken"), onClick: () => setShown("issue"), children: isAccepted(it) ? "Issue a new token\u2026" : "Issue a token\u2026" }),
      isAccepted(it) && /* @__PURE__ */ jsx3(Act, { class: "danger", refusal: denialOf("revokeAgentToken"), onClick: () => setShown("revoke"), children: "Revoke the token\u2026" })
    ] }),
    shown === "issue" && /* @__PURE__ */ jsx3(IssueDialog, { host, onDone, onClose: close }),
    shown === "revoke" && /* @__PURE__ */ jsx3(RevokeDialog, { host, onDone, onClose: close })
  ] });
}
var Ago = ({ at }) => /* @__PURE__ */ jsx3("time", { dateTime: at, title: time(at), children: since(at) });
function useSending(send) {
  const [error, setError] = useState2(null);
  const [waiting, setWaiting] = useState2(false);
  const submit = (event) => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    setError(null);
    send().catch((thrown) => setError(asRefused2(thrown))).finally(() => setWaiting(false));
  };
  return { error, waiting, submit };
}
function IssueDialog({ host, onDone, onClose }) {
  const [token, setToken] = useState2(null);
  const [former] = useState2(host.agentToken);
  const { error, waiting, submit } = useSending(async () => {
    const answer = await call("issueAgentToken", ISSUE, { host: host.id });
    setToken(answer.data.issueAgentToken.token);
    onDone();
  });
  if (token !== null) return /* @__PURE__ */ jsx3(Issued, { name: host.name, token, onClose });
  return /* @__PURE__ */ jsx3(Dialog, { title: `Issue a token for ${host.name}`, class: "order", onClose, children: /* @__PURE__ */ jsxs2("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs2("header", { class: "order-head", children: [
      /* @__PURE__ */ jsxs2("h2", { children: [
        "Issue a token for the agent on ",
        /* @__PURE__ */ jsx3("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without issuing", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsxs2("div", { class: "order-what", role: "status", children: [
      /* @__PURE__ */ jsx3("p", { children: "The token is shown once." }),
      isAccepted(former) && /* @__PURE__ */ jsxs2("p", { children: [
        /* @__PURE__ */ jsx3("b", { children: "The token that the host has stops working." }),
        " It was issued ",
        /* @__PURE__ */ jsx3(Ago, { at: former.issuedAt }),
        " to ",
        /* @__PURE__ */ jsx3("bdi", { children: former.issuedTo }),
        ". The agent cannot report until it gets the new one."
      ] })
    ] }),
    error && /* @__PURE__ */ jsx3(Failure, { error }),
    /* @__PURE__ */ jsxs2("footer", { children: [
      /* @__PURE__ */ jsx3("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx3("button", { type: "submit", class: isAccepted(former) ? "danger" : "main", disabled: waiting, children: isAccepted(former) ? "Replace the token" : "Issue the token" })
    ] })
  ] }) });
}
function Issued({ name, token, onClose }) {
  const keep = `( umask 077; mkdir -p /etc/underlay; cat > ${FILE} )`;
  const run = `underlay-agent run --server ${location.origin} --token-file ${FILE}`;
  return /* @__PURE__ */ jsx3(Dialog, { title: `The token for ${name}`, class: "order", onClose, children: /* @__PURE__ */ jsxs2("div", { class: "order-done", children: [
    /* @__PURE__ */ jsxs2("h2", { children: [
      "The token for the agent on ",
      /* @__PURE__ */ jsx3("bdi", { children: name })
    ] }),
    /* @__PURE__ */ jsx3("p", { class: "order-what", children: "Copy it now: it is not shown again. Whoever has it can report hardware in the name of this host." }),
    /* @__PURE__ */ jsx3(Line, { label: "The token", text: token, copy: "Copy the token" }),
    /* @__PURE__ */ jsxs2("p", { children: [
      "As root on ",
      /* @__PURE__ */ jsx3("bdi", { children: name }),
      ", begin this command, paste the token, and press Enter and then Ctrl-D:"
    ] }),
    /* @__PURE__ */ jsx3(Line, { label: "The command that keeps the token", text: keep, copy: "Copy this command" }),
    /* @__PURE__ */ jsx3("p", { children: "Then run the agent:" }),
    /* @__PURE__ */ jsx3(Line, { label: "The command that runs the agent", text: run, copy: "Copy the command" }),
    /* @__PURE__ */ jsx3("footer", { children: /* @__PURE__ */ jsx3("button", { type: "button", class: "main", onClick: onClose, children: "I have it" }) })
  ] }) });
}
function Line({ label, text: text2, copy }) {
  return /* @__PURE__ */ jsxs2("div", { class: "hardware-line", children: [
    /* @__PURE__ */ jsx3("code", { role: "group", "aria-label": label, tabIndex: 0, children: text2 }),
    /* @__PURE__ */ jsx3(Copy, { text: text2, children: copy })
  ] });
}
function RevokeDialog({ host, onDone, onClose }) {
  const { error, waiting, submit } = useSending(async () => {
    await call("revokeAgentToken", REVOKE, { host: host.id });
    onDone();
    onClose();
  });
  return /* @__PURE__ */ jsx3(Dialog, { title: `Revoke the token of ${host.name}`, class: "order", onClose, children: /* @__PURE__ */ jsxs2("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs2("header", { class: "order-head", children: [
      /* @__PURE__ */ jsxs2("h2", { children: [
        "Revoke the token of the agent on ",
        /* @__PURE__ */ jsx3("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without revoking", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsx3("div", { class: "order-what", role: "status", children: /* @__PURE__ */ jsx3("p", { children: "The agent cannot report any more, a second from now. What it has reported stays." }) }),
    error && /* @__PURE__ */ jsx3(Failure, { error }),
    /* @__PURE__ */ jsxs2("footer", { children: [
      /* @__PURE__ */ jsx3("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx3("button", { type: "submit", class: "danger", disabled: waiting, children: "Revoke the token" })
    ] })
  ] }) });
}

// src/screens/hardware.lazy.tsx
import { Fragment as Fragment3, jsx as jsx4, jsxs as jsxs3 } from "./main.js";
var Gone = lazy(async () => (await import("./detail.js")).Gone);
var PACE_MS = 15e3;
function HardwareScreen() {
  const { kind, rest } = currentRoute.value;
  return kind ? /* @__PURE__ */ jsx4(Resolved, { kind, rest }) : null;
}
function Resolved({ kind, rest }) {
  const found = useResolved(kind, rest);
  if (found.error) return /* @__PURE__ */ jsx4(Failure2, { error: found.error });
  if (found.waiting) return /* @__PURE__ */ jsx4("p", { class: "waiting", children: "Reading\u2026" });
  if (!found.id) return /* @__PURE__ */ jsx4(Gone, { kind, rest });
  return /* @__PURE__ */ jsx4(Hardware, { id: found.id }, found.id);
}
function Hardware({ id }) {
  const query = usePaced(DOCUMENT, { id }, ["Host"], PACE_MS);
  const host = query.data.value?.node;
  const path = host ? pathOf("Host", { ...host }) : "/hosts";
  useEffect2(() => {
    if (!host) return void 0;
    trail.value = [{ name: host.name, path }, { name: "Hardware", path: url.value.pathname }];
    document.title = `${host.name} \xB7 Hardware \xB7 Underlay`;
    return () => {
      trail.value = [];
    };
  }, [host?.name]);
  useCommands({ up: () => go(path) });
  const failed = query.error.value && /* @__PURE__ */ jsx4(Failure2, { error: query.error.value, again: () => void query.read() });
  if (failed && !host) return failed;
  if (!query.data.value) return /* @__PURE__ */ jsx4("p", { class: "waiting", children: "Reading\u2026" });
  if (!host) return /* @__PURE__ */ jsx4("p", { class: "empty", children: "This host was deleted." });
  const token = !viewer.value?.tenant && /* @__PURE__ */ jsx4(TokenPart, { host, onDone: () => void query.read() });
  return /* @__PURE__ */ jsxs3("section", { class: "page hardware", "aria-label": `Hardware of ${host.name}`, children: [
    /* @__PURE__ */ jsxs3("header", { class: "page-head", children: [
      /* @__PURE__ */ jsxs3("h1", { children: [
        "Hardware of ",
        /* @__PURE__ */ jsx4("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx4("a", { class: "button", href: path, children: "Details" })
    ] }),
    failed,
    host.facts.length === 0 && /* @__PURE__ */ jsx4(Nothing, { host }),
    host.facts.map((it) => /* @__PURE__ */ jsx4(Facts, { report: it, host }, it.origin)),
    token,
    host.facts.map((it) => !viewer.value?.tenant && /* @__PURE__ */ jsx4(Raw, { id: host.id, report: it }, it.origin))
  ] });
}
var isStale = (host) => host.hardwareConditions.includes("FACTS_STALE");
var Stale = () => /* @__PURE__ */ jsx4("span", { class: "state warn", children: "Stale" });
function Nothing({ host }) {
  const waits = host.agentToken !== null && host.agentToken.revokedAt === null;
  return /* @__PURE__ */ jsxs3("div", { class: "hardware-nothing", children: [
    /* @__PURE__ */ jsxs3("p", { children: [
      /* @__PURE__ */ jsx4("b", { children: "Nothing was reported of this hardware yet." }),
      " ",
      isStale(host) && /* @__PURE__ */ jsx4(Stale, {})
    ] }),
    waits ? /* @__PURE__ */ jsxs3("p", { children: [
      "A token was issued, and no agent has reported with it. What ",
      /* @__PURE__ */ jsx4("code", { children: "underlay-agent run" }),
      " prints on the machine says why the server does not take its reports."
    ] }) : /* @__PURE__ */ jsxs3("p", { children: [
      "The agent on the machine reports it. Get a token with ",
      /* @__PURE__ */ jsxs3("code", { children: [
        "underlay agent token ",
        /* @__PURE__ */ jsx4("bdi", { children: host.name })
      ] }),
      ", or here, keep it in a file on the machine, and run ",
      /* @__PURE__ */ jsxs3("code", { children: [
        "underlay-agent run --server ",
        location.origin,
        " --token-file FILE"
      ] }),
      " there."
    ] })
  ] });
}
function Facts({ report, host }) {
  const alarms = alarmsOf(report);
  return /* @__PURE__ */ jsxs3(Fragment3, { children: [
    /* @__PURE__ */ jsxs3("dl", { class: "fields hardware-head", children: [
      /* @__PURE__ */ jsxs3("div", { children: [
        /* @__PURE__ */ jsx4("dt", { children: "Last heard" }),
        /* @__PURE__ */ jsx4("dd", { children: /* @__PURE__ */ jsxs3("span", { children: [
          /* @__PURE__ */ jsx4("b", { children: /* @__PURE__ */ jsx4("time", { dateTime: report.receivedAt, children: since2(report.receivedAt) }) }),
          " ",
          isStale(host) && /* @__PURE__ */ jsx4(Stale, {}),
          " ",
          /* @__PURE__ */ jsx4("span", { class: "quiet", children: time2(report.receivedAt) })
        ] }) })
      ] }),
      /* @__PURE__ */ jsxs3("div", { children: [
        /* @__PURE__ */ jsx4("dt", { children: "Unchanged since" }),
        /* @__PURE__ */ jsx4("dd", { children: /* @__PURE__ */ jsxs3("span", { children: [
          /* @__PURE__ */ jsx4("time", { dateTime: report.since, children: since2(report.since) }),
          " ",
          /* @__PURE__ */ jsx4("span", { class: "quiet", children: time2(report.since) })
        ] }) })
      ] }),
      /* @__PURE__ */ jsxs3("div", { children: [
        /* @__PURE__ */ jsx4("dt", { children: "Reported by" }),
        /* @__PURE__ */ jsx4("dd", { children: /* @__PURE__ */ jsxs3("span", { children: [
          enumWords(report.origin),
          " ",
          report.agentVersion
        ] }) })
      ] })
    ] }),
    isStale(host) && /* @__PURE__ */ jsx4("p", { class: "host-note hardware-lack", children: "The agent was not heard for three times as long as it usually waits: what is below may be old." }),
    alarms.length > 0 && /* @__PURE__ */ jsx4("ul", { class: "hardware-alarms", children: alarms.map((it) => /* @__PURE__ */ jsx4("li", { children: it }, it)) }),
    /* @__PURE__ */ jsx4(SystemPart, { report }),
    /* @__PURE__ */ jsx4(ProcessorsPart, { report }),
    /* @__PURE__ */ jsx4(MemoryPart, { report }),
    /* @__PURE__ */ jsx4(DisksPart, { report }),
    /* @__PURE__ */ jsx4(InterfacesPart, { report })
  ] });
}
function Raw({ id, report }) {
  const [open, setOpen] = useState3(false);
  return /* @__PURE__ */ jsxs3("details", { class: "hardware-raw", onToggle: (event) => setOpen(event.currentTarget.open), children: [
    /* @__PURE__ */ jsx4("summary", { children: "The report as it was sent" }),
    open && /* @__PURE__ */ jsx4(RawText, { id, origin: report.origin, of: report.since })
  ] });
}
function RawText({ id, origin, of }) {
  const query = useQuery2(RAW, { id }, []);
  const found = query.data.value?.node?.facts.find((it) => it.origin === origin);
  useEffect2(() => {
    if (found && found.since !== of) query.mark();
  }, [of]);
  if (query.error.value) return /* @__PURE__ */ jsx4(Failure2, { error: query.error.value, again: () => void query.read() });
  if (!found) return /* @__PURE__ */ jsx4("p", { class: "waiting", children: "Reading\u2026" });
  const text2 = JSON.stringify(found.raw, null, 2);
  return /* @__PURE__ */ jsxs3(Fragment3, { children: [
    /* @__PURE__ */ jsx4("p", { class: "head", children: /* @__PURE__ */ jsx4(Copy, { text: text2, children: "Copy as JSON" }) }),
    /* @__PURE__ */ jsx4("pre", { class: "json", tabIndex: 0, "aria-label": "The report as JSON", children: text2 })
  ] });
}
export {
  HardwareScreen as default
};
