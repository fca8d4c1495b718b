// src/screens/api.lazy.tsx
import { useEffect, useRef as useRef2, useState as useState2 } from "./main.js";
import { ask, go, keyWords, number, say, setParams as setParams2, url as url2, useCommands } from "./main.js";

// src/parts/tokens.ts
var GRAPHQL = /(#.*)|("""[^]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?)|(\$\w+|\b[A-Z][A-Z_\d]+\b)|\b(query|mutation|subscription|fragment|on|true|false|null)\b|(-?\b\d[\d.]*)/g;
var JSON_TEXT = /("(?:\\.|[^"\\])*")(?=\s*:)|("(?:\\.|[^"\\])*"?)|\b(true|false|null)\b|(-?\b\d[\d.eE+-]*)/g;
var GRAPHQL_TONES = ["comment", "string", "key", "word", "number"];
var JSON_TONES = ["key", "string", "word", "number"];
var MAX_COLOURED = 12e4;
function tokensOf(text, language) {
  if (text.length > MAX_COLOURED) return [{ text, tone: "" }];
  const tones = language === "graphql" ? GRAPHQL_TONES : JSON_TONES;
  const tokens = [];
  let last = 0;
  for (const match of text.matchAll(language === "graphql" ? GRAPHQL : JSON_TEXT)) {
    if (match.index > last) tokens.push({ text: text.slice(last, match.index), tone: "" });
    const which = match.slice(1).findIndex((it) => it !== void 0);
    tokens.push({ text: match[0], tone: tones[which] ?? "" });
    last = match.index + match[0].length;
  }
  if (last < text.length) tokens.push({ text: text.slice(last), tone: "" });
  return tokens;
}
var KINDS = /* @__PURE__ */ new Set(["query", "mutation", "subscription"]);
function operationsOf(document2) {
  const plain = tokensOf(document2.slice(0, MAX_COLOURED), "graphql").filter((it) => it.tone !== "comment" && it.tone !== "string");
  const pieces = plain.map((it) => it.text).join(" ").match(/[{}()]|[$\w]+/g) ?? [];
  const operations = [];
  let depth = 0;
  let words = [];
  for (const piece of pieces) {
    if (piece === "{" && depth === 0) {
      const kind = words[0] ?? "query";
      if (KINDS.has(kind)) operations.push({ kind, name: words[1] ?? "" });
      words = [];
    }
    if (piece === "{" || piece === "(") depth += 1;
    else if (piece === "}" || piece === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) words.push(piece);
  }
  return operations;
}

// src/screens/api-editor.tsx
import { useMemo, useRef } from "./main.js";
import { Fragment, jsx, jsxs } from "./main.js";
function Editor({ label, language, value, onChange, field }) {
  const behind = useRef(null);
  const numbers = useRef(null);
  const lines = value.split("\n").length;
  const follow = (event) => {
    const area = event.currentTarget;
    behind.current?.scrollTo(area.scrollLeft, area.scrollTop);
    numbers.current?.scrollTo(0, area.scrollTop);
  };
  const keys = (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const area = event.currentTarget;
    const line = area.value.slice(0, area.selectionStart).split("\n").at(-1) ?? "";
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    const deeper = /[{([]\s*$/.test(line) ? "  " : "";
    if (!indent && !deeper) return;
    event.preventDefault();
    insert(area, `
${indent}${deeper}`);
  };
  return /* @__PURE__ */ jsxs("div", { class: "editor", children: [
    /* @__PURE__ */ jsxs("pre", { class: "editor-lines", "aria-hidden": "true", ref: numbers, children: [
      Array.from({ length: lines }, (_, it) => it + 1).join("\n"),
      "\n"
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "editor-text", children: [
      /* @__PURE__ */ jsxs("pre", { "aria-hidden": "true", ref: behind, children: [
        /* @__PURE__ */ jsx(Coloured, { text: value, language }),
        "\n"
      ] }),
      /* @__PURE__ */ jsx(
        "textarea",
        {
          "aria-label": label,
          ref: (it) => {
            if (field) field.current = it;
          },
          spellcheck: false,
          autocapitalize: "off",
          autocomplete: "off",
          wrap: "off",
          value,
          onInput: (event) => onChange(event.currentTarget.value),
          onScroll: follow,
          onKeyDown: keys
        }
      )
    ] })
  ] });
}
function insert(area, text) {
  area.focus();
  if (!document.execCommand("insertText", false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
}
function Coloured({ text, language }) {
  const tokens = useMemo(() => tokensOf(text, language), [text, language]);
  return /* @__PURE__ */ jsx(Fragment, { children: tokens.map((it, at) => it.tone ? /* @__PURE__ */ jsx("span", { class: `tone-${it.tone}`, children: it.text }, at) : it.text) });
}

// examples/dashboard.graphql
var dashboard_default = '# One rack\n# Its devices in unit order, the ports of each, the cable on\n# each port and what is at the other end.\nquery Dashboard {\n  rack(site: "ams1", name: "A14") {\n    name\n    heightU\n    site {\n      name\n      displayName\n      region { name }\n      provider { name type }\n    }\n    devices(orderBy: {by: START_UNIT, direction: DESC}) {\n      totalCount\n      nodes {\n        name\n        role\n        status\n        placement { startUnit unitHeight face }\n        ports(filter: {cabled: true}) {\n          nodes {\n            name\n            type\n            cable { name media }\n            peers {\n              ... on Port { name device { name } }\n              ... on PowerFeed { name }\n              ... on CircuitTermination { circuit { name } side }\n            }\n          }\n        }\n      }\n    }\n  }\n}\n';

// examples/server.graphql
var server_default = '# One server\n# Hardware, dual-homed NICs, both power supplies up to their\n# feeds, and the virtual machines on it.\nquery Server {\n  device(site: "ams1", name: "ams1-a14-hv-01") {\n    name\n    manufacturer\n    model\n    status\n    labels\n    hardware { cpuCores memoryBytes disks { name type sizeBytes } }\n    addresses { type address }\n    cluster { name type }\n    bonds: ports(filter: {type: {eq: LAG}}) {\n      nodes { name speedBps addresses members { nodes { name } } }\n    }\n    nics: ports(filter: {name: {startsWith: "ens"}}) {\n      nodes {\n        name\n        mac\n        speedBps\n        peers { ... on Port { name device { name role } } }\n      }\n    }\n    supplies: ports(filter: {family: {eq: INLET}}) {\n      nodes {\n        name\n        peers { ... on Port { name device { name } fedBy { ...Source } } }\n      }\n    }\n    virtualMachines {\n      nodes { name allocation { vcpus memoryBytes } }\n    }\n  }\n}\n\nfragment Source on PowerSource {\n  ... on Port { name peers { ... on PowerFeed { name phase } } }\n  ... on PowerFeed { name phase }\n}\n';

// examples/find.graphql
var find_default = '# Find\n# Nested through references, some or none of a list, by labels,\n# anywhere beneath a place.\nquery Find($metro: ID!) {\n  # In the metro, in production, but not of the platform team.\n  production: devices(\n    filter: {\n      within: $metro\n      labels: "env=prod,team notin (platform)"\n      role: {in: [SERVER, STORAGE]}\n    }\n    first: 5\n  ) {\n    totalCount\n    nodes { name labels site { name } }\n  }\n\n  # Leaves that still have a free port.\n  withRoom: devices(\n    filter: {\n      role: {eq: LEAF}\n      site: {region: {name: {eq: "ams-metro"}}}\n      ports: {some: {type: {eq: ETHERNET}, cabled: false}}\n    }\n    first: 5\n  ) {\n    totalCount\n    nodes { name placement { rack { name } } }\n  }\n\n  # Racks without any server.\n  withoutServers: racks(\n    filter: {devices: {none: {role: {eq: SERVER}}}}\n  ) {\n    totalCount\n    nodes { name site { name } }\n  }\n\n  # Devices that need attention.\n  notWell: devices(\n    filter: {or: [{status: {eq: FAILED}}, {status: {eq: OFFLINE}}]}\n    orderBy: {by: NAME}\n  ) {\n    nodes { name status }\n  }\n}\n';

// examples/find.variables.graphql
var find_variables_default = '{ metro: region(name: "ams-metro") { id } }\n';

// examples/outside.graphql
var outside_default = '# Lines to the outside\n# Who runs them, where they end, what fails together.\nquery Outside {\n  circuit(provider: "greylag", name: "df-ams1-ams2-north") {\n    name\n    type\n    status\n    bandwidthMbps\n    distanceM\n    riskGroups\n    provider { name type contract { contractId } }\n    aEnd { ...End }\n    zEnd { ...End }\n  }\n  border: port(site: "ams1", device: "ams1-border-1", name: "et-0/0/3") {\n    name\n    speedBps\n    cable { name riskGroups }\n    peers { ... on Port { name device { name role } } }\n  }\n  planned: circuits(filter: {status: {in: [PLANNED, STAGED]}}) {\n    nodes { name status provider { name } }\n  }\n}\n\nfragment End on CircuitTermination {\n  side\n  site { name }\n  cable { name }\n  peers {\n    ... on CircuitTermination { circuit { name type } }\n    ... on Port { name device { name } }\n  }\n}\n';

// examples/history.graphql
var history_default = "# What happened\n# Who changed what, when, from what to what.\nquery History($server: ID!) {\n  latest: changes(filter: {operations: [CREATED, UPDATED]}, first: 3) {\n    totalCount\n    nodes { revision at actor operation kind name before after }\n  }\n  one: node(id: $server) {\n    ... on Device {\n      name\n      version\n      updatedAt\n      managers { field type manager since }\n      changes(first: 5) {\n        nodes { revision at actor operation before after }\n      }\n    }\n  }\n}\n";

// examples/history.variables.graphql
var history_variables_default = '{ server: device(site: "ams1", name: "ams1-a14-hv-01") { id } }\n';

// examples/change.graphql
var change_default = '# Change a device\n# Absent fields are left alone, null clears. Run it twice: the\n# second time nothing changes.\nmutation Change($server: ID!) {\n  updateDevice(\n    id: $server\n    patch: {\n      status: OFFLINE\n      description: "Waits for a fan"\n      labels: {ticket: "ops-1742"}\n    }\n  ) {\n    device { name status description labels version }\n    revision\n  }\n}\n';

// examples/change.variables.graphql
var change_variables_default = '{ server: device(site: "ams1", name: "ams1-a14-hv-01") { id } }\n';

// examples/plan.graphql
var plan_default = '# Plan a batch\n# A dry run says what would happen. Items refer to each other\n# by key, in any order.\nmutation Plan {\n  apply(\n    input: {\n      dryRun: true\n      mode: PER_ITEM\n      items: [\n        {\n          device: {\n            name: "ams1-a15-node-01"\n            role: SERVER\n            site: {site: "ams1"}\n            placement: {rack: {site: "ams1", rack: "A15"}, startUnit: 10, unitHeight: 1}\n          }\n        }\n        {rack: {name: "A15", site: {site: "ams1"}, heightU: 47, row: "A"}}\n        {rack: {name: "A14", site: {site: "ams1"}, heightU: 12}}\n        {delete: {ref: {site: {site: "rtm1"}}}}\n      ]\n    }\n  ) {\n    revision\n    results { status kind name error { code field message } }\n  }\n}\n';

// src/screens/api-examples.ts
var IMPACT = `# Impact
# What goes down with a rack, and because of what.
query Impact($rack: ID!) {
  impact(of: [$rack]) {
    counts { kind effect count }
    affected(kinds: ["Device"], first: 10) {
      nodes { path effect rule because(first: 3) { path } }
    }
  }
}
`;
var FOLLOW = `# Follow changes
# A subscription: each change, as it happens. Stop it when
# you have seen enough.
subscription Follow {
  changes { type revision at kind name }
}
`;
function exampleOf(query, variables) {
  const [title = "", ...note] = (/^(?:#.*\n)*/.exec(query)?.[0] ?? "").replaceAll("# ", "").trim().split("\n");
  return { title, note: note.join(" "), query, ...variables ? { variables } : {} };
}
var EXAMPLES = [
  exampleOf(dashboard_default),
  exampleOf(server_default),
  exampleOf(find_default, find_variables_default),
  exampleOf(outside_default),
  exampleOf(history_default, history_variables_default),
  exampleOf(IMPACT, '{ rack: rack(site: "ams1", name: "A14") { id } }'),
  exampleOf(FOLLOW),
  exampleOf(change_default, change_variables_default),
  exampleOf(plan_default)
];

// src/screens/api-run.ts
import { createClient, seen, token } from "./main.js";
async function send(sent, abort) {
  const headers = { "content-type": "application/json", accept: "application/graphql-response+json, application/json;q=0.9" };
  if (token.value) headers.authorization = `Bearer ${token.value}`;
  const began = performance.now();
  const response = await fetch("/graphql", { method: "POST", headers, body: JSON.stringify(sent), signal: abort });
  const raw = await response.text();
  const ms = performance.now() - began;
  const bytes = new TextEncoder().encode(raw).length;
  let body;
  try {
    body = JSON.parse(raw);
  } catch {
    return { text: raw, errors: 1, ms, bytes };
  }
  seen(body.extensions?.revision);
  return { text: JSON.stringify(body, null, 2), errors: body.errors?.length ?? 0, ms, bytes };
}
function subscribe(sent, observer) {
  const client = createClient({
    url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/graphql/ws`,
    retryAttempts: 0,
    connectionParams: () => token.value ? { authorization: `Bearer ${token.value}` } : {}
  });
  const end = (error) => {
    void client.dispose();
    observer.ended(error);
  };
  const stop = client.subscribe({ query: sent.query, variables: sent.variables ?? {}, ...sent.operationName ? { operationName: sent.operationName } : {} }, {
    next: (it) => observer.next(JSON.stringify(it, null, 2)),
    error: (it) => end(Array.isArray(it) ? JSON.stringify({ errors: it }, null, 2) : "The connection was closed."),
    complete: () => end(null)
  });
  return () => {
    stop();
    void client.dispose();
  };
}

// src/screens/api-schema.tsx
import { useState } from "./main.js";
import { Failure, setParams, url, useQuery } from "./main.js";
import { Fragment as Fragment2, jsx as jsx2, jsxs as jsxs2 } from "./main.js";
var TYPE = "fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";
var TYPES = "{ __schema { types { name kind description } } }";
var ONE = `query Type($name: String!) { __type(name: $name) { name kind description
  fields(includeDeprecated: true) { name description isDeprecated deprecationReason args { name description defaultValue type { ...T } } type { ...T } }
  inputFields { name description defaultValue type { ...T } } enumValues { name description } possibleTypes { name } interfaces { name }
} } ${TYPE}`;
function notation(it) {
  if (!it) return "";
  if (it.kind === "NON_NULL") return `${notation(it.ofType)}!`;
  return it.kind === "LIST" ? `[${notation(it.ofType)}]` : it.name ?? "";
}
var FIRST = ["Query", "Mutation", "Subscription"];
var MOST = 60;
function Schema({ onInsert }) {
  const name = url.value.searchParams.get("type");
  return name ? /* @__PURE__ */ jsx2(OneType, { name, onInsert }) : /* @__PURE__ */ jsx2(Types, {});
}
var show = (name) => setParams({ type: name });
var first = (text) => (text ?? "").split("\n")[0] ?? "";
function Types() {
  const [text, setText] = useState("");
  const query = useQuery(TYPES, {}, []);
  if (query.error.value) return /* @__PURE__ */ jsx2(Failure, { error: query.error.value, again: () => void query.read() });
  const all = (query.data.value?.__schema.types ?? []).filter((it) => !it.name.startsWith("__"));
  const asked = text.trim().toLowerCase();
  const fit = asked ? all.filter((it) => it.name.toLowerCase().includes(asked)).sort((a, b) => a.name.length - b.name.length) : [...FIRST.flatMap((it) => all.find((one) => one.name === it) ?? []), ...all.filter((it) => it.kind === "OBJECT" && !FIRST.includes(it.name) && !/(Connection|Edge|Payload)$/.test(it.name))];
  return /* @__PURE__ */ jsxs2("div", { class: "schema", children: [
    /* @__PURE__ */ jsx2("input", { type: "search", "aria-label": "Types whose name contains", placeholder: "Search a type\u2026", value: text, onInput: (event) => setText(event.currentTarget.value) }),
    query.waiting.value && !query.data.value && /* @__PURE__ */ jsx2("p", { class: "waiting", children: "Reading\u2026" }),
    /* @__PURE__ */ jsx2("ul", { children: fit.slice(0, MOST).map((it) => /* @__PURE__ */ jsx2("li", { children: /* @__PURE__ */ jsxs2("button", { type: "button", class: "schema-type", onClick: () => show(it.name), children: [
      /* @__PURE__ */ jsx2("b", { children: it.name }),
      /* @__PURE__ */ jsx2("span", { class: "quiet", children: first(it.description) })
    ] }) }, it.name)) }),
    fit.length > MOST && /* @__PURE__ */ jsxs2("p", { class: "quiet", children: [
      "and ",
      fit.length - MOST,
      " more: search above"
    ] })
  ] });
}
function OneType({ name, onInsert }) {
  const [text, setText] = useState("");
  const query = useQuery(ONE, { name }, []);
  const it = query.data.value?.__type;
  const fields = (it?.fields ?? it?.inputFields ?? []).filter((one) => one.name.toLowerCase().includes(text.trim().toLowerCase()));
  return /* @__PURE__ */ jsxs2("div", { class: "schema", children: [
    /* @__PURE__ */ jsx2("p", { children: /* @__PURE__ */ jsx2("button", { type: "button", onClick: () => show(null), children: "\u2190 All types" }) }),
    query.error.value && /* @__PURE__ */ jsx2(Failure, { error: query.error.value, again: () => void query.read() }),
    query.data.value && !it && /* @__PURE__ */ jsxs2("p", { class: "empty", children: [
      "There is no type ",
      name,
      "."
    ] }),
    it && /* @__PURE__ */ jsxs2(Fragment2, { children: [
      /* @__PURE__ */ jsx2("h3", { children: it.name }),
      it.description && /* @__PURE__ */ jsx2("p", { class: "schema-about", children: it.description }),
      fields.length + text.length > 12 && /* @__PURE__ */ jsx2("input", { type: "search", "aria-label": `Fields of ${it.name} whose name contains`, placeholder: "Search a field\u2026", value: text, onInput: (event) => setText(event.currentTarget.value) }),
      /* @__PURE__ */ jsxs2("ul", { children: [
        fields.map((one) => /* @__PURE__ */ jsx2(FieldLine, { field: one, onInsert }, one.name)),
        (it.enumValues ?? []).map((one) => /* @__PURE__ */ jsxs2("li", { children: [
          /* @__PURE__ */ jsx2("button", { type: "button", class: "schema-name", onClick: () => onInsert(one.name), children: one.name }),
          /* @__PURE__ */ jsx2("p", { class: "quiet", children: one.description })
        ] }, one.name))
      ] }),
      it.possibleTypes && it.possibleTypes.length > 0 && /* @__PURE__ */ jsxs2("p", { children: [
        "One of ",
        it.possibleTypes.map((one) => /* @__PURE__ */ jsx2(TypeLink, { name: one.name, text: one.name }, one.name))
      ] })
    ] })
  ] });
}
function FieldLine({ field, onInsert }) {
  return /* @__PURE__ */ jsxs2("li", { children: [
    /* @__PURE__ */ jsxs2("span", { class: "schema-line", children: [
      /* @__PURE__ */ jsx2("button", { type: "button", class: "schema-name", title: "Put it where the caret is", onClick: () => onInsert(field.name), children: field.name }),
      /* @__PURE__ */ jsx2(TypeOf, { type: field.type })
    ] }),
    field.description && /* @__PURE__ */ jsx2("p", { class: "quiet", children: field.description }),
    field.isDeprecated && /* @__PURE__ */ jsxs2("p", { class: "bad", children: [
      "Deprecated: ",
      field.deprecationReason
    ] }),
    (field.args?.length ?? 0) > 0 && /* @__PURE__ */ jsxs2("details", { children: [
      /* @__PURE__ */ jsxs2("summary", { children: [
        field.args?.length,
        " ",
        field.args?.length === 1 ? "argument" : "arguments"
      ] }),
      /* @__PURE__ */ jsx2("ul", { children: field.args?.map((it) => /* @__PURE__ */ jsxs2("li", { children: [
        /* @__PURE__ */ jsxs2("span", { class: "schema-line", children: [
          /* @__PURE__ */ jsx2("code", { children: it.name }),
          /* @__PURE__ */ jsx2(TypeOf, { type: it.type }),
          it.defaultValue ? /* @__PURE__ */ jsxs2("code", { children: [
            "= ",
            it.defaultValue
          ] }) : null
        ] }),
        /* @__PURE__ */ jsx2("p", { class: "quiet", children: it.description })
      ] }, it.name)) })
    ] })
  ] });
}
function TypeOf({ type }) {
  const text = notation(type);
  return /* @__PURE__ */ jsx2(TypeLink, { name: text.replace(/[[\]!]/g, ""), text });
}
function TypeLink({ name, text }) {
  return /* @__PURE__ */ jsx2("button", { type: "button", class: "schema-link", "aria-label": `Type ${text}`, onClick: () => show(name), children: text });
}

// src/screens/api.lazy.tsx
import { jsx as jsx3, jsxs as jsxs3 } from "./main.js";
var KEPT = "underlay-operation";
var MAX_EVENTS = 200;
var LONGEST_LINK = 8e3;
function beginning() {
  const params = url2.value.searchParams;
  const query = params.get("query");
  if (query !== null) return { query, variables: params.get("variables") ?? "" };
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "");
    if (typeof kept.query === "string" && kept.query.trim()) return { query: kept.query, variables: typeof kept.variables === "string" ? kept.variables : "" };
  } catch {
  }
  return { query: EXAMPLES[0]?.query ?? "", variables: "" };
}
function variablesOf(text) {
  if (!text.trim()) return void 0;
  const values = JSON.parse(text);
  if (typeof values !== "object" || values === null || Array.isArray(values)) throw new Error("they must be an object");
  return values;
}
function ApiScreen() {
  const [kept, setKept] = useState2(beginning);
  const [chosen, setChosen] = useState2("");
  const { answer, status, running, run, stop, say: tell } = useRunner();
  const field = useRef2(null);
  const operations = operationsOf(kept.query);
  const names = operations.map((it) => it.name).filter(Boolean);
  const operation = operations.find((it) => it.name === chosen) ?? operations[0];
  const change = (more) => {
    const next = { ...kept, ...more };
    setKept(next);
    localStorage.setItem(KEPT, JSON.stringify(next));
  };
  const start = () => {
    try {
      const variables = variablesOf(kept.variables);
      run({ query: kept.query, ...variables ? { variables } : {}, ...names.length > 1 && operation ? { operationName: operation.name } : {} }, operation?.kind === "subscription");
    } catch (error) {
      tell(`The variables are no JSON: ${error instanceof Error ? error.message : ""}`);
    }
  };
  const share = () => {
    const link = `${location.origin}/api?query=${encodeURIComponent(kept.query)}${kept.variables.trim() ? `&variables=${encodeURIComponent(kept.variables)}` : ""}`;
    if (link.length > LONGEST_LINK) return say("The operation is too long for a link.");
    void navigator.clipboard?.writeText(link).then(() => say("The link to this operation is copied."), () => say("The browser does not allow copying."));
  };
  const take = (example) => {
    stop();
    setChosen("");
    change({ query: example.query, variables: "" });
    if (url2.value.searchParams.has("query")) go("/api", "replace");
    if (example.variables) void found(example.variables).then((it) => change({ query: example.query, variables: it }));
  };
  useCommands({ run: running ? stop : start });
  return /* @__PURE__ */ jsxs3("section", { class: "api", "aria-label": "API", children: [
    /* @__PURE__ */ jsx3(Aside, { onTake: take, onInsert: (text) => {
      if (field.current) insert(field.current, text);
    }, current: kept.query }),
    /* @__PURE__ */ jsxs3("div", { class: "api-column", children: [
      /* @__PURE__ */ jsxs3("header", { class: "api-bar", children: [
        /* @__PURE__ */ jsx3("h1", { children: "API" }),
        /* @__PURE__ */ jsx3("span", { class: "grow" }),
        names.length > 1 && /* @__PURE__ */ jsx3("select", { "aria-label": "Operation to run", value: operation?.name ?? "", onChange: (event) => setChosen(event.currentTarget.value), children: names.map((it) => /* @__PURE__ */ jsx3("option", { children: it }, it)) }),
        /* @__PURE__ */ jsx3("button", { type: "button", onClick: share, children: "Copy a link" }),
        /* @__PURE__ */ jsxs3("button", { type: "button", class: operation?.kind === "mutation" && !running ? "danger" : "main", onClick: running ? stop : start, children: [
          running ? "Stop" : operation?.kind === "mutation" ? "Run, and write" : operation?.kind === "subscription" ? "Follow" : "Run",
          " ",
          /* @__PURE__ */ jsx3("kbd", { children: keyWords("Mod+enter") })
        ] })
      ] }),
      /* @__PURE__ */ jsx3(Editor, { label: "Operation", language: "graphql", value: kept.query, onChange: (query) => change({ query }), field }),
      /* @__PURE__ */ jsx3("h2", { class: "api-bar", children: "Variables" }),
      /* @__PURE__ */ jsx3("div", { class: "api-variables", children: /* @__PURE__ */ jsx3(Editor, { label: "Variables", language: "json", value: kept.variables, onChange: (variables) => change({ variables }) }) })
    ] }),
    /* @__PURE__ */ jsxs3("div", { class: "api-column", children: [
      /* @__PURE__ */ jsxs3("header", { class: "api-bar", children: [
        /* @__PURE__ */ jsx3("h2", { children: "Answer" }),
        /* @__PURE__ */ jsx3("span", { class: "grow" }),
        /* @__PURE__ */ jsx3("span", { class: status.bad ? "bad" : "quiet", role: "status", children: status.text })
      ] }),
      /* @__PURE__ */ jsx3("pre", { class: "api-answer", tabIndex: 0, "aria-label": "Answer", children: /* @__PURE__ */ jsx3(Coloured, { text: answer, language: "json" }) })
    ] })
  ] });
}
async function found(query) {
  try {
    const { data } = await ask(query);
    return JSON.stringify(Object.fromEntries(Object.entries(data).map(([name, it]) => [name, it?.id ?? null])), null, 2);
  } catch {
    return "";
  }
}
function useRunner() {
  const [answer, setAnswer] = useState2("");
  const [status, setStatus] = useState2({ text: "", bad: false });
  const [running, setRunning] = useState2(false);
  const end = useRef2(null);
  const finish = () => {
    end.current = null;
    setRunning(false);
  };
  const stop = () => {
    end.current?.();
    finish();
  };
  useEffect(() => () => end.current?.(), []);
  const follow = (sent) => {
    const events = [];
    let count = 0;
    setAnswer("");
    setStatus({ text: "following: waits for the first event", bad: false });
    end.current = subscribe(sent, {
      next: (text) => {
        count += 1;
        events.unshift(text);
        events.length = Math.min(events.length, MAX_EVENTS);
        setAnswer(events.join("\n"));
        setStatus({ text: `following: ${number(count)} ${count === 1 ? "event" : "events"}, the newest first`, bad: false });
      },
      ended: (error) => {
        finish();
        if (error) setAnswer([error, ...events].join("\n"));
        setStatus({ text: error ? "ended with an error" : "the server ended it", bad: error !== null });
      }
    });
  };
  const run = (sent, subscription) => {
    stop();
    setRunning(true);
    if (subscription) return follow(sent);
    const abort = new AbortController();
    end.current = () => abort.abort();
    setStatus({ text: "running", bad: false });
    send(sent, abort.signal).then(
      (it) => {
        const size = it.bytes < 1e4 ? `${number(it.bytes)} bytes` : `${number(Math.round(it.bytes / 1e3))} kB`;
        setAnswer(it.text);
        setStatus({ text: `${it.errors > 0 ? `${it.errors} ${it.errors === 1 ? "error" : "errors"} \xB7 ` : ""}${number(Math.round(it.ms))} ms \xB7 ${size}`, bad: it.errors > 0 });
      },
      () => setStatus({ text: abort.signal.aborted ? "stopped" : "no answer: the server cannot be reached", bad: !abort.signal.aborted })
    ).finally(finish);
  };
  return { answer, status, running, run, stop, say: (text) => setStatus({ text, bad: true }) };
}
function Aside({ onTake, onInsert, current }) {
  const schema = url2.value.searchParams.get("show") === "schema";
  return /* @__PURE__ */ jsxs3("aside", { class: "api-aside", "aria-label": "Examples and schema", children: [
    /* @__PURE__ */ jsxs3("div", { class: "views", role: "group", "aria-label": "Show", children: [
      /* @__PURE__ */ jsx3("button", { type: "button", "aria-pressed": !schema, onClick: () => setParams2({ show: null, type: null }, "replace"), children: "Examples" }),
      /* @__PURE__ */ jsx3("button", { type: "button", "aria-pressed": schema, onClick: () => setParams2({ show: "schema" }, "replace"), children: "Schema" })
    ] }),
    schema ? /* @__PURE__ */ jsx3(Schema, { onInsert }) : /* @__PURE__ */ jsx3("ul", { class: "schema", children: EXAMPLES.map((it) => /* @__PURE__ */ jsx3("li", { children: /* @__PURE__ */ jsxs3("button", { type: "button", class: "schema-type", "aria-pressed": it.query === current, onClick: () => onTake(it), children: [
      /* @__PURE__ */ jsx3("b", { children: it.title }),
      /* @__PURE__ */ jsx3("span", { class: "quiet", children: it.note })
    ] }) }, it.title)) })
  ] });
}
export {
  ApiScreen as default
};
