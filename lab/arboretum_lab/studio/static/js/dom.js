// @ts-check
/** Elements without markup in strings. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element. `class` and other names are attributes, `onclick` and the like listeners;
 * false, null and undefined leave an attribute out, true gives an empty one.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Node} parent
 * @param {(Child | Child[])[]} children
 */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Replaces what an element holds.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return /** @type {SVGElement} */ (element);
}

/**
 * The picture that a text describes. It is read as XML, so nothing in it runs.
 *
 * @param {string} text
 * @returns {SVGSVGElement}
 */
export function svgFrom(text) {
  const root = document.importNode(
    new DOMParser().parseFromString(text, "image/svg+xml").documentElement,
    true,
  );
  if (!(root instanceof SVGSVGElement)) throw new Error("not an SVG picture");
  return root;
}

/**
 * An element that must be there.
 *
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
export function find(selector, root = document) {
  const element = root.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`no element ${selector}`);
  return element;
}
