// src/screens/marked.lazy.tsx
import { useEffect, useState } from "./main.js";
import { number } from "./main.js";
import { pluralOf } from "./main.js";
import { useCommands } from "./main.js";
import { Act } from "./main.js";
import { say } from "./main.js";
import { asRefused } from "./main.js";
import { mark, marksOf, unmark } from "./main.js";
import { refusal } from "./main.js";
import { openForm } from "./main.js";

// src/store/bounds.ts
var MAX_STEPS = 1e4;

// src/screens/marked.lazy.tsx
import { allRows, deletion, propose } from "./writes.js";
import { jsx, jsxs } from "./main.js";
function Marked({ source, total, asked }) {
  const { kind } = source;
  const marked = [...marksOf(kind.name)];
  const [busy, setBusy] = useState(false);
  const title = pluralOf(kind.name).toLowerCase();
  const tooMany = marked.length > MAX_STEPS;
  const refused = refusal("apply") ?? (tooMany ? `At most ${number(MAX_STEPS)} objects are written at once.` : void 0);
  const all = async () => {
    setBusy(true);
    try {
      for await (const rows of allRows(source, "id")) mark(kind.name, rows.map((it) => String(it.id)), true);
    } catch (error) {
      say(asRefused(error).message);
    }
    setBusy(false);
  };
  const edit = () => openForm({ kind, objects: marked });
  const remove = () => {
    propose(`Delete ${number(marked.length)} ${title}`, marked.map((it) => deletion(kind.name, it, "", false)));
  };
  const some = marked.length > 0;
  useEffect(() => {
    if (asked > 0) void all();
  }, [asked]);
  useCommands(some && kind.remove && !refused ? { delete: remove } : {});
  if (!some) return null;
  return /* @__PURE__ */ jsxs("div", { class: "marked-bar", role: "group", "aria-label": "Marked", children: [
    /* @__PURE__ */ jsxs("b", { role: "status", children: [
      number(marked.length),
      " marked"
    ] }),
    total !== null && total > marked.length && /* @__PURE__ */ jsx("button", { type: "button", disabled: busy, onClick: () => void all(), children: busy ? "Marking\u2026" : `Mark all ${number(total)} that fit` }),
    kind.change && kind.apply && /* @__PURE__ */ jsxs(Act, { refusal: refused, onClick: edit, children: [
      "Edit ",
      number(marked.length)
    ] }),
    kind.remove && /* @__PURE__ */ jsxs(Act, { refusal: refused, onClick: remove, children: [
      "Delete ",
      number(marked.length),
      "\u2026"
    ] }),
    /* @__PURE__ */ jsx("button", { type: "button", onClick: () => unmark(kind.name), children: "Remove the marks" })
  ] });
}
export {
  Marked
};
