// @ts-check
/** Line icons on a grid of 24. */

import { s } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  back: "M14.5 5.500 8 12l6.500 6.500",
  chart: "M4 4v16h16M8 15l3.500-4 3 2.500 4.500-6.500",
  close: "M6 6l12 12M18 6 6 18",
  dark: "M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z",
  download: "M12 4v11m0 0-4.500-4.500M12 15l4.500-4.500M5 19.500h14",
  first: "M17.500 5.500 11 12l6.500 6.500M7 5.500v13",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  forward: "M9.500 5.500 16 12l-6.500 6.500",
  help: "M9.200 9a2.900 2.900 0 1 1 4.300 2.500c-1 .6-1.500 1.200-1.500 2.500M12 17.500v.1",
  hint: "M9 18h6M10 21h4M12 3a6.500 6.500 0 0 0-4 11.600c.8.700 1 1.400 1 2.400h6c0-1 .2-1.700 1-2.400A6.500 6.500 0 0 0 12 3z",
  last: "M6.500 5.500 13 12l-6.500 6.500M17 5.500v13",
  light: "M12 7.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600 19 19M19 5l-1.400 1.400M6.400 17.600 5 19",
  log: "M5 6h14M5 12h14M5 18h9",
  menu: "M4 7h16M4 12h16M4 17h16",
  minus: "M5 12h14",
  play: "M8 5.500v13l10.500-6.500z",
  plus: "M12 5v14M5 12h14",
  rematch: "M4.500 12a7.500 7.500 0 0 1 13-5.100L20 9.500M20 4.500v5h-5M19.500 12a7.500 7.500 0 0 1-13 5.100L4 14.500M4 19.500v-5h5",
  share: "M12 14V3.500m0 0L8 7.500m4-4 4 4M6 11H5v9h14v-9h-1",
  sheet: "M6 3.500h12v17l-3-2-3 2-3-2-3 2zM9 8.500h6M9 12.500h6",
  turnback: "M18.500 5.500 12 12l6.500 6.500M11.500 5.500 5 12l6.500 6.500",
  turnon: "M5.500 5.500 12 12l-6.500 6.500M12.500 5.500 19 12l-6.500 6.500",
  undo: "M9 6.500 4.500 11 9 15.500M5 11h9a5 5 0 0 1 0 10h-2",
  upload: "M12 15.500V4m0 0L7.500 8.500M12 4l4.500 4.500M5 19.500h14",
};

/**
 * @param {string} name
 * @returns {SVGElement} a decoration: what it means stands beside it or in a label
 */
export function icon(name) {
  const path = s("path", { d: PATHS[name] ?? "" });
  return s(
    "svg",
    {
      viewBox: "0 0 24 24",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.8,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
      focusable: "false",
    },
    path,
  );
}
