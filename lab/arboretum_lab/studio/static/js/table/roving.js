// @ts-check
/** One tab stop for a row of buttons; arrow keys move within it. */

/**
 * @param {HTMLElement} container
 * @param {string} selector of its buttons
 */
export function rove(container, selector) {
  const items = () => /** @type {HTMLElement[]} */ ([...container.querySelectorAll(selector)]);
  container.addEventListener("focusin", (event) => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches(selector)) return;
    for (const item of items()) item.tabIndex = item === event.target ? 0 : -1;
  });
  container.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.findIndex((item) => item === event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  });
}

/**
 * Gives a row its tab stop after it was filled, at `current` or the first.
 *
 * @param {HTMLElement[]} items
 * @param {HTMLElement} [current]
 */
export function setStop(items, current = items[0]) {
  for (const item of items) item.tabIndex = item === current ? 0 : -1;
}
