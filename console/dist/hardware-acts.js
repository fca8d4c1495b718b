// src/screens/hardware-acts.lazy.tsx
import { useState as useState3 } from "./main.js";
import { Dialog, Failure } from "./main.js";

// src/store/may.ts
import { signal } from "./main.js";
import { ask, asRefused, refusal, wrote } from "./main.js";
var denied = signal({});
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

// src/screens/hardware-data.ts
import { bytes, isolated, number } from "./main.js";
import { enumWords } from "./main.js";
var isAccepted = (it) => it !== null && it.revokedAt === null;

// src/screens/hardware-missing.ts
import { bytes as bytes2, diskBytes, isolated as isolated2, number as number2 } from "./main.js";
import { enumWords as enumWords2 } from "./main.js";
var MEASURES = {
  PROCESSORS: { title: "Processors" },
  CORES: { title: "Cores" },
  THREADS: { title: "Threads" },
  MEMORY_MODULES: { title: "Memory modules" },
  MEMORY_BYTES: { title: "Memory", of: bytes2 },
  DISKS: { title: "Disks" },
  DISK_BYTES: { title: "Size of all disks", of: diskBytes },
  GPUS: { title: "GPUs" },
  INTERFACES: { title: "Interfaces" },
  DEVICES: { title: "Devices" }
};
var measureTitle = (measure) => MEASURES[measure]?.title ?? enumWords2(measure);
function amountWords({ measure, found, expected }) {
  const of = MEASURES[measure]?.of ?? number2;
  return `${of(found)} of ${of(expected)}`;
}
function demandWords({ demand, measure }, hostClass) {
  if (demand === "ACKNOWLEDGED") return "as acknowledged";
  if (demand !== "CLASS") return enumWords2(demand);
  const compared = measure === "CORES" ? ", compared with threads" : "";
  return `demanded by ${hostClass === null ? "its class" : `the class ${isolated2(hostClass)}`}${compared}`;
}
var staysMissing = (all) => all.some((it) => it.demand !== "ACKNOWLEDGED");

// src/screens/token-words.tsx
import { useState as useState2 } from "./main.js";
import { asRefused as asRefused2, since, time } from "./main.js";

// src/parts/copy.tsx
import { useState } from "./main.js";
import { jsx } from "./main.js";
function Copy({ text, children }) {
  const [outcome, setOutcome] = useState(null);
  const refused = () => setOutcome("The browser does not allow copying");
  const copy = () => {
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => setOutcome("Copied"), refused);
    else refused();
  };
  return /* @__PURE__ */ jsx("button", { type: "button", onClick: copy, children: outcome ?? children });
}

// src/screens/token-words.tsx
import { jsx as jsx2, jsxs } from "./main.js";
var FILE = "/etc/underlay/token";
var keepCommand = (file) => `( umask 077; mkdir -p /etc/underlay; cat > ${file} )`;
var runCommand = () => `underlay-agent run --server ${location.origin} --token-file ${FILE}`;
var Ago = ({ at }) => /* @__PURE__ */ jsx2("time", { dateTime: at, title: time(at), children: since(at) });
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
function Line({ label, text, copy }) {
  return /* @__PURE__ */ jsxs("div", { class: "hardware-line", children: [
    /* @__PURE__ */ jsx2("code", { role: "group", "aria-label": label, tabIndex: 0, children: text }),
    /* @__PURE__ */ jsx2(Copy, { text, children: copy })
  ] });
}

// src/screens/hardware-acts.lazy.tsx
import { Fragment, jsx as jsx3, jsxs as jsxs2 } from "./main.js";
var ISSUE = "mutation Issue($host: ID!) { issueAgentToken(host: $host) { token } }";
var REVOKE = "mutation Revoke($host: ID!) { revokeAgentToken(host: $host) { revoked } }";
function IssueDialog({ host, onDone, onClose }) {
  const [token, setToken] = useState3(null);
  const [former] = useState3(host.agentToken);
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
    /* @__PURE__ */ jsx3(Line, { label: "The command that keeps the token", text: keepCommand(FILE), copy: "Copy this command" }),
    /* @__PURE__ */ jsx3("p", { children: "Then run the agent:" }),
    /* @__PURE__ */ jsx3(Line, { label: "The command that runs the agent", text: runCommand(), copy: "Copy the command" }),
    /* @__PURE__ */ jsx3("footer", { children: /* @__PURE__ */ jsx3("button", { type: "button", class: "main", onClick: onClose, children: "I have it" }) })
  ] }) });
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
function AcknowledgeDialog({ host, onDone, onClose }) {
  const { error, waiting, submit } = useSending(async () => {
    await order("acknowledgeHardware", "AcknowledgeHardwareInput", { ids: [host.id] }, "revision");
    onDone();
    onClose();
  });
  const missing = host.missingHardware;
  return /* @__PURE__ */ jsx3(Dialog, { title: `Acknowledge the hardware of ${host.name}`, class: "order", onClose, children: /* @__PURE__ */ jsxs2("form", { onSubmit: submit, children: [
    /* @__PURE__ */ jsxs2("header", { class: "order-head", children: [
      /* @__PURE__ */ jsxs2("h2", { children: [
        "Acknowledge the hardware of ",
        /* @__PURE__ */ jsx3("bdi", { children: host.name })
      ] }),
      /* @__PURE__ */ jsx3("button", { type: "button", class: "plain", onClick: onClose, "aria-label": "Close without acknowledging", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsxs2("div", { class: "order-what", role: "status", children: [
      /* @__PURE__ */ jsx3("p", { children: "What the agent reported last becomes what the host should have. When it has less of something later, hardware is missing. The machine is not touched." }),
      missing.length > 0 && /* @__PURE__ */ jsxs2(Fragment, { children: [
        /* @__PURE__ */ jsx3("p", { children: /* @__PURE__ */ jsx3("b", { children: "You accept that the host has less than is expected:" }) }),
        /* @__PURE__ */ jsx3("ul", { children: missing.map((it) => /* @__PURE__ */ jsxs2("li", { children: [
          measureTitle(it.measure),
          ": ",
          amountWords(it),
          ", ",
          demandWords(it, host.class?.name ?? null),
          "."
        ] }, `${it.measure} ${it.demand}`)) })
      ] }),
      staysMissing(missing) && /* @__PURE__ */ jsx3("p", { children: "What the class demands stays missing, until the machine has it or the host has another class." })
    ] }),
    error && /* @__PURE__ */ jsx3(Failure, { error }),
    /* @__PURE__ */ jsxs2("footer", { children: [
      /* @__PURE__ */ jsx3("button", { type: "button", onClick: onClose, children: "Do nothing" }),
      /* @__PURE__ */ jsx3("button", { type: "submit", class: "main", disabled: waiting, children: "Acknowledge the hardware" })
    ] })
  ] }) });
}
export {
  AcknowledgeDialog,
  IssueDialog,
  RevokeDialog
};
