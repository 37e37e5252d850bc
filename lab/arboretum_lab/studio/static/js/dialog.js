// @ts-check
/** Modal dialogs: the browser's own, so that focus and Escape are as everywhere. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Opens a dialog that is removed when it is closed.
 *
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {{wide?: boolean, onclose?: () => void}} [options]
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, options = {}) {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: options.wide ? "dialog dialog-wide" : "dialog", "aria-label": title },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, title),
      h("button", { type: "button", class: "button-icon", "aria-label": "Close", onclick: close }, icon("close")),
    ),
    h("div", { class: "dialog-body stack" }, content),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    options.onclose?.();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks before something that cannot be undone.
 *
 * @param {string} title
 * @param {string} question
 * @param {string} yes the button's words
 * @returns {Promise<boolean>}
 */
export function confirmDialog(title, question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const agree = () => {
      answer = true;
      dialog.close();
    };
    const dialog = openDialog(
      title,
      [
        h("p", {}, question),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "button button-primary", onclick: agree }, yes),
          h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
        ),
      ],
      { onclose: () => resolve(answer) },
    );
  });
}
