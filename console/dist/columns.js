// src/screens/columns.lazy.tsx
import { about, chosenColumns, chosenWidths, columnsOf, columnsParam, setParams, words } from "./main.js";
import { jsx, jsxs } from "./main.js";
function Columns({ kind, params }) {
  const chosen = chosenColumns(kind, params);
  const widths = chosenWidths(params);
  const set = (next, changed = widths) => setParams({ columns: next.length > 0 ? columnsParam(next, changed) : null }, "replace");
  const others = columnsOf(kind).filter((it) => !chosen.includes(it.name));
  const move = (at, by) => {
    const next = [...chosen];
    const [taken] = next.splice(at, 1);
    if (taken) next.splice(Math.max(0, at + by), 0, taken);
    set(next);
  };
  return /* @__PURE__ */ jsxs("div", { class: "columns", children: [
    /* @__PURE__ */ jsxs("fieldset", { children: [
      /* @__PURE__ */ jsx("legend", { children: "Shown, in this order, with their width in pixels" }),
      chosen.map((it, at) => /* @__PURE__ */ jsxs("div", { class: "column", children: [
        /* @__PURE__ */ jsxs("label", { children: [
          /* @__PURE__ */ jsx("input", { type: "checkbox", checked: true, onChange: () => set(chosen.filter((one) => one !== it)) }),
          " ",
          words(it)
        ] }),
        /* @__PURE__ */ jsx(
          "input",
          {
            type: "number",
            "aria-label": `Width of ${words(it)} in pixels`,
            min: 48,
            max: 2e3,
            step: 10,
            placeholder: "auto",
            value: widths[it] ?? "",
            onChange: (event) => set(chosen, { ...widths, [it]: Number(event.currentTarget.value) })
          }
        ),
        /* @__PURE__ */ jsx("button", { type: "button", "aria-label": `Move ${words(it)} to the left`, disabled: at === 0, onClick: () => move(at, -1), children: "\u2191" }),
        /* @__PURE__ */ jsx("button", { type: "button", "aria-label": `Move ${words(it)} to the right`, disabled: at === chosen.length - 1, onClick: () => move(at, 1), children: "\u2193" })
      ] }, it))
    ] }),
    /* @__PURE__ */ jsxs("fieldset", { children: [
      /* @__PURE__ */ jsx("legend", { children: "Others" }),
      others.map((it) => /* @__PURE__ */ jsxs("label", { title: about(`${kind.name}.${it.name}`), children: [
        /* @__PURE__ */ jsx("input", { type: "checkbox", checked: false, onChange: () => set([...chosen, it.name]) }),
        " ",
        words(it.name)
      ] }, it.name))
    ] }),
    /* @__PURE__ */ jsx("button", { type: "button", onClick: () => setParams({ columns: null }, "replace"), children: "Back to the usual columns" })
  ] });
}
export {
  Columns
};
