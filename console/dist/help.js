// src/screens/help.lazy.tsx
import { available, Dialog, helpShown, keysOn, keyWords, switchKeys } from "./main.js";
import { jsx, jsxs } from "./main.js";
function Help() {
  if (!helpShown.value) return null;
  const close = () => {
    helpShown.value = false;
  };
  const commands = available.value.filter((it) => it.keys.length > 0);
  return /* @__PURE__ */ jsxs(Dialog, { title: "Keys of this page", class: "help", onClose: close, children: [
    /* @__PURE__ */ jsxs("header", { children: [
      /* @__PURE__ */ jsx("h2", { children: "Keys of this page" }),
      /* @__PURE__ */ jsx("button", { type: "button", onClick: close, "aria-label": "Close", children: "\u2715" })
    ] }),
    /* @__PURE__ */ jsx("div", { class: "key-groups", children: [...new Set(commands.map((it) => it.group))].map((group) => /* @__PURE__ */ jsxs("section", { "aria-label": group, children: [
      /* @__PURE__ */ jsx("h3", { children: group }),
      /* @__PURE__ */ jsx("dl", { children: commands.filter((it) => it.group === group).map((it) => /* @__PURE__ */ jsxs("div", { children: [
        /* @__PURE__ */ jsx("dt", { children: it.keys.map((key) => /* @__PURE__ */ jsx("kbd", { children: keyWords(key) }, key)) }),
        /* @__PURE__ */ jsx("dd", { children: it.title })
      ] }, it.id)) })
    ] }, group)) }),
    /* @__PURE__ */ jsx("p", { children: "In a list, the arrow keys, Page up, Page down, Home and End move, Space marks, and Shift with an arrow marks a range." }),
    /* @__PURE__ */ jsxs("label", { class: "check", children: [
      /* @__PURE__ */ jsx("input", { type: "checkbox", checked: keysOn.value, onChange: (event) => switchKeys(event.currentTarget.checked) }),
      " Keys without Ctrl or \u2318 are on"
    ] })
  ] });
}
export {
  Help
};
