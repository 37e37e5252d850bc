// @ts-check
/** Moves and scales a picture by its viewBox: by pointer, wheel, pinch and keys. */

const MOST = 6; // times nearer than the whole picture
const DRAG = 4; // pixels that a click may wander
const LARGEST = 1.15; // pixels a unit: a single card is not to fill the stage
const SMALL = 230; // pixels: a stage so low shows no empty margin, but larger cards
const MARGIN = { x: 48, y: 62, axis: 24 }; // units of the picture's margin that it does without

/**
 * @typedef {object} PanZoom
 * @property {(svg: SVGSVGElement) => void} attach shows another picture, at the same place if moved
 * @property {(factor: number) => void} zoom about the middle
 * @property {() => void} fit shows the whole picture
 * @property {(x: number, y: number) => void} pan by shares of what is shown
 * @property {(element: SVGGraphicsElement) => void} reveal brings an element into what is shown
 */

/**
 * @param {HTMLElement} stage what holds the picture
 * @returns {PanZoom}
 */
export function panZoom(stage) {
  /** @type {SVGSVGElement|null} */
  let svg = null;
  let whole = new DOMRect(0, 0, 1, 1);
  let shown = whole;

  const apply = () => {
    svg?.setAttribute("viewBox", `${shown.x} ${shown.y} ${shown.width} ${shown.height}`);
    stage.toggleAttribute("data-zoomed", isZoomed());
  };
  const isZoomed = () => shown.width < whole.width * 0.99;

  /**
   * Shows a rectangle, kept within the picture.
   *
   * @param {DOMRect} wanted
   */
  const show = (wanted) => {
    const width = Math.min(whole.width, Math.max(whole.width / MOST, wanted.width));
    const height = (width * whole.height) / whole.width;
    const x = Math.min(Math.max(wanted.x, whole.x), whole.right - width);
    const y = Math.min(Math.max(wanted.y, whole.y), whole.bottom - height);
    shown = new DOMRect(x, y, width, height);
    apply();
  };

  /**
   * @param {number} factor below 1: nearer
   * @param {{x: number, y: number}} [about] in the picture's units
   */
  const scale = (factor, about) => {
    const x = about?.x ?? shown.x + shown.width / 2;
    const y = about?.y ?? shown.y + shown.height / 2;
    const width = Math.min(whole.width, Math.max(whole.width / MOST, shown.width * factor));
    const real = width / shown.width;
    show(new DOMRect(x - (x - shown.x) * real, y - (y - shown.y) * real, width, shown.height * real));
  };

  /** @param {{clientX: number, clientY: number}} event */
  const pointOf = (event) => {
    const matrix = svg?.getScreenCTM()?.inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix ?? undefined);
  };

  /**
   * Moves the picture so that what was at one point comes to another.
   *
   * @param {DOMPoint} from in the picture's units
   * @param {DOMPoint} to
   */
  const drag = (from, to) =>
    show(new DOMRect(shown.x + from.x - to.x, shown.y + from.y - to.y, shown.width, shown.height));

  /** @type {Map<number, {clientX: number, clientY: number}>} */
  const fingers = new Map();
  let wandered = 0;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    fingers.set(event.pointerId, event);
    wandered = 0;
  });
  stage.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before || !svg) return;
    const now = { clientX: event.clientX, clientY: event.clientY };
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        // What lies between the fingers stays between them.
        const held = pointOf(between(before, other));
        scale(distance(before, other) / Math.max(1, distance(now, other)), held);
        drag(held, pointOf(between(now, other)));
        wandered = DRAG + 1;
      }
    } else {
      wandered += distance(before, now);
      if (wandered > DRAG && isZoomed()) {
        stage.setPointerCapture(event.pointerId);
        drag(pointOf(before), pointOf(now));
      }
    }
    fingers.set(event.pointerId, now);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
    stage.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }
  // Two fingers are for the picture, never for the page; one finger may scroll it.
  stage.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  // A drag is no click on the cell where it ends.
  stage.addEventListener(
    "click",
    (event) => {
      if (wandered > DRAG && isZoomed()) event.stopPropagation();
      wandered = 0;
    },
    true,
  );
  stage.addEventListener(
    "wheel",
    (event) => {
      // On small screens the page scrolls; there it takes Ctrl, or two fingers.
      if (!event.ctrlKey && !matchMedia("(min-width: 1000px)").matches) return;
      event.preventDefault();
      scale(Math.exp(event.deltaY / 500), pointOf(event));
    },
    { passive: false },
  );

  return {
    attach(picture) {
      const before = isZoomed() ? shown : null;
      svg = picture;
      const box = picture.viewBox.baseVal;
      whole = frame(box, stage.clientWidth, stage.clientHeight);
      shown = whole;
      if (before) show(before);
      else apply();
    },
    zoom: (factor) => scale(1 / factor),
    fit: () => show(whole),
    pan: (x, y) =>
      show(new DOMRect(shown.x + x * shown.width, shown.y + y * shown.height, shown.width, shown.height)),
    reveal(element) {
      if (!isZoomed()) return;
      const box = element.getBBox();
      const x = Math.min(Math.max(shown.x, box.x + box.width - shown.width), box.x);
      const y = Math.min(Math.max(shown.y, box.y + box.height - shown.height), box.y);
      show(new DOMRect(x, y, shown.width, shown.height));
    },
  };
}

/**
 * What is shown of a picture at most.
 *
 * @param {{x: number, y: number, width: number, height: number}} box the picture's own viewBox
 * @param {number} width of the stage in pixels; 0 while it is not shown
 * @param {number} height
 */
function frame(box, width, height) {
  const trim = height > 0 && height < SMALL ? MARGIN : { x: 0, y: 0, axis: 0 };
  const left = box.x + trim.x + trim.axis;
  const own = { width: box.x + box.width - trim.x - left, height: box.height - 2 * trim.y - trim.axis };
  const least = { width: Math.max(own.width, width / LARGEST), height: Math.max(own.height, height / LARGEST) };
  return new DOMRect(
    left - (least.width - own.width) / 2,
    box.y + trim.y - (least.height - own.height) / 2,
    least.width,
    least.height,
  );
}

/**
 * @param {{clientX: number, clientY: number}} a
 * @param {{clientX: number, clientY: number}} b
 */
function between(a, b) {
  return { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
}

/**
 * @param {{clientX: number, clientY: number}} a
 * @param {{clientX: number, clientY: number}} b
 */
function distance(a, b) {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
